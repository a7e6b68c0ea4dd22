import { describe, expect, test } from 'vitest'
import { FeedError } from '../../../../src/backtest/feed/feedError.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'
import { readBars, readTicks, scratchFile } from './sampleMarket.ts'

const GOOD = ['1700000040000,10,12,9,11,1', '1700000100000,11,13,10,12,2', '1700000160000,12,14,11,13,3']
const LATER = '1700000220000,13,15,12,14,4'

const BAD: readonly (readonly [string, string, RegExp])[] = [
  ['an earlier row', '1700000100000,12,14,11,13,3', /earlier than the one before/],
  ['a repeated row', GOOD[2] as string, /has the time of the one before/],
  ['an overlapping bar', '1700000161000,12,14,11,13,3', /opens before the one before it has ended/],
  ['a price of zero', '1700000220000,0,14,0,13,3', /not above zero/],
  ['a high of zero', '1700000220000,12,0,11,13,3', /not above zero/],
  ['an open of zero', '1700000220000,0,14,11,13,3', /not above zero/],
  ['a close of zero', '1700000220000,12,14,11,0,3', /not above zero/],
  ['a negative price', '1700000220000,12,14,-11,13,3', /not above zero/],
  ['NaN', '1700000220000,12,NaN,11,13,3', /column 3, "NaN" is not a number/],
  ['an empty field', '1700000220000,12,14,,13,3', /column 4, a number is missing/],
  ['a point without a digit', '1700000220000,12,14,.,13,3', /column 4, "\." is not a number/],
  ['a sign without a digit', '1700000220000,12,14,-,13,3', /column 4, "-" is not a number/],
  ['an empty volume', '1700000220000,12,14,11,13,', /volume is not a number/],
  ['a negative volume', '1700000220000,12,14,11,13,-1', /volume is not a number/],
  ['a high below the low', '1700000220000,12,10,11,11,3', /high is below the low/],
  ['an open outside the bar', '1700000220000,15,14,11,13,3', /open lies outside/],
  ['a close outside the bar', '1700000220000,12,14,11,10,3', /close lies outside/],
  ['seconds among milliseconds', '1700000220,12,14,11,13,3', /in seconds, where milliseconds/],
  [
    'microseconds among milliseconds',
    '1700000220000000,12,14,11,13,3',
    /in microseconds, where milliseconds/,
  ],
  ['no time', ',12,14,11,13,3', /time is missing/],
  ['a time that is none', 'now,12,14,11,13,3', /"now" is not a timestamp/],
  ['a field too few', '1700000220000,12,14,11,13', /5 fields where 6 are expected/],
  ['a field too many', '1700000220000,12,14,11,13,3,4', /7 fields where 6 are expected/],
  ['a price beyond 64 bits', '1700000220000,12,9999999999999,11,13,3', /out of range/],
  ['bytes that are no text', '1700000220000,12,\0\0,11,13,3', /is not a number/],
]

describe.each(BAD)('%s', (_, bad, reason) => {
  const text = `${[...GOOD, bad, LATER].join('\n')}\n`

  test('is refused by file and line', async () => {
    const path = scratchFile('bars.csv', text)
    const error = await readBars({ path }).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(FeedError)
    expect(error).toMatchObject({ file: path, line: 4, reason: expect.stringMatching(reason) })
  })

  test('is skipped and counted on request, and the rows around it are read', async () => {
    const feed = await openFeed({ path: scratchFile('bars.csv', text), onBadRow: 'skip' })
    let rows = 0
    for await (const chunk of feed) rows += chunk.length
    expect(rows).toBe(4)
    expect(feed.summary()).toMatchObject({
      rows: 4,
      skipped: 1,
      gaps: 0,
      firstSkipped: [{ line: 4, reason: expect.stringMatching(reason) }],
    })
  })
})

describe('ticks', () => {
  test('may share a millisecond, and may not go back', async () => {
    const path = scratchFile('t.csv', 'time,price\n1700000000001,1\n1700000000001,2\n1700000000000,3\n')
    await expect(readTicks({ path })).rejects.toThrow(/:4: the row is earlier/)
    expect(await readTicks({ path, onBadRow: 'skip' })).toHaveLength(2)
  })

  test.each(['0', '-1', ''])('a bid of "%s" is refused', async (bid) => {
    const path = scratchFile('t.csv', `time,bid,ask\n1700000000001,${bid},1\n`)
    await expect(readTicks({ path })).rejects.toThrow(FeedError)
  })

  test('a crossed quote has its mid', async () => {
    const path = scratchFile('t.csv', 'time,bid,ask\n1700000000001,1.000000002,1.000000001\n')
    expect((await readTicks({ path }))[0]?.price).toBe(1_000_000_001n)
  })
})

test('of many skipped rows the first ten are told', async () => {
  const path = scratchFile('bars.csv', `${GOOD[0]}\n${GOOD[1]}\n${'nonsense,1,1,1,1,1\n'.repeat(30)}`)
  const feed = await openFeed({ path, onBadRow: 'skip' })
  for await (const _ of feed);
  expect(feed.summary()).toMatchObject({ rows: 2, skipped: 30 })
  expect(feed.summary().firstSkipped).toHaveLength(10)
})

test('a bad row that leaves too few to tell the interval is what is reported', async () => {
  const path = scratchFile('bars.csv', `${GOOD[0]}\n1700000100000,12,NaN,11,13,3\n`)
  await expect(openFeed({ path })).rejects.toMatchObject({
    line: 2,
    reason: expect.stringMatching(/"NaN" is not a number/),
  })
})
