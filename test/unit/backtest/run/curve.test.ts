// What a run notes at every bar is what the engine says of the account at that moment.

import { describe, expect, test } from 'vitest'
import { runBacktest } from '../../../../src/backtest/run/run.ts'
import type { Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { feedOf, wildBars, wildMarket, wildRunOfOne } from './venue.ts'

interface Seen {
  readonly time: number
  readonly equity: bigint
  readonly balance: bigint
  /** Notional of what is open. */
  readonly exposure: bigint
  /** Null while nothing is open. */
  readonly daily: bigint | null
  readonly total: bigint | null
}

/** The same strategy, with a note of the engine's own figures at every bar. */
function noted(strategy: Strategy, seen: Seen[]): Strategy {
  return {
    ...strategy,
    onBar(bar, context) {
      seen.push(figures(bar.closeTime, context))
      return strategy.onBar?.(bar, context)
    },
  }
}

function figures(time: number, context: StrategyContext): Seen {
  const { dailyLossFloor, totalLossFloor, currentBalance } = context.account().riskStatus
  const open = context.positions().length > 0
  const headroom = (floor: bigint | null) => {
    if (!open || floor === null) return null
    return context.equity() > floor ? context.equity() - floor : 0n
  }
  return {
    time,
    equity: context.equity(),
    balance: currentBalance,
    exposure: context.positions().reduce((sum, { notional }) => sum + notional, 0n),
    daily: headroom(dailyLossFloor),
    total: headroom(totalLossFloor),
  }
}

const least = (values: readonly (bigint | null)[]) =>
  values.reduce((low, value) => (value !== null && (low === null || value < low) ? value : low), null)

describe('the curve of a run', () => {
  test.each(['0.5', '20000', '9007199', '50000000'])(
    'is the equity the engine reports, at a price of about %s',
    async (startPrice) => {
      for (const seed of ['c1', 'c2', 'c3']) {
        const options = wildRunOfOne(seed, 600, startPrice)
        const seen: Seen[] = []
        const { curve, fills, leastDailyHeadroom, leastTotalHeadroom } = await runBacktest({
          ...options,
          strategy: noted(options.strategy, seen),
        })
        const points = Array.from(curve.time, (time, point) => {
          const [equity, balance, exposure] = [curve.equity, curve.balance, curve.exposure].map(
            (of) => of[point],
          )
          return { time, equity, balance, exposure }
        })
        // The last bar is sampled again once the run has ended.
        expect(points.slice(0, -1)).toEqual(
          seen
            .slice(0, -1)
            .map(({ time, equity, balance, exposure }) => ({ time, equity, balance, exposure })),
        )
        expect(fills).toBeGreaterThan(10)
        expect(leastDailyHeadroom).toBe(least(seen.map(({ daily }) => daily)))
        expect(leastTotalHeadroom).toBe(least(seen.map(({ total }) => total)))
      }
    },
  )
})

describe('the closest a position came to its liquidation price', () => {
  test.each(['long', 'short'] as const)('is measured at every price of a %s', async (direction) => {
    const bars = wildBars('closest', 300)
    let liquidation = 0n
    const { closestToLiquidation, liquidations } = await runBacktest({
      markets: [
        { ...wildMarket('BTC', 'closest', 300), feed: feedOf(bars), parameters: { fundingRate: 0n } },
      ],
      strategy: {
        name: 'holds',
        async onBar(_bar, context) {
          if (context.positions().length > 0 || context.now > (bars.openTime[1] as number)) return
          await context.open({ asset: 'BTC', direction, sizeBy: { margin: '100' }, leverage: '2' })
          const [position] = context.positions()
          if (position === undefined) throw new Error('refused')
          const { notional, margin, size } = position
          // Where equity of the position, index value less what it cost plus margin, is the maintenance margin (E1).
          const rate = context.market('BTC').config.maintenanceMarginRate
          liquidation =
            direction === 'long'
              ? ((notional - margin) * 10n ** 18n) / (size * (10n ** 9n - rate))
              : ((notional + margin) * 10n ** 18n) / (size * (10n ** 9n + rate))
        },
      },
      account: { maxDailyLoss: 10n ** 9n, maxTotalLoss: 10n ** 9n },
    })
    const prices = direction === 'long' ? bars.low.subarray(1) : bars.high.subarray(1)
    const distances = Array.from(prices, (price) => Math.abs(Number(price - liquidation)) / Number(price))
    expect(liquidations).toBe(0)
    expect(closestToLiquidation).toBeCloseTo(Math.min(...distances), 8)
  })
})
