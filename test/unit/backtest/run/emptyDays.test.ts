// Days that ticks lack are told by the run that was played on them: in its notes, its report and its result, each by its name.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dayStretches } from '../../../../src/backtest/feed/emptyDays.ts'
import type { TickFeed } from '../../../../src/backtest/feed/feed.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { reportData } from '../../../../src/backtest/report/reportData.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

const DAY_MS = 86_400_000
const START = Date.UTC(2025, 0, 1)
const DAYS = 20
const nameOf = (day: number) => new Date(START + day * DAY_MS).toISOString().slice(0, 10)

/** Ticks at some moments of some days, in chunks of three. */
function ticksOn(days: readonly number[], moments: readonly number[]): TickFeed {
  const times = days.flatMap((day) => moments.map((moment) => START + day * DAY_MS + moment))
  return {
    kind: 'ticks',
    sources: ['written by hand'],
    format: null,
    summary: () => ({
      ...{ rows: times.length, skipped: 0, firstSkipped: [], gaps: 0, missingBars: 0, largestGap: null },
    }),
    async *[Symbol.asyncIterator]() {
      for (let at = 0; at < times.length; at += 3) {
        const time = Float64Array.from(times.slice(at, at + 3))
        yield { length: time.length, time, price: new BigInt64Array(time.length).fill(fp9('100')) }
      }
    },
  }
}

async function told(feeds: readonly TickFeed[], options: Partial<BacktestOptions> = {}) {
  const recorder = new Recording()
  const result = await runBacktest({
    markets: feeds.map((feed, index) => ({ asset: `M${index}`, feed })),
    strategy: { name: 'nothing' },
    recorder,
    ...options,
  })
  const notes = result.notes.filter((note) => note.includes('without a tick'))
  return {
    days: result.feeds.map(({ emptyDays }) => emptyDays),
    notes,
    report: reportData(result, recorder).sources.map(({ missing }) => missing),
  }
}

/** The days that a note names, those within a stretch among them. */
const named = (note: string) =>
  (note.split(': ')[2] ?? '').split(', ').flatMap((stretch) => {
    const [first = '', last = first] = stretch.split(' to ')
    const count = (Date.parse(last) - Date.parse(first)) / DAY_MS + 1
    return Array.from({ length: count }, (_, day) =>
      new Date(Date.parse(first) + day * DAY_MS).toISOString().slice(0, 10),
    )
  })

const inner = Array.from({ length: DAYS - 2 }, (_, index) => index + 1)
const dropped = fc.subarray(inner)
const moments = fc
  .uniqueArray(fc.oneof(fc.constantFrom(0, DAY_MS - 1), fc.nat(DAY_MS - 1)), { minLength: 1, maxLength: 4 })
  .map((own) => own.sort((one, other) => one - other))

describe('a run on ticks', () => {
  test('names exactly the days that were dropped, of each market', async () => {
    await fc.assert(
      fc.asyncProperty(fc.tuple(dropped, dropped), moments, async (lacking, when) => {
        const feeds = lacking.map((own) => {
          const days = Array.from({ length: DAYS }, (_, day) => day).filter((day) => !own.includes(day))
          return ticksOn(days, when)
        })
        const { days, notes, report } = await told(feeds)
        expect(days).toEqual(lacking.map((own) => own.map(nameOf)))
        const found = lacking.filter((own) => own.length > 0)
        expect(notes.map(named)).toEqual(found.map((own) => own.map(nameOf)))
        expect(report.map((missing) => missing !== 'none')).toEqual(lacking.map((own) => own.length > 0))
      }),
      { numRuns: 40 },
    )
  })

  test('names none beyond the period, and none of what comes after a verdict', async () => {
    const feed = ticksOn([0, 3, 4, 9, 10], [3_600_000])
    expect((await told([feed])).days).toEqual([[1, 2, 5, 6, 7, 8].map(nameOf)])
    expect((await told([feed], { from: START + 4 * DAY_MS })).days).toEqual([[5, 6, 7, 8].map(nameOf)])
    expect((await told([feed], { to: START + 5 * DAY_MS })).days).toEqual([[1, 2].map(nameOf)])
    const account = { profitTarget: 0n, minProfitableDays: 0 }
    expect((await told([feed], { account })).days).toEqual([[1, 2].map(nameOf)])
  })

  test('tells stretches by their ends, and leaves those beyond a dozen to the result', async () => {
    const [note] = (await told([ticksOn([0, 4, 6], [0])])).notes
    expect(note).toBe('M0: 4 day(s) without a tick: 2025-01-02 to 2025-01-04, 2025-01-06')
    const every = ticksOn(
      Array.from({ length: 20 }, (_, index) => 2 * index),
      [0],
    )
    const { notes, days } = await told([every])
    expect(notes[0]).toMatch(/^M0: 19 day\(s\) .*, 2025-01-24, and 7 more$/)
    expect(days[0]).toHaveLength(19)
    expect(dayStretches(days[0] ?? [])).toEqual(days[0])
  })
})
