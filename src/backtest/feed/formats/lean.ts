/**
 * QuantConnect LEAN data: a ZIP with one CSV, whose name and folders say what it holds. Minute, second and tick files
 * cover one day, and their times are milliseconds since midnight; hour and daily files carry text timestamps.
 * Layouts: github.com/QuantConnect/Lean, the readme files under `Data/`.
 *
 * Quotes of bars (`bid` open, high, low, close, size, then `ask`) become bars of mids. The mid of the highs is not
 * quite the high of the mids, but no better is in the file.
 */
import { dayOf } from '../civilTime.ts'
import { FeedError } from '../feedError.ts'
import type { Head, Reader, ReadingOptions } from '../reader.ts'
import { TimeOfDay } from '../rowTime.ts'
import { splitLine } from './csv.ts'
import { type DelimitedFormat, delimitedReader, zoneOf } from './delimitedReader.ts'

const DAY_MS = 86_400_000
const INTERVALS = { second: 1000, minute: 60_000, hour: 3_600_000, daily: DAY_MS } as const
const oneDay =
  /^(\d{4})(\d{2})(\d{2})_.+?_(?:(minute|second|tick)_(trade|quote)|(trade|quote)_(minute|second|tick))(?:_\w+)?\.csv$/i
const longSpan = /^\d{8} \d{2}:\d{2}$/

/** What a market's folder stands for: the time zone of its data and what its prices are multiplied by. */
interface MarketConventions {
  readonly timeZone: string
  readonly priceDivisor: number
}

/** After LEAN's market-hours database, `dataTimeZone`. */
const CONVENTIONS: readonly (readonly [RegExp, MarketConventions])[] = [
  [/\/equity\/usa\//, { timeZone: 'America/New_York', priceDivisor: 10_000 }],
  [/\/forex\/fxcm\//, { timeZone: '-05:00', priceDivisor: 1 }],
  [/\/(forex|cfd)\/oanda\//, { timeZone: 'UTC', priceDivisor: 1 }],
  [/\/(crypto|cryptofuture)\//, { timeZone: 'UTC', priceDivisor: 1 }],
]

export function leanReader(head: Head, options: ReadingOptions): Reader | undefined {
  const row = splitLine(head.lines[0])
  if (row === undefined || row.delimiter !== ',') return undefined
  const path = head.source.path.replaceAll('\\', '/').toLowerCase()
  const name = oneDay.exec(head.source.name)
  if (name === null) {
    if (!longSpan.test(row.fields[0] ?? '')) return undefined
    const folder = /\/(hour|daily)\/[^/]*$/.exec(path)?.[1] as 'hour' | 'daily' | undefined
    const conventions = conventionsOf(head, path, options)
    const settings = { timeZone: conventions.timeZone, ...options }
    const intervalMs = folder === undefined ? null : INTERVALS[folder]
    return leanBars(head, settings, row.fields.length, { intervalMs, priceDivisor: conventions.priceDivisor })
  }
  const [, year, month, day] = name
  const resolution = (name[4] ?? name[7] ?? '').toLowerCase() as 'minute' | 'second' | 'tick'
  const midnight = dayOf(Number(year), Number(month), Number(day)) * DAY_MS
  if (Number.isNaN(midnight))
    throw new FeedError(head.source.path, null, `${name[0]} names a date that does not exist`)
  const { timeZone, priceDivisor } = conventionsOf(head, path, options)
  const zone = zoneOf(head, options.timeZone ?? timeZone)
  const given = { priceDivisor, rowTime: () => new TimeOfDay(midnight, zone) }
  if (resolution !== 'tick') {
    return leanBars(head, options, row.fields.length, { ...given, intervalMs: INTERVALS[resolution] })
  }
  return leanTicks(
    head,
    options,
    row.fields.length,
    (name[5] ?? name[6] ?? '').toLowerCase() === 'quote',
    given,
  )
}

type Given = Pick<DelimitedFormat, 'priceDivisor' | 'rowTime' | 'intervalMs'>

function leanBars(head: Head, options: ReadingOptions, columns: number, given: Given): Reader {
  const common = { delimiter: ',', hasHeader: false, columns, time: 0, prices: [1, 2, 3, 4] }
  if (columns === 6) {
    return delimitedReader(head, options, {
      ...given,
      format: 'lean',
      kind: 'bars',
      layout: { ...common, volume: 5 },
    })
  }
  if (columns === 11) {
    const layout = { ...common, counterPrices: [6, 7, 8, 9] }
    return delimitedReader(head, options, { ...given, format: 'lean', kind: 'bars', layout })
  }
  throw new FeedError(head.source.path, 1, `LEAN bars have 6 or 11 columns, not ${columns}`)
}

function leanTicks(
  head: Head,
  options: ReadingOptions,
  columns: number,
  isQuote: boolean,
  given: Given,
): Reader {
  const common = { delimiter: ',', hasHeader: false, columns, time: 0 }
  if (isQuote && (columns === 3 || columns === 5 || columns === 8)) {
    // Without sizes the ask follows the bid; with sizes, and in equities, it comes two columns later.
    const layout = {
      ...common,
      prices: columns === 3 ? [1, 2] : [1, 3],
      ...(columns === 8 && { suspicious: 7 }),
    }
    return delimitedReader(head, options, { ...given, format: 'lean', kind: 'quotes', layout })
  }
  if (!isQuote && (columns === 3 || columns === 6)) {
    const layout = { ...common, prices: [1], ...(columns === 6 && { suspicious: 5 }) }
    return delimitedReader(head, options, { ...given, format: 'lean', kind: 'trades', layout })
  }
  throw new FeedError(
    head.source.path,
    1,
    `LEAN ${isQuote ? 'quote' : 'trade'} ticks do not have ${columns} columns`,
  )
}

function conventionsOf(head: Head, path: string, options: ReadingOptions): MarketConventions {
  const known = CONVENTIONS.find(([folder]) => folder.test(path))?.[1]
  if (known !== undefined) return known
  const { timeZone, priceDivisor } = options
  if (timeZone !== undefined && priceDivisor !== undefined) return { timeZone, priceDivisor }
  throw new FeedError(
    head.source.path,
    null,
    'the folders do not name a LEAN market that is known, so give timeZone, and priceDivisor (10000 for equities, else 1)',
  )
}
