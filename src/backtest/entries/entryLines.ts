/** What tests of entries say, in sentences. */
import { NO_VALUE, share } from '../output/presentation.ts'
import type { ChanceTest } from './chanceTest.ts'
import type { EntrySignificance, EntryTest } from './entrySignificance.ts'

/** Below it chance is a poor explanation; by convention, and no more than that. */
const RARE = 0.05

/**
 * One sentence a line.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const found = await entrySignificance({ plan, draws: 19, holds: [30], workers: 1 })
 * entryLines(found).length // → 4
 * ```
 */
export function entryLines({ entries, tests }: EntrySignificance): string[] {
  if (entries === 0) return ['The strategy entered nothing: there is nothing to test.']
  const ps = tests.flatMap(({ times, sides }) => [times, sides].flatMap((test) => test?.p ?? []))
  return [...tests.flatMap(testLines), conclusion(ps)]
}

function testLines({ hold, entries, longs, leftOut, mean, times, sides }: EntryTest): string[] {
  const rest = leftOut === 0 ? '' : ` (${leftOut} more could not be tried)`
  if (entries === 0) return [`Held for ${barsText(hold)}, none of the entries ends before the data does.`]
  return [
    `Held for ${barsText(hold)}, ${entries} ${entries === 1 ? 'entry' : 'entries'}${rest}, ${longs} of them long, brought ${share(mean, 3)} each after costs.`,
    times === null
      ? 'There are no other times to move them to.'
      : `At these times they did better than in ${better(times)} of ${times.draws} moves of all of them along the data, which brought ${share(times.mean, 3)}: p = ${pText(times)}.`,
    sides === null
      ? 'Whether their sides are better than others cannot be said: each market has entries of one side alone.'
      : `With these sides they did better than in ${better(sides)} of ${sides.draws} deals of the same sides among them, which brought ${share(sides.mean, 3)}: p = ${pText(sides)}.`,
  ]
}

export function barsText(bars: number): string {
  return `${bars} ${bars === 1 ? 'bar' : 'bars'}`
}

/** One of several tests is small by chance more often than one alone: the smallest counts as many times as there are (Bonferroni). */
function conclusion(ps: readonly number[]): string {
  if (ps.length === 0) return 'Nothing can be said.'
  const least = Math.min(1, Math.min(...ps) * ps.length)
  const of = ps.length === 1 ? 'p' : `The smallest p times the ${ps.length} tests`
  return least < RARE
    ? `${of} is ${rounded(least)}: chance alone rarely is this good. It says nothing of what comes after this data.`
    : `${of} is ${rounded(least)}: chance alone may well be this good.`
}

/** Share of the draws that came to less, as it is said of them. */
function better({ draws, asGood }: ChanceTest): string {
  return share((draws - asGood) / draws, 1)
}

export function pText(test: ChanceTest | null): string {
  return test === null ? NO_VALUE : rounded(test.p)
}

function rounded(p: number): string {
  return p.toFixed(3)
}
