/** A saved run as far as it is compared: how it was made, its figures, its curve and its trades. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { mustBeRegular } from '../../files/regularFile.ts'
import { fp9 } from '../../quantity/decimal.ts'
import { writtenInstant } from '../../terms/writtenInstant.ts'
import type { ReportData } from '../report/reportData.ts'
import { readResult, readSavedReport } from '../report/savedReport.ts'
import { SavedReportError } from '../report/savedReportError.ts'
import { FIGURES, type FigureName } from './figures.ts'

/** A closed trade as `trades.csv` has it; amounts and prices are fp9, times epoch ms. */
export interface SavedTrade {
  readonly asset: string
  readonly side: string
  readonly openedAt: number
  readonly closedAt: number
  readonly size: bigint
  readonly entryPrice: bigint
  readonly exitPrice: bigint
  readonly pnl: bigint
  readonly endedBy: string
}

export interface SavedRun {
  /** The folder or file it was read from, as given. */
  readonly place: string
  readonly strategy: string
  /** ISO 8601. */
  readonly from: string
  readonly to: string
  readonly outcome: string
  /** Everything that was set, and each file with its SHA-256; null where the run does not say. */
  readonly settings: ReadonlyMap<string, string> | null
  readonly figures: Readonly<Record<FigureName, bigint | number | null>>
  /** Thinned out as in the report: seconds since 1970, and equity in quote currency. */
  readonly curve: { readonly time: readonly number[]; readonly equity: readonly number[] }
  /** In the order of closing. */
  readonly trades: readonly SavedTrade[]
  readonly stateHash: string
}

/** @throws SavedReportError for a folder that is not a saved run or one without its trades, and naming the first place that has another form. */
export async function readSavedRun(place: string): Promise<SavedRun> {
  const report = await readSavedReport(place)
  const { file, saved } = await readResult(place)
  const { formed, SavedAmount, SavedHead, SavedNumber } = await import('../report/savedForm.ts')
  const { strategy, from, to, verdict, stateHash } = formed(SavedHead, saved, file)
  const figures = Object.entries(FIGURES).map(([name, { at, unit }]) => {
    const value = valueAt(saved, at)
    if (unit !== 'amount') return [name, formed(SavedNumber, value, file, at)]
    const amount = formed(SavedAmount, value, file, at)
    return [name, amount === null ? null : BigInt(amount)]
  })
  return {
    place,
    strategy,
    from,
    to,
    outcome: verdict.outcome,
    settings: settingsOf(report),
    figures: Object.fromEntries(figures),
    curve: curveOf(report),
    trades: await readTrades(path.join(path.dirname(file), 'trades.csv')),
    stateHash,
  }
}

/** Null where it is not there, or has no meaning for the run. */
function valueAt(saved: object, at: string): unknown {
  let value: unknown = saved
  for (const key of at.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key]
  return value ?? null
}

function settingsOf({ madeBy, software }: ReportData): Map<string, string> | null {
  if (madeBy === null || madeBy === undefined) return null
  const files = madeBy.files.map(({ path: read, sha256 }) => [`SHA-256 of ${read}`, sha256] as const)
  return new Map([['version', software], ...madeBy.settings, ...files])
}

function curveOf({ charts }: ReportData): SavedRun['curve'] {
  let at = 0
  return {
    time: charts.curve.time.map((step) => (at += step)),
    equity: charts.curve.equity.map((cents) => cents / 100),
  }
}

async function readTrades(file: string): Promise<SavedTrade[]> {
  let text: string
  try {
    await mustBeRegular(file)
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new SavedReportError(`${file}: the trades of the run cannot be read (${(error as Error).message})`)
  }
  let rows: Record<string, string>[]
  try {
    rows = parse(text, { columns: true })
  } catch (error) {
    throw new SavedReportError(`${file}: not a table of trades (${(error as Error).message})`)
  }
  return rows.map((row, index) => {
    try {
      return tradeOf(row)
    } catch (error) {
      throw new SavedReportError(`${file}: row ${index + 1}: ${(error as Error).message}`)
    }
  })
}

/** @throws RangeError for a cell that is missing or cannot be read. */
function tradeOf(row: Record<string, string>): SavedTrade {
  const cell = (name: string): string => {
    const text = row[name]
    if (text === undefined) throw new RangeError(`no column ${name}`)
    return text
  }
  const moment = (name: string): number => {
    const time = writtenInstant(cell(name))
    if (time === null) throw new RangeError(`${name} is no time: ${cell(name)}`)
    return time
  }
  const decimal = (name: string): bigint => {
    try {
      return fp9(cell(name))
    } catch {
      throw new RangeError(`${name} is no decimal: ${cell(name)}`)
    }
  }
  return {
    asset: cell('asset'),
    side: cell('side'),
    openedAt: moment('openedAt'),
    closedAt: moment('closedAt'),
    size: decimal('size'),
    entryPrice: decimal('entryPrice'),
    exitPrice: decimal('exitPrice'),
    pnl: decimal('pnl'),
    endedBy: cell('endedBy'),
  }
}
