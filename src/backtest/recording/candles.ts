/** The candles of a run at the finest interval that keeps their number within a bound, whatever the length of the data. */

/** Columns of equal length. Prices are fp9; `time` is when the candle opens, epoch ms. */
export interface Candles {
  /** Length of a candle, ms. */
  readonly intervalMs: number
  /** When each opens, epoch ms. */
  readonly time: readonly number[]
  /** fp9. */
  readonly open: readonly bigint[]
  /** fp9. */
  readonly high: readonly bigint[]
  /** fp9. */
  readonly low: readonly bigint[]
  /** fp9. */
  readonly close: readonly bigint[]
  /** In the unit of the feed. */
  readonly volume: readonly number[]
  /** What else is known at the end of each: of indicators, NaN where they have no value. */
  readonly columns: readonly (readonly number[])[]
}

const MINUTE_MS = 60_000
/** Lengths of candles that people use, from a second to a week. */
const INTERVALS = [
  1_000,
  5_000,
  15_000,
  30_000,
  ...[1, 2, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440, 2880, 7 * 1440].map(
    (minutes) => minutes * MINUTE_MS,
  ),
]
/** Enough for a month of minutes. */
const MOST_CANDLES = 50_000

/** Collects candles; where they grow too many, neighbours become one. Extremes are never lost. */
export class CandleRecorder {
  #intervalMs: number
  readonly #most: number
  readonly #time: number[] = []
  readonly #open: bigint[] = []
  readonly #high: bigint[] = []
  readonly #low: bigint[] = []
  readonly #close: bigint[] = []
  readonly #volume: number[] = []
  readonly #columns: number[][] = []

  /** `intervalMs` of the data; null for ticks, whose candles start at a second. */
  constructor(intervalMs: number | null, most = MOST_CANDLES) {
    this.#intervalMs = intervalMs ?? (INTERVALS[0] as number)
    this.#most = most
  }

  /** In ascending order of time. */
  add(time: number, open: bigint, high: bigint, low: bigint, close: bigint, volume: number): void {
    this.#put(this.#time.length, this.#bucket(time), open, high, low, close, volume)
    while (this.#time.length > this.#most) this.#coarsen()
  }

  candles(): Candles {
    return {
      intervalMs: this.#intervalMs,
      time: this.#time,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      volume: this.#volume,
      columns: this.#columns,
    }
  }

  /** A column more, without values so far. @returns its number. */
  addColumn(): number {
    return this.#columns.push(this.#time.map(() => Number.NaN)) - 1
  }

  /** The value of a column at the candle that was added last. */
  setColumn(column: number, value: number): void {
    const values = this.#columns[column]
    if (values !== undefined && this.#time.length > 0) values[this.#time.length - 1] = value
  }

  #bucket(time: number): number {
    return time - (time % this.#intervalMs)
  }

  /** Merges into the candle before `at` where it has the same bucket, else becomes candle `at`. */
  #put(at: number, bucket: number, open: bigint, high: bigint, low: bigint, close: bigint, volume: number) {
    const last = at - 1
    if (at > 0 && this.#time[last] === bucket) {
      if (high > (this.#high[last] as bigint)) this.#high[last] = high
      if (low < (this.#low[last] as bigint)) this.#low[last] = low
      this.#close[last] = close
      this.#volume[last] = (this.#volume[last] as number) + volume
      return at
    }
    this.#time[at] = bucket
    this.#open[at] = open
    this.#high[at] = high
    this.#low[at] = low
    this.#close[at] = close
    this.#volume[at] = volume
    for (const values of this.#columns) values[at] = Number.NaN
    return at + 1
  }

  #coarsen(): void {
    const now = this.#intervalMs
    this.#intervalMs = INTERVALS.find((interval) => interval > now && interval % now === 0) ?? 2 * now
    let length = 0
    for (let from = 0; from < this.#time.length; from++) {
      const values = this.#columns.map((column) => column[from] as number)
      length = this.#put(
        length,
        this.#bucket(this.#time[from] as number),
        this.#open[from] as bigint,
        this.#high[from] as bigint,
        this.#low[from] as bigint,
        this.#close[from] as bigint,
        this.#volume[from] as number,
      )
      for (const [index, column] of this.#columns.entries())
        if (!Number.isNaN(values[index])) column[length - 1] = values[index] as number
    }
    for (const column of [this.#time, this.#open, this.#high, this.#low, this.#close, this.#volume])
      column.length = length
    for (const column of this.#columns) column.length = length
  }
}
