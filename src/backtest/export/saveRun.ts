/** A run as files in a folder: the report, tables for a spreadsheet, the events, and everything as JSON. */
import { createWriteStream } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { Beside } from '../beside/beside.ts'
import { resultJson } from '../output/json.ts'
import type { Provenance } from '../plan/provenance.ts'
import type { Recording } from '../recording/recording.ts'
import { renderReport } from '../report/render.ts'
import { reportData } from '../report/reportData.ts'
import type { PathComparison } from '../run/bothPaths.ts'
import type { BacktestResult } from '../run/run.ts'
import { rollingFigures } from '../statistics/rolling.ts'
import { eventLines } from './eventLines.ts'
import { curveRows, fillRows, monthRows, partRows, type Row, rollingRows, tradeRows } from './tables.ts'

/** The file that `readSavedReport` draws a report from. */
export const RESULT_FILE = 'result.json'
/** The name of the report in the folder of a run. */
export const REPORT_FILE = 'report.html'

/**
 * Writes report.html, trades.csv, fills.csv, curve.csv, monthly.csv, rolling.csv, events.jsonl and result.json; makes the folder and replaces
 * files of these names. Of a portfolio strategies.csv too.
 *
 * ```ts
 * const options = { markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }], strategy: emaCross({ asset: 'BTC' }) }
 * const recording = new Recording()
 * const result = await runBacktest({ ...options, recorder: recording })
 * await saveRun(directory, result, recording)
 * ```
 *
 * @throws what the file system throws; RangeError where the charting packages are not installed.
 */
export async function saveRun(
  folder: string,
  result: BacktestResult,
  recording: Recording,
  comparison: PathComparison | null = null,
  madeBy: Provenance | null = null,
  beside: Beside | null = null,
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const { fills, markets, commits, floors } = recording
  const report = reportData(result, recording, comparison, madeBy, beside)
  const inFolder = (name: string) => path.join(folder, name)
  await writeTable(inFolder('trades.csv'), tradeRows(result.trades, fills, markets))
  await writeTable(inFolder('fills.csv'), fillRows(fills, markets))
  await writeTable(inFolder('curve.csv'), curveRows(result.curve, floors))
  await writeTable(inFolder('monthly.csv'), monthRows(report.charts.daily))
  await writeTable(inFolder('rolling.csv'), rollingRows(report.charts.daily))
  if (result.portfolio !== undefined) await writeTable(inFolder('strategies.csv'), partRows(result.portfolio))
  const monthly = [...monthRows(report.charts.daily)]
  const rolling = rollingFigures(report.charts.daily)
  await pipeline(Readable.from(eventLines(commits)), createWriteStream(inFolder('events.jsonl')))
  await writeFile(
    inFolder(RESULT_FILE),
    `${JSON.stringify({ ...resultJson(result, madeBy, beside), monthly, rolling, report })}\n`,
  )
  await writeFile(inFolder(REPORT_FILE), renderReport(report))
}

/** Quotes where quoting is due (RFC 4180). An empty table is an empty file. */
async function writeTable(file: string, rows: Iterable<Row>): Promise<void> {
  const { stringify } = await import('csv-stringify')
  await pipeline(Readable.from(rows), stringify({ header: true }), createWriteStream(file))
}
