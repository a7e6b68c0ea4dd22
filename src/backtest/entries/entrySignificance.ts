/**
 * Whether the entries of a strategy are better than chance, apart from its exits and its sizes. Each is held for as many bars, by the engine, and
 * the same is done with entries of which chance decides one thing: when all of them are, or which of them are long.
 *
 * All entries are moved by the same number of bars, those that leave the end come in at the begin (the shift on a torus of Lotwick, Silverman 1982,
 * on a line), so that count, sides, markets and clusters stay and the market's own drift is in each draw. Sides are shuffled among the
 * entries of a market (the permutation test of Aronson, Masters: Evidence-Based Technical Analysis, 2006).
 */
import { fp9 } from '../../quantity/decimal.ts'
import { inMemory } from '../plan/memory.ts'
import { optionsOf, preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { runTasks } from '../workers/runTasks.ts'
import { type WorkOptions, workOf } from '../workers/taskPool.ts'
import { type ChanceTest, chanceTest } from './chanceTest.ts'
import { type Observed, observe } from './observed.ts'
import {
  dealtSides,
  drawnShifts,
  type EntryPattern,
  hasBothSides,
  type LanedEntry,
  patternOf,
  shifted,
} from './pattern.ts'
import { type EntryTask, entryNotional, type TimedEntry } from './played.ts'

/** What {@link entrySignificance} asks. */
export interface EntrySignificanceOptions extends WorkOptions {
  readonly plan: RunPlan
  /** For how many bars entries are held; of several each is a test. Default: the middle one of the strategy's own positions. */
  readonly holds?: readonly number[]
  /** How often chance decides, for each test. Default 199: the smallest p is then 0.005. */
  readonly draws?: number
  /** Of what chance decides. Default: the plan's, or `entries`. */
  readonly seed?: string
  /** Told as draws end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** Entries that are held for as many bars each. */
export interface EntryTest {
  /** Bars. */
  readonly hold: number
  /** Entries that were tried. */
  readonly entries: number
  /** Those of them that were long. */
  readonly longs: number
  /** Entries that were not: too near the end of the data, or one more than eight at once in a market. */
  readonly leftOut: number
  /** What an entry brought after all costs, as a fraction of its value; the mean of all. */
  readonly mean: number
  /** Against the same entries at other times; null where there are no other times. */
  readonly times: ChanceTest | null
  /** Against the same times with other sides; null where all of a market's entries are on one side. */
  readonly sides: ChanceTest | null
}

/** What {@link entrySignificance} found. */
export interface EntrySignificance {
  /** Fills that opened or grew a position; those of one bar, market and side are one. */
  readonly entries: number
  /** Bars that every market has. */
  readonly bars: number
  /** In the order of `holds`; empty without entries. */
  readonly tests: readonly EntryTest[]
}

const DEFAULT_DRAWS = 199
/** Accounts that are played side by side: each bar is read once for all of them. */
const ACCOUNTS_AT_ONCE = 40

/**
 * Runs a strategy, and its entries alone again and again. Verdicts end no run here.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { tests } = await entrySignificance({ plan, draws: 19, holds: [30], workers: 1 })
 * tests.map(({ times }) => times?.draws).join() // → 19
 * ```
 *
 * @throws RangeError where no length is given and nothing was closed, and for an entry that the venue does not take; what {@link preparePlan} and
 * {@link runBacktest} throw; NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function entrySignificance(options: EntrySignificanceOptions): Promise<EntrySignificance> {
  const { plan, draws = DEFAULT_DRAWS, seed = plan.seed ?? 'entries', onProgress } = options
  const prepared = await inMemory(await preparePlan(plan))
  const observed = await observe(plan, prepared)
  const { closes, entries, medianHold } = observed
  if (entries.length === 0) return { entries: 0, bars: closes.length, tests: [] }
  const holds = options.holds ?? [medianHold ?? noHold()]
  const cases = holds.map((hold) => drawnCase(observed, hold, draws, seed))
  const tasks = cases.flatMap(({ tasks: own }) => own)
  const total = tasks.reduce((count, { patterns }) => count + patterns.length, 0)
  let done = 0
  const results = await runTasks<EntryTask, string[]>({
    setup: { kind: 'entries', plan },
    tasks,
    ...workOf(options),
    onResult: (worths) => {
      done += worths.length
      onProgress?.({ done, total })
    },
  })
  const notional = entryNotional(optionsOf(plan, prepared).markets)
  let taken = 0
  const tests = cases.map((own) => {
    const worths = results
      .slice(taken, taken + own.tasks.length)
      .flat()
      .map(fp9)
    taken += own.tasks.length
    return testOf(own, worths, notional)
  })
  return { entries: entries.length, bars: closes.length, tests }
}

function noHold(): never {
  throw new RangeError('no position was closed: say for how many bars entries are held')
}

interface DrawnCase {
  readonly hold: number
  readonly pattern: EntryPattern
  /** How many of the patterns, after the first, are shifts; the rest has other sides. */
  readonly shifts: number
  readonly tasks: readonly EntryTask[]
}

function drawnCase({ closes, entries }: Observed, hold: number, draws: number, seed: string): DrawnCase {
  const pattern = patternOf(entries, closes.length, hold)
  const { entries: own, ring, lanes } = pattern
  if (own.length === 0) return { hold, pattern, shifts: 0, tasks: [] }
  const shifts = drawnShifts(ring, draws, seed)
  const sides = hasBothSides(own)
    ? Array.from({ length: draws }, (_, draw) => dealtSides(own, draw, seed))
    : []
  const drawn = [own, ...shifts.map((by) => shifted(pattern, by)), ...sides]
  const timed = drawn.map((one) => one.map((entry) => timedEntry(entry, closes, hold)))
  const size = Math.max(1, Math.floor(ACCOUNTS_AT_ONCE / lanes))
  const tasks = Array.from({ length: Math.ceil(timed.length / size) }, (_, task) => ({
    patterns: timed.slice(task * size, (task + 1) * size),
    lanes,
  }))
  return { hold, pattern, shifts: shifts.length, tasks }
}

function timedEntry({ bar, ...entry }: LanedEntry, closes: readonly number[], hold: number): TimedEntry {
  return { ...entry, opensAt: closes[bar] as number, closesAt: closes[bar + hold] as number }
}

function testOf(
  { hold, pattern, shifts }: DrawnCase,
  worths: readonly bigint[],
  notional: bigint,
): EntryTest {
  const { entries, leftOut } = pattern
  const [own = 0n, ...drawn] = worths
  const meanOf = (worth: bigint) => Number(worth) / Number(notional) / entries.length
  const test = (others: readonly bigint[]): ChanceTest | null =>
    others.length === 0 ? null : chanceTest(own, others, meanOf)
  return {
    ...{
      hold,
      entries: entries.length,
      longs: entries.filter(({ side }) => side === 'long').length,
      leftOut,
    },
    mean: entries.length === 0 ? 0 : meanOf(own),
    times: test(drawn.slice(0, shifts)),
    sides: test(drawn.slice(shifts)),
  }
}
