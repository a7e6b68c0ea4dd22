/** A market on which trades follow each other: its prices, and what is done at each. */
import { ONE } from '../../quantity/fp9.ts'
import { MARKET_DEFAULTS } from '../../terms/parameterFields.ts'
import type { TickColumns } from '../feed/columns.ts'
import type { TickFeed } from '../feed/feed.ts'
import { toPrice } from '../numbers/toNumber.ts'
import type { EntryOrder } from '../strategy/strategy.ts'
import type { DayTrade, HeldTrade } from './tradeDays.ts'

const PRICE = 100
/** Of the balance; a trade cannot lose more than nearly all of it, which is beyond any loss limit. */
const NOTIONAL_SHARE = 0.5
const MOST_LOST = 0.9
/** Of what a trade lost at its deepest: the least margin it has where its own is not known. */
const COVERED = 1.5
/** People's decimals of a size. */
const SIZE_DIGITS = 6

/** What a market allows. */
export const MOST_LEVERAGE = Number(MARKET_DEFAULTS.maxLeverage / ONE)

/** What is done at a price: an order opens. */
export type LaneAction = Pick<EntryOrder, 'direction' | 'leverage' | 'sizeBy'> | 'wait' | 'close'

/** How a trade is made on a market: a move of the price by its whole is so much of the balance, and for one side a gain. */
interface Footing {
  readonly share: number
  readonly sign: 1 | -1
  readonly leverage: string
}

export class Lane {
  readonly actions: LaneAction[] = []
  readonly #times: number[] = []
  readonly #prices: bigint[] = []
  readonly #scale: number
  readonly #balance: number
  readonly #usual: Footing

  /** @param count how many lanes share the balance. */
  constructor(scale: number, balance: number, count: number) {
    this.#scale = scale
    this.#balance = balance
    this.#usual = { share: NOTIONAL_SHARE / count, sign: 1, leverage: '1' }
  }

  wait(time: number): void {
    this.#add(time, 0, this.#usual, 'wait')
  }

  /** A trade of which the result is known, and perhaps the deepest loss. */
  play({ opens, closes, gain, worst }: DayTrade, midnight: number): void {
    this.#open(midnight + opens, 0, this.#usual)
    if (worst < Math.min(0, gain))
      this.#add(midnight + Math.floor((opens + closes) / 2), worst, this.#usual, 'wait')
    this.#add(midnight + closes, gain, this.#usual, 'close')
  }

  /** A day of a trade whose path is known; over a midnight it is held where the next day is the one that followed. */
  hold(
    { opens, closes, gain }: DayTrade,
    held: HeldTrade,
    midnight: number,
    before: readonly DayTrade[] = [],
    after: readonly DayTrade[] = [],
  ): void {
    const footing = this.#footingOf(held)
    const isHeld = held.wasOpen && before.some((other) => isNextOf(held, other.held))
    if (!isHeld) this.#open(midnight + opens, held.from, footing)
    for (const [index, at] of held.at.entries())
      this.#add(midnight + at, held.gains[index] as number, footing, 'wait')
    const goesOn = held.staysOpen && after.some((other) => isNextOf(other.held, held))
    if (!goesOn) this.#add(midnight + closes, gain, footing, 'close')
  }

  feed(): TickFeed {
    const ticks: TickColumns = {
      length: this.#times.length,
      time: Float64Array.from(this.#times),
      price: BigInt64Array.from(this.#prices),
    }
    return {
      kind: 'ticks',
      sources: ['trades of one’s own'],
      format: null,
      summary: () => ({
        rows: ticks.length,
        skipped: 0,
        firstSkipped: [],
        gaps: 0,
        missingBars: 0,
        largestGap: null,
      }),
      async *[Symbol.asyncIterator]() {
        yield ticks
      },
    }
  }

  #footingOf({ margin, least }: HeldTrade): Footing {
    if (margin !== null)
      return {
        share: margin.notional * this.#scale,
        sign: margin.side === 'long' ? 1 : -1,
        leverage: String(Math.min(MOST_LEVERAGE, Math.max(1, margin.leverage))),
      }
    const covering = Math.min(NOTIONAL_SHARE, -least * this.#scale * COVERED)
    return { ...this.#usual, share: Math.max(this.#usual.share, covering) }
  }

  #open(time: number, gain: number, footing: Footing): void {
    const { share, sign, leverage } = footing
    const base = ((this.#balance * share) / PRICE).toFixed(SIZE_DIGITS)
    const direction = sign > 0 ? 'long' : 'short'
    this.#add(time, gain, footing, { direction, leverage, sizeBy: { base } })
  }

  #add(time: number, gain: number, { share, sign }: Footing, action: LaneAction): void {
    this.#times.push(time)
    this.#prices.push(toPrice(PRICE * (1 + Math.max(-MOST_LOST, (sign * (gain * this.#scale)) / share))))
    this.actions.push(action)
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
