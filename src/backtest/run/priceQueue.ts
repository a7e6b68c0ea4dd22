/**
 * The prices of a run on their way into the engine. One that the engine says can change nothing but its market's price
 * waits in columns until somebody wants to know, and then goes in with its whole stretch; any other goes in at once,
 * after what waits. The engine comes to the same commits either way.
 */

import type { Engine } from '../../engine/engine.ts'
import { quietRangeOf } from '../../engine/internals.ts'
import type { Accepted } from '../../engine/outcome.ts'
import type { Command } from '../../events/command.ts'
import type { TickColumns } from '../../events/tickColumns.ts'
import type { ErrorCode } from '../../terms/errors.ts'
import type { BarWords } from '../feed/barWords.ts'
import type { MergedBlock } from '../feed/merge.ts'
import { PATH_STEPS } from '../feed/path.ts'
import { copyWords, wordsAt, wordsOf } from '../numbers/int64Words.ts'
import type { QuietStretch } from './quietStretch.ts'

/** Is told of every accepted command that was not quiet. */
export type OnAccepted = (command: Command, outcome: Accepted<unknown>) => void

const CAPACITY = 16_384
const INT64_MAX = 2n ** 63n - 1n

export class PriceQueue {
  readonly #engine: Engine
  readonly #onAccepted: OnAccepted
  readonly #marketIds: readonly string[]
  readonly #at = new Float64Array(CAPACITY)
  readonly #indexPrice = new BigInt64Array(CAPACITY)
  readonly #words = wordsOf(this.#indexPrice)
  readonly #market = new Uint16Array(CAPACITY)
  readonly #ticks: TickColumns
  /** Prices strictly between the two are quiet. Plain arrays: reading a typed one would allocate. */
  readonly #above: bigint[]
  readonly #below: bigint[]
  /** The same as doubles: what is beyond the safe integers is so after rounding too. */
  readonly #safeAbove: number[]
  readonly #safeBelow: number[]
  #quietBefore = Number.NEGATIVE_INFINITY
  #waiting = 0
  #stale = true

  constructor(engine: Engine, marketIds: readonly string[], onAccepted: OnAccepted) {
    this.#engine = engine
    this.#marketIds = marketIds
    this.#onAccepted = onAccepted
    this.#ticks = { at: this.#at, indexPrice: this.#indexPrice, market: this.#market, marketIds }
    this.#above = marketIds.map(() => INT64_MAX)
    this.#below = marketIds.map(() => 0n)
    this.#safeAbove = marketIds.map(() => Number.POSITIVE_INFINITY)
    this.#safeBelow = marketIds.map(() => 0)
  }

