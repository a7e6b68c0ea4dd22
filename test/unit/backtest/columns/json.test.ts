// Market data as JSON: which documents hold rows, what each row is, and what is said of the others.

import { expect, test } from 'vitest'
import { ColumnWriter } from '../../../../src/backtest/feed/columnWriter.ts'
import { jsonReader } from '../../../../src/backtest/feed/formats/json.ts'
import type { Head } from '../../../../src/backtest/feed/reader.ts'
import { RowReport } from '../../../../src/backtest/feed/rowReport.ts'

/** What a document is read as; of its rows up to 100, in chunks of two. */
async function read(text: string) {
  const bytes = Buffer.from(text)
  const source = {
    path: 'data.json',
    async *bytes() {
      // In two parts, whatever they cut.
      yield bytes.subarray(0, 7)
      yield bytes.subarray(7)
    },
  }
  const reader = await jsonReader({ source, bytes, lines: [] } as unknown as Head, {})
  if (reader === undefined) return undefined
  const report = new RowReport('skip')
  const writer = new ColumnWriter(reader.kind, 2, report, null)
  const rows: (number | bigint)[][] = []
  const take = () => {
    const { length, ...columns } = reader.kind === 'bars' ? writer.takeBars() : writer.takeTicks()
    for (let row = 0; row < length; row++)
      rows.push(
        Object.values(columns).map((column: Float64Array | BigInt64Array) => column[row] as number | bigint),
      )
  }
  for await (const _ of reader.rows(writer)) {
    expect(writer.length).toBe(2)
    take()
  }
  take()
  const { format, kind, intervalMs } = reader
  return { format, kind, intervalMs, rows, skipped: report.summary().firstSkipped }
}

const ONE = 1_000_000_000n
const AT = 1_700_000_000_000

test('rows are arrays of a time, four prices and a volume, or objects with names', async () => {
  const bars = [
    [AT, ONE, 2n * ONE, ONE / 2n, ONE, 0],
    [AT + 1, ONE, ONE, ONE, ONE, 2.5],
    [AT + 2, ONE, ONE, ONE, ONE, 0],
  ]
  const arrays = `[[${AT},1,2,0.5,1],[${AT + 1},"1",1.0,1,1,2.5],[${AT + 2},1,1,1,1,0]]`
  const table = { format: 'json', kind: 'bars', intervalMs: null, skipped: [] }
  expect(await read(arrays)).toEqual({ ...table, rows: bars })
  const objects = `  [{"timestamp":${AT},"open":1,"high":2,"low":0.5,"close":1},
    {"timestamp":${AT + 1},"open":1,"high":1,"low":1,"close":1},{"timestamp":${AT + 2},"open":1,"high":1,"low":1,"close":1}]`
  const without = bars.map((bar) => [...bar.slice(0, 5), 0])
  expect(await read(objects)).toEqual({ ...table, rows: without })
  const quotes = await read(`[{"timestamp":${AT},"askPrice":3,"bidPrice":1}]`)
  expect([quotes?.kind, quotes?.rows]).toEqual(['quotes', [[AT, 2n * ONE, ONE, 3n * ONE]]])
})

test('a price keeps its digits', async () => {
  const price = '90071992.547409931'
  const whole = await read(`[[${AT},${price},${price},${price},${price}]]`)
  expect(whole?.rows[0]?.slice(1, 5)).toEqual(Array(4).fill(90_071_992_547_409_931n))
})

test('coded differences add up', async () => {
  const bars = `{"timestamp":${AT},"multiplier":0.5,"shift":60000,"open":10,"high":11,"low":9,"close":10,
    "times":[0,1,2],"opens":[0,2,-1],"highs":[0,2,0],"lows":[0,2,0],"closes":[0,2,-2],"volumes":[1,0,3.5]}`
  expect(await read(bars)).toEqual({
    format: 'dukascopy',
    kind: 'bars',
    intervalMs: 60_000,
    rows: [
      [AT, 10n * ONE, 11n * ONE, 9n * ONE, 10n * ONE, 1],
      [AT + 60_000, 11n * ONE, 12n * ONE, 10n * ONE, 11n * ONE, 0],
      [AT + 180_000, 10n * ONE + ONE / 2n, 12n * ONE, 10n * ONE, 10n * ONE, 3.5],
    ],
    skipped: [],
  })
  const ticks = `{"timestamp":${AT},"multiplier":1,"bid":1,"ask":3,"times":[5,1],"asks":[0,1],"bids":[0,1]}`
  expect(await read(ticks)).toEqual({
    format: 'dukascopy',
    kind: 'quotes',
    intervalMs: null,
    rows: [
      [AT + 5, 2n * ONE, ONE, 3n * ONE],
      [AT + 6, 3n * ONE, 2n * ONE, 4n * ONE],
    ],
    skipped: [],
  })
})

test('a row that is none is left out with its number', async () => {
  const rows = await read(`[[${AT},1,1,1,1],[${AT + 1},1,1,1],7,[${AT + 3},1,1,1,1]]`)
  expect(rows?.rows.map(([time]) => time)).toEqual([AT, AT + 3])
  expect(rows?.skipped.map(({ line }) => line)).toEqual([2, 3])
})

test.each(['[[1,2,3,4]]', '[]', '[7]', '[null]', '[{"a":1}]', '{"a":1}', '{"opens":[1],"times":[1,2]}'])(
  '%s holds no rows',
  async (text) => {
    await expect(read(text)).rejects.toThrow('the JSON holds neither candles nor quotes nor trades')
  },
)

test('what does not begin as JSON is none, and what begins so and is broken is told', async () => {
  expect(await read('time,open\n1,2')).toBeUndefined()
  await expect(read('[[1,2')).rejects.toThrow('the JSON is broken')
  const broken = `{"timestamp":${AT},"multiplier":1,"bid":1,"ask":3,"times":[5,0.5],"asks":[0,1],"bids":[0,1]}`
  await expect(read(broken)).rejects.toThrow(/data\.json.*2.*"0\.5" is not a whole number/s)
})
