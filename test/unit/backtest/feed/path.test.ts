import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type BarPath,
  barStepTime,
  type ExposedSide,
  writeBarPath,
} from '../../../../src/backtest/feed/path.ts'
import { bars, type SampleBar } from './sampleMarket.ts'

const walk = (path: BarPath, side: ExposedSide, { open, high, low, close }: SampleBar) => {
  const prices = new BigInt64Array(4)
  writeBarPath(path, side, open, high, low, close, prices)
  return Array.from(prices)
}
const bar = (open: bigint, high: bigint, low: bigint, close: bigint) => ({
  openTime: 0,
  open,
  high,
  low,
  close,
  volume: 0,
})

describe('the path of a bar', () => {
  test('starts at the open, ends at the close and visits both extremes; optimistic is adverse the other way round', () => {
    const sides: ExposedSide[] = ['long', 'short', 'flat', 'both']
    fc.assert(
      fc.property(bars, fc.constantFrom(...sides), ([sample], side) => {
        const { open, high, low, close } = sample as SampleBar
        const adverse = walk('adverse', side, sample as SampleBar)
        const optimistic = walk('optimistic', side, sample as SampleBar)
        expect([adverse[0], adverse[3]]).toEqual([open, close])
        expect(new Set(adverse.slice(1, 3))).toEqual(new Set([high, low]))
        expect(optimistic).toEqual([adverse[0], adverse[2], adverse[1], adverse[3]])
      }),
    )
  })

  test('the extreme that hurts comes first', () => {
    const sample = bar(10n, 12n, 9n, 11n)
    expect(walk('adverse', 'long', sample)).toEqual([10n, 9n, 12n, 11n])
    expect(walk('adverse', 'short', sample)).toEqual([10n, 12n, 9n, 11n])
  })

  test.each<ExposedSide>(['flat', 'both'])('%s: the nearer extreme comes first, the low on a tie', (side) => {
    expect(walk('adverse', side, bar(10n, 12n, 9n, 11n))).toEqual([10n, 9n, 12n, 11n])
    expect(walk('adverse', side, bar(10n, 11n, 8n, 9n))).toEqual([10n, 11n, 8n, 9n])
    expect(walk('adverse', side, bar(10n, 12n, 8n, 9n))).toEqual([10n, 8n, 12n, 9n])
  })

  test('is written where it is wanted', () => {
    const prices = new BigInt64Array(6).fill(7n)
    writeBarPath('adverse', 'long', 10n, 12n, 9n, 11n, prices, 1)
    expect(Array.from(prices)).toEqual([7n, 10n, 9n, 12n, 11n, 7n])
  })

  test('its times ascend and stay inside the bar', () => {
    fc.assert(
      fc.property(fc.integer({ min: 4, max: 86_400_000 }), (interval) => {
        const times = [0, 1, 2, 3].map((step) => barStepTime(1000, interval, step))
        expect(times[0]).toBe(1000)
        expect(times[3]).toBe(1000 + interval - 1)
        for (const [index, time] of times.entries())
          if (index > 0) expect(time).toBeGreaterThan(times[index - 1] as number)
      }),
    )
  })
})