  /**
   * The next price. Times never go back.
   *
   * @throws RangeError for a price the engine refuses.
   */
  add(market: number, time: number, price: bigint): void {
    if (this.#stale) this.#look()
    if (
      time < this.#quietBefore &&
      price > (this.#above[market] as bigint) &&
      price < (this.#below[market] as bigint)
    ) {
      const row = this.#waiting++
      this.#at[row] = time
      this.#indexPrice[row] = price
      this.#market[row] = market
      if (this.#waiting === CAPACITY) this.catchUp()
      return
    }
    this.catchUp()
    this.advanceTo(time)
    this.#dispatch(market, time, price)
  }

  /** Whether all prices of a bar would be quiet until and at a time; never where one is no safe integer. */
  isQuiet(market: number, bars: BarWords, row: number, times: Float64Array, last: number): boolean {
    if (this.#stale) this.#look()
    const high = wordsAt(bars.high, row)
    return (
      high <= Number.MAX_SAFE_INTEGER &&
      high < (this.#safeBelow[market] as number) &&
      wordsAt(bars.low, row) > (this.#safeAbove[market] as number) &&
      (times[last] as number) < this.#quietBefore
    )
  }

  /** The four prices of a bar that is known to be quiet, at the times from `first` on. */
  addQuiet(
    market: number,
    bars: BarWords,
    row: number,
    times: Float64Array,
    first: number,
    lowFirst: boolean,
  ): void {
    if (this.#waiting + PATH_STEPS > CAPACITY) this.catchUp()
    const at = this.#waiting
    for (let step = 0; step < PATH_STEPS; step++) {
      this.#at[at + step] = times[first + step] as number
      this.#market[at + step] = market
    }
    copyWords(bars.open, row, this.#words, at)
    copyWords(lowFirst ? bars.low : bars.high, row, this.#words, at + 1)
    copyWords(lowFirst ? bars.high : bars.low, row, this.#words, at + 2)
    copyWords(bars.close, row, this.#words, at + 3)
    this.#waiting = at + PATH_STEPS
    if (this.#waiting === CAPACITY) this.catchUp()
  }

  /**
   * Ticks of a block from an entry on, up to one that is not quiet, or not before a time, or whose market has no words.
   *
   * @param words by market, the prices of its ticks.
   * @param stretch is told of each.
   * @returns the first entry that was not added.
   */
  addQuietTicks(
    { length, time, market, row }: MergedBlock,
    words: readonly (Int32Array | null)[],
    { from, until }: { readonly from: number; readonly until: number },
    stretch: QuietStretch,
  ): number {
    if (this.#stale) this.#look()
    stretch.begin()
    const before = Math.min(until, this.#quietBefore)
    const end = Math.min(length, from + CAPACITY - this.#waiting)
    let entry = from
    for (; entry < end; entry++) {
      const at = time[entry] as number
      const of = market[entry] as number
      const own = words[of]
      if (!own || at >= before) break
      const price = wordsAt(own, row[entry] as number)
      const isQuiet =
        price <= Number.MAX_SAFE_INTEGER &&
        price < (this.#safeBelow[of] as number) &&
        price > (this.#safeAbove[of] as number)
      if (!isQuiet) break
      const waiting = this.#waiting++
      this.#at[waiting] = at
      this.#market[waiting] = of
      copyWords(own, row[entry] as number, this.#words, waiting)
      stretch.add(of, at, price)
    }
    if (this.#waiting === CAPACITY) this.catchUp()
    return entry
  }

  /** Brings the engine up to the last price added. */
  catchUp(): void {
    const end = this.#waiting
    if (end === 0) return
    this.#waiting = 0
    const { rejections } = this.#engine.dispatchTicks(this.#ticks, 0, end)
    if (rejections.length > 0) throw new RangeError(`a price was refused: ${rejections[0]?.error.code}`)
  }

  /** Lets everything fall due up to a time, funding and new days, each in the commit the engine makes of it. */
  advanceTo(time: number): void {
    const engine = this.#engine
    while (engine.now > 0 && engine.nextDueAt <= time) {
      const command = { type: 'advanceTime', ms: engine.nextDueAt - engine.now } as const
      const outcome = engine.dispatch(command)
      if (!outcome.ok) throw new RangeError(`time refused: ${outcome.error.code}`)
      this.#accept(command, outcome)
    }
  }

  /** Lets time go on to a moment at which no price comes: what is then asked is of that moment. */
  waitUntil(time: number): void {
    this.catchUp()
    this.advanceTo(time)
    const ms = time - this.#engine.now
    if (this.#engine.now === 0 || ms <= 0) return
    const command = { type: 'advanceTime', ms } as const
    const outcome = this.#engine.dispatch(command)
    if (!outcome.ok) throw new RangeError(`time refused: ${outcome.error.code}`)
    this.#accept(command, outcome)
  }

  /**
   * What the run itself asks of the engine, after the prices so far and what falls due; at the engine's time unless one
   * is given.
   *
   * @returns the code of a refusal; null where it was accepted.
   */
  ask(command: Command, at?: number): ErrorCode | null {
    this.catchUp()
    if (at !== undefined) this.advanceTo(at)
    const outcome = this.#engine.dispatch(command, at === undefined ? {} : { at })
    if (!outcome.ok) return outcome.error.code
    this.#accept(command, outcome)
    return null
  }

  /** What was quiet may no longer be: call after everything else that reached the engine. */
  touched(): void {
    this.#stale = true
  }

  #dispatch(market: number, time: number, indexPrice: bigint): void {
    const command = { type: 'updatePrice', marketId: this.#marketIds[market] as string, indexPrice } as const
    const outcome = this.#engine.dispatch(command, { at: time })
    if (!outcome.ok) throw new RangeError(`price ${indexPrice} refused: ${outcome.error.code}`)
    if (outcome.events.length > 1) this.#accept(command, outcome)
    this.#stale = true
  }

  #accept(command: Command, outcome: Accepted<unknown>): void {
    this.#stale = true
    this.#onAccepted(command, outcome)
  }

  #look(): void {
    this.#stale = false
    this.#quietBefore = this.#engine.now > 0 ? this.#engine.nextDueAt : Number.NEGATIVE_INFINITY
    for (const [market, marketId] of this.#marketIds.entries()) {
      const range = quietRangeOf(this.#engine, marketId)
      const above = range?.above ?? INT64_MAX
      const below = range?.below ?? 0n
      this.#above[market] = above > INT64_MAX ? INT64_MAX : above > 0n ? above : 0n
      this.#below[market] = below > INT64_MAX ? INT64_MAX : below
      this.#safeAbove[market] = Number(this.#above[market])
      this.#safeBelow[market] = Number(this.#below[market])
    }
  }
}
