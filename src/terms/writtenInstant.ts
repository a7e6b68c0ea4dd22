/** Times that somebody writes: in a plan, at a command, in a file. */
import { DAY_MS } from './instants.ts'

const WRITTEN =
  /^([1-9]\d{3})(?:-(0[1-9]|1[0-2])(?:-(\d{2})(?:[T ]((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,3})?)?) ?(Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)?)?)?)?$/

/**
 * Epoch ms of `2025-05-04T12:00:00Z`, `2025-05-04 12:00`, or of a day, a month or a year for its beginning. In UTC where no
 * zone is said, so that it is the same wherever it is read. Null for anything else, February 30 included.
 *
 * @example
 * ```ts
 * writtenInstant('2025-05-04 12:00') // 1746360000000
 * ```
 */
export function writtenInstant(text: string): number | null {
  const found = WRITTEN.exec(text)
  if (found === null) return null
  const [, year, month = '01', day = '01', time = '00:00', zone = 'Z'] = found
  const isOfMonth = Number(day) >= 1 && Number(day) <= daysOf(Number(year), Number(month))
  return isOfMonth ? Date.parse(`${year}-${month}-${day}T${time}${zone}`) : null
}

function daysOf(year: number, month: number): number {
  return (Date.UTC(year, month) - Date.UTC(year, month - 1)) / DAY_MS
}
