/** Tables of fills with what each realized: a trade is what lies between no position and the next time of none. */
import type { Direction } from '../../terms/direction.ts'
import type { OwnTrade } from './ownTrade.ts'
import type { TradeRows } from './tradeRows.ts'

export function areFills(rows: TradeRows): boolean {
  return (
    rows.has('price') &&
    rows.has('size') &&
    rows.has('side') &&
    !rows.has('openedAt') &&
    !rows.has('entryPrice')
  )
}

interface Fill {
  readonly row: number
  readonly time: number
  readonly symbol: string
  readonly side: Direction
  readonly price: number
  readonly size: number
  readonly pnl: number
}

/** A position that is being held: sizes and amounts of what entered and left it. */
interface Holding {
  readonly side: Direction
  readonly openedAt: number
  entered: number
  paid: number
  left: number
  received: number
  pnl: number
}

/** Sizes are compared as people write them, so that what is closed is. */
const DUST = 1e-9

/**
 * Of each symbol by itself, in the order of time. What realizes something without a position in sight, as where it was opened before the table
 * begins or both sides are held at once, is a trade by its result alone.
 */
export function tradesOfFills(rows: TradeRows): OwnTrade[] {
  const fills = Array.from({ length: rows.count }, (_, row) => fillOf(rows, row))
    .filter((fill) => fill !== null)
    .sort((a, b) => a.time - b.time || a.row - b.row)
  const holdings = new Map<string, Holding>()
  const trades: OwnTrade[] = []
  for (const fill of fills) {
    const holding = holdings.get(fill.symbol)
    const isRealizing = rows.profit(fill.row) - rows.costs(fill.row) !== 0
    if (holding === undefined) {
      if (isRealizing) trades.push({ openedAt: null, closedAt: fill.time, pnl: fill.pnl, worst: null })
      else holdings.set(fill.symbol, entered(fill))
    } else if (fill.side === holding.side) {
      holding.entered += fill.size
      holding.paid += fill.size * fill.price
      holding.pnl += fill.pnl
    } else {
      const closing = Math.min(fill.size, holding.entered - holding.left)
      holding.left += closing
      holding.received += closing * fill.price
      holding.pnl += fill.pnl
      if (holding.entered - holding.left > DUST) continue
      trades.push(tradeOf(holding, fill))
      holdings.delete(fill.symbol)
      const over = fill.size - closing
      if (over > DUST) holdings.set(fill.symbol, { ...entered({ ...fill, size: over }), pnl: 0 })
    }
  }
  return trades
}

function fillOf(rows: TradeRows, row: number): Fill | null {
  const [side, price, size] = [rows.side(row), rows.positive(row, 'price'), rows.positive(row, 'size')]
  if (side === undefined || price === undefined || size === undefined) return null
  const symbol = rows.text(row, 'symbol')
  return { row, time: rows.time(row, 'closedAt'), symbol, side, price, size, pnl: rows.profit(row) }
}

function entered({ side, time, size, price, pnl }: Fill): Holding {
  return { side, openedAt: time, entered: size, paid: size * price, left: 0, received: 0, pnl }
}

function tradeOf(
  { side, openedAt, entered: size, paid, received, pnl }: Holding,
  { time, symbol }: Fill,
): OwnTrade {
  const traded = { side, size, entryPrice: paid / size, exitPrice: received / size }
  return {
    openedAt,
    closedAt: time,
    pnl,
    worst: null,
    traded: symbol === '' ? traded : { symbol, ...traded },
  }
}
