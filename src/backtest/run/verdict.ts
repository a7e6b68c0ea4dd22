/** Whether the run would have passed the evaluation: decided by the engine's own rules, at the moment it happened. */
import type { Breach } from '../../events/accountEvents.ts'
import type { Event } from '../../events/event.ts'
import type { Reader } from '../../projections/reader.ts'
import type { Quote } from '../../quantity/units.ts'

/**
 * Whether an evaluation would have been passed, when, and why not. Times are epoch ms. `equity` is what the account had
 * then, after everything that belongs to it: a failed account has closed its positions.
 */
export type Verdict =
  /** Target, profitable days and a flat account came together. */
  | { readonly outcome: 'passed'; readonly at: number; readonly equity: Quote }
  /** A drawdown rule was broken. */
  | { readonly outcome: 'failed'; readonly at: number; readonly equity: Quote; readonly breach: Breach }
  /** Neither happened before the data ended. */
  | { readonly outcome: 'undecided' }

/** Watches one account; the first decision stands. */
export class VerdictWatch {
  readonly #accountId: string
  readonly #read: Reader
  verdict: Verdict = { outcome: 'undecided' }
  /** Soft daily breaches, which freeze the account for the day instead of failing it. */
  freezes = 0

  constructor(accountId: string, read: Reader) {
    this.#accountId = accountId
    this.#read = read
  }

  /** Call with every event of the run, after its commit. */
  add(event: Event, at: number): void {
    if (event.type !== 'dayBegan' && !('accountId' in event && event.accountId === this.#accountId)) return
    if (event.type === 'accountStopped') {
      if (event.reason === 'freeze') this.freezes += 1
      if (event.reason === 'fail' && event.breach !== null && this.verdict.outcome === 'undecided')
        this.verdict = { outcome: 'failed', at, equity: this.#equity(), breach: event.breach }
      return
    }
    if (event.type === 'accountPromoted' && this.verdict.outcome === 'undecided') {
      // The new phase has taken its fresh balance already.
      this.verdict = { outcome: 'passed', at, equity: event.initialBalance - event.adjustment }
      return
    }
    const mayPass =
      event.type === 'closePosition' ||
      event.type === 'liquidate' ||
      event.type === 'forceClose' ||
      event.type === 'dayStarted' ||
      event.type === 'dayBegan'
    if (mayPass && this.verdict.outcome === 'undecided' && this.#read.isEligibleForPromotion(this.#accountId))
      this.verdict = { outcome: 'passed', at, equity: this.#equity() }
  }

  #equity(): Quote {
    return this.#read.riskStatus(this.#accountId)?.currentEquity ?? 0n
  }
}
