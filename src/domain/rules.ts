/**
 * The rules of the venue that belong to no market and no account. They are fixed; only a fork of the log changes them,
 * to show what another rule would have made of the same day.
 */
import { PROFIT_WINDOW_MS } from './position/profitCap.ts'

export interface Rules {
  /** How long after an increase the profit cap applies, ms; 0 = never (D1). */
  readonly profitWindowMs: number
  /** Whether `stop` and `trailing_stop` orders fire at all. */
  readonly stopsFire: boolean
}

export const RULES: Rules = Object.freeze({ profitWindowMs: PROFIT_WINDOW_MS, stopsFire: true })
