/** The prices of the markets at each point of the account's curve, so that both are compared at the same moments. */

const INITIAL_CAPACITY = 4096

/** A market's price, by the points of the curve. */
export interface MarketPrices {
  readonly asset: string
  /** UTC ms, of each point. */
  readonly time: Float64Array
  /** fp9; 0 before the first. The first is the price with which the run began. */
  readonly price: BigInt64Array
  /** Index of the first point at which it had a price; null where it had none. */
  readonly first: number | null
  /** Index of the last point that has a price which it told: from there on it stands still. */
  readonly last: number
}

export class MarketPriceRecorder {
  #length = 0
  #time = new Float64Array(INITIAL_CAPACITY)
  readonly #markets: RecordedPrices[]

  constructor(assets: readonly string[]) {
    this.#markets = assets.map((asset) => new RecordedPrices(asset))
  }

  /** The market has told a price. @param open that of a bar: it is told once the bar has closed, and its first price was this one. */
  told(market: number, open: bigint | null = null): void {
    const recorded = this.#markets[market]
    if (recorded === undefined) return
    recorded.begin ??= open
    // A bar is told after the point at its close, a tick before the point that has it.
    if (open === null) recorded.hasTold = true
    else recorded.last = this.#length - 1
  }

  /** A point of the curve. A second one at the same time replaces the first. */
  sampled(time: number, priceOf: (market: number) => bigint): void {
    if (this.#length > 0 && this.#time[this.#length - 1] === time) this.#length -= 1
    if (this.#length === this.#time.length) this.#grow()
    const at = this.#length++
    this.#time[at] = time
    for (const [market, recorded] of this.#markets.entries()) recorded.set(at, priceOf(market))
  }

  prices(): MarketPrices[] {
    const time = this.#time.slice(0, this.#length)
    return this.#markets.map((recorded) => recorded.prices(time))
  }

  #grow(): void {
    const time = new Float64Array(2 * this.#time.length)
    time.set(this.#time)
    this.#time = time
  }
}

class RecordedPrices {
  readonly #asset: string
  #price = new BigInt64Array(INITIAL_CAPACITY)
  /** The open of the first bar. */
  begin: bigint | null = null
  /** Whether a price was told of which there is no point yet. */
  hasTold = false
  last = 0

  constructor(asset: string) {
    this.#asset = asset
  }

  set(at: number, price: bigint): void {
    if (at === this.#price.length) {
      const grown = new BigInt64Array(2 * at)
      grown.set(this.#price)
      this.#price = grown
    }
    this.#price[at] = price
    if (this.hasTold) this.last = at
    this.hasTold = false
  }

  prices(time: Float64Array): MarketPrices {
    const price = this.#price.slice(0, time.length)
    const first = price.findIndex((value) => value > 0n)
    // As the account's first point is the balance with which it began.
    if (first === 0 && price.length > 1 && this.begin !== null) price[0] = this.begin
    return { asset: this.#asset, time, price, first: first === -1 ? null : first, last: this.last }
  }
}
