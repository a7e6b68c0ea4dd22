/**
 * What the order of prices inside bars can do to a run: bars that matter are played in both orders from the same state.
 * A run is deterministic, so the same run with one bar turned has come to that bar in the same state; the strategy, which
 * cannot be copied, is made anew and sees the same past.
 *
 * A bar matters where anything happened at its extremes, or a trailing stop could have fired: elsewhere both orders come to the same. Left
 * out are bars in which one level closed the only position, as long as nothing depends on the moment (`OrderedBar.momentOnly`) and
 * the strategy hears of no event.
 */
import { ONE } from '../../quantity/fp9.ts'
import type { BarPath } from '../feed/path.ts'
import type { OrderedBar } from '../recording/orderedBars.ts'
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
   * otherwise the furthest that was reached. Never of a strategy that hears ticks, nor where `extremesMeet`.
   */
  readonly complete: boolean
  /** Whether positions in several markets were open at once under a limit of loss, which may be reached where only their extremes meet. */
  readonly extremesMeet: boolean
  /** Whether the strategy hears ticks, and may act in any bar. */
  readonly hearsTicks: boolean
  /** Bars of the adverse run whose order moves only the moment of a close, on which nothing depends; they are not turned. */
  readonly momentOnly: number
  /** Bars of the adverse run that matter. */
  readonly bars: number
  /** How many of them were played alone in the other order. */
  readonly tried: number
  /** Those of them whose order changed the result, in the order of time. */
  readonly deciding: readonly TurnedBar[]
}

/** What no exploration looks at, for the people who read its result. */
export const NOT_COVERED = 'Not covered: prices that no bar tells, and orders of more than four prices.'

/** Of positions in several markets at once: bars in which nothing happened may yet break a limit together. */
export const NOT_COVERED_OF_MARKETS =
  'Positions in several markets were open at once: a loss limit that is reached only where their extremes meet otherwise is not looked for.'

/** Of a strategy that decides tick by tick, where every bar may matter. */
export const NOT_COVERED_OF_TICKS =
  'The strategy hears every price and may act on any: only the bars in which something happened were played in both orders.'

/** Runs beside the two plain ones. */
const MOST_RUNS = 64

interface Played {
  readonly run: ExploredRun
  readonly mattering: readonly OrderedBar[]
  readonly turned: readonly OrderedBar[]
  readonly heldTogether: boolean
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
  const traders = [options(), ...(options().others ?? [])].map(({ strategy }) => strategy)
  const hearsTicks = traders.some(({ onTick }) => onTick !== undefined)
  const actsInside = hearsTicks || traders.some(({ onEvent }) => onEvent !== undefined)
  const base: Played = {
    run: exploredRun(plain.adverse, 0),
    mattering: barsThatMatter(plain.adverseRecording, actsInside),
    turned: [],
    heldTogether: plain.adverseRecording.heldTogether,
  }
  played.set('', base)
  const outside = exploredRun(plain.optimistic, 0)
  const isEvery = await everyCombination(base, Math.floor(mostRuns / 2))
  if (!isEvery)
    for (const sign of [-1n, 1n]) await walk(base, sign, played.size - 1 + Math.ceil(mostRuns / 4))
  const runs = [...[...played.values()].map(({ run }) => run), outside]
  const extremesMeet =
    hasLossLimits(plain.adverse) && [...played.values()].some(({ heldTogether }) => heldTogether)
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
    complete: isEvery && !hearsTicks && !extremesMeet,
    extremesMeet,
    hearsTicks,
    momentOnly: plain.adverseRecording.orderedBars.length - base.mattering.length,
    bars: base.mattering.length,
    tried: alone.length,
    deciding: alone
      .filter(({ difference }) => difference !== 0n)
      .map(({ bar: { marketId, openTime }, difference }) => ({ marketId, openTime, difference })),
  }

  async function play(turned: readonly OrderedBar[]): Promise<Played> {
    const known = played.get(keyOf(turned))
    if (known !== undefined) return known
    const recorder = new Recording()
    const given = options()
    const turnedBars = given.markets.map(
      (_, market) => new Set(turned.filter((bar) => bar.market === market).map(({ openTime }) => openTime)),
    )
    const result = await runBacktest({ ...given, path: 'adverse', turnedBars, recorder })
    const fresh = {
      run: exploredRun(result, turned.length),
      mattering: barsThatMatter(recorder, actsInside),
      turned,
      heldTogether: recorder.heldTogether,
    }
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
    let last: OrderedBar | undefined
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

function hasLossLimits({ account, others }: BacktestResult): boolean {
  return [{ account }, ...others].some(
    ({ account: { maxDailyDrawdown, maxTotalDrawdown } }) => maxDailyDrawdown < ONE || maxTotalDrawdown < ONE,
  )
}

/** In the order of time; of several markets, in their order. */
function barsThatMatter({ orderedBars }: Recording, actsInside: boolean): OrderedBar[] {
  return orderedBars
    .filter(({ momentOnly }) => actsInside || !momentOnly)
    .sort((a, b) => a.openTime - b.openTime || a.market - b.market)
}

function isAfter(bar: OrderedBar, last: OrderedBar | undefined): boolean {
  if (last === undefined) return true
  return bar.openTime > last.openTime || (bar.openTime === last.openTime && bar.market > last.market)
}

function keyOf(bars: readonly OrderedBar[]): string {
  return bars.map(({ market, openTime }) => `${market}:${openTime}`).join(' ')
}
