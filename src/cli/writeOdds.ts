/** What an evaluation found as files, of a strategy and of a trader's own trades alike. */
import { writeFile } from 'node:fs/promises'
import type { OddsReport } from '../backtest/report/oddsReport.ts'
import type { EvaluateOptions } from './evaluateOptions.ts'
import { writeCases } from './writeCases.ts'
import { writeStudy } from './writeStudy.ts'

/** What was found, as each of the files has it; the page is made where one asks for it. */
interface FoundOdds {
  readonly page: () => OddsReport | Promise<OddsReport>
  readonly cases: readonly object[]
  readonly json: () => object | Promise<object>
}

export async function writeOdds(
  { report, csv, out }: Pick<EvaluateOptions, 'report' | 'csv' | 'out'>,
  { page, cases, json }: FoundOdds,
): Promise<void> {
  const drawn = async () => {
    const { renderOdds } = await import('../backtest/report/oddsReport.ts')
    return renderOdds(await page())
  }
  if (report !== undefined) {
    await writeFile(report, await drawn())
    process.stderr.write(`report: ${report}\n`)
  }
  if (csv !== undefined) await writeCases(csv, cases)
  if (out !== undefined) await writeStudy(out, await drawn(), await json(), { odds: cases })
}
