// Indicators of two markets: their bars are matched by when they ended, whichever is told first and whatever one of them lacks.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { indicators } from '../../../../src/backtest/index.ts'
import { toNumber, toPrice } from '../../../../src/backtest/numbers/toNumber.ts'
import { HeardBars } from '../../../../src/backtest/strategy/heardBars.ts'
import type { Bar } from '../../../../src/backtest/strategy/strategy.ts'

const bar = (asset: string, minute: number, close: number): Bar => ({
  ...{ asset, openTime: minute * 60_000, closeTime: minute * 60_000 + 59_999, volume: 0 },
  ...{ open: toPrice(close), high: toPrice(close), low: toPrice(close), close: toPrice(close) },
})

const markets = fc.array(
  fc.record({
    own: fc.option(fc.integer({ min: 50, max: 150 })),
    other: fc.option(fc.integer({ min: 50, max: 150 })),
    isOwnFirst: fc.boolean(),
  }),
  { minLength: 20, maxLength: 60 },
)

/** Covariance over variance, as a textbook has it: E[xy] − E[x]E[y]. */
function betaOf(pairs: readonly (readonly [number, number])[]): number {
  const returns = pairs.slice(1).map(([own, other], index) => {
    const [ownBefore, otherBefore] = pairs[index] as readonly [number, number]
    return [(own - ownBefore) / ownBefore, (other - otherBefore) / otherBefore] as const
  })
  const mean = (of: (one: readonly [number, number]) => number) =>
    returns.reduce((sum, one) => sum + of(one), 0) / returns.length
  const variance = mean(([, y]) => y * y) - mean(([, y]) => y) ** 2
  return (mean(([x, y]) => x * y) - mean(([x]) => x) * mean(([, y]) => y)) / variance
}

test('beta is that of the bars that both have, as far as both have been told', () => {
  let seen = 0
  fc.assert(
    fc.property(markets, (minutes) => {
      const heard = new HeardBars()
      const calculation = indicators.beta(5)
      const beta = heard.indicator('BTC', 'beta', calculation, { of: 'bar' })
      heard.indicator('ETH', 'beside', calculation.other, { of: 'bar' })
      const pairs: (readonly [number, number])[] = []
      for (const [minute, { own, other, isOwnFirst }] of minutes.entries()) {
        const both = [
          own === null ? [] : [bar('BTC', minute, own)],
          other === null ? [] : [bar('ETH', minute, other)],
        ]
        for (const one of (isOwnFirst ? both : both.reverse()).flat()) {
          const isPair = one.asset === 'BTC' ? !isOwnFirst && other !== null : isOwnFirst && own !== null
          if (isPair) pairs.push([own ?? 0, other ?? 0])
          heard.add(one)
          if (one.asset !== 'BTC') continue
          if (pairs.length < 6) expect(beta.value).toBeNull()
          else {
            const expected = betaOf(pairs.slice(-6))
            if (!Number.isFinite(expected) || Math.abs(expected) > 1e6) continue
            expect(Math.abs((beta.value ?? Number.NaN) - expected)).toBeLessThan(
              1e-6 * Math.max(1, Math.abs(expected)),
            )
            seen += 1
          }
        }
      }
    }),
  )
  expect(seen).toBeGreaterThan(100)
})

test('a market that moves twice as much as the other has a beta of 2, and none beside one that stands still', () => {
  const both = (own: (minute: number) => number, other: (minute: number) => number) => {
    const beta = indicators.beta(10)
    let last: number | null = null
    for (let minute = 0; minute < 30; minute++) {
      beta.other.add(bar('ETH', minute, other(minute)))
      last = beta.add(bar('BTC', minute, own(minute)))
    }
    return last
  }
  const returns = Array.from({ length: 30 }, (_, minute) => Math.sin(minute) / 100)
  const grown = (times: number) => (minute: number) =>
    returns.slice(0, minute).reduce((price, step) => price * (1 + times * step), 1000)
  expect(both(grown(2), grown(1))).toBeCloseTo(2, 5)
  expect(both(grown(1), () => 100)).toBe(0)
})

test('relative strength is the growth of the ratio of closes, smoothed twice', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 50, max: 150 }), fc.integer({ min: 50, max: 150 })), {
        minLength: 30,
        maxLength: 40,
      }),
      (closes) => {
        const strength = indicators.relativeStrength(9, 3, 5)
        let [value, signal]: [number | null, number | null] = [null, null]
        for (const [minute, [own, other]] of closes.entries()) {
          strength.other.add(bar('ETH', minute, other))
          const told = strength.add(bar('BTC', minute, own))
          if (minute < 9) {
            expect(told).toBeNull()
            continue
          }
          const [ownBefore, otherBefore] = closes[minute - 9] as [number, number]
          const grown = 100 * (Math.log(own / other) - Math.log(ownBefore / otherBefore))
          value = value === null ? grown : value + (grown - value) / 2
          signal = signal === null ? value : signal + (value - signal) / 3
          expect(told?.strength).toBeCloseTo(value, 6)
          expect(told?.signal).toBeCloseTo(signal, 6)
        }
      },
    ),
  )
})

test('the other side says its close', () => {
  expect(indicators.beta(5).other.add(bar('ETH', 0, 12.5))).toBe(toNumber(toPrice(12.5)))
})
