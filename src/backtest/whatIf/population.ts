/**
 * The venue's side: what an account brings whoever sells it, over a population of traders, under its rules and under others. All are
 * played on the same paths, so that a difference between rules is much surer than either result.
 */
import type { PathOptions } from '../evaluate/evaluate.ts'
import { type DrawnPaths, type PathCase, playPaths } from '../evaluate/evaluate.ts'
import type { PathOutcome } from '../evaluate/life.ts'
import { traderResult } from '../evaluate/odds.ts'
import { type Mean, meanOf } from '../evaluate/proportion.ts'
import { amountOf, partOf, type RuleSet } from '../evaluate/rules.ts'
import type { StrategyPlan } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import { changedPlan } from './changes.ts'

/** A kind of trader, and how many of those who buy an account are of it. */
export interface Trader extends Pick<StrategyPlan, 'strategy' | 'parameters'> {
  readonly name: string
  /** Against the shares of the others; above zero. Default 1. */
  readonly share?: number
}

/** What {@link soldAccounts} plays. */
export interface SoldAccountsOptions extends PathOptions {
  /** Their strategies take the place of the plan's. */
  readonly traders: readonly Trader[]
  /** The first is what the others, and the changes, are compared with. Each has a fee and a rule of payouts. */
  readonly rules: readonly [RuleSet, ...RuleSet[]]
  /** Of the first rules: those of `what-if`, in every phase, and `fee`, `payout-share`, `payout-days`, `payout-least`, `fee-back`. */
  readonly changes?: readonly string[]
}

/** What one kind of trader brings. */
export interface TraderSold {
  readonly name: string
  /** Share of all accounts, 0 to 1. */
  readonly share: number
  /** Share of its accounts that pass, 0 to 1. */
  readonly passed: Mean
  /** Share of its accounts with a payout, 0 to 1. */
  readonly paid: Mean
  /** The venue's result of one account: the fee less payouts and the fee given back, quote currency. */
  readonly result: Mean
}

/** What accounts bring under one set of rules. Intervals are 95%, over the paths. */
export interface SoldAccounts {
  /** The rules by name, or the change. */
  readonly under: string
  /** What an account is sold at, quote currency. */
  readonly fee: number
  /** Share of the accounts that pass, 0 to 1. */
  readonly passed: Mean
  /** Share of the accounts with a payout, 0 to 1. */
  readonly paid: Mean
  /** Payouts of one account, quote currency. */
  readonly payouts: Mean
  /** The venue's result of one account: the fee less payouts and the fee given back, quote currency. */
  readonly result: Mean
  /** The result less that under the first rules, on the same paths; null of these. */
  readonly difference: Mean | null
  readonly traders: readonly TraderSold[]
}

/** What {@link soldAccounts} found: under the first rules, the others, and each change. */
export interface SoldPopulation extends DrawnPaths {
  readonly sold: readonly SoldAccounts[]
}

/** Rules, and what else a run of theirs changes. */
interface Variant {
  readonly under: string
  readonly rules: RuleSet
  readonly change: string | undefined
}

/**
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const traders = [{ name: 'crossers', strategy: 'ema-cross' }, { name: 'breakers', strategy: 'breakout', share: 2 }]
 * const rules = [{ name: 'ours', account: {}, fee: 100, payout: { days: 1 } }]
 * const { sold } = await soldAccounts({ plan, traders, rules, changes: ['fee=90'], paths: 2, days: 2, workers: 1 })
 * sold.map(({ fee }) => fee).join() // → 100,90
 * ```
 *
 * @throws PlanError for a population without traders, rules without a fee or payouts, a change there is not; what
 * {@link preparePlan} and {@link runBacktest} throw;
 * NoRegularFile for a pipe, a socket or a device in the place of a file of the plan.
 */
