/**
 * What the order of prices inside bars can do to a run: bars that matter are played in both orders from the same state.
 * A run is deterministic, so the same run with one bar turned has come to that bar in the same state; the strategy, which
 * cannot be copied, is made anew and sees the same past.
 *
 * A bar matters where more than one thing happened in it ahead of its close, or could have: a stop and a take-profit in
 * its range, two fills, an entry, a trailing stop. A bar in which one level fired, or none, comes to the same in either
 * order, with the exceptions that {@link NOT_COVERED} names.
 */
import type { BarPath } from '../feed/path.ts'
import { Recording } from '../recording/recording.ts'
import { type BacktestOptions, type BacktestResult, runBacktest } from './run.ts'

/** One bar and what its order is worth. */
export interface TurnedBar {
  readonly marketId: string
  /** Epoch ms. */
  readonly openTime: number
  /** Net profit with this bar alone in the other order, minus that of the adverse run; fp9. */
  readonly difference: bigint
}

/** One run of the exploration. */
export interface ExploredRun {
  /** The order all other bars take. */
  readonly path: BarPath
  /** How many bars take the other one. */
  readonly turned: number
  /** fp9 quote currency, after all costs. */
  readonly netProfit: bigint
  readonly outcome: BacktestResult['verdict']['outcome']
}

/** The best and the worst that any order which was played came to. */
export interface OrderBounds {
  readonly worst: ExploredRun
  readonly best: ExploredRun
  /** Runs that were made, the two plain ones included. */
  readonly runs: number
  /** How many runs ended in each. */
  readonly outcomes: Readonly<Record<ExploredRun['outcome'], number>>
  /**
   * Whether every combination of orders of every bar that matters was played: then `worst` and `best` are bounds, and
   * otherwise the furthest that was reached.
   */
  readonly complete: boolean
  /** Bars of the adverse run that matter. */
  readonly bars: number
  /** How many of them were played alone in the other order. */
  readonly tried: number
  /** Those of them whose order changed the result, in the order of time. */
  readonly deciding: readonly TurnedBar[]
}

/** What no exploration looks at, for the people who read its result. */
export const NOT_COVERED =
  'Not played in both orders: bars in which one level or none was reached (there the order moves only the moment, which the 60-second rule and a trailing stop that did not fire may feel), whatever a strategy decides tick by tick, and orders of more than four prices.'

/** Runs beside the two plain ones. */
const MOST_RUNS = 64

interface Played {
  readonly run: ExploredRun
  readonly mattering: readonly Bar[]
  readonly turned: readonly Bar[]
}

interface Bar {
  readonly market: number
  readonly marketId: string
  readonly openTime: number
}

/**
 * Plays combinations of turned bars, those with few before those with many; where they are too many, half of the runs go
 * to two walks along the adverse run that turn bar after bar and keep what is worse, and what is better. `mostRuns` is how many
 * are made at most.
 *
 * ```ts
 * const options = () => ({ markets: [{ asset: 'BTC', feed: demoFeed('demo', 1) }], strategy: emaCross({ asset: 'BTC' }) })
 * const adverseRecording = new Recording()
 * const adverse = await runBacktest({ ...options(), path: 'adverse', recorder: adverseRecording })
 * const optimistic = await runBacktest({ ...options(), path: 'optimistic' })
 * const bounds = await exploreOrders(options, { adverse, adverseRecording, optimistic }, 4)
 * bounds.worst.outcome // → undecided
 * ```
 *
 * @param options as for `runBothPaths`.
 * @throws what {@link runBacktest} throws.
 */
