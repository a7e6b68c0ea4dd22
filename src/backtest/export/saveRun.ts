/** A run as files in a folder: the report, tables for a spreadsheet, the events, and everything as JSON. */
import { createWriteStream } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { type AgainstMarkets, againstMarkets } from '../beside/againstMarkets.ts'
import type { Beside } from '../beside/beside.ts'
import { resultJson } from '../output/json.ts'
import type { Provenance } from '../plan/provenance.ts'
import type { Recorded, Recording } from '../recording/recording.ts'
import { renderReport } from '../report/render.ts'
import { type ReportData, reportData } from '../report/reportData.ts'
import type { PathComparison } from '../run/bothPaths.ts'
import type { BacktestResult } from '../run/run.ts'
import { rollingFigures } from '../statistics/rolling.ts'
import { COLUMNS } from './columns.ts'
import { eventLines } from './eventLines.ts'
import { ambiguousRows, besideRows, figureTables, orderTables, type Tables } from './figureTables.ts'
import { marketTables } from './marketTables.ts'
import {
  curveRows,
  drawdownRows,
  fillRows,
  learnedRows,
  monthRows,
  partRows,
  type Row,
  rollingRows,
  tradeRows,
} from './tables.ts'

/** The file that `readSavedReport` draws a report from. */
export const RESULT_FILE = 'result.json'
/** The name of the report in the folder of a run. */
export const REPORT_FILE = 'report.html'
/** Everything that happened, a line of JSON each. */
export const EVENTS_FILE = 'events.jsonl'

/**
 * Writes report.html, every table of it (trades.csv, fills.csv, curve.csv, monthly.csv, rolling.csv, drawdowns.csv, markets.csv, rollingBeta.csv,
 * stress.csv, statistics.csv, costs.csv, data.csv, rejections.csv, ambiguousBars.csv), events.jsonl and result.json; makes the folder and replaces files of these names. Of a portfolio
 * strategies.csv too, of one that learned learned.csv, with a comparison orders.csv, decidingBars.csv and divergences.csv, and beside.csv where something stands beside it.
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
  against: AgainstMarkets = againstMarkets(result, recording),
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const report = reportData(result, recording, comparison, madeBy, beside, against)
  await saveTables(folder, result, recording, report, against, beside)
  const ordered = {
    ambiguousBars: ambiguousRows(recording, comparison),
    ...(comparison === null ? {} : orderTables(recording, comparison)),
  }
  const own = beside === null ? ordered : { ...ordered, beside: besideRows(result, beside) }
  await saveOptional(folder, [...ORDERS, 'beside'], own)
  const events = Readable.from(eventLines(recording.commits))
  await pipeline(events, createWriteStream(path.join(folder, EVENTS_FILE)))
  await saveResult(folder, { ...resultJson(result, madeBy, beside, against), ...ordered }, report)
}

const PARTS = 'strategies'
const LEARNED = 'learned'
const ORDERS = ['ambiguousBars', 'orders', 'decidingBars', 'divergences']

/** The tables of a run, whoever made it. */
export async function saveTables(
  folder: string,
  result: BacktestResult,
  recording: Recorded,
  { charts: { daily } }: ReportData,
  against: AgainstMarkets,
  beside: Beside | null = null,
): Promise<void> {
  const { fills, markets, floors } = recording
  const { portfolio, learned } = result
  const tables: Readonly<Record<string, Iterable<Row>>> = {
    trades: tradeRows(result.trades, fills, markets),
    fills: fillRows(fills, markets, portfolio !== undefined),
    curve: curveRows(result.curve, floors),
    monthly: monthRows(daily),
    rolling: rollingRows(daily),
    drawdowns: drawdownRows(daily),
    ...marketTables(against),
    ...figureTables(result, recording, beside),
  }
  for (const [name, rows] of Object.entries(tables)) await saveTable(folder, name, rows)
  await saveOptional(folder, [PARTS, LEARNED], {
    ...(portfolio === undefined ? {} : { [PARTS]: [...partRows(portfolio)] }),
    ...(learned === undefined ? {} : { [LEARNED]: [...learnedRows(learned)] }),
  })
}

/** Those that this run has; the others are gone, which an earlier run that was saved here may have had. */
async function saveOptional(folder: string, names: readonly string[], tables: Tables): Promise<void> {
  for (const name of names) {
    const rows = tables[name]
    if (rows === undefined) await rm(fileOf(folder, name), { force: true })
    else await saveTable(folder, name, rows)
  }
}

const fileOf = (folder: string, name: string) => path.join(folder, `${name}.csv`)

/** One that has no row has its columns all the same. */
export function saveTable(folder: string, name: string, rows: Iterable<Row>): Promise<void> {
  return writeTable(fileOf(folder, name), rows, COLUMNS[name])
}

/** result.json with the report in it, and the report. */
export async function saveResult(folder: string, json: object, report: ReportData): Promise<void> {
  const { daily } = report.charts
  const tables = {
    monthly: monthRows(daily),
    rolling: rollingFigures(daily),
    drawdowns: [...drawdownRows(daily)],
  }
  const saved = { ...json, ...tables, report }
  await writeFile(path.join(folder, RESULT_FILE), `${JSON.stringify(saved)}\n`)
  await writeFile(path.join(folder, REPORT_FILE), renderReport(report))
}

/** Quotes where quoting is due (RFC 4180). The columns are those of the first row; without one they are `columns`. */
export async function writeTable(
  file: string,
  rows: Iterable<Row>,
  columns: readonly string[] = [],
): Promise<void> {
  const { stringify } = await import('csv-stringify')
  let isEmpty = true
  function* seen(): Generator<Row> {
    for (const row of rows) {
      isEmpty = false
      yield row
    }
  }
  const table = stringify({ header: true, cast: { boolean: String } })
  await pipeline(Readable.from(seen()), table, createWriteStream(file))
  if (isEmpty && columns.length > 0) await writeFile(file, `${columns.join()}\n`)
}
