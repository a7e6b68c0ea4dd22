// Longer bars are the shorter ones grouped afterwards, told when they are closed and never before; what comes later
// changes nothing of what was told.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LongerBars } from '../../../../src/backtest/strategy/longerBars.ts'
import type { Bar } from '../../../../src/backtest/strategy/strategy.ts'

const MINUTE_MS = 60_000
const LENGTH_MS = 5 * MINUTE_MS
const ASSETS = ['BTC', 'ETH']

function minute(asset: string, index: number, [open, up, down, close]: readonly number[]): Bar {
  const [first, last] = [BigInt(open as number), BigInt(close as number)]
  const openTime = index * MINUTE_MS
  return {
    asset,
    openTime,
    closeTime: openTime + MINUTE_MS - 1,
    open: first,
    close: last,
    high: (first > last ? first : last) + BigInt(up as number),
    low: (first < last ? first : last) - BigInt(down as number),
    volume: index % 7,
  }
}

/** Minutes of two markets in the order of time, some missing. */
const minutes = fc
  .array(
    fc.record({
      asset: fc.constantFrom(...ASSETS),
      skip: fc.nat(8),
      prices: fc.array(fc.integer({ min: 100, max: 200 }), { minLength: 4, maxLength: 4 }),
    }),
    { maxLength: 60 },
  )
  .map((rows) => {
    let index = 1_000
    return rows.map(({ asset, skip, prices }) => {
      index += skip < 6 ? 1 : skip
      return minute(asset, index, prices)
    })
  })

const start = (bar: Bar): number => bar.openTime - (bar.openTime % LENGTH_MS)

/** The longer bars of one market, by grouping all its bars. */
function grouped(bars: readonly Bar[]): Bar[] {
  const starts = [...new Set(bars.map(start))]
  const groups = starts.map((openTime) => [openTime, bars.filter((bar) => start(bar) === openTime)] as const)
  return groups.map(([openTime, group]) => ({
    asset: (group[0] as Bar).asset,
    openTime,
    closeTime: openTime + LENGTH_MS - 1,
    open: (group[0] as Bar).open,
    high: group.reduce((most, { high }) => (high > most ? high : most), 0n),
    low: group.reduce((least, { low }) => (low < least ? low : least), 10_000n),
    close: (group.at(-1) as Bar).close,
    volume: group.reduce((sum, { volume }) => sum + volume, 0),
  }))
}

test('after every bar, the closed ones are those of all bars so far that have ended or been followed', () => {
  fc.assert(
    fc.property(minutes, (bars) => {
      const longer = new LongerBars('5m')
      const told: Bar[] = []
      bars.forEach((bar, index) => {
        told.push(...longer.add(bar))
        for (const asset of ASSETS) {
          const soFar = bars.slice(0, index + 1).filter((earlier) => earlier.asset === asset)
          const last = soFar.at(-1)
          const closed = grouped(soFar).filter(
            ({ openTime, closeTime }) =>
              last !== undefined && (closeTime === last.closeTime || openTime < start(last)),
          )
          expect(longer.of(asset)).toEqual(closed)
          expect(told.filter((one) => one.asset === asset)).toEqual(closed)
          for (const one of closed) expect(one.closeTime).toBeLessThanOrEqual(bar.closeTime)
        }
      })
    }),
  )
})

test('bars of the same length are given back as they came', () => {
  const bar = minute('BTC', 7, [100, 1, 1, 101])
  expect(new LongerBars('1m').add(bar)).toEqual([bar])
})

test('a bar that lies in two longer ones is refused', () => {
  const bar = { ...minute('BTC', 4, [100, 1, 1, 101]), closeTime: 7 * MINUTE_MS - 1 }
  expect(() => new LongerBars('5m').add(bar)).toThrow(RangeError)
})

test.each(['', '0m', '1', 'h', '1w', '1.5h', '-1h', '1 h'])('%j is no interval', (interval) => {
  expect(() => new LongerBars(interval)).toThrow(RangeError)
})
