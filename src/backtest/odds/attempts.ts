/** What a fee buys: several attempts at an evaluation, and what they come to. */
import type { Odds } from '../evaluate/odds.ts'
import type { RuleSet } from '../evaluate/rules.ts'

/** What an attempt costs and a pass is worth, quote currency. */
export interface AttemptTerms {
  /** Paid for every attempt. Default: that of the rules. */
  readonly fee?: number
  /** At most so many attempts, until one passes. */
  readonly attempts: number
  /** What is expected of an account once it has passed. Default: what its payouts came to; without such a rule nothing. */
  readonly payout?: number
}

/** What so many attempts come to. */
export interface AttemptOdds {
  /** That one of them passes: 1 − (1 − p)^n. */
  readonly funded: number
  /** Fees, on average: each attempt is paid for where none before has passed. */
  readonly fees: number
  /** Payout where one passes, less the fees, on average. */
  readonly result: number
}

/**
 * ```ts
 * attemptOdds(0.5, { fee: 100, attempts: 2, payout: 1000 }).funded // → 0.75
 * ```
 *
 * @param pass probability of passing one attempt, 0 to 1; attempts are independent.
 */
export function attemptOdds(pass: number, { fee, attempts, payout }: Required<AttemptTerms>): AttemptOdds {
  let [unfunded, fees] = [1, 0]
  for (let attempt = 0; attempt < attempts; attempt++) {
    fees += unfunded * fee
    unfunded *= 1 - pass
  }
  const funded = 1 - unfunded
  return { funded, fees, result: funded * payout - fees }
}

const ATTEMPTS = 3

/** What attempts come to under rules with these odds; null where neither they nor the terms have a fee. */
export function attemptsUnder(
  odds: Odds,
  rules: RuleSet,
  { fee = rules.fee, attempts = ATTEMPTS, payout }: Partial<AttemptTerms> = {},
): AttemptOdds | null {
  if (fee === undefined) return null
  return attemptOdds(odds.passed.share, { fee, attempts, payout: payout ?? paidOncePassed(odds, rules, fee) })
}

/** Payouts up to the end of the paths, and the fee where it is given back, of the accounts that passed. */
function paidOncePassed({ funded, passed }: Odds, { payout }: RuleSet, fee: number): number {
  if (funded === null || passed.count === 0) return 0
  const refunds = payout?.feeBack === true ? funded.paid.share * fee : 0
  return (funded.expectedPayouts.value + refunds) / passed.share
}
