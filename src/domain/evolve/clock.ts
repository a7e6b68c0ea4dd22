/** What falls due by time alone: funding instants and UTC day boundaries (E4, H5). */
import { nextMidnight } from '../../terms/instants.ts'
import { nextFundingAt } from '../formulas/funding.ts'
import type { World } from '../state/world.ts'

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
