/** Months of an exchange that is asked page by page: each a file of its own, with its SHA-256 in the note of the folder. */
import { appendFile, mkdir, readFile, rm, truncate } from 'node:fs/promises'
import path from 'node:path'
import { FeedError } from '../feed/feedError.ts'
import { monthsFrom } from './archives.ts'
import type { CcxtExchange } from './ccxt.ts'
import { type Around, digits, marketOf, patiently, plainName } from './ccxtAnswer.ts'
import { finished, isKept } from './fetchedNote.ts'

export interface CcxtRequest {
  /** `ccxt:NAME`. */
  readonly exchange: string
  /** As the package names it: BTC/USDT:USDT. */
  readonly symbol: string
  readonly interval: string
  readonly from: string
  readonly to: string
  readonly funding?: boolean
}

export interface FetchedMonth {
  readonly name: string
  readonly became: 'kept' | 'fetched' | 'gone on with'
  readonly rows: number | null
  /** Candles that a month without gaps has; null of funding rates. */
  readonly expected: number | null
}

/** A row as it is written: its time first. */
type Row = readonly [time: number, text: string]

interface Pages {
  readonly header: string
  /** How far apart rows are, or about; ms. */
  readonly stepMs: number
  /** Of the first row after one at this time, ms. */
  readonly apartMs: number
  ask(since: number, limit: number): Promise<readonly Row[]>
}

const PAGE = 500
const FUNDING_PAGE = 100
/** An exchange that has nothing from an instant on is asked again so many rows later: fewer than any of them gives in a page. */
const EMPTY_PAGE = 100
const HOUR_MS = 3_600_000

/** The folder that it is put into, unless it is said: of the symbol without what no file may be called. */
export function ccxtFolder({ symbol, interval, funding }: CcxtRequest): string {
  return `${plainName(symbol)}-${funding === true ? 'funding' : interval}`
}

/**
 * @throws RangeError for a symbol, an interval or months that the exchange does not have; FeedError where it cannot be reached, has nothing of a month,
 *   or a file there is not the one that was fetched.
 */
export async function* fetchCcxt(
  exchange: CcxtExchange,
  request: CcxtRequest,
  folder: string,
  around: Around,
): AsyncGenerator<FetchedMonth> {
  const months = monthsFrom(request.from, request.to)
  for (const month of months)
    if (endOf(month) > around.now.getTime())
      throw new RangeError(
        `${month} is not over: a month is fetched once it is, so that it is the same again`,
      )
  await mkdir(folder, { recursive: true })
  let pages: Pages | null = null
  for (const month of months) {
    const name = `${ccxtFolder(request)}-${month}.csv`
    if (await isKept(folder, name)) {
      yield { name, became: 'kept', rows: null, expected: null }
      continue
    }
    pages ??= await pagesOf(exchange, request, around)
    yield await fetchedMonth(pages, { request, month, name, folder }, around)
  }
}

async function pagesOf(exchange: CcxtExchange, request: CcxtRequest, around: Around): Promise<Pages> {
  const { symbol, interval, funding } = request
  await marketOf(exchange, request, around)
  if (funding === true) {
    if (exchange.has.fetchFundingRateHistory !== true)
      throw new RangeError(`${request.exchange} gives no past funding rates`)
    return fundingPages(exchange, symbol)
  }
  if (exchange.has.fetchOHLCV !== true) throw new RangeError(`${request.exchange} gives no candles`)
  const intervals = Object.keys(exchange.timeframes ?? {})
  if (!intervals.includes(interval) || interval.endsWith('M'))
    throw new RangeError(`${request.exchange} has no candles of ${interval}; it has ${intervals.join(', ')}`)
  const stepMs = exchange.parseTimeframe(interval) * 1000
  return {
    header: 'open_time_ms,open,high,low,close,volume\n',
    stepMs,
    apartMs: stepMs,
    ask: async (since, limit) => (await exchange.fetchOHLCV(symbol, interval, since, limit)).map(candleRow),
  }
}

