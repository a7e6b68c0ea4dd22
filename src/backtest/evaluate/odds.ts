/** What many paths come to: shares with their uncertainty, times, and money. */
import { type Histogram, histogram } from '../report/histogram.ts'
import type { FailureRule, PathOutcome, PathVerdict } from './life.ts'
import { type Mean, meanOf, type Proportion, proportion, type Quantile, quantile } from './proportion.ts'
import type { RuleSet } from './rules.ts'

/** How often something fails, by the rule that it breaks. */
export interface Failures {
  readonly totalLoss: Proportion
  readonly dailyLoss: Proportion
}

/** One phase of an evaluation. */
export interface PhaseOdds {
  /** Of the paths on which it was begun. */
  readonly passed: Proportion
  readonly failed: Proportion
  readonly failedBy: Failures
  /** Days from its beginning. */
  readonly daysToPass: readonly Quantile[]
}

/** What funded accounts came to. */
export interface FundedOdds {
  /** Paths with a first payout, of all. */
  readonly paid: Proportion
  /** Funded and failed before the first payout, of all. */
  readonly failedUnpaid: Proportion
  /** Of the funded accounts, those that failed before the end of the path. */
  readonly failedBy: Failures
  /** Days from the beginning of the path, of those with a payout. */
  readonly daysToFirstPayout: readonly Quantile[]
  /** Of those with one, quote currency. */
  readonly firstPayout: Mean | null
  /** Of every account that was begun, quote currency: nothing where there was none. */
  readonly expectedFirstPayout: Mean
  /** All payouts up to the end of the path, of every account that was begun, quote currency. */
  readonly expectedPayouts: Mean
}

/** How often an evaluation is passed on many resampled or simulated paths. Shares are between 0 and 1. */
export interface Odds {
  /** Every phase of it. */
  readonly passed: Proportion
  readonly failed: Proportion
  readonly undecided: Proportion
  /** Of all paths. */
  readonly failedBy: Failures
  /** Days to the verdict, of the paths that passed and of those that failed. */
  readonly daysToPass: readonly Quantile[]
  readonly daysToFail: readonly Quantile[]
  /** Return at the verdict or at the end, as a fraction. */
  readonly totalReturn: readonly Quantile[]
  /** The same returns, counted in bars of one width; null where all are zero. */
  readonly returns: Histogram | null
  /** In their order. */
  readonly phases: readonly PhaseOdds[]
  /** Null where the rules have no payout. */
  readonly funded: FundedOdds | null
  /** What one account brings its trader: payouts and the fee given back, less the fee; null without a payout and a fee. */
  readonly result: Mean | null
}

const PROBABILITIES = [0.1, 0.25, 0.5, 0.75, 0.9]

/** Counts the outcomes of all paths under rules. */
export function oddsOf(outcomes: readonly PathOutcome[], rules: RuleSet): Odds {
  const shareOf = (belongs: (path: PathOutcome) => boolean) =>
    proportion(outcomes.filter(belongs).length, outcomes.length)
  const daysOf = (wanted: PathVerdict) =>
    quantilesOf(outcomes.flatMap(({ outcome, days }) => (outcome === wanted ? [days ?? 0] : [])))
  const phases = Array.from({ length: rules.phases?.length ?? 1 }, (_, index) => phaseOdds(outcomes, index))
  return {
    passed: shareOf(({ outcome }) => outcome === 'passed'),
    failed: shareOf(({ outcome }) => outcome === 'failed'),
    undecided: shareOf(({ outcome }) => outcome === 'undecided'),
    failedBy: failures(outcomes.map(({ rule }) => rule)),
    daysToPass: daysOf('passed'),
    daysToFail: daysOf('failed'),
    totalReturn: quantilesOf(outcomes.map(({ totalReturn }) => totalReturn)),
    returns: histogram(outcomes.map(({ totalReturn }) => totalReturn)),
    phases,
    funded: rules.payout === undefined ? null : fundedOdds(outcomes),
    result:
      rules.payout === undefined || rules.fee === undefined
        ? null
        : meanOf(outcomes.map((outcome) => traderResult(outcome, rules))),
  }
}

/** What one path brought the trader of the account, quote currency. */
export function traderResult({ funded }: PathOutcome, { fee = 0, payout }: RuleSet): number {
  const isPaid = funded !== null && funded.payouts.length > 0
  return paidOut(funded) + (isPaid && payout?.feeBack === true ? fee : 0) - fee
}

function phaseOdds(outcomes: readonly PathOutcome[], index: number): PhaseOdds {
  const begun = outcomes.flatMap(({ phases }) => phases[index] ?? [])
  const passed = begun.filter(({ outcome }) => outcome === 'passed')
  const failed = begun.filter(({ outcome }) => outcome === 'failed')
  return {
    passed: proportion(passed.length, begun.length),
    failed: proportion(failed.length, begun.length),
    failedBy: failures(begun.map(({ rule }) => rule)),
    daysToPass: quantilesOf(passed.map(({ days }) => days ?? 0)),
  }
}

function fundedOdds(outcomes: readonly PathOutcome[]): FundedOdds {
  const funded = outcomes.flatMap((outcome) => outcome.funded ?? [])
  const firsts = funded.flatMap(({ payouts }) => payouts[0] ?? [])
  const ofAll = (amounts: readonly number[]) => meanOf(amounts) ?? { value: 0, low: 0, high: 0 }
  const unpaid = funded.filter(({ payouts, failedBy }) => payouts.length === 0 && failedBy !== null)
  return {
    paid: proportion(firsts.length, outcomes.length),
    failedUnpaid: proportion(unpaid.length, outcomes.length),
    failedBy: failures(funded.map(({ failedBy }) => failedBy)),
    daysToFirstPayout: quantilesOf(firsts.map(({ day }) => day)),
    firstPayout: meanOf(firsts.map(({ amount }) => amount)),
    expectedFirstPayout: ofAll(outcomes.map((outcome) => outcome.funded?.payouts[0]?.amount ?? 0)),
    expectedPayouts: ofAll(outcomes.map((outcome) => paidOut(outcome.funded))),
  }
}

function paidOut(funded: PathOutcome['funded']): number {
  return funded?.payouts.reduce((sum, { amount }) => sum + amount, 0) ?? 0
}

function failures(rules: readonly (FailureRule | null)[]): Failures {
  const shareOf = (wanted: FailureRule) =>
    proportion(rules.filter((rule) => rule === wanted).length, rules.length)
  return { totalLoss: shareOf('total_loss'), dailyLoss: shareOf('daily_loss') }
}

function quantilesOf(values: readonly number[]): Quantile[] {
  const sorted = [...values].sort((a, b) => a - b)
  return PROBABILITIES.flatMap((probability) => quantile(sorted, probability) ?? [])
}
