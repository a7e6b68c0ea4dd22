/** The time of a row in formats that are not delimited text: JSON values and Parquet cells, as text. */
import { civilTimeAt } from './civilTime.ts'
import { type TimeUnit, unitOf } from './rowTime.ts'
import type { TimeZone } from './timeZone.ts'

/** Milliseconds are a whole number of these, or these a whole number of milliseconds. */
const PER_MILLISECOND = { ms: 1n, us: 1000n, ns: 1_000_000n } as const

/** Reads epoch numbers, all in the unit given or in that of the first row, and text timestamps. */
export class CellTime {
  #unit: TimeUnit | null
  readonly #zone: TimeZone

  constructor(unit: TimeUnit | null, zone: TimeZone) {
    this.#unit = unit
    this.#zone = zone
  }

  /** Whole UTC milliseconds. @throws RangeError for text that is no time, or in another unit. */
  read(text: string): number {
    if (/^\d{9,20}$/.test(text)) return this.#fromEpoch(text)
    const bytes = Buffer.from(text, 'latin1')
    const time = civilTimeAt(bytes, 0, bytes.length, this.#zone)
    if (Number.isNaN(time)) throw new RangeError(`the time "${text}" is not a timestamp`)
    return time
  }

  #fromEpoch(text: string): number {
    const unit = unitOf(Number(text))
    if (unit === null) throw new RangeError('the time is no epoch time between 1973 and 5138')
    this.#unit ??= unit
    if (unit !== this.#unit) throw new RangeError(`the time is in ${unit}, where ${this.#unit} is expected`)
    return unit === 's' ? Number(text) * 1000 : Number(BigInt(text) / PER_MILLISECOND[unit])
  }
}
