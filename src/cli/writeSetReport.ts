/** The page of a sweep or a search, which both list sets. */
import { writeFile } from 'node:fs/promises'
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { SweepReport } from '../backtest/report/sweepReport.ts'
import type { SelectionEvidence } from '../backtest/sweep/evidence.ts'
import { VERSION } from '../version.ts'

export async function writeSetReport(
  file: string,
  evidence: SelectionEvidence | null,
  report: Omit<SweepReport, 'software' | 'evidence'> & { readonly plan: RunPlan },
): Promise<void> {
  const [{ renderSweepReport }, { evidenceLines }, { datedPlan }] = await Promise.all([
    import('../backtest/report/sweepReport.ts'),
    import('../backtest/sweep/evidence.ts'),
    import('../backtest/plan/dataPeriod.ts'),
  ])
  const said = evidence === null ? [] : evidenceLines(evidence)
  const plan = await datedPlan(report.plan)
  const software = `margin-core ${VERSION}`
  await writeFile(file, renderSweepReport({ ...report, plan, software, evidence: said }))
  process.stderr.write(`report: ${file}\n`)
}
