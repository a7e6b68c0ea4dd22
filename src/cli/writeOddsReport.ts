/** The page of an evaluation, of a strategy and of a trader's own trades alike. */
import { writeFile } from 'node:fs/promises'
import type { OddsReport } from '../backtest/report/oddsReport.ts'

export async function writeOddsReport(file: string, report: OddsReport): Promise<void> {
  const { renderOdds } = await import('../backtest/report/oddsReport.ts')
  await writeFile(file, renderOdds(report))
  process.stderr.write(`report: ${file}\n`)
}
