/** Wall-clock times of a file into UTC. */

const QUARTER_HOUR_MS = 900_000
const DAY_MS = 86_400_000
const fixedOffset = /^(?:UTC)?([+-])(\d{1,2})(?::?(\d{2}))?$/

/**
 * A time zone: `UTC`, a fixed offset such as `-05:00` or `UTC-5`, or an IANA name such as `America/New_York` (whose
 * rules come with the Node in use). A wall-clock time that occurs twice when clocks go back is the earlier one; one
 * that does not occur when they go forward is read with the offset in force before.
 *
 * @throws RangeError for a name that is none of these.
 */
export class TimeZone {
  readonly #fixedMs: number | null
  readonly #format: Intl.DateTimeFormat | null
  #from = 0
  #until = 0
  #offsetMs = 0

  constructor(name: string) {
    const match = fixedOffset.exec(name)
    if (name === 'UTC') {
      this.#fixedMs = 0
      this.#format = null
    } else if (match !== null) {
      const minutes = Number(match[2]) * 60 + Number(match[3] ?? '0')
      this.#fixedMs = (match[1] === '-' ? -minutes : minutes) * 60_000
      this.#format = null
    } else {
      this.#fixedMs = null
      this.#format = new Intl.DateTimeFormat('en-US', {
        timeZone: name,
        hourCycle: 'h23',
        year: 'numeric',
        month: 'numeric',
        day: 'numeric',
        hour: 'numeric',
        minute: 'numeric',
        second: 'numeric',
      })
    }
  }

  /** UTC milliseconds of a wall-clock time, given as if it were UTC milliseconds. */
  toUtc(localMs: number): number {
    if (this.#fixedMs !== null) return localMs - this.#fixedMs
    if (!(localMs >= this.#from && localMs < this.#until)) this.#findOffset(localMs)
    return localMs - this.#offsetMs
  }

  /** Finds the offset at a wall-clock time, and a stretch around it in which it holds. */
  #findOffset(localMs: number): void {
    const day = Math.floor(localMs / DAY_MS) * DAY_MS
    const before = this.#offsetAt(day - DAY_MS)
    const after = this.#offsetAt(day + 2 * DAY_MS)
    this.#from = day
    this.#until = day + DAY_MS
    this.#offsetMs = before
    if (before === after) return
    // Every offset change of every zone since 1970 falls on a quarter of an hour.
    this.#from = Math.floor(localMs / QUARTER_HOUR_MS) * QUARTER_HOUR_MS
    this.#until = this.#from + QUARTER_HOUR_MS
    const isBefore = this.#offsetAt(this.#from - before) === before
    const isAfter = this.#offsetAt(this.#from - after) === after
    if (isAfter && !isBefore) this.#offsetMs = after
  }

  /** At a whole second. */
  #offsetAt(utcMs: number): number {
    const parts: Record<string, number> = {}
    for (const part of this.#format?.formatToParts(utcMs) ?? []) parts[part.type] = Number(part.value)
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts
    return Date.UTC(year, month - 1, day, hour, minute, second) - utcMs
  }
}
