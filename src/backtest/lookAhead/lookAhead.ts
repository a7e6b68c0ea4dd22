/**
 * Whether what a strategy decides follows from the prices that it was told, and from these alone. It is run again with something changed that
 * must not matter, and what it asks for is compared: data that ends earlier, another future, the very same once more; and less data before
 * the begin, which need not matter.
 */
import { inMemory } from '../plan/memory.ts'
import { optionsOf, type PreparedPlan, preparePlan } from '../plan/options.ts'
import type { RunPlan } from '../plan/plan.ts'
import { runBacktest } from '../run/run.ts'
import { type Decision, type Notebook, noted } from './decisions.ts'
import { mirrored } from './mirrored.ts'

/** What {@link lookAhead} looks at. */
export interface LookAheadOptions {
  readonly plan: RunPlan
  /** At how many of its decisions the data is cut off. Default 10. */
  readonly cuts?: number
  /** Told as runs end: how many of all have. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
}

/** Where two runs part. */
export interface PartedDecision {
  /** Epoch ms. */
  readonly at: number
  /** What the whole run asked for, or the one with the longest warm-up; null for nothing more. */
  readonly was: string | null
  /** What was asked for instead; null for nothing more. */
  readonly would: string | null
}

/** A run with something changed, beside the one that it is compared with. */
export interface LookAheadRun {
  /**
   * - `again`: nothing is changed. What differs hangs on chance, the clock, or what is kept from run to run.
   * - `cut`: the data ends right after a decision. Up to it nothing may differ.
   * - `mirrored`: every change of the price after the middle is turned round. Up to there nothing may differ; after it, what is still the
   *   same does not follow from the prices told.
   * - `warm-up`: the run begins in the middle, after so much data. What differs hangs on how much there was.
   */
  readonly change: 'again' | 'cut' | 'mirrored' | 'warm-up'
  /** When the data is cut off or turned, or the run begins; epoch ms. Null for `again`. */
  readonly at: number | null
  /** Length of the warm-up, ms; null for the others. */
  readonly warmUpMs: number | null
  /** How many actions of the run that it is compared with are to be the same. */
  readonly compared: number
  /** How many are, up to the first that is not; of a warm-up, wherever they are. */
  readonly same: number
  readonly firstDifference: PartedDecision | null
  /** Of a warm-up, the indicator that is furthest from its value after the longest one: by this fraction of it. */
  readonly furthestIndicator: { readonly name: string; readonly by: number } | null
}

/** What {@link lookAhead} found. */
export interface LookAhead {
  /** Actions that the strategy asked for over the whole of the data. */
  readonly decisions: number
  /** The first run changed first. */
  readonly runs: readonly LookAheadRun[]
  /** Whether the same run came to the same a second time. */
  readonly repeats: boolean
  /** Whether no decision changed with data that came after it. */
  readonly seesNothingAhead: boolean
  /**
   * Of the actions after the middle, how many were the same, at the same time, in a market that moved the other way; null where there
   * were none.
   */
  readonly blindShare: number | null
  /** The shortest warm-up tried, ms, from which on every decision is that of the longest; null where none is. */
  readonly enoughWarmUpMs: number | null
}

const DEFAULT_CUTS = 10
/** Of the data before the middle: how much of it the runs that begin there are told. The last is what the others are held against. */
const WARM_UP_SHARES = [0, 1 / 64, 1 / 16, 1 / 4, 1] as const

/**
 * Runs a strategy over its data again and again, and compares what it asks for. Verdicts end no run here.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 4 }] }
 * const { seesNothingAhead, repeats } = await lookAhead({ plan, cuts: 2 })
 * seesNothingAhead && repeats // → true
 * ```
 *
 * @throws what {@link preparePlan} and {@link runBacktest} throw.
 */
export async function lookAhead({
  plan,
  cuts = DEFAULT_CUTS,
  onProgress,
}: LookAheadOptions): Promise<LookAhead> {
  const runner = await noteRunner({ ...plan, afterVerdict: 'go-on' })
  const whole = await runner({})
  const { decisions } = whole
  const moments = cutMoments(decisions, cuts)
  const middle = whole.from + Math.floor((whole.to + 1 - whole.from) / 2)
  const total = 3 + moments.length + WARM_UP_SHARES.length
  let done = 1
  const run = async (changes: Changes) => {
    const ran = await runner(changes)
    done += 1
    onProgress?.({ done, total })
    return ran
  }

  const again = beside('again', null, decisions, (await run({})).decisions)
  const runs: LookAheadRun[] = [again]
  for (const at of moments)
    runs.push(beside('cut', at, upTo(decisions, at), upTo((await run({ to: at + 1 })).decisions, at)))
  const other = (await run({ mirrorAfter: middle })).decisions
  runs.push(beside('mirrored', middle, upTo(decisions, middle - 1), upTo(other, middle - 1)))
  const warmed: (Noted & { readonly warmUpMs: number })[] = []
  for (const share of WARM_UP_SHARES) {
    const warmUpMs = Math.floor((middle - whole.from) * share)
    warmed.push({ warmUpMs, ...(await run({ from: middle, warmUpMs })) })
  }
  const longest = warmed.pop() as Noted
  const warmUps = warmed.map((one) => warmUpBeside(one, longest, middle))
  return {
    decisions: decisions.length,
    runs: [...runs, ...warmUps],
    repeats: again.firstDifference === null,
    seesNothingAhead: runs.every(
      ({ change, firstDifference }) => change === 'again' || firstDifference === null,
    ),
    blindShare: blindShare(decisions, other, middle),
    enoughWarmUpMs: enoughOf(warmUps),
  }
}

interface Changes {
  readonly from?: number
  readonly to?: number
  readonly warmUpMs?: number
  readonly mirrorAfter?: number
}

interface Noted extends Notebook {
  readonly from: number
  readonly to: number
}

/** Prepares the data once, for any number of runs of a new strategy each. */
async function noteRunner(plan: RunPlan): Promise<(changes: Changes) => Promise<Noted>> {
  const prepared = await inMemory(await preparePlan(plan))
  return async ({ mirrorAfter, ...period }) => {
    const options = optionsOf(
      { ...plan, ...period },
      mirrorAfter === undefined ? prepared : mirroredMarkets(prepared, mirrorAfter),
    )
    const { strategy, notebook } = noted(options.strategy, period.from ?? Number.POSITIVE_INFINITY)
    const { from, to } = await runBacktest({ ...options, strategy })
    return { ...notebook, from, to }
  }
}

function mirroredMarkets(prepared: PreparedPlan, after: number): PreparedPlan {
  const markets = prepared.markets.map((market) => ({ ...market, feed: mirrored(market.feed, after) }))
  return { ...prepared, markets }
}

/** So many of the moments at which it decided, from the first to the last. */
function cutMoments(decisions: readonly Decision[], cuts: number): number[] {
  const moments = [...new Set(decisions.map(({ at }) => at))]
  const count = Math.min(cuts, moments.length)
  return Array.from(
    { length: count },
    (_, index) => moments[Math.floor(((index + 1) * moments.length) / count) - 1] as number,
  )
}

function upTo(decisions: readonly Decision[], at: number): Decision[] {
  return decisions.filter((decision) => decision.at <= at)
}

function beside(
  change: LookAheadRun['change'],
  at: number | null,
  was: readonly Decision[],
  would: readonly Decision[],
): LookAheadRun {
  const length = Math.max(was.length, would.length)
  let same = 0
  while (same < length && was[same]?.at === would[same]?.at && was[same]?.asked === would[same]?.asked)
    same += 1
  const firstDifference = same === length ? null : differenceOf(was[same] ?? null, would[same] ?? null)
  return { change, at, warmUpMs: null, compared: was.length, same, firstDifference, furthestIndicator: null }
}

function differenceOf(was: Decision | null, would: Decision | null): PartedDecision {
  const at = Math.min(was?.at ?? Number.POSITIVE_INFINITY, would?.at ?? Number.POSITIVE_INFINITY)
  const text = (decision: Decision | null) => (decision?.at === at ? decision.kind : null)
  return { at, was: text(was), would: text(would) }
}

/** What it is and when: sizes follow from what was earned before, which begins to differ with the first decision that does. */
const atSight = ({ at, kind }: Decision) => `${at} ${kind}`

function warmUpBeside(
  { warmUpMs, decisions, indicators }: Noted & { readonly warmUpMs: number },
  longest: Noted,
  at: number,
): LookAheadRun {
  const [was, would] = [
    longest.decisions.filter((decision) => decision.at >= at),
    decisions.filter((decision) => decision.at >= at),
  ]
  const known = new Set(would.map(atSight))
  const expected = new Set(was.map(atSight))
  const gone = was.find((decision) => !known.has(atSight(decision))) ?? null
  const extra = would.find((decision) => !expected.has(atSight(decision))) ?? null
  return {
    ...{ change: 'warm-up', at, warmUpMs, compared: was.length },
    same: was.filter((decision) => known.has(atSight(decision))).length,
    firstDifference: gone === null && extra === null ? null : differenceOf(gone, extra),
    furthestIndicator: furthestOf(indicators, longest.indicators),
  }
}

/** An indicator that has no value yet is as far away as can be. */
function furthestOf(
  shorter: Notebook['indicators'],
  longest: Notebook['indicators'],
): LookAheadRun['furthestIndicator'] {
  let furthest: LookAheadRun['furthestIndicator'] = null
  for (const { asset, name, value } of longest) {
    if (value === null) continue
    const own = shorter.find((one) => one.asset === asset && one.name === name)?.value ?? null
    const by =
      own === value ? 0 : own === null ? 1 : Math.abs(own - value) / Math.max(Math.abs(value), Math.abs(own))
    if (furthest === null || by > furthest.by) furthest = { name, by }
  }
  return furthest
}

function blindShare(
  decisions: readonly Decision[],
  other: readonly Decision[],
  middle: number,
): number | null {
  const after = decisions.filter(({ at }) => at >= middle)
  if (after.length === 0) return null
  const known = new Set(other.map(atSight))
  return after.filter((decision) => known.has(atSight(decision))).length / after.length
}

/** Nothing shorter counts than what all longer ones agree with. */
function enoughOf(warmUps: readonly LookAheadRun[]): number | null {
  let enough: number | null = null
  for (const { warmUpMs, firstDifference } of warmUps.toReversed()) {
    if (firstDifference !== null) break
    enough = warmUpMs
  }
  return enough
}
