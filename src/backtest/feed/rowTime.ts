/** The time column of delimited rows: epoch numbers, text timestamps, milliseconds since midnight. */
import { civilTimeAt } from './civilTime.ts'
import { POWERS_OF_TEN } from './decimalText.ts'
import type { Fields } from './fields.ts'
import type { TimeZone } from './timeZone.ts'

/** What an epoch number counts. */
export type TimeUnit = 's' | 'ms' | 'us' | 'ns'

/** Reads the time of the row in `fields`: whole UTC milliseconds, or a sentence about what is wrong. */
export interface RowTime {
  read(bytes: Buffer, fields: Fields, column: number): number | string
}

const DAY_MS = 86_400_000
const UNIT_NAMES = { s: 'seconds', ms: 'milliseconds', us: 'microseconds', ns: 'nanoseconds' } as const
/** Decimal places by which a unit must be moved to be milliseconds. */
const UNIT_SHIFT = { s: 3, ms: 0, us: -3, ns: -6 } as const

/**
 * The unit that an epoch number is in, by its size: 1973 to 5138 in seconds, milliseconds, microseconds or
 * nanoseconds do not overlap. `null` outside that range.
 */
export function unitOf(epoch: number): TimeUnit | null {
  if (epoch < 1e8) return null
  if (epoch < 1e11) return 's'
  if (epoch < 1e14) return 'ms'
  if (epoch < 1e17) return 'us'
  return epoch < 1e20 ? 'ns' : null
}

/** Epoch numbers. The unit is the one given or that of the first row, and a row in another unit is bad. */
export class EpochTime implements RowTime {
  #unit: TimeUnit | null

  constructor(unit: TimeUnit | null) {
    this.#unit = unit
  }

  read(bytes: Buffer, fields: Fields, column: number): number | string {
    const decimals = fields.decimals[column] as number
    if (decimals < 0) return this.#readText(fields.text(bytes, column))
    const digits = fields.digits[column] as number
    const scale = POWERS_OF_TEN[decimals]
    if (scale === undefined) return `the time "${fields.text(bytes, column)}" is not a timestamp`
    const unit = unitOf(digits / scale)
    const fault = this.#unitFault(unit)
    if (fault !== null || unit === null) return fault ?? ''
    return shifted(digits, UNIT_SHIFT[unit] - decimals)
  }

  /** Nanoseconds do not fit into a double. */
  #readText(text: string): number | string {
    if (text === '') return 'the time is missing'
    if (!/^[0-9]{17,20}$/.test(text)) return `the time "${text}" is not a timestamp`
    return this.#unitFault('ns') ?? Number(BigInt(text) / 1_000_000n)
  }

  #unitFault(unit: TimeUnit | null): string | null {
    if (unit === null) return 'the time is no epoch time between 1973 and 5138'
    if (this.#unit === null) this.#unit = unit
    if (unit === this.#unit) return null
    return `the time is in ${UNIT_NAMES[unit]}, where ${UNIT_NAMES[this.#unit]} are expected`
  }
}

/** ⌊digits · 10^places⌋; exact, because the remainder of two doubles is. */
function shifted(digits: number, places: number): number {
  if (places >= 0) return digits * (POWERS_OF_TEN[places] as number)
  const divisor = POWERS_OF_TEN[-places] as number
  return (digits - (digits % divisor)) / divisor
}

/** Text timestamps, see `civilTime.ts`. */
export class CivilTime implements RowTime {
  readonly #zone: TimeZone

  constructor(zone: TimeZone) {
    this.#zone = zone
  }

  read(bytes: Buffer, fields: Fields, column: number): number | string {
    const time = civilTimeAt(
      bytes,
      fields.starts[column] as number,
      fields.ends[column] as number,
      this.#zone,
    )
    return Number.isNaN(time) ? `the time "${fields.text(bytes, column)}" is not a timestamp` : time
  }
}

/** Milliseconds since midnight of a date, with or without decimals. */
export class TimeOfDay implements RowTime {
  readonly #midnight: number
  readonly #zone: TimeZone

  /** @param midnight of the date in the file's own time zone, given as if it were UTC milliseconds. */
  constructor(midnight: number, zone: TimeZone) {
    this.#midnight = midnight
    this.#zone = zone
  }

  read(bytes: Buffer, fields: Fields, column: number): number | string {
    const decimals = fields.decimals[column] as number
    const time = decimals < 0 ? Number.NaN : shifted(fields.digits[column] as number, -decimals)
    if (!(time < DAY_MS))
      return `the time "${fields.text(bytes, column)}" is not a time of day in milliseconds`
    return this.#zone.toUtc(this.#midnight + time)
  }
}
