/** The page of a sweep or a search, which both list sets. */
import { writeFile } from 'node:fs/promises'
import type { SweepReport } from '../backtest/report/sweepReport.ts'
import type { SelectionEvidence } from '../backtest/sweep/evidence.ts'
import { VERSION } from '../version.ts'

export async function writeSetReport(
  file: string,
  evidence: SelectionEvidence | null,
  report: Omit<SweepReport, 'software' | 'evidence'>,
): Promise<void> {
  const [{ renderSweepReport }, { evidenceLines }] = await Promise.all([
    import('../backtest/report/sweepReport.ts'),
    import('../backtest/sweep/evidence.ts'),
  ])
  const said = evidence === null ? [] : evidenceLines(evidence)
  await writeFile(file, renderSweepReport({ ...report, software: `margin-core ${VERSION}`, evidence: said }))
  process.stderr.write(`report: ${file}\n`)
}
