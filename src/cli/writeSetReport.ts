/** What a sweep or a search found, which both list sets: its page, and the folder with every table of it. */
import { writeFile } from 'node:fs/promises'
import type { RunPlan } from '../backtest/plan/plan.ts'
import type { SweepReport } from '../backtest/report/sweepReport.ts'
import type { SelectionEvidence } from '../backtest/sweep/evidence.ts'
import type { OrderedRow } from '../backtest/sweep/order.ts'
import { VERSION } from '../version.ts'
import { writeStudy } from './writeStudy.ts'

type SetReport = Omit<SweepReport, 'software' | 'evidence'> & {
  readonly plan: RunPlan
  readonly best: readonly OrderedRow[]
}

export async function writeSetReport(
  file: string,
  evidence: SelectionEvidence | null,
  report: SetReport,
): Promise<void> {
  await writeFile(file, await pageOf(evidence, report))
  process.stderr.write(`report: ${file}\n`)
}

/** @param json what `--json` prints. */
export async function writeSetStudy(
  folder: string,
  evidence: SelectionEvidence | null,
  report: SetReport,
  json: object,
): Promise<void> {
  const [{ sweepLine }, { shownHeatMap }] = await Promise.all([
    import('../backtest/sweep/table.ts'),
    import('../backtest/report/sweepReport.ts'),
  ])
  const map = shownHeatMap(report)
  const fields =
    map?.lines.flatMap(({ head, cells }) =>
      cells.map((value, place) => ({
        [map.x]: map.across[place],
        ...(map.y === undefined ? {} : { [map.y]: head }),
        [map.figure]: value,
      })),
    ) ?? []
  await writeStudy(folder, await pageOf(evidence, report), json, {
    sets: report.best.map(sweepLine),
    evidence: evidence === null ? [] : [evidence],
    heatMap: fields,
  })
}

async function pageOf(evidence: SelectionEvidence | null, report: SetReport): Promise<string> {
  const [{ renderSweepReport }, { evidenceLines }, { datedPlan }] = await Promise.all([
    import('../backtest/report/sweepReport.ts'),
    import('../backtest/sweep/evidence.ts'),
    import('../backtest/plan/dataPeriod.ts'),
  ])
  const said = evidence === null ? [] : evidenceLines(evidence)
  const plan = await datedPlan(report.plan)
  return renderSweepReport({ ...report, plan, software: `margin-core ${VERSION}`, evidence: said })
}
