/** What falls due by time alone: funding instants and UTC day boundaries (E4, H5). */
import { nextFundingAt } from './market/funding.ts'
import type { World } from './world.ts'

/** The last millisecond of the year 9999 (K12): what comes after has no date of four digits. */
export const LAST_INSTANT = 253_402_300_799_999

export const DAY_MS = 86_400_000

/**
 * What one `advanceTime` may ask for, ten years with their leap days (K12): every funding instant on the way is run, and
 * a slip of the finger should not run them for hours. Only new commands are held to it, not those of a log.
 */
export const LONGEST_ADVANCE_MS = 3_653 * DAY_MS

export function nextMidnight(now: number): number {
  return (Math.floor(now / DAY_MS) + 1) * DAY_MS // number
}

/** The first instant after `now` at which something falls due. */
export function nextDueAfter(world: World, now: number): number {
  let due = nextMidnight(now)
  for (const market of world.markets.values())
    due = Math.min(due, nextFundingAt(market.parameters.fundingIntervalMs, now))
  return due
}

/**
 * Moves the clock. An engine that has never been told the time starts at the first time it is told: nothing falls due
 * for the years before.
 */
export function moveClock(world: World, at: number): void {
  const starts = world.now === 0 && at > 0
  world.now = at
  if (starts || at >= world.nextDueAt) world.nextDueAt = nextDueAfter(world, at)
}
