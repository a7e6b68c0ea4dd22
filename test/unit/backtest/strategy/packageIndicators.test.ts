// Every indicator of docs/indicators.md says of a bar what is known by then, and costs no more after many bars than after few.

import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import * as signals from 'trading-signals'
import { describe, expect, test } from 'vitest'
import { toPrice } from '../../../../src/backtest/numbers/toNumber.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { HeardBars } from '../../../../src/backtest/strategy/heardBars.ts'
import type { Candle, Indicator } from '../../../../src/backtest/strategy/indicator.ts'
import { overLast } from '../../../../src/backtest/strategy/overLast.ts'
import type { Bar } from '../../../../src/backtest/strategy/strategy.ts'
import { JESSE_INDICATORS } from '../../../api/jesseIndicators.ts'
import { OF_TWO_MARKETS, OWN_INDICATORS } from '../../../api/ownIndicators.ts'
import { madeBy, PACKAGE_INDICATORS } from '../../../api/packageIndicators.ts'

const LISTED = Object.values({ ...PACKAGE_INDICATORS, ...OWN_INDICATORS }).flat()

/** Candles that move by up to 1% each, from a close on. */
function candles(seed: string, count: number, from = 100): Candle[] {
  const random = new Random(seed)
  let close = from
  return Array.from({ length: count }, () => {
    const open = close
    close *= 1 + (random.uniform() - 0.5) / 50
    const [low, high] = [Math.min(open, close), Math.max(open, close)]
    return {
      open,
      high: high * (1 + random.uniform() / 500),
      low: low * (1 - random.uniform() / 500),
      close,
      volume: random.uniform(),
    }
  })
}

function barsOf(own: readonly Candle[]): Bar[] {
  return own.map(({ open, high, low, close, volume }, minute) => ({
    ...{ asset: 'BTC', openTime: minute * 60_000, closeTime: minute * 60_000 + 59_999, volume },
    ...{ open: toPrice(open), high: toPrice(high), low: toPrice(low), close: toPrice(close) },
  }))
}

/** Every line of an indicator at every bar. */
function told(bars: readonly Bar[], made: string, of: 'candle' | 'volume' | undefined): string[] {
  const heard = new HeardBars()
  const indicator: Indicator = heard.indicator('BTC', made, madeBy(made), of === undefined ? {} : { of })
  return bars.map((bar) => {
    heard.add(bar)
    return JSON.stringify(indicator.lines.map(({ name, value, previous }) => [name, value, previous]))
  })
}

const named = LISTED.map(([what, made, of]) => ({ what, made, of }))
const MANY = candles('many', 6_000)

describe.each(named)('$what, $made', ({ made, of }) => {
  test('says the same of a bar whatever comes after it, and something at last', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.integer({ min: 100, max: 290 }), (seed, later, cut) => {
        const own = candles(seed, 300)
        const other = [...own.slice(0, cut), ...candles(later, 300 - cut, own[cut - 1]?.close)]
        const [one, another] = [told(barsOf(own), made, of), told(barsOf(other), made, of)]
        expect(another.slice(0, cut)).toEqual(one.slice(0, cut))
        expect(one.some((line) => /-?\d/.test(line.replaceAll(made, '')))).toBe(true)
      }),
      { numRuns: 1 },
    )
  })

  test('costs a bar of the last of six thousand no more than one of the first thousand', () => {
    const inputs = MANY.map((candle) =>
      of === undefined ? candle.close : of === 'candle' ? candle : candle[of],
    )
    // Once to let the engine compile it, so that the first bars are not dearer for that.
    const warm = madeBy(made)
    for (const input of inputs) warm.add(input)
    const one = madeBy(made)
    const costs = Array.from({ length: 30 }, (_, part) => {
      const began = process.cpuUsage()
      for (const input of inputs.slice(200 * part, 200 * (part + 1))) one.add(input)
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 200
    })
    // One that goes over all its bars at each of them costs some seven times as much there.
    expect(Math.min(...costs.slice(25))).toBeLessThan(3 * Math.min(...costs.slice(2, 7)) + 3)
  })
})

test('the comparison says how many there are', () => {
  const page = readFileSync(new URL('../../../../docs/comparison.md', import.meta.url), 'utf8')
  expect(page).toContain(`[${LISTED.length} indicators and`)
})

test('what jesse has is among them', () => {
  const listed = new Set([...LISTED, ...OF_TWO_MARKETS].map(([, made]) => made))
  expect(Object.entries(JESSE_INDICATORS).filter(([, made]) => !listed.has(made))).toEqual([])
})

test('every indicator of the package is listed, but for what is none and for one that goes over everything at each bar', () => {
  const listed = new Set(
    LISTED.flatMap(([, made]) => [...made.matchAll(/new (\w+)/g)].map(([, name]) => name)),
  )
  const made = Object.entries(signals).filter(
    ([, one]) => typeof one === 'function' && 'add' in Object(one.prototype),
  )
  const NONE =
    /^(?:MovingAverage|(?:Technical|Trend)Indicator|(?:Indicator|ThresholdCross|TrendIndicator|ZeroCross)Series|REI)$/
  expect(made.map(([name]) => name).filter((name) => !listed.has(name) && !NONE.test(name))).toEqual([])
})

describe('a function of the last inputs', () => {
  test('is told so many, oldest first, and nothing of what it does to them stays', () => {
    fc.assert(
      fc.property(
        fc.array(fc.double({ noNaN: true }), { maxLength: 40 }),
        fc.integer({ min: 1, max: 9 }),
        (inputs, count) => {
          const calculation = overLast(count, (last: number[]) => {
            const seen = [...last]
            last.sort().fill(0)
            return seen
          })
          for (const [index, input] of inputs.entries()) {
            const expected = index + 1 < count ? null : inputs.slice(index + 1 - count, index + 1)
            expect(calculation.add(input)).toEqual(expected)
          }
        },
      ),
    )
  })

  test.each([0, -1, 1.5, Number.NaN])('of %d inputs there is none', (count) =>
    expect(() => overLast(count, () => 0)).toThrow(RangeError),
  )
})
