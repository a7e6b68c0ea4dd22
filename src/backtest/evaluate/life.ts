/** The life of an account on one path: the phases of its evaluation, and what it pays once it is funded. */
import type { BarFeed, Feed, TickFeed } from '../feed/feed.ts'
import type { DecimalFields } from '../plan/plan.ts'
import { type BacktestOptions, type BacktestResult, runBacktest } from '../run/run.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import { type Payout, PayoutWatch } from './payout.ts'
import type { RuleSet } from './rules.ts'

/** How a phase or an account ended. */
export type PathVerdict = 'passed' | 'failed' | 'undecided'

/** What fails an account. */
export type FailureRule = 'total_loss' | 'daily_loss'

/** What became of one phase on one path. */
interface PhaseOutcome {
  readonly outcome: PathVerdict
  readonly rule: FailureRule | null
  /** Days from the beginning of the phase to its verdict; null without one. */
  readonly days: number | null
}

/** What became of the account on one path. */
export interface PathOutcome {
  /** Of the evaluation: passed once every phase is. */
  readonly outcome: PathVerdict
  readonly rule: FailureRule | null
  /** Days from the start to the verdict; null without one. */
  readonly days: number | null
  /** Return of the last phase that was begun, at its verdict or at the end. */
  readonly totalReturn: number
  /** Those that were begun, in their order. */
  readonly phases: readonly PhaseOutcome[]
  /** Null where none was traded. */
  readonly funded: FundedOutcome | null
}

/** What became of a funded account. */
interface FundedOutcome {
  /** Null where it still traded at the end. */
  readonly failedBy: FailureRule | null
  readonly payouts: readonly Payout[]
}

/** Paths begin at a midnight, so that a trading day is a day of the path. */
export const PATH_START = Date.UTC(2026, 0, 5)

/** The run of an account with these parameters from a midnight on to the end of the path. */
export type AccountRun = (account: DecimalFields, from: number) => BacktestOptions

/** Each account begins with the day after the verdict, or the payout, that it follows. */
export async function lifeOf(run: AccountRun, rules: RuleSet, days: number): Promise<PathOutcome> {
  const { account, phases = [{}] } = rules
  const end = PATH_START + days * DAY_MS
  const outcomes: PhaseOutcome[] = []
  let [at, totalReturn] = [PATH_START, 0]
  for (const [index, own] of phases.entries()) {
    const from = index === 0 ? PATH_START : dayAfter(at)
    if (from >= end) break
    const phase = index === 0 ? {} : { phase: 'active_verification' }
    const result = await runBacktest(lean(run({ ...account, ...own, ...phase }, from)))
    totalReturn = returnOf(result)
    outcomes.push(phaseOutcome(result))
    if (result.verdict.outcome === 'undecided') break
    at = result.verdict.at
    if (result.verdict.outcome === 'failed') break
  }
  const last = outcomes.at(-1) as PhaseOutcome
  const isPassed = last.outcome === 'passed' && outcomes.length === phases.length
  const outcome = last.outcome === 'failed' ? 'failed' : isPassed ? 'passed' : 'undecided'
  return {
    outcome,
    rule: last.rule,
    days: outcome === 'undecided' ? null : (at - PATH_START) / DAY_MS,
    totalReturn,
    phases: outcomes,
    funded: isPassed && rules.payout !== undefined ? await fundedLife(run, rules, dayAfter(at), end) : null,
  }
}

/** Each payout takes the profit out of the account, which goes on from its balance without a position. */
async function fundedLife(
  run: AccountRun,
  rules: RuleSet,
  begin: number,
  end: number,
): Promise<FundedOutcome> {
  const { account, funded = {}, payout = {} } = rules
  const payouts: Payout[] = []
  for (let from = begin; from < end; ) {
    const watch = new PayoutWatch(payout, from)
    const options = lean(run({ ...account, ...funded, phase: 'funded' }, from))
    const markets = options.markets.map((market) => ({ ...market, feed: untilPaid(market.feed, watch) }))
    const { verdict } = await runBacktest({ ...options, markets, recorder: watch })
    if (watch.paid === null)
      return { failedBy: verdict.outcome === 'failed' ? verdict.breach.rule : null, payouts }
    payouts.push({ day: (watch.paid.at - PATH_START) / DAY_MS, amount: watch.paid.amount })
    from = dayAfter(watch.paid.at)
  }
  return { failedBy: null, payouts }
}

function phaseOutcome({ verdict, from }: BacktestResult): PhaseOutcome {
  if (verdict.outcome === 'undecided') return { outcome: 'undecided', rule: null, days: null }
  const rule = verdict.outcome === 'failed' ? verdict.breach.rule : null
  return { outcome: verdict.outcome, rule, days: (verdict.at - from) / DAY_MS }
}

function returnOf({ account, initialBalance }: BacktestResult): number {
  return Number(account.riskStatus.currentEquity - initialBalance) / Number(initialBalance)
}

/** Nothing of the run is drawn. */
function lean(options: BacktestOptions): BacktestOptions {
  return { ...options, afterVerdict: 'stop', samplingMs: Number.POSITIVE_INFINITY }
}

/** The first midnight after a moment. */
function dayAfter(at: number): number {
  return (Math.floor(at / DAY_MS) + 1) * DAY_MS
}

function untilPaid<F extends Feed>(feed: F, watch: PayoutWatch): F {
  return { ...feed, [Symbol.asyncIterator]: () => chunksUntilPaid(feed, watch) }
}

async function* chunksUntilPaid(feed: BarFeed | TickFeed, watch: PayoutWatch): AsyncGenerator {
  for await (const chunk of feed) {
    if (watch.paid !== null) return
    yield chunk
  }
}
