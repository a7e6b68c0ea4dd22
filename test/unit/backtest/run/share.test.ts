// A percentage without its sign is a hundredfold: refused with what to write, wherever a plan has shares.

import { describe, expect, test } from 'vitest'
import { SHARES, type Share, shareFault } from '../../../../src/backtest/plan/share.ts'

describe('a share', () => {
  test.each(Object.keys(SHARES) as Share[])('%s is taken with its sign, and as a plain fraction', (name) => {
    for (const text of ['0.04%', '0.0004', '0', '0.5%', '0.005']) expect(shareFault(name, text)).toBeNull()
  })

  test.each([
    ['feeRate', '0.08', '0.08 is 8%: write 8% if it is meant, 0.08% if not'],
    ['spread', '0.03', '0.03 is 3%: write 3% if it is meant, 0.03% if not'],
    ['fundingRate', '-0.01', '-0.01 is -1%: write -1% if it is meant, -0.01% if not'],
    ['maxDailyLoss', '5', '5 is 500%: write 5%'],
    ['maxTotalLoss', '150%', '150% is not between 0% and 100%'],
    ['maxTotalLoss', '-1%', '-1% is not between 0% and 100%'],
    ['profitTarget', '8', '8 is 800%: write 800% if it is meant, 8% if not'],
  ] as const)('%s %s: %s', (name, text, fault) => {
    expect(shareFault(name, text)).toBe(fault)
  })

  test.each([
    ['feeRate', '8%'],
    ['feeRate', '0.005'],
    ['maxTotalLoss', '1'],
    ['maxTotalLoss', '100%'],
    ['profitTarget', '300%'],
  ] as const)('%s may be %s', (name, text) => {
    expect(shareFault(name, text)).toBeNull()
  })
})
