/**
 * The rules of the venue that belong to no market and no account. They are fixed; only a fork of the log changes them,
 * to show what another rule would have made of the same day.
 */
export interface Rules {
  /** How long after an increase the profit cap applies, ms; 0 = never (D1). */
  readonly profitWindowMs: number
  /** Whether `stop` and `trailing_stop` orders fire at all. */
  readonly stopsFire: boolean
}

/** The window of the profit cap, ms: half-open, so 59,999 ms after an increase is inside and 60,000 ms is not (D1, A5). */
export const PROFIT_WINDOW_MS = 60_000

export const RULES: Rules = Object.freeze({ profitWindowMs: PROFIT_WINDOW_MS, stopsFire: true })
