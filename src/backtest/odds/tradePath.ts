/** The way a trade went, from the prices there were while it was open. */
import type { Direction } from '../../terms/direction.ts'
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { Feed } from '../feed/feed.ts'
import { barStepTime, lowIsFirst, PATH_STEPS } from '../feed/path.ts'
import { toNumber } from '../numbers/toNumber.ts'
import type { OwnTrade } from './ownTrade.ts'
import { type KnownTrade, knownTrades, signOf } from './tradeWorth.ts'

/** Prices of one asset. */
export interface PricedAsset {
  readonly asset: string
  readonly feed: Feed
}

/** What a trade had gained at each price between its opening and its closing. */
export interface TradePath {
  /** Epoch ms, ascending. */
  readonly at: Float64Array
  /** Quote currency; costs count from the opening on. */
  readonly gain: Float64Array
  readonly side: Direction
  /** Size of the position when it was opened, quote currency. */
  readonly notional: number
  readonly leverage: number | null
}

/** Why a trade has no path. */
export type WithoutPath = 'unsaid' | 'otherSymbol' | 'outside' | 'elsewhere'

/** One trade's path, or why it has none. */
export type FoundPath = { readonly path: TradePath } | { readonly without: WithoutPath }

/** How far from the prices of its minute a fill may lie, as a share of the price: venues differ, and fills slip. */
const NEAR = 0.002

/**
 * What is certain of a bar is played: all of it where the trade was open throughout, its open or close where the trade was entered
 * or left within it. Of a bar's extremes the one comes first that hurts what all trades of its symbol held.
 */
export async function tradePathsOf(
  trades: readonly OwnTrade[],
  prices: readonly PricedAsset[],
): Promise<FoundPath[]> {
  const only = prices.length === 1 ? (prices[0] as PricedAsset).asset : null
  const known = knownTrades(trades, only)
  const found: FoundPath[] = known.map((trade) => ({ without: trade === null ? 'unsaid' : 'otherSymbol' }))
  for (const { asset, feed } of prices) {
    const own = known.flatMap((trade, index) =>
      trade !== null && assetOf(trade.symbol, prices) === asset ? [new Walk(trade, index)] : [],
    )
    await walk(own, feed)
    for (const one of own) found[one.index] = one.found()
  }
  return found
}

/** The asset whose name a symbol begins with, the longest: BTC of BTCUSDT, and of BTC/USDT:USDT. */
function assetOf(symbol: string, prices: readonly PricedAsset[]): string | null {
  const plain = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, '')
  const fitting = prices.filter(({ asset }) => plain(symbol).startsWith(plain(asset)))
  return fitting.sort((a, b) => b.asset.length - a.asset.length)[0]?.asset ?? null
}

async function walk(trades: readonly Walk[], feed: Feed): Promise<void> {
  const waiting = [...trades].sort((a, b) => a.opens - b.opens)
  const lasts = feed.kind === 'bars' ? (feed.intervalMs ?? 1) : 1
  let open: Walk[] = []
  for await (const chunk of feed)
    for (let row = 0; row < chunk.length; row++) {
      const from = ('open' in chunk ? chunk.openTime : chunk.time)[row] as number
      while ((waiting[0]?.opens ?? Number.POSITIVE_INFINITY) < from + lasts)
        open.push(waiting.shift() as Walk)
      if (open.length === 0 && waiting.length === 0) return
      if (open.length === 0) continue
      const span = spanOf(chunk, row, from, from + lasts)
      const held = open.reduce((sum, { exposure }) => sum + exposure, 0)
      for (const one of open) one.see(span, held)
      open = open.filter(({ closes }) => closes >= span.until)
    }
}

/** A bar, or a tick, as times and prices. */
interface Span {
  readonly from: number
  /** Not included. */
  readonly until: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
}

function spanOf(chunk: BarColumns | TickColumns, row: number, from: number, until: number): Span {
  const price = (column: BigInt64Array) => toNumber(column[row] as bigint)
  if ('open' in chunk)
    return {
      ...{ from, until, open: price(chunk.open), high: price(chunk.high) },
      ...{ low: price(chunk.low), close: price(chunk.close) },
    }
  const only = price(chunk.price)
  return { from, until, open: only, high: only, low: only, close: only }
}

/** A trade on its way through the prices. */
class Walk {
  readonly index: number
  readonly opens: number
  readonly closes: number
  /** Signed worth of a move of the price by one. */
  readonly exposure: number
  readonly #known: KnownTrade
  readonly #costs: number
  readonly #at: number[] = []
  readonly #gain: number[] = []
  #entered: Span | null = null
  #last: Span | null = null

  constructor(known: KnownTrade, index: number) {
    const { trade, side, worth, entryPrice, exitPrice } = known
    this.#known = known
    this.index = index
    this.opens = trade.openedAt
    this.closes = trade.closedAt
    this.exposure = signOf(side) * worth
    this.#costs = trade.pnl - this.exposure * (exitPrice - entryPrice)
  }

  /** @param held what all trades of the symbol held as the span began: an exposure like a trade's own. */
  see(span: Span, held: number): void {
    this.#entered ??= span
    if (span.from > this.closes) return
    this.#last = span
    const { from, until, open, high, low, close } = span
    const [sawOpen, sawClose] = [from >= this.opens, until - 1 <= this.closes]
    if (sawOpen) this.#add(from, open)
    if (sawOpen && sawClose && until - from >= PATH_STEPS) {
      const side = held > 0 ? 'long' : held < 0 ? 'short' : 'flat'
      const lowFirst = lowIsFirst('adverse', side, open - low <= high - open)
      this.#add(barStepTime(from, until - from, 1), lowFirst ? low : high)
      this.#add(barStepTime(from, until - from, 2), lowFirst ? high : low)
    }
    if (sawClose && until - 1 > from) this.#add(until - 1, close)
  }

  found(): FoundPath {
    const { side, entryPrice, exitPrice, worth, leverage } = this.#known
    const [first, last] = [this.#entered, this.#last]
    if (first === null || last === null || isApart(this.opens, first) || isApart(this.closes, last))
      return { without: 'outside' }
    if (!isNear(entryPrice, first) || !isNear(exitPrice, last)) return { without: 'elsewhere' }
    const path = { at: Float64Array.from(this.#at), gain: Float64Array.from(this.#gain) }
    return { path: { ...path, side, notional: worth * entryPrice, leverage } }
  }

  #add(at: number, price: number): void {
    this.#at.push(at)
    this.#gain.push(this.exposure * (price - this.#known.entryPrice) + this.#costs)
  }
}

/** Prices that have nothing for so long, ms, do not cover a moment. */
const SILENCE_MS = 60_000

function isApart(moment: number, { from, until }: Span): boolean {
  return Math.max(from - moment, moment - until) > Math.max(SILENCE_MS, until - from)
}

function isNear(price: number, { low, high }: Span): boolean {
  return price >= low * (1 - NEAR) && price <= high * (1 + NEAR)
}
