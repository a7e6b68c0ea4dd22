/** What a stretch of quiet ticks was in each market: its ends, and its extremes. */

export class QuietStretch {
  readonly #lows: Float64Array
  readonly #highs: Float64Array
  readonly #lasts: Float64Array
  readonly #firstAt: Float64Array
  readonly #lastAt: Float64Array

  constructor(markets: number) {
    this.#lows = new Float64Array(markets)
    this.#highs = new Float64Array(markets)
    this.#lasts = new Float64Array(markets)
    this.#firstAt = new Float64Array(markets)
    this.#lastAt = new Float64Array(markets)
  }

  begin(): void {
    this.#lows.fill(Number.POSITIVE_INFINITY)
    this.#highs.fill(Number.NEGATIVE_INFINITY)
  }

  add(market: number, time: number, price: number): void {
    if (this.#highs[market] === Number.NEGATIVE_INFINITY) this.#firstAt[market] = time
    if (price < (this.#lows[market] as number)) this.#lows[market] = price
    if (price > (this.#highs[market] as number)) this.#highs[market] = price
    this.#lasts[market] = price
    this.#lastAt[market] = time
  }

  has(market: number): boolean {
    return this.#highs[market] !== Number.NEGATIVE_INFINITY
  }

  low(market: number): number {
    return this.#lows[market] as number
  }

  high(market: number): number {
    return this.#highs[market] as number
  }

  /** The last price. */
  last(market: number): number {
    return this.#lasts[market] as number
  }

  firstAt(market: number): number {
    return this.#firstAt[market] as number
  }

  lastAt(market: number): number {
    return this.#lastAt[market] as number
  }
}
