/** The instants of a venue, in epoch milliseconds. */

/** The last millisecond of the year 9999 (K12): what comes after has no date of four digits. */
export const LAST_INSTANT = 253_402_300_799_999

export const DAY_MS = 86_400_000

/**
 * What one `advanceTime` may ask for, ten years with their leap days (K12): every funding instant on the way is run, and
 * a slip of the finger should not run them for hours. Only new commands are held to it, not those of a log.
 */
export const LONGEST_ADVANCE_MS = 3_653 * DAY_MS

export function nextMidnight(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS
}
