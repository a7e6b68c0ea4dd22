/** What a move of the price by one was worth to a trade, whatever lots, contracts and currencies its platform counts in. */
import type { Direction } from '../../terms/direction.ts'
import type { OwnTrade, TradedAt } from './ownTrade.ts'

/** A trade of which everything is known that its way needs. */
export interface KnownTrade {
  readonly trade: OwnTrade & { readonly openedAt: number }
  readonly symbol: string
  readonly side: Direction
  readonly entryPrice: number
  readonly exitPrice: number
  /** Quote currency for each unit that the price moves. */
  readonly worth: number
  readonly leverage: number | null
}

/** A trade whose size is a unit, or so near that only costs lie between: what spot and perpetual markets count in. */
const NEARLY_A_UNIT = 0.2
/** A move of the price, as a share of it, from which on a gross profit tells what the move was worth. */
const TELLING_MOVE = 1e-4

/**
 * Of each trade what is known, or null. Where the table has a gross profit a trade's own says what a move is worth; else its size does,
 * times what a unit of size came to in most trades of the symbol.
 *
 * @param symbol of all trades that name none.
 */
export function knownTrades(trades: readonly OwnTrade[], symbol: string | null): (KnownTrade | null)[] {
  const units = unitWorths(trades)
  return trades.map((trade) => {
    const { openedAt, traded = {} } = trade
    const own = traded.symbol ?? symbol
    const { entryPrice, exitPrice } = traded
    const side = traded.side ?? impliedSide(trade)
    if (own === null || openedAt === null || side === null || !entryPrice || !exitPrice) return null
    const worth = worthOf(traded, units.get(traded.symbol ?? '') ?? null, side)
    if (worth === null) return null
    const leverage = traded.leverage ?? null
    return { trade: { ...trade, openedAt }, symbol: own, side, entryPrice, exitPrice, worth, leverage }
  })
}

function worthOf(traded: TradedAt, unit: number | null, side: Direction): number | null {
  const { entryPrice = 0, exitPrice = 0, size, gross } = traded
  const move = (exitPrice - entryPrice) * signOf(side)
  const isTelling = Math.abs(move) > entryPrice * TELLING_MOVE
  if (gross !== undefined && isTelling && gross / move > 0) return gross / move
  return size === undefined || unit === null ? null : size * unit
}

/** The side whose price move has the sign of the profit. */
function impliedSide({ pnl, traded = {} }: OwnTrade): Direction | null {
  const { entryPrice = 0, exitPrice = 0, gross = pnl } = traded
  const sign = Math.sign((exitPrice - entryPrice) * gross)
  return sign === 0 ? null : sign > 0 ? 'long' : 'short'
}

/** The median of what one unit of size brought for each unit that the price moved, by symbol. */
function unitWorths(trades: readonly OwnTrade[]): Map<string, number> {
  const found = new Map<string, number[]>()
  for (const trade of trades) {
    const { symbol = '', side = impliedSide(trade), size, gross = trade.pnl } = trade.traded ?? {}
    const { entryPrice, exitPrice } = trade.traded ?? {}
    const worths = found.get(symbol) ?? []
    found.set(symbol, worths)
    if (side === null || !entryPrice || !exitPrice) continue
    const move = (exitPrice - entryPrice) * signOf(side) * (size ?? 0)
    if (gross / move > 0) worths.push(gross / move)
  }
  return new Map([...found].map(([symbol, worths]) => [symbol, asUnit(medianOf(worths))]))
}

function asUnit(worth: number): number {
  return Math.abs(worth - 1) < NEARLY_A_UNIT ? 1 : worth
}

/** 1 of none: a size is taken to be what it says. */
function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 1
}

export function signOf(side: Direction): 1 | -1 {
  return side === 'long' ? 1 : -1
}
