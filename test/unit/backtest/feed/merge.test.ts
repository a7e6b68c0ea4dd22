import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BarColumns, emptyBars, joinBars } from '../../../../src/backtest/feed/columns.ts'
import { barFeedOf, type Feed } from '../../../../src/backtest/feed/feed.ts'
import { mergeFeeds } from '../../../../src/backtest/feed/merge.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { barStepTime } from '../../../../src/backtest/feed/path.ts'
import { scratchFile } from './sampleMarket.ts'

const MINUTE = 60_000

function barsAt(times: readonly number[]): BarColumns {
  const bars = emptyBars(times.length)
  for (const column of [bars.open, bars.high, bars.low, bars.close]) column.fill(1n)
  bars.openTime.set(times)
  return bars
}

const feedAt = (chunks: readonly (readonly number[])[]): Feed =>
  barFeedOf('test', MINUTE, () => chunks.map(barsAt))

interface Entry {
  readonly time: number
  readonly market: number
  readonly openTime: number
  readonly step: number
}

async function merged(feeds: readonly Feed[]): Promise<Entry[]> {
  const entries: Entry[] = []
  for await (const block of mergeFeeds(feeds)) {
    for (let index = 0; index < block.length; index++) {
      const market = block.market[index] as number
      const columns = block.columns[market]
      const times = columns && ('openTime' in columns ? columns.openTime : columns.time)
      const openTime = times?.[block.row[index] as number] as number
      entries.push({ time: block.time[index] as number, market, openTime, step: block.step[index] as number })
    }
  }
  return entries
}

describe('merging', () => {
  const market = fc
    .uniqueArray(fc.nat(60), { maxLength: 25 })
    .map((minutes) => minutes.sort((a, b) => a - b).map((minute) => minute * MINUTE))
    .chain((times) =>
      fc.nat(times.length).map((cut) => ({ times, chunks: [times.slice(0, cut), [], times.slice(cut)] })),
    )

  test('is the sorted sum of the markets, stable by their order, whatever the chunks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(market, { minLength: 1, maxLength: 4 }), async (markets) => {
        const expected = markets
          .flatMap(({ times }, index) =>
            times.flatMap((openTime) =>
              [0, 20_000, 40_000, 59_999].map((offset, step) => ({
                time: openTime + offset,
                market: index,
                openTime,
                step,
              })),
            ),
          )
          .sort((a, b) => a.time - b.time || a.market - b.market)
        expect(await merged(markets.map(({ chunks }) => feedAt(chunks)))).toEqual(expected)
      }),
    )
  })

  test('ticks and bars go together', async () => {
    const file = scratchFile('t.csv', 'time,price\n1700000020000,1\n1700000020000,2\n1700000100000,3\n')
    const entries = await merged([feedAt([[1_700_000_000_000]]), await openFeed({ path: file })])
    expect(entries.map(({ market, step }) => [market, step])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [1, 0],
      [0, 2],
      [0, 3],
      [1, 0],
    ])
  })

  test('time does not go back where a bar opens before the one before it has ended', async () => {
    const times = (await merged([barFeedOf('days', 86_400_000, () => [barsAt([0, 82_800_000])])])).map(
      ({ time }) => time,
    )
    expect(times).toEqual([...times].sort((a, b) => a - b))
    expect(times[4]).toBe(86_399_999)
  })

  /** What entries there are by the rule alone: each step at its time, or at that of the one before it where that is later. */
  function byRule(markets: readonly (readonly number[])[], intervalMs: number): Entry[] {
    const entries = markets.flatMap((openings, market) => {
      let time = Number.NEGATIVE_INFINITY
      return openings.flatMap((openTime) =>
        [0, 1, 2, 3].map((step) => {
          time = Math.max(time, barStepTime(openTime, intervalMs, step))
          return { time, market, openTime, step }
        }),
      )
    })
    return entries.sort((a, b) => a.time - b.time || a.market - b.market)
  }

  test('bars of any length that overlap or meet: every step is where the rule has it', () =>
    fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 9 }),
        fc.array(fc.uniqueArray(fc.nat(80), { maxLength: 30 }), { minLength: 1, maxLength: 3 }),
        async (intervalMs, given) => {
          const markets = given.map((openings) => openings.sort((a, b) => a - b))
          const feeds = markets.map((openings) => barFeedOf('short', intervalMs, () => [barsAt(openings)]))
          expect(await merged(feeds)).toEqual(byRule(markets, intervalMs))
        },
      ),
    ))

  test('blocks end within a bar, and at the end of one, without a step lost or told twice', async () => {
    const minutes = Array.from({ length: 9_000 }, (_, minute) => minute * MINUTE)
    // The single bar shifts the others by one to three steps within their blocks.
    for (const others of [[], [30 * MINUTE + 1], [30 * MINUTE + 30_000, 31 * MINUTE + 1]])
      expect(await merged([feedAt([minutes]), feedAt([others])])).toEqual(byRule([minutes, others], MINUTE))
  })

  test('bars need an interval', async () => {
    const file = scratchFile('b.csv', '1700000000000,1,1,1,1,1\n')
    await expect(merged([await openFeed({ path: file })])).rejects.toThrow(
      /how long its bars are is told by two of them/,
    )
  })

  test('leaving early closes the feeds', async () => {
    let closed = 0
    const feed = barFeedOf('endless', MINUTE, function* () {
      try {
        for (let time = 0; ; time += MINUTE) yield barsAt([time])
      } finally {
        closed += 1
      }
    })
    for await (const _ of mergeFeeds([feed, feed])) break
    expect(closed).toBe(2)
  })
})

test('joined bars are the chunks one after the other', () => {
  expect(Array.from(joinBars([barsAt([1, 2]), barsAt([]), barsAt([3])]).openTime)).toEqual([1, 2, 3])
  expect(joinBars([]).length).toBe(0)
})
