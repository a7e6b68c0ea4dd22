/** The rules a firm sells accounts under, as a named file: phases, what a funded account pays, and the fee. */
import { notJson } from '../../files/notJson.ts'
import type { DecimalFields } from '../plan/plan.ts'
import { PlanError } from '../plan/readPlan.ts'
import type { PayoutRule } from './payout.ts'

/** Rules of an evaluation under a name: parameters of an account, as decimals. */
export interface RuleSet {
  readonly name: string
  /** Of all phases. */
  readonly account: DecimalFields
  /** What each phase of the evaluation has of its own, in their order; each is an account begun anew. Default: one phase. */
  readonly phases?: readonly DecimalFields[]
  /** What the funded account has of its own. */
  readonly funded?: DecimalFields
  /** Where given, whoever has passed every phase trades a funded account under it. */
  readonly payout?: PayoutRule
  /** What the account costs, quote currency. */
  readonly fee?: number
}

const OWN_KEYS = ['phases', 'funded', 'payout', 'fee']
const PAYOUT_KEYS = ['days', 'share', 'least', 'profitableDays', 'feeBack']

/**
 * Reads a file of rules: parameters of an account, and beside them `phases` (a list of what each has of its own), `funded`,
 * `payout` (`days`, `share`, `least`, `profitableDays`, `feeBack`) and `fee`.
 *
 * ```ts
 * const json = '{"maxTotalLoss": "10%", "phases": [{"profitTarget": "8%"}, {"profitTarget": "5%"}], "payout": {"share": "80%"}}'
 * readRuleSet(json, 'two-step').payout.share // → 0.8
 * ```
 *
 * @param name what the rules are called.
 * @throws PlanError naming what cannot be read.
 */
export function readRuleSet(json: string, name: string): RuleSet {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    throw new PlanError(`${name}: ${notJson(error)}`, { cause: error })
  }
  const table = tableOf(value, name)
  const { phases, funded, payout, fee } = table
  if (phases !== undefined && !(Array.isArray(phases) && phases.length > 0))
    throw new PlanError(`${name}: phases must be a list of one phase or more`)
  const account = Object.fromEntries(Object.entries(table).filter(([key]) => !OWN_KEYS.includes(key)))
  return {
    name,
    account: fieldsOf(account, name),
    ...(phases === undefined
      ? {}
      : {
          phases: phases.map((phase, at) =>
            fieldsOf(tableOf(phase, `${name}: phases[${at}]`), `${name}: phases[${at}]`),
          ),
        }),
    ...(funded === undefined
      ? {}
      : { funded: fieldsOf(tableOf(funded, `${name}: funded`), `${name}: funded`) }),
    ...(payout === undefined
      ? {}
      : { payout: payoutOf(tableOf(payout, `${name}: payout`), `${name}: payout`) }),
    ...(fee === undefined ? {} : { fee: amountOf(fee, `${name}: fee`) }),
  }
}

function payoutOf(table: Readonly<Record<string, unknown>>, shown: string): PayoutRule {
  for (const key of Object.keys(table))
    if (!PAYOUT_KEYS.includes(key))
      throw new PlanError(`${shown}: unknown key ${key}; known are ${PAYOUT_KEYS.join(', ')}`)
  const { days, share, least, profitableDays, feeBack } = table
  if (feeBack !== undefined && typeof feeBack !== 'boolean')
    throw new PlanError(`${shown}: feeBack must be true or false`)
  return {
    ...(days === undefined ? {} : { days: daysOf(days, `${shown}: days`) }),
    ...(share === undefined ? {} : { share: partOf(share, `${shown}: share`) }),
    ...(least === undefined ? {} : { least: amountOf(least, `${shown}: least`) }),
    ...(profitableDays === undefined
      ? {}
      : { profitableDays: daysOf(profitableDays, `${shown}: profitableDays`) }),
    ...(feeBack === undefined ? {} : { feeBack }),
  }
}

function daysOf(value: unknown, shown: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number
  throw new PlanError(`${shown} must be a whole number above zero`)
}

export function amountOf(value: unknown, shown: string): number {
  const amount = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  if (typeof amount === 'number' && Number.isFinite(amount) && amount >= 0) return amount
  throw new PlanError(`${shown} must be an amount, 0 or more`)
}

/** "80%" or 0.8 */
export function partOf(value: unknown, shown: string): number {
  const text = String(value)
  const part = /^\d+(\.\d+)?%$/.test(text)
    ? Number(text.slice(0, -1)) / 100
    : Number(text.trim() || Number.NaN)
  if (part >= 0 && part <= 1) return part
  throw new PlanError(`${shown} must be between 0% and 100%, as in 80% or 0.8`)
}

function tableOf(value: unknown, shown: string): Readonly<Record<string, unknown>> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Readonly<Record<string, unknown>>
  throw new PlanError(`${shown} must be an object`)
}

function fieldsOf(table: Readonly<Record<string, unknown>>, shown: string): DecimalFields {
  for (const [key, value] of Object.entries(table))
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      throw new PlanError(`${shown}: ${key} must be a decimal in quotes, a number, true, false or null`)
  return table as DecimalFields
}
