/** Days of past trades of an exchange that is asked page by page: each a file of its own, with its SHA-256 in the note of the folder. */
import { appendFile, mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { FeedError } from '../feed/feedError.ts'
import { daysFrom } from './archives.ts'
import { type CcxtExchange, type CcxtTrade, isPassing } from './ccxt.ts'
import { type Around, type CcxtMarket, marketOf, patiently, plainName } from './ccxtAnswer.ts'
import { finished, isKept, notedHash } from './fetchedNote.ts'
import { begunTrades, type PastTrade, pastTrade, rowOf, TRADES_HEADER } from './tradeRows.ts'
import { type AskTrades, TradeGap, TradeWalk } from './tradeWalk.ts'

export interface TradesRequest extends CcxtMarket {
  /** First and last day, 2025-01-05, or months, 2025-01. */
  readonly from: string
  readonly to: string
}

export interface FetchedDay {
  readonly name: string
  /** A day on which nothing was traded makes no file. */
  readonly became: 'kept' | 'fetched' | 'gone on with' | 'without a trade'
  /** Null where it was there. */
  readonly rows: number | null
}

const DAY_MS = 86_400_000
/** How many are asked for: of exchanges that give fewer, some refuse to be asked for more. */
const PAGES = [1000, 500, 100] as const

/** The folder that they are put into, unless it is said. */
export function tradesFolder({ symbol }: CcxtMarket): string {
  return `${plainName(symbol)}-trades`
}

/**
 * @throws RangeError for a symbol or days that the exchange does not have, and trades without ids; FeedError where it cannot be reached, where what it
 *   gives has a gap or is not known to begin where the day does, and where a file there is not the one that was fetched.
 */
export async function* fetchTrades(
  exchange: CcxtExchange,
  request: TradesRequest,
  folder: string,
  around: Around,
): AsyncGenerator<FetchedDay> {
  const days = daysFrom(request.from, request.to)
  for (const day of days)
    if (Date.parse(day) + DAY_MS > around.now.getTime())
      throw new RangeError(`${day} is not over: a day is fetched once it is, so that it is the same again`)
  await mkdir(folder, { recursive: true })
  const source = new TradeSource(exchange, request, around)
  for (const day of days) {
    const name = `${tradesFolder(request)}-${day}.csv`
    if (await isKept(folder, name)) {
      source.leave()
      yield { name, became: 'kept', rows: null }
    } else yield await fetchedDay(source, { day, name, folder })
  }
}

interface Day {
  readonly day: string
  readonly name: string
  readonly folder: string
}

async function fetchedDay(source: TradeSource, { day, name, folder }: Day): Promise<FetchedDay> {
  const part = path.join(folder, `${name}.part`)
  const [begin, end] = [Date.parse(day), Date.parse(day) + DAY_MS]
  const begun = await begunTrades(part, begin, end)
  if (begun === null) await writeFile(part, TRADES_HEADER)
  let rows = begun?.rows ?? 0
  const { request, around } = source
  const from = `${request.exchange} ${request.symbol}`
  try {
    const walk = await source.walkFrom(begin, begun?.last ?? null)
    for await (const trades of walk.until(end)) {
      await appendFile(part, trades.map(rowOf).join(''))
      rows += trades.length
      around.onRows?.(rows, day)
    }
  } catch (error) {
    if (error instanceof TradeGap)
      throw new FeedError(from, null, `${day} cannot be had whole: ${error.message}`)
    throw error
  }
  if (rows === 0 && (await notedHash(folder, name)) === null) {
    await rm(part)
    return { name, became: 'without a trade', rows }
  }
  await finished(folder, { name, of: day, from, at: around.now })
  return { name, became: begun === null ? 'fetched' : 'gone on with', rows }
}

/** The exchange as it is asked for trades, and how far it has been read. */
class TradeSource {
  readonly request: TradesRequest
  readonly around: Around
  readonly #exchange: CcxtExchange
  #limit: number | null = null
  #walk: TradeWalk | null = null

  constructor(exchange: CcxtExchange, request: TradesRequest, around: Around) {
    this.#exchange = exchange
    this.request = request
    this.around = around
  }

  /** What comes next is not what follows on what was read. */
  leave(): void {
    this.#walk = null
  }

  /** On from the day before, where that was read; else from what is there of the day, or from its beginning. */
  async walkFrom(begin: number, last: readonly PastTrade[] | null): Promise<TradeWalk> {
    this.#limit ??= await this.#mostAtOnce(begin)
    const limit = this.#limit
    const ask: AskTrades = async (asked) => (await this.#answer(asked, limit)).map(pastTrade)
    if (last !== null) this.#walk = TradeWalk.after(ask, limit, last)
    this.#walk ??= await TradeWalk.from(ask, limit, begin)
    return this.#walk
  }

  /** How many trades may be asked for. */
  async #mostAtOnce(at: number): Promise<number> {
    await marketOf(this.#exchange, this.request, this.around)
    if (this.#exchange.has.fetchTrades !== true)
      throw new RangeError(`${this.request.exchange} gives no past trades`)
    for (const limit of PAGES) if (await this.#takes(at, limit)) return limit
    await this.#answer({ since: at, until: at + 1 }, PAGES[0])
    return PAGES[0]
  }

  async #takes(at: number, limit: number): Promise<boolean> {
    const isTaken = () =>
      this.#exchange.fetchTrades(this.request.symbol, at, limit, { until: at + 1 }).then(
        () => true,
        (error: unknown) => {
          if (isPassing(error)) throw error
          return false
        },
      )
    return patiently(isTaken, this.request, this.around)
  }

  #answer(asked: Parameters<AskTrades>[0], limit: number): Promise<readonly CcxtTrade[]> {
    const { symbol } = this.request
    const question = () =>
      'id' in asked
        ? this.#exchange.fetchTrades(symbol, undefined, limit, { fromId: asked.id })
        : this.#exchange.fetchTrades(symbol, asked.since, limit, { until: asked.until })
    return patiently(question, this.request, this.around)
  }
}