function fundingPages(exchange: CcxtExchange, symbol: string): Pages {
  return {
    header: 'funding_time_ms,funding_rate\n',
    stepMs: 8 * HOUR_MS,
    apartMs: 1,
    ask: async (since, limit) =>
      (await exchange.fetchFundingRateHistory(symbol, since, Math.min(limit, FUNDING_PAGE))).map(
        ({ timestamp, fundingRate }) => [Number(timestamp), `${timestamp},${digits(fundingRate)}\n`] as const,
      ),
  }
}

function candleRow([time, ...figures]: readonly (string | number | null | undefined)[]): Row {
  return [Number(time), `${[Number(time), ...figures.slice(0, 5).map(digits)].join()}\n`]
}

interface Month {
  readonly request: CcxtRequest
  readonly month: string
  readonly name: string
  readonly folder: string
}

async function fetchedMonth(pages: Pages, own: Month, around: Around): Promise<FetchedMonth> {
  const { request, month, name, folder } = own
  const part = path.join(folder, `${name}.part`)
  const begun = await rowsOf(part, pages.header)
  if (begun.length === 0) {
    await rm(part, { force: true })
    await appendFile(part, pages.header)
  }
  const [begin, end] = [startOf(month), endOf(month)]
  let rows = begun.length
  let next = Math.max(begin, (begun.at(-1) ?? Number.NEGATIVE_INFINITY) + pages.apartMs)
  let limit = PAGE
  while (next < end) {
    const page = await patiently(() => pages.ask(next, limit), request, around)
    const ours = inOrder(page, next, end)
    const [first] = inOrder(page, next, Number.POSITIVE_INFINITY)
    // Some exchanges answer with the last rows before an end that follows from the limit: with fewer asked for, none is left out.
    if (first !== undefined && first[0] - next > 1.5 * pages.stepMs && limit > 10) {
      limit = Math.floor(limit / 4)
      continue
    }
    if (ours.length > 0) await appendFile(part, ours.map(([, text]) => text).join(''))
    rows += ours.length
    around.onRows?.(rows, month)
    // Where there is nothing but what comes after the month, the month is over; where there is nothing at all, it is asked further on.
    next =
      ours.length > 0
        ? (ours.at(-1) as Row)[0] + pages.apartMs
        : first === undefined
          ? next + Math.min(limit, EMPTY_PAGE) * pages.stepMs
          : end
    limit = PAGE
  }
  if (rows === 0) {
    await rm(part)
    throw new FeedError(
      `${request.exchange} ${request.symbol}`,
      null,
      `the exchange gives nothing of ${month}`,
    )
  }
  await finished(folder, { name, of: month, from: `${request.exchange} ${request.symbol}`, at: around.now })
  const expected = request.funding === true ? null : Math.round((end - begin) / pages.stepMs)
  return { name, became: begun.length > 0 ? 'gone on with' : 'fetched', rows, expected }
}

/** Rows of the month that are not there yet, each once. */
function inOrder(page: readonly Row[], from: number, end: number): Row[] {
  const rows = page.filter(([time]) => time >= from && time < end).sort(([one], [other]) => one - other)
  return rows.filter(([time], index) => index === 0 || time !== (rows[index - 1] as Row)[0])
}

/** Times of the rows that were written whole, each after the one before it; what was cut off goes, and what a machine that went out left instead of rows. */
async function rowsOf(part: string, header: string): Promise<number[]> {
  const text = await readFile(part, 'latin1').catch(() => '')
  if (!text.startsWith(header)) return []
  const [columns, times] = [header.split(',').length, [] as number[]]
  let whole = header.length
  for (let end = text.indexOf('\n', whole); end !== -1; end = text.indexOf('\n', whole)) {
    const cells = text.slice(whole, end).split(',')
    if (cells.length !== columns || !cells.every((cell) => FIGURE.test(cell))) break
    const time = Number(cells[0])
    if (time <= (times.at(-1) ?? Number.NEGATIVE_INFINITY)) break
    times.push(time)
    whole = end + 1
  }
  if (whole < text.length) await truncate(part, whole)
  return times
}

/** As rows are written. */
const FIGURE = /^-?\d+(?:\.\d+)?$/

function startOf(month: string): number {
  return Date.parse(`${month}-01T00:00:00Z`)
}

function endOf(month: string): number {
  const begin = new Date(startOf(month))
  return Date.UTC(begin.getUTCFullYear(), begin.getUTCMonth() + 1, 1)
}
