/** A log that ends long before now, and what continuing it would run (K12). */

import type { Engine } from '../engine/engine.ts'
import { DAY_MS } from '../terms/instants.ts'

/** A log that is further behind the wall clock is continued only when somebody has said so, ms. */
const ACCEPTED_GAP_MS = 7 * DAY_MS

/** The log ends long ago, or the wall clock is wrong. The message says what continuing would run. */
export class LogBehind extends Error {
  override readonly name = 'LogBehind'
}

/** What going on from the end of the log at time `now` runs, in a sentence; null for a log that is not far behind. */
export function gapBefore({ head, now: end, read }: Engine, now: number): string | null {
  if (head === 0 || end === 0 || now - end <= ACCEPTED_GAP_MS) return null
  const passed = (everyMs: number) => Math.floor(now / everyMs) - Math.floor(end / everyMs)
  let funding = 0
  for (const { id } of read.markets())
    funding += passed(read.marketParameters(id)?.fundingIntervalMs as number)
  const [ended, days] = [new Date(end).toISOString(), passed(DAY_MS)]
  return `the log ends at ${ended}, ${days} days ago: going on from there runs ${funding} funding instants of its markets and ${days} day boundaries`
}