export async function soldAccounts(options: SoldAccountsOptions): Promise<SoldPopulation> {
  const { traders, rules, changes = [] } = options
  const weights = weightsOf(traders)
  const [first] = rules
  const variants: Variant[] = [
    ...rules.map((own) => ({ under: own.name, rules: own, change: undefined })),
    ...changes.map((change) => changedVariant(first, change)),
  ]
  for (const { name, fee, payout } of rules)
    if (fee === undefined || payout === undefined)
      throw new PlanError(`${name}: accounts are sold for a fee and pay out: the rules need both`)
  const cases: PathCase[] = variants.flatMap(({ rules: own, change }) =>
    traders.map((trader) => ({ rules: own, trader, ...(change === undefined ? {} : { change }) })),
  )
  for (const { change } of variants) if (change !== undefined) changedPlan(options.plan, change)
  const [one] = traders as [Trader]
  const others = traders.map(({ name, strategy }) => ({ name, strategy }))
  const plan = { ...options.plan, strategy: one.strategy, parameters: {}, others }
  const { drawn, outcomes } = await playPaths({ ...options, plan }, cases)
  let base: readonly number[] | null = null
  const sold = variants.map(({ under, rules: own }, index) => {
    const ofTraders = outcomes.slice(index * traders.length, (index + 1) * traders.length)
    const results = weighted(ofTraders, weights, (path) => -traderResult(path, own))
    const compared = base
    base ??= results
    return {
      under,
      fee: own.fee ?? 0,
      passed: mean(weighted(ofTraders, weights, hasPassed)),
      paid: mean(weighted(ofTraders, weights, isPaid)),
      payouts: mean(weighted(ofTraders, weights, paidOut)),
      result: mean(results),
      difference:
        compared === null ? null : mean(results.map((value, path) => value - (compared[path] as number))),
      traders: traders.map(({ name }, at) =>
        traderSold(name, weights[at] as number, ofTraders[at] ?? [], own),
      ),
    }
  })
  return { ...drawn, sold }
}

function traderSold(
  name: string,
  share: number,
  outcomes: readonly PathOutcome[],
  rules: RuleSet,
): TraderSold {
  return {
    name,
    share,
    passed: mean(outcomes.map(hasPassed)),
    paid: mean(outcomes.map(isPaid)),
    result: mean(outcomes.map((path) => -traderResult(path, rules))),
  }
}

/** One value a path: the traders of a path meet the same market, so it is paths that are independent. */
function weighted(
  ofTraders: readonly (readonly PathOutcome[])[],
  weights: readonly number[],
  figureOf: (path: PathOutcome) => number,
): number[] {
  return (ofTraders[0] ?? []).map((_, path) =>
    ofTraders.reduce(
      (sum, outcomes, trader) => sum + (weights[trader] as number) * figureOf(outcomes[path] as PathOutcome),
      0,
    ),
  )
}

function weightsOf(traders: readonly Trader[]): number[] {
  if (traders.length === 0) throw new PlanError('a population has a trader or more')
  const shares = traders.map(({ share = 1 }) => share)
  if (!shares.every((share) => Number.isFinite(share) && share > 0))
    throw new PlanError('the share of a kind of traders is above zero')
  if (new Set(traders.map(({ name }) => name)).size < traders.length)
    throw new PlanError('two kinds of traders have the same name')
  const all = shares.reduce((sum, share) => sum + share, 0)
  return shares.map((share) => share / all)
}

const hasPassed = ({ outcome }: PathOutcome) => (outcome === 'passed' ? 1 : 0)
const isPaid = ({ funded }: PathOutcome) => ((funded?.payouts.length ?? 0) > 0 ? 1 : 0)
const paidOut = ({ funded }: PathOutcome) => funded?.payouts.reduce((sum, { amount }) => sum + amount, 0) ?? 0

function mean(values: readonly number[]): Mean {
  return meanOf(values) ?? { value: 0, low: 0, high: 0 }
}

type TermsChange = (rules: RuleSet, value: string) => RuleSet

/** What a change may say of fee and payouts. */
const TERMS: Readonly<Record<string, TermsChange>> = {
  fee: (rules, value) => ({ ...rules, fee: amountOf(value, 'fee') }),
  'payout-share': (rules, value) => ({
    ...rules,
    payout: { ...rules.payout, share: partOf(value, 'payout-share') },
  }),
  'payout-days': (rules, value) => ({ ...rules, payout: { ...rules.payout, days: daysOf(value) } }),
  'payout-least': (rules, value) => ({
    ...rules,
    payout: { ...rules.payout, least: amountOf(value, 'payout-least') },
  }),
  'fee-back': (rules, value) => ({ ...rules, payout: { ...rules.payout, feeBack: onOrOff(value) } }),
}

/** The part of a change that speaks of fee and payouts goes into the rules; the rest is one of a plan. */
function changedVariant(rules: RuleSet, under: string): Variant {
  let changed = rules
  const rest: string[] = []
  for (const item of under.split(',')) {
    const [name = '', value = ''] = item.split('=', 2)
    const change = Object.hasOwn(TERMS, name) ? TERMS[name] : undefined
    if (change === undefined) rest.push(item)
    else changed = change(changed, value)
  }
  return { under, rules: changed, change: rest.length === 0 ? undefined : rest.join() }
}

function daysOf(value: string): number {
  if (!/^[1-9]\d{0,3}$/.test(value)) throw new PlanError(`payout-days must be a number of days, not ${value}`)
  return Number(value)
}

function onOrOff(value: string): boolean {
  if (value !== 'on' && value !== 'off') throw new PlanError(`fee-back must be on or off, not ${value}`)
  return value === 'on'
}
