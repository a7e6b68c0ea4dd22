import type { Odds } from '../../../../src/backtest/evaluate/odds.ts'

/** Odds of which every figure is another, so that none can stand in the place of another. */
export function distinctOdds(): Odds {
  let next = 0
  const number = () => {
    next += 1
    return next
  }
  const one = () => {
    const count = number()
    return { count, of: 100, share: number() / 1_000, low: number() / 1_000, high: number() / 1_000 }
  }
  const some = () => ({ value: 1_000 * number(), low: 1_000 * number(), high: 1_000 * number() })
  const spread = (unit: number) =>
    [0.25, 0.5].map((probability) => ({
      ...{ probability, value: number() * unit, low: number() * unit, high: number() * unit },
    }))
  const failedBy = () => ({ totalLoss: one(), dailyLoss: one() })
  return {
    ...{ passed: one(), failed: one(), failedBy: failedBy(), undecided: one() },
    ...{ daysToPass: spread(1), daysToFail: spread(1), totalReturn: spread(0.001), returns: null },
    phases: [1, 2].map(() => ({
      ...{ passed: one(), failed: one(), failedBy: failedBy(), daysToPass: spread(1) },
    })),
    funded: {
      ...{ paid: one(), failedUnpaid: one(), failedBy: failedBy(), daysToFirstPayout: spread(1) },
      ...{ firstPayout: some(), expectedFirstPayout: some(), expectedPayouts: some() },
    },
    result: some(),
  }
}
