/** The account over time: equity, balance, exposure and the floors of the evaluation, one point per sampling time. */
import { setWords, wordsOf } from '../numbers/int64Words.ts'
import type { EquityCurve } from '../statistics/equityCurve.ts'

const INITIAL_CAPACITY = 4096
const INT64_MAX = 2n ** 63n - 1n

/** Columns of equal length. Amounts are fp9. */
export interface AccountCurve extends EquityCurve {
  readonly time: Float64Array
  readonly equity: BigInt64Array
  readonly balance: BigInt64Array
  /** Notional of open positions. */
  readonly exposure: BigInt64Array
}

export class CurveRecorder {
  #capacity = INITIAL_CAPACITY
  #length = 0
  #time = new Float64Array(INITIAL_CAPACITY)
  #columns = [0, 1, 2].map(() => new BigInt64Array(INITIAL_CAPACITY)) as Columns
  #equityWords = wordsOf(this.#columns[0])

  /** @throws RangeError for an equity beyond 64 bits. A second point at the same time replaces the first. */
  add(time: number, equity: bigint, balance: bigint, exposure: bigint): void {
    if (equity > INT64_MAX || equity < -INT64_MAX || exposure > INT64_MAX)
      throw new RangeError('amounts of more than 9 billion do not fit the curve')
    const row = this.#addRow(time, balance, exposure)
    this.#columns[0][row] = equity
  }

  /** The same where all three are safe integers, with the equity as a double. */
  addSafe(time: number, equity: number, balance: bigint, exposure: bigint): void {
    const row = this.#addRow(time, balance, exposure)
    setWords(this.#equityWords, row, equity)
  }

  curve(): AccountCurve {
    const [equity, balance, exposure] = this.#columns
    const end = this.#length
    return {
      length: end,
      time: this.#time.slice(0, end),
      equity: equity.slice(0, end),
      balance: balance.slice(0, end),
      exposure: exposure.slice(0, end),
    }
  }

  #addRow(time: number, balance: bigint, exposure: bigint): number {
    if (this.#length > 0 && this.#time[this.#length - 1] === time) this.#length -= 1
    if (this.#length === this.#capacity) this.#grow()
    const at = this.#length++
    this.#time[at] = time
    this.#columns[1][at] = balance
    this.#columns[2][at] = exposure
    return at
  }

  #grow(): void {
    this.#capacity *= 2
    const time = new Float64Array(this.#capacity)
    time.set(this.#time)
    this.#time = time
    this.#columns = this.#columns.map((column) => {
      const larger = new BigInt64Array(this.#capacity)
      larger.set(column)
      return larger
    }) as Columns
    this.#equityWords = wordsOf(this.#columns[0])
  }
}

type Columns = [BigInt64Array<ArrayBuffer>, BigInt64Array<ArrayBuffer>, BigInt64Array<ArrayBuffer>]
