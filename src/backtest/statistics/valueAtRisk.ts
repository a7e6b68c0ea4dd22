/**
 * Value at risk and expected shortfall by historical simulation (P. Jorion, "Value at Risk", 3rd ed., ch. 10): the past
 * returns are taken as the distribution. With n returns and a tail probability a the k = ⌈a·n⌉ worst ones are the tail.
 */

/** Losses of the tail, as fractions of equity; positive numbers are losses. */
export interface TailRisk {
  /** The smallest loss of the tail: it is exceeded in less than a share `a` of the periods. */
  readonly valueAtRisk: number
  /** The mean loss of the tail. */
  readonly expectedShortfall: number
}

/** What a product of two doubles may be off by where the exact result is a whole number. */
const ROUNDING = 1e-9

/**
 * The tail of periodic returns, see `periodicReturns`.
 *
 * @param tail the probability of the tail, 0 < tail < 1. Default 0.05, a confidence of 95 %.
 * @returns `null` without returns.
 */
export function tailRisk(returns: readonly number[], tail = 0.05): TailRisk | null {
  if (returns.length === 0) return null
  const count = Math.max(1, Math.ceil(tail * returns.length - ROUNDING))
  const worst = [...returns].sort((a, b) => a - b).slice(0, count)
  const sum = worst.reduce((total, value) => total + value, 0)
  return { valueAtRisk: 0 - (worst[count - 1] as number), expectedShortfall: 0 - sum / count }
}
