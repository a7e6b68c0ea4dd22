/**
 * Text timestamps, read from bytes: `2022-01-31 05:30[:00[.000000]]`, `2022-01-31T05:30:00Z`, `2022/01/31`,
 * `20220131 05:30[:00]`, `20220131 053000`, `20220131`, each optionally followed by `Z`, `UTC` or `+05:30`.
 * Fractions finer than a millisecond are cut off.
 */
import type { TimeZone } from './timeZone.ts'

const ZERO = 48
const DASH = 45
const SLASH = 47
const COLON = 58
const DOT = 46
const SPACE = 32
const LETTER_T = 84
const LETTER_Z = 90
const PLUS = 43
const DAY_MS = 86_400_000

/** UTC milliseconds of the text in `bytes[start, end)`, or NaN where it is no timestamp of the forms above. */
export function civilTimeAt(bytes: Uint8Array, start: number, end: number, zone: TimeZone): number {
  const separator = bytes[start + 4]
  const spread = separator === DASH || separator === SLASH
  if (spread && bytes[start + 7] !== separator) return Number.NaN
  const dateEnd = start + (spread ? 10 : 8)
  if (dateEnd > end) return Number.NaN
  const year = digitsAt(bytes, start, 4)
  const month = digitsAt(bytes, start + (spread ? 5 : 4), 2)
  const day = digitsAt(bytes, start + (spread ? 8 : 6), 2)
  const midnight = dayOf(year, month, day) * DAY_MS
  if (dateEnd === end) return zone.toUtc(midnight)
  const gap = bytes[dateEnd]
  if (gap !== SPACE && gap !== LETTER_T) return Number.NaN
  return timeOfDayAt(bytes, dateEnd + 1, end, midnight, zone)
}

function timeOfDayAt(
  bytes: Uint8Array,
  start: number,
  end: number,
  midnight: number,
  zone: TimeZone,
): number {
  const colons = bytes[start + 2] === COLON
  const step = colons ? 3 : 2
  let at = start + step + 2
  if (at > end) return Number.NaN
  const hour = digitsAt(bytes, start, 2)
  const minute = digitsAt(bytes, start + step, 2)
  let second = 0
  let milliseconds = 0
  if (at < end && (colons ? bytes[at] === COLON : isDigit(bytes[at]))) {
    const from = colons ? at + 1 : at
    if (from + 2 > end) return Number.NaN
    second = digitsAt(bytes, from, 2)
    at = from + 2
    if (bytes[at] === DOT && at < end) {
      at += 1
      for (let weight = 100; at < end && isDigit(bytes[at]); at++, weight /= 10) {
        if (weight >= 1) milliseconds += ((bytes[at] as number) - ZERO) * weight
      }
    }
  }
  if (!(hour < 24 && minute < 60 && second < 60)) return Number.NaN
  const local = midnight + hour * 3_600_000 + minute * 60_000 + second * 1000 + milliseconds
  return at === end ? zone.toUtc(local) : local - offsetAt(bytes, at, end)
}

/** The offset that ends a timestamp, in ms; NaN where the rest of the text is none. */
function offsetAt(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] === LETTER_Z && end === start + 1) return 0
  const sign = bytes[start]
  if (sign !== PLUS && sign !== DASH) {
    return end === start + 4 && String.fromCharCode(...bytes.subarray(start, end)) === ' UTC' ? 0 : Number.NaN
  }
  const hours = digitsAt(bytes, start + 1, 2)
  const minutesFrom = bytes[start + 3] === COLON ? start + 4 : start + 3
  if (end !== start + 3 && end !== minutesFrom + 2) return Number.NaN
  const minutes = end === start + 3 ? 0 : digitsAt(bytes, minutesFrom, 2)
  if (!(hours <= 14 && minutes < 60)) return Number.NaN
  return (sign === DASH ? -1 : 1) * (hours * 60 + minutes) * 60_000
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= ZERO && byte <= ZERO + 9
}

function digitsAt(bytes: Uint8Array, start: number, count: number): number {
  let value = 0
  for (let at = start; at < start + count; at++) {
    const digit = (bytes[at] as number) - ZERO
    if (!(digit >= 0 && digit <= 9)) return Number.NaN
    value = value * 10 + digit
  }
  return value
}

const DAYS_IN_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Days from 1970-01-01 to a date of the Gregorian calendar, NaN for a date that does not exist. Years are counted
 * from March, so that the leap day is the last: (153·m + 2)/5 days lie before month m of such a year.
 */
export function dayOf(year: number, month: number, day: number): number {
  const leap = year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0)
  const last = month === 2 && leap ? 29 : DAYS_IN_MONTH[month - 1]
  if (last === undefined || !(day >= 1 && day <= last)) return Number.NaN
  const marchYear = month > 2 ? year : year - 1
  const marchMonth = month > 2 ? month - 3 : month + 9
  const leapDays = Math.floor(marchYear / 4) - Math.floor(marchYear / 100) + Math.floor(marchYear / 400)
  return marchYear * 365 + leapDays + Math.floor((153 * marchMonth + 2) / 5) + day - 1 - 719_468
}
