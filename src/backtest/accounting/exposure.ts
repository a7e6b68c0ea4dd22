/** What one account of a run has open, folded from its events: sides, value, and how close liquidation came. */

import { positionRecipe, unopenedPosition } from '../../domain/evolve/positionReducers.ts'
import { unrealizedPnl } from '../../domain/formulas/profitWindow.ts'
import { rawUnrealizedPnl } from '../../domain/formulas/rawUnrealizedPnl.ts'
import type { Position } from '../../domain/state/position.ts'
import type { PositionEvent } from '../../events/positionEvents.ts'
import { notionalDown, notionalUp } from '../../quantity/products.ts'
import { safeInteger, safeNotionalDown, safeNotionalUp } from '../../quantity/safeIntegers.ts'
import type { Price, Quote } from '../../quantity/units.ts'
import type { BarWords } from '../feed/barWords.ts'
import type { ExposedSide } from '../feed/path.ts'
import { wordsAt } from '../numbers/int64Words.ts'
import type { LastPrices } from './lastPrices.ts'

interface MeasuredPosition {
  readonly position: Position
  readonly market: number
  /** 0 = never. */
  liquidationPrice: Price
  /** The price that came nearest to it since it last changed. */
  nearest: Price
  /** The same as a double, rounded. */
  safeNearest: number
  /** What a sample needs of the position, as doubles; NaN where one is no safe integer. */
  safeSize: number
  safeNotional: number
  safeReference: number
}

const NOT_NUMBERED = { sequence: 0, phaseOrdinal: 0 }

export class Exposure {
  readonly #liquidationPriceOf: (positionId: string) => Price
  readonly #profitWindowMs: number
  readonly #markets: readonly string[]
  /** Shared by all accounts of a run. */
  readonly #prices: LastPrices
  readonly #held: readonly MeasuredPosition[][]
  #closest: number | null = null

  /** `markets` are ids and `prices` are theirs, in the order of the run. */
  constructor(
    markets: readonly string[],
    prices: LastPrices,
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
    for (const { position } of this.#held[market] as MeasuredPosition[])
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
        pnl += unrealizedPnl(position, this.#prices.of(market), at, this.#profitWindowMs)
    return pnl
  }

  /** The same in doubles; NaN unless everything it takes is a safe integer. */
  safeUnrealized(at: number): number {
    let pnl = 0
    for (let market = 0; market < this.#held.length; market++) {
      const held = this.#held[market] as MeasuredPosition[]
      if (held.length === 0) continue
      const price = this.#prices.safeOf(market)
      for (let index = 0; index < held.length; index++)
        pnl += safePnl(held[index] as MeasuredPosition, price, at, this.#profitWindowMs)
    }
    return pnl
  }

  /** What the cap holds back of it. */
  heldBack(at: number): Quote {
    let pnl = 0n
    for (const held of this.#held)
      for (const { position, market } of held) pnl += rawUnrealizedPnl(position, this.#prices.of(market))
    return pnl - this.unrealized(at)
  }

  /** Σ value of the open sizes at the last prices, shorts negative, rounded as unrealized pnl rounds it. */
  get value(): Quote {
    let value = 0n
    for (const held of this.#held)
      for (const { position, market } of held) {
        const price = this.#prices.of(market)
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
    const held = this.#held[market] as MeasuredPosition[]
    for (let index = 0; index < held.length; index++) {
      const entry = held[index] as MeasuredPosition
      if (entry.position.direction === 'long' ? price < entry.nearest : price > entry.nearest)
        setNearest(entry, price)
    }
  }

  /** Call with a bar of a market where its prices are not told one by one; they are safe integers. */
  ranged(market: number, bars: BarWords, row: number): void {
    if (this.#held[market]?.length === 0) return
    this.between(market, wordsAt(bars.low, row), wordsAt(bars.high, row))
  }

  /** Call with the extremes of several prices of a market where they are not told one by one; they are safe integers. */
  between(market: number, low: number, high: number): void {
    const held = this.#held[market] as MeasuredPosition[]
    for (let index = 0; index < held.length; index++) {
      const entry = held[index] as MeasuredPosition
      if (entry.position.direction === 'long') {
        if (low < entry.safeNearest) setNearest(entry, BigInt(low))
      } else if (high > entry.safeNearest) setNearest(entry, BigInt(high))
    }
  }

  /** Call with every event of a position, after its commit. */
  add(event: PositionEvent, at: number): void {
    const market = this.#markets.indexOf(event.marketId)
    const held = this.#held[market] as MeasuredPosition[]
    const nearest = this.#prices.of(market)
    if (event.type === 'increasePosition' && event.opens)
      held.push({
        position: unopenedPosition(event, at, NOT_NUMBERED),
        market,
        liquidationPrice: 0n,
        nearest,
        safeNearest: Number(nearest),
        safeSize: Number.NaN,
        safeNotional: Number.NaN,
        safeReference: Number.NaN,
      })
    const index = held.findIndex(({ position }) => position.id === event.positionId)
    const entry = held[index]
    if (entry === undefined) throw new ReferenceError(`no open position ${event.positionId}`)
    this.#measure(entry)
    positionRecipe(entry.position, event, at)
    if (entry.position.status === 'opened') {
      entry.liquidationPrice = this.#liquidationPriceOf(event.positionId)
      setNearest(entry, nearest)
      entry.safeSize = safeInteger(entry.position.size)
      entry.safeNotional = safeInteger(entry.position.notional)
      entry.safeReference = safeInteger(entry.position.profitReference)
    } else held.splice(index, 1)
  }

  #measure({ position, liquidationPrice, nearest }: MeasuredPosition): void {
    if (liquidationPrice === 0n) return
    const left = position.direction === 'long' ? nearest - liquidationPrice : liquidationPrice - nearest
    const distance = Math.max(Number(left) / Number(nearest), 0)
    if (this.#closest === null || distance < this.#closest) this.#closest = distance
  }
}

function setNearest(entry: MeasuredPosition, price: Price): void {
  entry.nearest = price
  entry.safeNearest = Number(price)
}

/** min(raw pnl, reference) while the window is open (D7), as `unrealizedPnl` has it. */
function safePnl(held: MeasuredPosition, price: number, at: number, windowMs: number): number {
  const { position, safeSize, safeNotional, safeReference } = held
  const raw =
    position.direction === 'long'
      ? safeNotionalDown(safeSize, price) - safeNotional
      : safeNotional - safeNotionalUp(safeSize, price)
  return at - position.lastIncreaseAt < windowMs && raw > safeReference ? safeReference : raw
}
