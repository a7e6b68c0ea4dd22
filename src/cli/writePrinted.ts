/** What a command found as files in a folder, where its page is what it prints. */
import type { PrintedReport } from '../backtest/report/printedReport.ts'
import { writeStudy } from './writeStudy.ts'

interface Printed extends PrintedReport {
  /** As JSON, beside the plan. */
  readonly found: unknown
  /** By the names of their files, without the end `.csv`. */
  readonly tables: Readonly<Record<string, readonly object[]>>
}

export async function writePrinted(folder: string, { plan, found, tables, ...said }: Printed): Promise<void> {
  const [{ renderPrinted }, { datedPlan }] = await Promise.all([
    import('../backtest/report/printedReport.ts'),
    import('../backtest/plan/dataPeriod.ts'),
  ])
  const dated = await datedPlan(plan)
  await writeStudy(folder, renderPrinted({ plan: dated, ...said }), { plan: dated, found }, tables)
}