export async function exploreOrders(
  options: () => BacktestOptions,
  plain: {
    readonly adverse: BacktestResult
    readonly adverseRecording: Recording
    readonly optimistic: BacktestResult
  },
  mostRuns = MOST_RUNS,
): Promise<OrderBounds> {
  const played = new Map<string, Played>()
  const base: Played = {
    run: exploredRun(plain.adverse, 0),
    mattering: barsThatMatter(plain.adverseRecording),
    turned: [],
  }
  played.set('', base)
  const outside = exploredRun(plain.optimistic, 0)
  const complete = await everyCombination(base, Math.floor(mostRuns / 2))
  if (!complete)
    for (const sign of [-1n, 1n]) await walk(base, sign, played.size - 1 + Math.ceil(mostRuns / 4))
  const runs = [...[...played.values()].map(({ run }) => run), outside]
  const alone = base.mattering.flatMap((bar) => {
    const single = played.get(keyOf([bar]))
    return single === undefined ? [] : [{ bar, difference: single.run.netProfit - base.run.netProfit }]
  })
  const outcomes = { passed: 0, failed: 0, undecided: 0 }
  for (const { outcome } of runs) outcomes[outcome] += 1
  return {
    worst: runs.reduce((worst, run) => (run.netProfit < worst.netProfit ? run : worst)),
    best: runs.reduce((best, run) => (run.netProfit > best.netProfit ? run : best)),
    runs: runs.length,
    outcomes,
    complete,
    bars: base.mattering.length,
    tried: alone.length,
    deciding: alone
      .filter(({ difference }) => difference !== 0n)
      .map(({ bar: { marketId, openTime }, difference }) => ({ marketId, openTime, difference })),
  }

  async function play(turned: readonly Bar[]): Promise<Played> {
    const known = played.get(keyOf(turned))
    if (known !== undefined) return known
    const recorder = new Recording()
    const given = options()
    const turnedBars = given.markets.map(
      (_, market) => new Set(turned.filter((bar) => bar.market === market).map(({ openTime }) => openTime)),
    )
    const result = await runBacktest({ ...given, path: 'adverse', turnedBars, recorder })
    const fresh = { run: exploredRun(result, turned.length), mattering: barsThatMatter(recorder), turned }
    played.set(keyOf(turned), fresh)
    return fresh
  }

  /** Each combination comes once: a bar is turned only after those that are turned already. */
  async function everyCombination(first: Played, most: number): Promise<boolean> {
    const waiting = [first]
    for (let from = waiting.shift(); from !== undefined; from = waiting.shift())
      for (const bar of from.mattering) {
        if (!isAfter(bar, from.turned.at(-1))) continue
        if (played.size > most) return false
        waiting.push(await play([...from.turned, bar]))
      }
    return true
  }

  async function walk(first: Played, sign: bigint, most: number): Promise<void> {
    let kept = first
    let last: Bar | undefined
    while (played.size <= most) {
      const bar = kept.mattering.find((candidate) => isAfter(candidate, last))
      if (bar === undefined) return
      last = bar
      const other = await play([...kept.turned, bar])
      if ((other.run.netProfit - kept.run.netProfit) * sign > 0n) kept = other
    }
  }
}

function exploredRun({ path, statistics, verdict }: BacktestResult, turned: number): ExploredRun {
  return { path, turned, netProfit: statistics.netProfit, outcome: verdict.outcome }
}

/** In the order of time; of several markets, in their order. */
function barsThatMatter(recording: Recording): Bar[] {
  const found = new Map<string, Bar>()
  const fillsOf = new Map<string, number>()
  const add = (bar: Bar) => found.set(`${bar.market} ${bar.openTime}`, bar)
  for (const [market, { id: marketId, intervalMs }] of recording.markets.entries()) {
    if (intervalMs === null) continue
    const offset = (recording.firstBars[market] ?? 0) % intervalMs
    for (const bar of recording.ambiguousBars)
      if (bar.marketId === marketId) add({ market, marketId, openTime: bar.openTime })
    for (const { at, pnl, reason, marketId: filledIn } of recording.fills) {
      const openTime = at - ((at - offset) % intervalMs)
      const inside = at > openTime && reason !== 'market'
      if (filledIn !== marketId || !inside) continue
      const key = `${market} ${openTime}`
      const before = fillsOf.get(key) ?? 0
      fillsOf.set(key, before + 1)
      if (before > 0 || pnl === null || reason === 'trailing stop') add({ market, marketId, openTime })
    }
  }
  return [...found.values()].sort((a, b) => a.openTime - b.openTime || a.market - b.market)
}

function isAfter(bar: Bar, last: Bar | undefined): boolean {
  if (last === undefined) return true
  return bar.openTime > last.openTime || (bar.openTime === last.openTime && bar.market > last.market)
}

function keyOf(bars: readonly Bar[]): string {
  return bars.map(({ market, openTime }) => `${market}:${openTime}`).join(' ')
}
