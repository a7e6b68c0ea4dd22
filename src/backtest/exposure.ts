/** What a run has open, followed by its events: sides, notional, and how close liquidation came. */
import type { Direction } from '../domain/market/market.ts'
import type { Event } from '../events/event.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import type { Reader } from '../projections/reader.ts'
import type { Price, Quote } from '../quantity/units.ts'
import type { ExposedSide } from './feed/path.ts'

interface OpenPosition {
  readonly direction: Direction
  notional: Quote
  /** 0 = never. */
  liquidationPrice: Price
}

export class Exposure {
  readonly #read: Reader
  readonly #markets: readonly string[]
  readonly #open: readonly Map<string, OpenPosition>[]
  /** Notional of all open positions. */
  notional: Quote = 0n
  /** The smallest distance to a liquidation price so far, as a fraction of the price. */
  closest: number | null = null

  /** `markets` are ids, in the order of the run. */
  constructor(read: Reader, markets: readonly string[]) {
    this.#read = read
    this.#markets = markets
    this.#open = markets.map(() => new Map())
  }

  side(market: number): ExposedSide {
    let side: ExposedSide = 'flat'
    for (const { direction } of (this.#open[market] as Map<string, OpenPosition>).values())
      side = side === 'flat' || side === direction ? direction : 'both'
    return side
  }

  add(event: Event): void {
    if (!('positionId' in event) || event.type === 'orderPlaced') return
    this.#change(event)
  }

  priced(market: number, price: Price): void {
    const open = this.#open[market] as Map<string, OpenPosition>
    if (open.size === 0) return
    for (const { direction, liquidationPrice } of open.values()) {
      if (liquidationPrice === 0n) continue
      const left = direction === 'long' ? price - liquidationPrice : liquidationPrice - price
      const distance = Math.max(Number(left) / Number(price), 0)
      if (this.closest === null || distance < this.closest) this.closest = distance
    }
  }

  #change(event: PositionEvent): void {
    const open = this.#open[this.#markets.indexOf(event.marketId)] as Map<string, OpenPosition>
    const before = open.get(event.positionId)
    const position = this.#read.position(event.positionId)
    const notional = position?.status === 'opened' ? position.notional : 0n
    this.notional += notional - (before?.notional ?? 0n)
    if (notional === 0n) open.delete(event.positionId)
    else
      open.set(event.positionId, {
        direction: event.direction,
        notional,
        liquidationPrice: this.#read.liquidationPrice(event.positionId) ?? 0n,
      })
  }
}
