/** What a fee buys: several attempts at an evaluation, and what they come to. */

/** What an attempt costs and a pass is worth, quote currency. */
export interface AttemptTerms {
  /** Paid for every attempt. */
  readonly fee: number
  /** At most so many attempts, until one passes. */
  readonly attempts: number
  /** What is expected of an account once it has passed. */
  readonly payout: number
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
export function attemptOdds(pass: number, { fee, attempts, payout }: AttemptTerms): AttemptOdds {
  let [unfunded, fees] = [1, 0]
  for (let attempt = 0; attempt < attempts; attempt++) {
    fees += unfunded * fee
    unfunded *= 1 - pass
  }
  const funded = 1 - unfunded
  return { funded, fees, result: funded * payout - fees }
}
