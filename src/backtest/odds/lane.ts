/** A market on which trades follow each other: its prices, made day by day as they are asked for, and what is done at which of them. */
import { ONE } from '../../quantity/fp9.ts'
import { MARKET_DEFAULTS } from '../../terms/parameterFields.ts'
import type { TickColumns } from '../feed/columns.ts'
import type { TickFeed } from '../feed/feed.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { EntryOrder } from '../strategy/strategy.ts'
import { LaneTicks } from './laneTicks.ts'
import type { DayTrade, HeldTrade } from './tradeDays.ts'

const PRICE = 100
/** Of the balance; a trade cannot lose more than nearly all of it, which is beyond any loss limit. */
const NOTIONAL_SHARE = 0.5
const MOST_LOST = 0.9
/** Of what a trade lost at its deepest: the least margin it has where its own is not known. */
const COVERED = 1.5
/** People's decimals of a size. */
const SIZE_DIGITS = 6
/** Most accounts end long before their path does. */
const CHUNK_ROWS = 2_048

/** What a market allows. */
export const MOST_LEVERAGE = Number(MARKET_DEFAULTS.maxLeverage / ONE)

/** What is done at a price: an order opens. */
export type LaneAction = Pick<EntryOrder, 'direction' | 'leverage' | 'sizeBy'> | 'close'

/** An action, and the price that it belongs to. */
export interface LaneAct {
  /** Epoch ms. */
  readonly time: number
  /** How many prices of the same time come before. */
  readonly place: number
  readonly action: LaneAction
}

/** How a trade is made on a market: a move of the price by its whole is so much of the balance, and for one side a gain. */
interface Footing {
  readonly share: number
  readonly sign: 1 | -1
  readonly leverage: string
}

export interface LaneParts {
  /** Which of the lanes. The first also has every midnight, and the trades that are of none. */
  readonly number: number
  /** How many lanes share the balance. */
  readonly count: number
  readonly scale: number
  readonly balance: number
  readonly days: readonly (readonly DayTrade[])[]
  /** Midnight of the first of them, epoch ms. */
  readonly begin: number
}

export class Lane {
  /** What is done at the prices that were asked for so far, in order. */
  readonly acts: LaneAct[] = []
  readonly #parts: LaneParts
  readonly #usual: Footing
  #ticks = new LaneTicks()

  constructor(parts: LaneParts) {
    this.#parts = parts
    this.#usual = { share: NOTIONAL_SHARE / parts.count, sign: 1, leverage: '1' }
  }

  feed(): TickFeed {
    let rows = 0
    return {
      kind: 'ticks',
      sources: ['trades of one’s own'],
      format: null,
      summary: () => ({ rows, skipped: 0, firstSkipped: [], gaps: 0, missingBars: 0, largestGap: null }),
      [Symbol.asyncIterator]: async function* (this: Lane) {
        rows = 0
        for (const ticks of this.#chunks()) {
          rows += ticks.length
          yield ticks
        }
      }.bind(this),
    }
  }

  *#chunks(): Generator<TickColumns> {
    const { number, days, begin } = this.#parts
    this.acts.length = 0
    this.#ticks = new LaneTicks()
    for (const [day, trades] of days.entries()) {
      const midnight = begin + day * DAY_MS
      if (number === 0 && (day === 0 || (trades[0]?.opens ?? 1) > 0)) this.#wait(midnight)
      for (const trade of trades)
        if ((trade.held?.lane ?? 0) === number) this.#add(trade, midnight, days[day - 1], days[day + 1])
      // Prices of one time stay together.
      if (this.#ticks.length >= CHUNK_ROWS && this.#ticks.time < midnight + DAY_MS) yield this.#ticks.taken()
    }
    this.#wait(begin + days.length * DAY_MS)
    yield this.#ticks.taken()
  }

  #add(
    trade: DayTrade,
    midnight: number,
    before: readonly DayTrade[] | undefined,
    after: readonly DayTrade[] | undefined,
  ): void {
    if (trade.held === undefined) this.#play(trade, midnight)
    else this.#hold(trade, trade.held, midnight, before, after)
  }

  #wait(time: number): void {
    this.#price(time, 0, this.#usual)
  }

  /** A trade of which the result is known, and perhaps the deepest loss. */
  #play({ opens, closes, gain, worst }: DayTrade, midnight: number): void {
    this.#open(midnight + opens, 0, this.#usual)
    if (worst < Math.min(0, gain))
      this.#price(midnight + Math.floor((opens + closes) / 2), worst, this.#usual)
    this.#close(midnight + closes, gain, this.#usual)
  }

  /** A day of a trade whose path is known; over a midnight it is held where the next day is the one that followed. */
  #hold(
    { opens, closes, gain }: DayTrade,
    held: HeldTrade,
    midnight: number,
    before: readonly DayTrade[] = [],
    after: readonly DayTrade[] = [],
  ): void {
    const footing = this.#footingOf(held)
    const isHeld = held.wasOpen && before.some((other) => isNextOf(held, other.held))
    if (!isHeld) this.#open(midnight + opens, held.from, footing)
    for (let index = 0; index < held.at.length; index++)
      this.#price(midnight + (held.at[index] as number), held.gains[index] as number, footing)
    const goesOn = held.staysOpen && after.some((other) => isNextOf(other.held, held))
    if (!goesOn) this.#close(midnight + closes, gain, footing)
  }

  #footingOf({ margin, least }: HeldTrade): Footing {
    const { scale } = this.#parts
    if (margin !== null)
      return {
        share: margin.notional * scale,
        sign: margin.side === 'long' ? 1 : -1,
        leverage: String(Math.min(MOST_LEVERAGE, Math.max(1, margin.leverage))),
      }
    const covering = Math.min(NOTIONAL_SHARE, -least * scale * COVERED)
    return { ...this.#usual, share: Math.max(this.#usual.share, covering) }
  }

  #open(time: number, gain: number, footing: Footing): void {
    const { share, sign, leverage } = footing
    const base = ((this.#parts.balance * share) / PRICE).toFixed(SIZE_DIGITS)
    const direction = sign > 0 ? 'long' : 'short'
    this.#price(time, gain, footing)
    this.#act({ direction, leverage, sizeBy: { base } })
  }

  #close(time: number, gain: number, footing: Footing): void {
    this.#price(time, gain, footing)
    this.#act('close')
  }

  #price(time: number, gain: number, { share, sign }: Footing): void {
    const { scale } = this.#parts
    this.#ticks.add(time, PRICE * (1 + Math.max(-MOST_LOST, (sign * (gain * scale)) / share)))
  }

  /** Belongs to the last price. */
  #act(action: LaneAction): void {
    this.acts.push({ time: this.#ticks.time, place: this.#ticks.place, action })
  }
}

/** Whether a day of a trade is the one after another of the same. */
function isNextOf(held: HeldTrade | undefined, before: HeldTrade | undefined): boolean {
  return (
    held !== undefined &&
    before?.staysOpen === true &&
    held.trade === before.trade &&
    held.day === before.day + 1
  )
}
