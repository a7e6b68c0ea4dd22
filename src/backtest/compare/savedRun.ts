/** A saved run as far as it is compared: how it was made, its figures, its curve and its trades. */
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { parse } from 'csv-parse/sync'
import { fp9 } from '../../quantity/decimal.ts'
import type { ReportData } from '../report/reportData.ts'
import { readResult, readSavedReport, SavedReportError } from '../report/savedReport.ts'
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

/** @throws SavedReportError for a folder that is not a saved run, or one without its trades. */
export async function readSavedRun(place: string): Promise<SavedRun> {
  const report = await readSavedReport(place)
  const { file, saved } = await readResult(place)
  const { strategy, from, to, verdict, stateHash } = saved as unknown as ResultHead
  const figures = Object.entries(FIGURES).map(([name, { at, unit }]) => [name, valueAt(saved, at, unit)])
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

interface ResultHead {
  readonly strategy: string
  readonly from: string
  readonly to: string
  readonly verdict: { readonly outcome: string }
  readonly stateHash: string
}

function valueAt(saved: object, at: string, unit: string): bigint | number | null {
  let value: unknown = saved
  for (const key of at.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key]
  if (value === null || value === undefined) return null
  return unit === 'amount' ? BigInt(value as string) : Number(value)
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
    text = await readFile(file, 'utf8')
  } catch (error) {
    throw new SavedReportError(`${file}: the trades of the run cannot be read (${(error as Error).message})`)
  }
  const rows: Record<string, string>[] = parse(text, { columns: true })
  return rows.map((row) => {
    const cell = (name: string) => row[name] ?? ''
    return {
      asset: cell('asset'),
      side: cell('side'),
      openedAt: Date.parse(cell('openedAt')),
      closedAt: Date.parse(cell('closedAt')),
      size: fp9(cell('size')),
      entryPrice: fp9(cell('entryPrice')),
      exitPrice: fp9(cell('exitPrice')),
      pnl: fp9(cell('pnl')),
      endedBy: cell('endedBy'),
    }
  })
}
