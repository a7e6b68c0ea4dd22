/** What a funded account pays its trader, and when: the venue's rule, and who watches a run for the moment it is met. */
import type { RecordedRun, RunRecorder } from '../recording/recorder.ts'
import type { Sleeper } from '../run/sleeper.ts'
import { DAY_MS } from '../statistics/equityCurve.ts'
import type { Bar, Tick } from '../strategy/strategy.ts'

/** When a funded account pays, and how much. */
export interface PayoutRule {
  /** Days since the account was funded, or since the payout before. Default 14. */
  readonly days?: number
  /** The trader's part of the profit, 0 to 1. Default 0.8. */
  readonly share?: number
  /** Least profit that is paid out, quote currency. Default: any. */
  readonly least?: number
  /** Profitable days since then that it takes, counted as the venue counts them. Default 0. */
  readonly profitableDays?: number
  /** Whether the first payout gives the fee back. Default false. */
  readonly feeBack?: boolean
}

/** One payout of a path. */
export interface Payout {
  /** Days since the path began. */
  readonly day: number
  /** The trader's part, quote currency. */
  readonly amount: number
}

const PERIOD_DAYS = 14
const SHARE = 0.8
const UNITS = 1e9

/**
 * Watches a funded account from a midnight on. Once a day, from the day it is due, it is looked at whether the rule is met: the profit
 * is what has been realized, less what open positions have lost by then.
 */
export class PayoutWatch implements RunRecorder, Sleeper {
  /** When, epoch ms, and the trader's part; null until then. */
  paid: { readonly at: number; readonly amount: number } | null = null
  readonly #rule: PayoutRule
  #due: number
  #run: RecordedRun | null = null

  constructor(rule: PayoutRule, from: number) {
    this.#rule = rule
    this.#due = from + (rule.days ?? PERIOD_DAYS) * DAY_MS
  }

  get hearsFrom(): number {
    return this.#due
  }

  start(run: RecordedRun): void {
    this.#run = run
  }

  bar(_market: number, { closeTime }: Bar): void {
    if (closeTime >= this.#due) this.#look(closeTime)
  }

  tick(_market: number, { time }: Tick): void {
    if (time >= this.#due) this.#look(time)
  }

  commit(): void {}

  #look(at: number): void {
    while (this.#due <= at) this.#due += DAY_MS
    const account = this.#run?.read.account(this.#run.accountId)
    if (this.paid !== null || account === undefined || account.status === 'failed') return
    const { currentBalance, currentEquity, periodStartEquity } = account.riskStatus
    const kept = currentEquity < currentBalance ? currentEquity : currentBalance
    const profit = Number(kept - periodStartEquity) / UNITS
    if (profit <= 0 || profit < (this.#rule.least ?? 0)) return
    if (account.profitableDays < (this.#rule.profitableDays ?? 0)) return
    this.paid = { at, amount: profit * (this.#rule.share ?? SHARE) }
  }
}
