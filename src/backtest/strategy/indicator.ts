/**
 * Indicators of a strategy, kept up to date by the run: with every bar that is told, before it is told, in a backtest and live. A
 * strategy compares them with each other, with prices and with numbers; a report draws them with the fills.
 */
import type { Price } from '../../quantity/units.ts'
import { toNumber, toPrice } from '../numbers/toNumber.ts'
import type { Bar } from './bar.ts'

/** What computes: an indicator of the package `trading-signals`, or anything that can be added to. */
export interface Calculation<Input, Result> {
  /** Takes the next input; null while there have been too few. */
  add(input: Input): Result | null
  /** Whether there have been enough inputs, and so from then on; where it is not said, every result counts. */
  readonly isStable?: boolean
  /** How many inputs it takes at least: `isStable` is not asked before. */
  getRequiredInputs?(): number
}

/** A bar in doubles, for indicators that need more than one price of it. */
export interface Candle {
  /** The first price, in quote currency a unit of the base; so are the others. */
  readonly open: number
  /** The highest, in quote currency. */
  readonly high: number
  /** The lowest, in quote currency. */
  readonly low: number
  /** The last, in quote currency. */
  readonly close: number
  /** How many units were traded, in parts too; 0 where the feed tells none. */
  readonly volume: number
}

/** What an indicator is told of a bar: one number of it, all of them in doubles, or the bar itself with its exact prices. */
export type IndicatorInput = keyof Candle | 'candle' | 'bar'

/** What an indicator is computed of, and how it is drawn. */
export interface IndicatorOptions<Of extends IndicatorInput = keyof Candle> {
  /** Which number of a bar is added; `candle` adds the whole bar in doubles, `bar` the bar as strategies are told it. Default `close`. */
  readonly of?: Of
  /** Of longer bars than those of the data, each once it is closed: `15m`, `4h`, `1d`. Default: of every bar. */
  readonly interval?: string
  /** Over the prices, below them, or not at all. Default: over them where its values are near them. */
  readonly chart?: 'price' | 'apart' | 'none'
}

/** What an indicator is compared with: another, a price (fp9), or a number. */
export type Comparable = IndicatorLine | Price | number

/** One value that changes with the bars. Comparisons with a value that is not there yet are false. */
export class IndicatorLine {
  readonly name: string
  /** As of the last bar, in the unit of what it is computed of: any number; null while there have been too few. */
  value: number | null = null
  /** The same as of the bar before: any number, or null. */
  previous: number | null = null

  constructor(name: string) {
    this.name = name
  }

  /** As a price, fp9: rounded to the nearest. @throws RangeError while there have been too few bars. */
  get price(): Price {
    if (this.value === null) throw new RangeError(`${this.name} has had too few bars for a price`)
    return toPrice(this.value)
  }

  isAbove(other: Comparable): boolean {
    const own = this.value
    const its = presentOf(other)
    return own !== null && its !== null && own > its
  }

  isBelow(other: Comparable): boolean {
    const own = this.value
    const its = presentOf(other)
    return own !== null && its !== null && own < its
  }

  /** Above it now, and not so at the bar before. A price or a number counts as having been the same then. */
  crossedAbove(other: Comparable): boolean {
    const [own, its] = [this.previous, previousOf(other)]
    return own !== null && its !== null && own <= its && this.isAbove(other)
  }

  /** Below it now, and not so at the bar before. */
  crossedBelow(other: Comparable): boolean {
    const [own, its] = [this.previous, previousOf(other)]
    return own !== null && its !== null && own >= its && this.isBelow(other)
  }

  /** Call with the value at every bar: any number. */
  set(value: number | null): void {
    this.previous = this.value
    this.value = value
  }
}

function presentOf(other: Comparable): number | null {
  return typeof other === 'object' ? other.value : typeof other === 'bigint' ? toNumber(other) : other
}

function previousOf(other: Comparable): number | null {
  return typeof other === 'object' ? other.previous : presentOf(other)
}

/** What a report draws: lines of one market. */
export interface Charted {
  readonly asset: string
  readonly chart: IndicatorOptions['chart']
  readonly lines: readonly IndicatorLine[]
}

/** An indicator of one market. Where it computes several values at once, each is a {@link line} of it. */
export class Indicator<Result = unknown> extends IndicatorLine {
  readonly asset: string
  readonly chart: IndicatorOptions['chart']
  readonly #calculation: Calculation<never, Result>
  readonly #of: IndicatorInput
  readonly #lines = new Map<string, IndicatorLine>()
  /** Before so many inputs it is not asked whether they are enough: some answer no by throwing an error and catching it. */
  readonly #leastInputs: number
  #inputs = 0
  #isStable: boolean

  constructor(
    asset: string,
    name: string,
    calculation: Calculation<never, Result>,
    { of = 'close', chart }: IndicatorOptions<IndicatorInput>,
  ) {
    super(name)
    this.asset = asset
    this.chart = chart
    this.#calculation = calculation
    this.#of = of
    this.#leastInputs = calculation.getRequiredInputs?.() ?? 0
    this.#isStable = calculation.isStable === undefined
  }

  /** One of several values, such as `upper` of Bollinger bands. It has no value as long as nothing of this name was computed. */
  line(name: keyof Result & string): IndicatorLine {
    const known = this.#lines.get(name)
    if (known !== undefined) return known
    const line = new IndicatorLine(`${this.name} ${name}`)
    this.#lines.set(name, line)
    return line
  }

  /** What is drawn: the lines, or the value itself where there are none. */
  get lines(): readonly IndicatorLine[] {
    return this.#lines.size === 0 ? [this] : [...this.#lines.values()]
  }

  /**
   * Call with every bar it is computed of, and its `close` as a double, in quote currency.
   *
   * @throws RangeError for a result that is no number.
   */
  add(bar: Bar, close: number): void {
    const input = this.#of === 'close' ? close : inputOf(bar, this.#of)
    const computed = this.#calculation.add(input as never)
    const result = this.#hasEnough() ? computed : null
    if (typeof result === 'object' && result !== null) return this.#setLines(result)
    if (typeof result === 'number' && !Number.isNaN(result)) return this.set(result)
    if (result !== null && result !== undefined) throw this.#noNumber()
    this.set(null)
    for (const line of this.#lines.values()) line.set(null)
  }

  #hasEnough(): boolean {
    this.#inputs += 1
    this.#isStable ||= this.#inputs >= this.#leastInputs && this.#calculation.isStable === true
    return this.#isStable
  }

  #setLines(result: object): void {
    for (const name in result) {
      const value: unknown = result[name as keyof typeof result]
      if (typeof value !== 'number') continue
      if (Number.isNaN(value)) throw this.#noNumber()
      this.line(name as keyof Result & string).set(value)
    }
  }

  #noNumber(): RangeError {
    const isWhole = this.#of === 'candle' || this.#of === 'bar'
    const of = isWhole ? 'whole bars' : `the ${this.#of} of bars`
    const hint = isWhole ? '' : "; an indicator of whole bars needs { of: 'candle' }"
    return new RangeError(`the indicator ${this.name} comes to no number from ${of}${hint}`)
  }
}

function inputOf(bar: Bar, of: IndicatorInput): Bar | Candle | number {
  if (of === 'bar') return bar
  if (of === 'candle') return candleOf(bar)
  return of === 'volume' ? bar.volume : toNumber(bar[of])
}

function candleOf({ open, high, low, close, volume }: Bar): Candle {
  return { open: toNumber(open), high: toNumber(high), low: toNumber(low), close: toNumber(close), volume }
}
