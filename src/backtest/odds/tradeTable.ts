/** The table of trades within a file: platforms put titles above it, totals below, and other tables after it. */
import { parse } from 'csv-parse/sync'
import { FeedError } from '../feed/feedError.ts'
import { type TradeColumns, tradeColumns } from './tradeColumns.ts'

export interface TradeTable {
  readonly head: readonly string[]
  /** Where it stands, counted from 1 in the file. */
  readonly headLine: number
  readonly columns: TradeColumns
  readonly rows: readonly (readonly string[])[]
  /** Of each row, counted from 1 in the file. */
  readonly lines: readonly number[]
}

/** A table begins within so many rows. */
const TITLES = 60
const SAMPLE = 40
/** What is no table though each of its lines may be taken for a row of one. */
const JSON_TEXT = /^\s*(\[\s*)?\{/

/** @throws FeedError naming the columns that are there, where none of them is known as a time of closing or a profit. */
export function tradeTable(text: string, shown: string): TradeTable {
  if (text.trim() === '') throw new FeedError(shown, null, 'the file is empty')
  const tried = [',', ';', '\t'].map((delimiter) => parsedBy(delimiter, text))
  const ways = tried.filter((way) => 'records' in way)
  const isTorn = ways.length < tried.length && !ways.some(hasCells)
  if (isTorn || JSON_TEXT.test(text)) throw noTable(shown, text, tried)
  const tables = ways.map(tableOf).filter((table) => table !== null)
  const [first] = tables
  if (first === undefined)
    throw new FeedError(shown, 1, whatIsMissing(ways.flatMap(({ records }) => records.slice(0, TITLES))))
  const table = tables.reduce(
    (widest, other) => (other.head.length > widest.head.length ? other : widest),
    first,
  )
  const { doubled } = table.columns
  if (doubled === null) return table
  throw new FeedError(shown, table.headLine, `two columns are called ${doubled}: rename one, or take it out`)
}

interface Parsed {
  readonly records: readonly (readonly string[])[]
  readonly lines: readonly number[]
}

/** What is quoted cannot be read with another delimiter than its own, which says nothing of the others. */
function parsedBy(delimiter: string, text: string): Parsed | { readonly error: Error } {
  const options = {
    bom: true,
    skip_empty_lines: true,
    relax_column_count: true,
    relax_quotes: true,
    trim: true,
  }
  let parsed: readonly { readonly record: string[]; readonly info: { readonly lines: number } }[]
  try {
    // The types of csv-parse know nothing of what `info` adds.
    parsed = parse(text, { ...options, delimiter, info: true }) as unknown as typeof parsed
  } catch (error) {
    return { error: error as Error }
  }
  return { records: parsed.map(({ record }) => record), lines: parsed.map(({ info }) => info.lines) }
}

/** Whether it is cut anywhere: with a delimiter that a text does not have it never is. */
function hasCells({ records }: Parsed): boolean {
  return records.some((row) => row.length > 1)
}

function noTable(
  shown: string,
  text: string,
  tried: readonly (Parsed | { readonly error: Error })[],
): FeedError {
  const [cause] = tried.flatMap((way) => ('error' in way ? [way.error] : []))
  const why = JSON_TEXT.test(text) ? 'it looks like JSON; give CSV with a header' : cause?.message
  return new FeedError(shown, null, `the file is no table of delimited text (${why})`, { cause })
}

/** Null where no row is the head of a table of trades. */
function tableOf({ records, lines }: Parsed): TradeTable | null {
  const columnsOf = (at: number) => tradeColumns(records[at] ?? [], records.slice(at + 1, at + SAMPLE))
  const isHead = ({ at }: TradeColumns) => at.closedAt !== undefined && (at.net ?? at.gross) !== undefined
  const head = records.findIndex((_, at) => at < TITLES && isHead(columnsOf(at)))
  if (head < 0) return null
  const after = records.findIndex((row, at) => at > head && row.filter((cell) => cell !== '').length < 2)
  const end = after < 0 ? records.length : after
  return {
    head: records[head] as readonly string[],
    headLine: lines[head] as number,
    columns: columnsOf(head),
    rows: records.slice(head + 1, end),
    lines: lines.slice(head + 1, end),
  }
}

/** Of the first rows the one with the most cells that are words is taken for the head. */
function whatIsMissing(rows: readonly (readonly string[])[]): string {
  const words = (row: readonly string[]) => row.filter((cell) => cell !== '' && !/\d/.test(cell)).length
  const head = rows.reduce<readonly string[]>(
    (best, row) => (words(row) > words(best) ? row : best),
    rows[0] ?? [],
  )
  const { closedAt } = tradeColumns(head, []).at
  const missing =
    closedAt === undefined ? 'the time of closing (closeTime, exitTime, date)' : 'the profit (pnl, profit)'
  return `no column for ${missing} among ${head.join(', ').replace(/\s+/g, ' ')}`
}
