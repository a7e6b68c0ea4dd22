/**
 * Rows into columns. A reader of any format sets the prices of the row being read and then adds the row; the writer
 * checks it against the rules of `columns.ts` and against the row before it, and keeps or refuses it.
 */
import type { BarColumns, TickColumns } from './columns.ts'
import { midDown } from './mid.ts'
import type { RowReport } from './rowReport.ts'

/** What the rows of a file are. */
export type RowKind = 'bars' | 'trades' | 'quotes'

/** The price columns of each kind, in the order in which readers set them; the mid of a quote is computed here. */
const SLOTS = { bars: 4, trades: 1, quotes: 3 } as const
const OPEN = 0
const HIGH = 1
const LOW = 2
const CLOSE = 3
const BID = 0
const ASK = 1
const MID = 2

const TWO_TO_32 = 4_294_967_296
const LITTLE_ENDIAN = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1
const LOW_HALF = LITTLE_ENDIAN ? 0 : 1
const HIGH_HALF = LITTLE_ENDIAN ? 1 : 0
const DAY_MS = 86_400_000
/** Clocks go forward once a year, so that a day of local time may be an hour short. */
const SHORTEST_DAY_MS = DAY_MS - 3_600_000

export class ColumnWriter {
  readonly kind: RowKind
  readonly report: RowReport
  readonly #capacity: number
  readonly #intervalMs: number
  readonly #shortestStepMs: number
  #length = 0
  #previousTime = Number.NEGATIVE_INFINITY
  #time: Float64Array
  #volume: Float64Array
  #prices: BigInt64Array[]
  #halves: Uint32Array[]

  /** @param intervalMs how far apart bars open, or `null` where that is not known and gaps cannot be told. */
  constructor(kind: RowKind, capacity: number, report: RowReport, intervalMs: number | null) {
    this.kind = kind
    this.report = report
    this.#capacity = capacity
    this.#intervalMs = kind === 'bars' && intervalMs !== null ? intervalMs : Number.POSITIVE_INFINITY
    this.#shortestStepMs =
      intervalMs === null ? 1 : intervalMs >= DAY_MS ? intervalMs - DAY_MS + SHORTEST_DAY_MS : intervalMs
    this.#time = new Float64Array(0)
    this.#volume = new Float64Array(0)
    this.#prices = []
    this.#halves = []
    this.#allocate()
  }

  /** Rows kept since the last {@link takeBars} or {@link takeTicks}. */
  get length(): number {
    return this.#length
  }

  get full(): boolean {
    return this.#length === this.#capacity
  }

  /**
   * Sets a price of the row being read: `open, high, low, close`, or `bid, ask`, or the trade's price. `fp9` is a safe
   * integer and not negative; writing its halves spares the bigint, which would cost twenty times as much.
   */
  setPrice(slot: number, fp9: number): void {
    const halves = this.#halves[slot] as Uint32Array
    const high = Math.floor(fp9 / TWO_TO_32)
    halves[2 * this.#length + HIGH_HALF] = high
    halves[2 * this.#length + LOW_HALF] = fp9 - high * TWO_TO_32
  }

  /** As {@link setPrice}, for a price of any size within 64 bits. */
  setWidePrice(slot: number, fp9: bigint): void {
    ;(this.#prices[slot] as BigInt64Array)[this.#length] = fp9
  }

  /** Adds a bar with the four prices set before. @throws FeedError for a bad row, unless those are skipped. */
  addBar(openTime: number, volume: number, file: string, line: number): void {
    const fault = this.#barFault(openTime, volume)
    if (fault !== null) {
      this.report.refuse(file, line, fault)
      return
    }
    this.report.noteStep(this.#previousTime, openTime, this.#intervalMs)
    this.#volume[this.#length] = volume
    this.#keep(openTime)
  }

  /** Adds a trade with the price set before, or a quote with bid and ask. @throws FeedError as {@link addBar}. */
  addTick(time: number, file: string, line: number): void {
    const fault = this.kind === 'quotes' ? this.#quoteFault(time) : this.#tradeFault(time)
    if (fault !== null) {
      this.report.refuse(file, line, fault)
      return
    }
    this.report.noteStep(this.#previousTime, time, null)
    this.#keep(time)
  }

  #keep(time: number): void {
    this.#time[this.#length] = time
    this.#previousTime = time
    this.#length += 1
    this.report.rows += 1
  }

  #barFault(openTime: number, volume: number): string | null {
    const row = this.#length
    const open = (this.#prices[OPEN] as BigInt64Array)[row] as bigint
    const high = (this.#prices[HIGH] as BigInt64Array)[row] as bigint
    const low = (this.#prices[LOW] as BigInt64Array)[row] as bigint
    const close = (this.#prices[CLOSE] as BigInt64Array)[row] as bigint
    if (low <= 0n || high <= 0n || open <= 0n || close <= 0n) return 'a price is not above zero'
    if (high < low) return 'the high is below the low'
    if (open > high || open < low) return 'the open lies outside low and high'
    if (close > high || close < low) return 'the close lies outside low and high'
    if (!(volume >= 0 && volume < Number.POSITIVE_INFINITY)) return 'the volume is not a number from zero up'
    const step = openTime - this.#previousTime
    if (step >= this.#shortestStepMs) return null
    return step > 0 ? 'the bar opens before the one before it has ended' : this.#orderFault(step)
  }

  #tradeFault(time: number): string | null {
    const price = (this.#prices[0] as BigInt64Array)[this.#length] as bigint
    if (price <= 0n) return 'the price is not above zero'
    return time >= this.#previousTime ? null : this.#orderFault(time - this.#previousTime)
  }

  #quoteFault(time: number): string | null {
    const bid = (this.#prices[BID] as BigInt64Array)[this.#length] as bigint
    const ask = (this.#prices[ASK] as BigInt64Array)[this.#length] as bigint
    if (bid <= 0n || ask <= 0n) return 'bid or ask is not above zero'
    ;(this.#prices[MID] as BigInt64Array)[this.#length] = midDown(bid, ask)
    return time >= this.#previousTime ? null : this.#orderFault(time - this.#previousTime)
  }

  #orderFault(step: number): string {
    return step === 0
      ? 'the row has the time of the one before it'
      : 'the row is earlier than the one before it'
  }

  /** The rows kept so far, as bars; the writer starts a new chunk. */
  takeBars(): BarColumns {
    const { length, time: openTime, volume, prices } = this.#take()
    const [open, high, low, close] = prices as [BigInt64Array, BigInt64Array, BigInt64Array, BigInt64Array]
    return { length, openTime, open, high, low, close, volume }
  }

  /** The rows kept so far, as ticks; the writer starts a new chunk. */
  takeTicks(): TickColumns {
    const { length, time, prices } = this.#take()
    if (this.kind === 'trades') return { length, time, price: prices[0] as BigInt64Array }
    const [bid, ask, price] = prices as [BigInt64Array, BigInt64Array, BigInt64Array]
    return { length, time, price, bid, ask }
  }

  #take() {
    const length = this.#length
    const taken = {
      length,
      time: this.#time.subarray(0, length),
      volume: this.#volume.subarray(0, length),
      prices: this.#prices.map((column) => column.subarray(0, length)),
    }
    this.#length = 0
    this.#allocate()
    return taken
  }

  #allocate(): void {
    this.#time = new Float64Array(this.#capacity)
    if (this.kind === 'bars') this.#volume = new Float64Array(this.#capacity)
    this.#prices = Array.from({ length: SLOTS[this.kind] }, () => new BigInt64Array(this.#capacity))
    this.#halves = this.#prices.map((column) => new Uint32Array(column.buffer))
  }
}
