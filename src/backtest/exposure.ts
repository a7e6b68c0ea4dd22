/** What one account of a run has open, folded from its events: sides, value, and how close liquidation came. */
import { type Position, rawUnrealizedPnl } from '../domain/position/position.ts'
import { unrealizedPnl } from '../domain/position/profitCap.ts'
import { positionRecipe, unopenedPosition } from '../domain/position/reducers.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import { notionalDown, notionalUp } from '../quantity/products.ts'
import type { Price, Quote } from '../quantity/units.ts'
import type { ExposedSide } from './feed/path.ts'

interface Held {
  readonly position: Position
  readonly market: number
  /** 0 = never. */
  liquidationPrice: Price
  /** The price that came nearest to it since it last changed. */
  nearest: Price
}

const NOT_NUMBERED = { sequence: 0, phaseOrdinal: 0 }

export class Exposure {
  readonly #liquidationPriceOf: (positionId: string) => Price
  readonly #profitWindowMs: number
  readonly #markets: readonly string[]
  /** Last price of each market; shared by all accounts of a run. */
  readonly #prices: readonly bigint[]
  readonly #held: readonly Held[][]
  #closest: number | null = null

  /** `markets` are ids and `prices` their last prices, in the order of the run. */
  constructor(
    markets: readonly string[],
    prices: readonly bigint[],
    liquidationPriceOf: (positionId: string) => Price,
    profitWindowMs: number,
  ) {
    this.#profitWindowMs = profitWindowMs
    this.#markets = markets
    this.#prices = prices
    this.#liquidationPriceOf = liquidationPriceOf
    this.#held = markets.map(() => [])
  }

  side(market: number): ExposedSide {
    let side: ExposedSide = 'flat'
    for (const { position } of this.#held[market] as Held[])
      side = side === 'flat' || side === position.direction ? position.direction : 'both'
    return side
  }

  /** Number of open positions. */
  get open(): number {
    return this.#held.reduce((count, held) => count + held.length, 0)
  }

  /** Entry notional of all open positions. */
  get notional(): Quote {
    let notional = 0n
    for (const held of this.#held) for (const { position } of held) notional += position.notional
    return notional
  }

  /** Σ unrealized pnl at the last prices, capped inside the 60-second window (D7). */
  unrealized(at: number): Quote {
    let pnl = 0n
    for (const held of this.#held)
      for (const { position, market } of held)
        pnl += unrealizedPnl(position, this.#prices[market] as bigint, at, this.#profitWindowMs)
    return pnl
  }

  /** What the cap holds back of it. */
  heldBack(at: number): Quote {
    let pnl = 0n
    for (const held of this.#held)
      for (const { position, market } of held)
        pnl += rawUnrealizedPnl(position, this.#prices[market] as bigint)
    return pnl - this.unrealized(at)
  }

  /** Σ value of the open sizes at the last prices, shorts negative, rounded as unrealized pnl rounds it. */
  get value(): Quote {
    let value = 0n
    for (const held of this.#held)
      for (const { position, market } of held) {
        const price = this.#prices[market] as bigint
        value +=
          position.direction === 'long'
            ? notionalDown(position.size, price)
            : -notionalUp(position.size, price)
      }
    return value
  }

  /** The smallest distance to a liquidation price so far, as a fraction of the price then; null without positions. */
  get closest(): number | null {
    for (const held of this.#held) for (const entry of held) this.#measure(entry)
    return this.#closest
  }

  /** Call with every price of a market. */
  priced(market: number, price: Price): void {
    const held = this.#held[market] as Held[]
    for (let index = 0; index < held.length; index++) {
      const entry = held[index] as Held
      if (entry.position.direction === 'long' ? price < entry.nearest : price > entry.nearest)
        entry.nearest = price
    }
  }

  /** Call with every event of a position, after its commit. */
  add(event: PositionEvent, at: number): void {
    const market = this.#markets.indexOf(event.marketId)
    const held = this.#held[market] as Held[]
    const nearest = this.#prices[market] as bigint
    if (event.type === 'increasePosition' && event.opens)
      held.push({
        position: unopenedPosition(event, at, NOT_NUMBERED),
        market,
        liquidationPrice: 0n,
        nearest,
      })
    const index = held.findIndex(({ position }) => position.idx === event.positionId)
    const entry = held[index]
    if (entry === undefined) throw new ReferenceError(`no open position ${event.positionId}`)
    this.#measure(entry)
    positionRecipe(entry.position, event, at)
    if (entry.position.status === 'opened') {
      entry.liquidationPrice = this.#liquidationPriceOf(event.positionId)
      entry.nearest = nearest
    } else held.splice(index, 1)
  }

  #measure({ position, liquidationPrice, nearest }: Held): void {
    if (liquidationPrice === 0n) return
    const left = position.direction === 'long' ? nearest - liquidationPrice : liquidationPrice - nearest
    const distance = Math.max(Number(left) / Number(nearest), 0)
    if (this.#closest === null || distance < this.#closest) this.#closest = distance
  }
}
