/** Cells of a table of trades, as platforms write amounts and times. */
import { writtenInstant } from '../../terms/writtenInstant.ts'
import { FeedError } from '../feed/feedError.ts'
import { TimeZone } from '../feed/timeZone.ts'

/** Reads cells of one table, whose marks and order of dates are the same throughout. */
export class TradeCells {
  readonly #shown: string
  readonly #zone: TimeZone
  readonly #hasDecimalComma: boolean
  readonly #dates: 'day first' | 'month first' | null

  /**
   * @param rows what tells how the table is written.
   * @param isMonthFirst where no row tells it.
   */
  constructor(rows: readonly (readonly string[])[], shown: string, zone: string, isMonthFirst = false) {
    this.#shown = shown
    this.#zone = new TimeZone(zone)
    this.#hasDecimalComma = hasDecimalComma(rows)
    this.#dates = datesOf(rows) ?? (isMonthFirst ? 'month first' : null)
  }

  /** @throws FeedError, always. */
  refuse(line: number, reason: string): never {
    throw new FeedError(this.#shown, line, reason)
  }

  /** "−1 234.50 USD", "(20.00)", "1,234.5", and "-0,5" where the table has decimal commas. */
  amount(cell: string, line: number): number {
    return (
      this.amountOrNull(cell) ?? this.refuse(line, `${cell === '' ? 'an empty cell' : cell} is no amount`)
    )
  }

  /** Null for what is no amount. */
  amountOrNull(cell: string): number | null {
    const isNegative = /^[^\d]*\(.*\)$/.test(cell)
    const signed = cell.replace(/[−–]/g, '-').replace(/[\s'()$€£%]|[A-Z]{3,4}$|^[A-Z]{3,4}/g, '')
    const plain = this.#hasDecimalComma
      ? signed.replace(/\.(?=\d{3}\b)/g, '').replace(',', '.')
      : signed.replace(/,(?=\d{3}\b)/g, '')
    if (!/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(plain)) return null
    return isNegative ? -Math.abs(Number(plain)) : Number(plain)
  }

  /** ISO 8601, `2025.05.04 12:00`, `5/4/2025 1:02:03 PM`; in the table's zone unless it says its own. Or since 1970. */
  time(cell: string, line: number): number {
    if (/^\d{9,10}$/.test(cell)) return Number(cell) * 1000
    if (/^\d{12,13}$/.test(cell)) return Number(cell)
    const iso = namedMonth(cell) ?? this.#iso(cell, line)
    const hasZone = /T.*(Z|[+-]\d{2}:?\d{2})$/.test(iso)
    const isDay = writtenInstant(iso.slice(0, 10)) !== null
    const time = isDay ? Date.parse(hasZone ? iso : wallClock(iso)) : Number.NaN
    if (Number.isNaN(time)) this.refuse(line, `${cell} is no time; write 2025-05-04 12:00:00`)
    return hasZone ? time : this.#zone.toUtc(time)
  }

  #iso(cell: string, line: number): string {
    const found =
      /^(\d{1,2})([/.])(\d{1,2})\2(\d{4})(?:,? (\d{1,2}):(\d{2})(?::(\d{2}(?:\.\d+)?))?(?: ?([AP]M))?(?: ?([+-]\d{2}:?\d{2}))?)?$/i.exec(
        cell,
      )
    if (found === null)
      return cell
        .replace(/^(\d{2})-(\d{2})-(\d{2})(?= )/, '20$1-$2-$3')
        .replace(/^(\d{4})[./](\d{2})[./](\d{2})/, '$1-$2-$3')
        .replace(/^(\S+) (\d)/, '$1T$2')
    const [, first = '', , second = '', year, hour = '0', minute = '00', seconds = '00', half, zone = ''] =
      found
    if (this.#dates === null)
      this.refuse(
        line,
        `${cell} may begin with its day or its month, and no other row tells; write 2025-05-04 12:00:00`,
      )
    const [day, month] = this.#dates === 'day first' ? [first, second] : [second, first]
    const two = (text: string) => text.padStart(2, '0')
    return `${year}-${two(month)}-${two(day)}T${two(String(hourOf(hour, half)))}:${minute}:${seconds}${zone.replace(/(\d{2})$/, ':$1').replace('::', ':')}`
  }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const CLOCK = String.raw`(?:,? (\d{1,2}):(\d{2})(?::(\d{2}))?(?: ?([AP]M))?)?`
const MONTH_DAY = new RegExp(String.raw`^([A-Z]{3,9})\.? (\d{1,2}),? (\d{4})${CLOCK}$`, 'i')
const DAY_MONTH = new RegExp(String.raw`^(\d{1,2})[ -]([A-Z]{3,9})\.?,?[ -](\d{4})${CLOCK}$`, 'i')

/** `May 5, 2025 10:00 AM`, `5 May 2025`, `05-May-2025 10:00:00`; null for what is none of these. */
function namedMonth(cell: string): string | null {
  const [, day = '', name = '', year = '', ...clock] =
    DAY_MONTH.exec(cell) ?? dayFirst(MONTH_DAY.exec(cell)) ?? []
  const month = MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1
  if (month === 0) return null
  const two = (number: number) => String(number).padStart(2, '0')
  return `${year}-${two(month)}-${two(Number(day))}T${two(hourOf(clock[0], clock[3]))}:${clock[1] ?? '00'}:${clock[2] ?? '00'}`
}

function dayFirst(found: readonly string[] | null): readonly string[] | null {
  if (found === null) return null
  const [whole = '', month = '', day = '', ...rest] = found
  return [whole, day, month, ...rest]
}

/** Of twelve hours twice where a half of the day is said. */
function hourOf(hour = '0', half?: string): number {
  return half === undefined ? Number(hour) : (Number(hour) % 12) + (/p/i.test(half) ? 12 : 0)
}

function wallClock(iso: string): string {
  return iso.includes('T') ? `${iso}Z` : iso
}

/** Some amount ends with a comma and other than three digits, and none with a point and digits. */
function hasDecimalComma(rows: readonly (readonly string[])[]): boolean {
  const cells = rows.flat().filter((cell) => /^[-+−(]?[\d.,\s']+\)?$/.test(cell))
  return (
    cells.some((cell) => /\d,(\d{1,2}|\d{4,})\)?$/.test(cell)) &&
    !cells.some((cell) => /\d\.(\d{1,2}|\d{4,})\)?$/.test(cell))
  )
}

/** Points stand between days and months; halves of a day are told where months come first; else some number above 12 tells. */
function datesOf(rows: readonly (readonly string[])[]): 'day first' | 'month first' | null {
  for (const cell of rows.flat()) {
    const [, first, mark, second] = /^(\d{1,2})([/.])(\d{1,2})\2\d{4}\b/.exec(cell) ?? []
    if (first === undefined) continue
    if (mark === '.' || Number(first) > 12) return 'day first'
    if (Number(second) > 12 || /[AP]M$/i.test(cell)) return 'month first'
  }
  return null
}
