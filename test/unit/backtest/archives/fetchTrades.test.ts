// Days of past trades of an exchange that is asked page by page: a file is what the exchange has of the day, each trade once and in order, however it pages,
// fails and is interrupted; or it is said why it cannot be.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import type { CcxtExchange, CcxtTrade } from '../../../../src/backtest/archives/ccxt.ts'
import type { Around } from '../../../../src/backtest/archives/ccxtAnswer.ts'
import { fetchTrades } from '../../../../src/backtest/archives/fetchTrades.ts'
import { openFeed } from '../../../../src/backtest/feed/openFeed.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const [BEGIN, END] = [Date.UTC(2025, 1, 3), Date.UTC(2025, 1, 5)]
const REQUEST = { exchange: 'ccxt:stub', symbol: 'BTC/USDT:USDT', from: '2025-02-03', to: '2025-02-04' }
const AROUND: Around = { now: new Date(END), wait: () => Promise.resolve() }
const fileOf = (day: string) => `BTC-USDT-USDT-trades-${day}.csv`
const DAYS = ['2025-02-03', '2025-02-04']

/** Fewer than this is taken for no whole page. */
const SMALLEST = 50

const scratch = mkdtempSync(path.join(tmpdir(), 'margin-core-trades-'))
let folders = 0
const fresh = () => path.join(scratch, String(folders++))
afterAll(() => rmSync(scratch, { recursive: true }))

class RequestTimeout extends Error {}
class BadRequest extends Error {}

interface Traits {
  /**
   * Which trades it chooses: the first from an instant on; the first of an hour, as Binance; the last before an instant; its last ones whatever is asked.
   */
  readonly way: 'on' | 'hour' | 'back' | 'last'
  /** The most trades at once. */
  readonly cap: number
  /** What it makes of what is asked: whether the first and the last instant belong to it, and whether it knows seconds only. */
  readonly takesSince: boolean
  readonly takesUntil: boolean
  readonly isInSeconds: boolean
  /** Whether ids can be asked from. */
  readonly hasIds: boolean
  /** The most that may be asked for. */
  readonly most: number
  /** Whether its pages are in another order, and have trades twice. */
  readonly isMessy: boolean
}

/** What is traded when, in the order of the exchange. */
type History = readonly CcxtTrade[]

function exchangeOf(history: History, traits: Traits, failing: (asked: number) => boolean = () => false) {
  const { way, cap, takesSince, takesUntil, isInSeconds, hasIds, most, isMessy } = traits
  let asked = 0
  const time = ({ timestamp }: CcxtTrade) => timestamp as number
  const chosen = (since: number | undefined, until: number | undefined, limit: number, fromId?: string) => {
    const size = Math.min(cap, limit)
    if (fromId !== undefined && hasIds) {
      const index = history.findIndex(({ id }) => String(id) === fromId)
      return history.slice(index, index + size)
    }
    if (way === 'last' || since === undefined) return history.slice(-size)
    const from = isInSeconds ? Math.floor(since / 1000) * 1000 : since
    const last =
      until === undefined ? Number.POSITIVE_INFINITY : isInSeconds ? Math.floor(until / 1000) * 1000 : until
    if (way === 'hour' && last - from > HOUR + 1000) throw new BadRequest('more than an hour')
    const after = history.filter((trade) => (takesSince ? time(trade) >= from : time(trade) > from))
    if (way === 'on') return after.slice(0, size)
    const within = after.filter((trade) => (takesUntil ? time(trade) <= last : time(trade) < last))
    return way === 'hour' ? within.slice(0, size) : within.slice(-size)
  }
  const exchange: CcxtExchange = {
    has: { fetchTrades: true },
    loadMarkets: async () => ({ 'BTC/USDT:USDT': {} }),
    parseTimeframe: () => 60,
    fetchOHLCV: () => Promise.reject(new Error('it is asked for trades')),
    fetchFundingRateHistory: () => Promise.reject(new Error('it is asked for trades')),
    fetchTrades: async (_symbol, since, limit, params) => {
      asked += 1
      if (asked > 20_000) throw new Error('it is asked without end')
      if (failing(asked)) throw new RequestTimeout('it took too long')
      if (limit > most) throw new BadRequest(`at most ${most}`)
      const page = chosen(
        since,
        'until' in params ? params.until : undefined,
        limit,
        'fromId' in params ? params.fromId : undefined,
      )
      // The package leaves out what is before the instant that was asked from, where an exchange knows seconds or none.
      const own = since === undefined ? page : page.filter((trade) => time(trade) >= since)
      return isMessy ? [...own, ...own.slice(0, 7)].reverse() : own
    },
  }
  return { exchange, requests: () => asked }
}

/** Ids as exchanges give them: numbers, numbers as text, texts in order and in none. */
const IDS: readonly ((index: number) => string | number)[] = [
  (index) => 9_950 + index,
  (index) => String(9_950 + index),
  (index) => `a-${String(index).padStart(6, '0')}`,
  (index) => createHash('sha256').update(String(index)).digest('hex').slice(0, 32),
]

/** Which day it is about: its trades from a number that is drawn, so that a failure is named by it. */
interface Drawn {
  readonly seed: number
  readonly trades: number
  /** Trades at one instant: how many runs of how many at most. */
  readonly bursts: number
  readonly burst: number
  /** About how far apart, ms. */
  readonly apartMs: number
  /** What times are whole multiples of, ms. */
  readonly grainMs: number
}

const draws: fc.Arbitrary<Drawn> = fc.record({
  seed: fc.integer({ min: 1, max: 1e9 }),
  trades: fc.integer({ min: 20, max: 700 }),
  bursts: fc.integer({ min: 0, max: 4 }),
  burst: fc.constantFrom(5, 40, 160),
  apartMs: fc.constantFrom(50, 20_000, 400_000, 3_000_000),
  grainMs: fc.constantFrom(1, 1, 1000),
})

/** Trades at the same instant, at the next one, a while later or hours later, the first of them before the days and within reach. */
function historyOf({ seed, trades, bursts, burst, apartMs, grainMs }: Drawn): History {
  let state = seed
  const random = (below: number) => {
    state = (state * 48_271) % 2_147_483_647
    return state % below
  }
  const idOf = IDS[random(IDS.length)] as (typeof IDS)[number]
  const burstsAt = new Set(Array.from({ length: bursts }, () => random(trades)))
  let time = BEGIN - 1 - random(20) * HOUR - random(1000)
  return Array.from({ length: trades }, (_, index) => {
    const kind = random(20)
    if (index > 0) time += kind < 6 ? 0 : kind < 8 ? 1 : kind < 19 ? 1 + random(apartMs) : random(4 * HOUR)
    const size = burstsAt.has(index) ? 1 + random(burst) : 1
    return new Array<number>(size).fill(Math.floor(time / grainMs) * grainMs)
  })
    .flat()
    .concat(Math.max(time, END) + HOUR)
    .map((timestamp, index) => ({
      id: idOf(index),
      timestamp,
      side: index % 3 === 0 ? 'buy' : 'sell',
      price: `${100 + (index % 17)}.50`,
      amount: index % 5 === 0 ? '1e-7' : '2',
    }))
}

const traits: fc.Arbitrary<Traits> = fc.record({
  way: fc.constantFrom('on', 'hour', 'back'),
  cap: fc.integer({ min: SMALLEST, max: 130 }),
  takesSince: fc.boolean(),
  takesUntil: fc.boolean(),
  isInSeconds: fc.boolean(),
  hasIds: fc.boolean(),
  most: fc.constantFrom(100, 500, 5000),
  isMessy: fc.boolean(),
})

/** What the file of a day has to be. */
function expected(history: History, day: string): string {
  const [begin, end] = [Date.parse(day), Date.parse(day) + DAY]
  const rows = history
    .filter(({ timestamp }) => (timestamp as number) >= begin && (timestamp as number) < end)
    .map((trade) => ({ ...trade, id: String(trade.id), timestamp: trade.timestamp as number }))
    .sort((one, other) => one.timestamp - other.timestamp || (idOrder(one.id) < idOrder(other.id) ? -1 : 1))
    .map(({ id, timestamp, side, price, amount }, _index) => {
      const size = amount === '1e-7' ? '0.0000001' : amount
      return `${timestamp},${id},${side},${String(price).replace('.50', '.5')},${size}\n`
    })
  return `time_ms,id,side,price,amount\n${rows.join('')}`
}

const idOrder = (id: string) => (/^\d+$/.test(id) ? id.padStart(20, '0') : `~${id}`)

async function fetched(exchange: CcxtExchange, folder: string, request = REQUEST) {
  const days = []
  for await (const day of fetchTrades(exchange, request, folder, AROUND)) days.push(day)
  return days
}

/** The most trades from the second before one to its end, as narrow as an exchange that knows seconds can be asked. */
function densest(history: History): number {
  const times = history.map(({ timestamp }) => timestamp as number)
  const seconds = [...new Set(times.map((time) => Math.floor(time / 1000) * 1000))]
  const within = (second: number) =>
    times.filter((time) => time >= second - 1000 && time <= second + 1000).length
  return Math.max(...seconds.map(within))
}

function holdsAll(folder: string, history: History): void {
  for (const day of DAYS) {
    const text = expected(history, day)
    const name = path.join(folder, fileOf(day))
    if (text === 'time_ms,id,side,price,amount\n') expect(existsSync(name)).toBe(false)
    else expect(readFileSync(name, 'utf8')).toBe(text)
  }
}

describe('days of trades', () => {
  test('are all that the exchange has of them, each once and in order, whatever its pages are; or why not is said', async () => {
    const reached = { whole: 0, refused: 0, dense: 0, by: new Map<string, number>() }
    await fc.assert(
      fc.asyncProperty(draws, traits, async (drawn, own) => {
        const [folder, history] = [fresh(), historyOf(drawn)]
        const isDense = densest(history) >= SMALLEST
        try {
          await fetched(exchangeOf(history, own).exchange, folder)
        } catch (error) {
          // Only where more happened within a second than a page holds.
          expect((error as Error).message).toMatch(/has more .* than it gives at once/)
          expect(isDense).toBe(true)
          reached.refused += 1
          return
        }
        holdsAll(folder, history)
        reached.whole += 1
        if (isDense) reached.dense += 1
        reached.by.set(own.way, (reached.by.get(own.way) ?? 0) + 1)
      }),
      { numRuns: 150 },
    )
    expect(reached.whole).toBeGreaterThan(60)
    expect(reached.dense).toBeGreaterThan(3)
    expect([...reached.by.keys()].sort()).toEqual(['back', 'hour', 'on'])
  }, 60_000)

  test('are the same where they were cut off, in the middle of a row as well, and gone on with by other pages', async () => {
    let goneOn = 0
    await fc.assert(
      fc.asyncProperty(
        draws
          .map((drawn) => ({ ...drawn, burst: 5 }))
          .filter((drawn) => densest(historyOf(drawn)) < SMALLEST),
        traits.map((own) => ({ ...own, isInSeconds: false })),
        fc.array(fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 0, max: 300 })), {
          minLength: 1,
          maxLength: 4,
        }),
        async (drawn, own, breaks) => {
          const [folder, history] = [fresh(), historyOf(drawn)]
          for (const [until, cut] of breaks) {
            const broken = exchangeOf(history, { ...own, cap: own.cap + cut }, (asked) => asked > until)
            await fetched(broken.exchange, folder).catch((error: Error) =>
              expect(error.message).toContain('fetch it again to go on'),
            )
            for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.part'))) {
              const part = readFileSync(path.join(folder, name), 'utf8')
              writeFileSync(path.join(folder, name), part.slice(0, Math.max(0, part.length - cut)))
            }
          }
          const days = await fetched(exchangeOf(history, own).exchange, folder)
          goneOn += days.filter(({ became }) => became === 'gone on with').length
          holdsAll(folder, history)
          expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
        },
      ),
      { numRuns: 50 },
    )
    expect(goneOn).toBeGreaterThan(15)
  }, 60_000)

  test('of an exchange that gives its last trades only are whole where those reach back before them, else refused', async () => {
    const reached = { whole: 0, refused: 0 }
    await fc.assert(
      fc.asyncProperty(draws, traits, fc.integer({ min: 0, max: 6 }), async (drawn, own, back) => {
        const [folder, history] = [fresh(), historyOf(drawn)]
        const within = history.findIndex(({ timestamp }) => (timestamp as number) >= BEGIN)
        // As many as reach back to about the beginning of the first day.
        const cap = Math.max(50, history.length - Math.max(0, within) + back - 3)
        const last = { ...own, way: 'last' as const, cap, most: 5000, hasIds: false }
        const page = history.slice(-cap)
        const isThere = page.some(
          ({ timestamp }) => (timestamp as number) < BEGIN && (timestamp as number) >= BEGIN - 48 * HOUR,
        )
        try {
          await fetched(exchangeOf(history, last).exchange, folder)
        } catch (error) {
          expect((error as Error).message).toMatch(
            /cannot be had whole: (?:it gives no trade of the 48 hours before|what it gives after)/,
          )
          expect(isThere && cap < 1000 && densest(history) < SMALLEST).toBe(false)
          reached.refused += 1
          return
        }
        expect(isThere).toBe(true)
        holdsAll(folder, history)
        reached.whole += 1
      }),
      { numRuns: 50 },
    )
    expect(Math.min(reached.whole, reached.refused)).toBeGreaterThan(5)
  }, 60_000)
})

const PLAIN: Traits = {
  ...{ way: 'on', cap: 100, takesSince: true, takesUntil: true, isInSeconds: false },
  ...{ hasIds: false, most: 1000, isMessy: false },
}
const each = (every: number, from = BEGIN - HOUR, to = END + HOUR): History =>
  Array.from({ length: Math.ceil((to - from) / every) }, (_, index) => ({
    id: index,
    timestamp: from + index * every,
    side: 'buy',
    price: 100,
    amount: 1,
  }))

test('a day is gone on with after the last row that is one, whatever a machine that went out left behind it', async () => {
  const history = each(600_000)
  for (const rubbish of [
    '\0'.repeat(30),
    `${'\0'.repeat(30)}\n`,
    '1,2,3\n',
    `${BEGIN},7,buy,1,1\n`,
    `${END},7,buy,1,1\n`,
  ]) {
    const folder = fresh()
    mkdirSync(folder)
    const begun = expected(history, DAYS[0] as string)
      .split('\n')
      .slice(0, 40)
      .join('\n')
    writeFileSync(path.join(folder, `${fileOf(DAYS[0] as string)}.part`), `${begun}\n${rubbish}`)
    const days = await fetched(exchangeOf(history, PLAIN).exchange, folder)
    expect(days.map(({ became, rows }) => [became, rows])).toEqual([
      ['gone on with', 144],
      ['fetched', 144],
    ])
    holdsAll(folder, history)
  }
})

test('files are noted by their SHA-256, kept, held to what was noted, and read as ticks', async () => {
  const [folder, history] = [fresh(), each(60_000)]
  await fetched(exchangeOf(history, PLAIN).exchange, folder)
  const [first = ''] = DAYS.map((day) => path.join(folder, fileOf(day)))
  const sha256 = createHash('sha256').update(readFileSync(first)).digest('hex')
  expect(readFileSync(path.join(folder, 'SHA256SUMS'), 'utf8')).toContain(
    `# 2025-02-05T00:00:00.000Z ccxt:stub BTC/USDT:USDT\n${sha256}  ${fileOf(DAYS[0] as string)}\n`,
  )
  const again = exchangeOf(history, PLAIN)
  expect((await fetched(again.exchange, folder)).map(({ became }) => became)).toEqual(['kept', 'kept'])
  expect(again.requests()).toBe(0)
  const feed = await openFeed({ path: folder })
  let ticks = 0
  for await (const chunk of feed) ticks += chunk.length
  expect([feed.kind, ticks]).toEqual(['ticks', 2880])
  rmSync(first)
  const changed = history.map((trade) => ({ ...trade, price: 101 }))
  await expect(fetched(exchangeOf(changed, PLAIN).exchange, folder)).rejects.toThrow(
    'has to go before it is taken',
  )
  writeFileSync(first, 'something else')
  await expect(fetched(exchangeOf(history, PLAIN).exchange, folder)).rejects.toThrow(
    'it is not what was fetched',
  )
})

test('a day on which nothing was traded makes no file', async () => {
  const history = each(60_000).filter(
    ({ timestamp }) => (timestamp as number) < BEGIN || (timestamp as number) >= BEGIN + DAY,
  )
  for (const way of ['on', 'hour', 'back'] as const) {
    const folder = fresh()
    const days = await fetched(exchangeOf(history, { ...PLAIN, way }).exchange, folder)
    expect(days.map(({ became }) => became)).toEqual(['without a trade', 'fetched'])
    holdsAll(folder, history)
  }
})

/** So many at once, and then none for two hours. */
function burstOf(size: number): History {
  const times = each(60_000, BEGIN - HOUR, BEGIN + HOUR).map(({ timestamp }) => timestamp)
  const later = each(60_000, BEGIN + 3 * HOUR, BEGIN + 20 * HOUR).map(({ timestamp }) => timestamp)
  return [...times, ...new Array<number>(size).fill(BEGIN + HOUR), ...later, END + 1].map(
    (timestamp, id) => ({ id, timestamp: timestamp as number, side: 'buy', price: 100, amount: 1 }),
  )
}

test('more at one instant than it gives at once come by their ids, and what is less than a page was is all there is', async () => {
  for (const [size, own] of [
    [300, { hasIds: true }],
    [300, { hasIds: true, way: 'hour' }],
    [90, { cap: 100 }],
    [90, { cap: 100, way: 'hour' }],
  ] as const) {
    const [folder, history] = [fresh(), burstOf(size)]
    await fetched(exchangeOf(history, { ...PLAIN, ...own }).exchange, folder)
    holdsAll(folder, history)
  }
})

describe('what cannot be had whole', () => {
  const hour = each(60_000, END - HOUR)
  test.each<[string, History, Partial<Traits>, string]>([
    [
      'a market without a trade before the day',
      each(60_000, BEGIN + HOUR),
      {},
      'ccxt:stub BTC/USDT:USDT: 2025-02-03 cannot be had whole: it gives no trade of the 48 hours before 2025-02-03 00:00:00.000, so that nobody knows whether what it gives after that is all; the first that it gives is of 2025-02-03 01:00:00.000',
    ],
    [
      'more at one instant than it gives at once',
      burstOf(300),
      {},
      'what it gives after 2025-02-03 01:00:00.000 does not follow on what is there: it keeps its last trades only, or has more at that time than it gives at once',
    ],
    ['trades without ids', hour.map(({ id: _, ...trade }) => trade), {}, 'gives its trades no ids'],
    ['an id that is none', hour.map((trade) => ({ ...trade, id: 'a,b' })), {}, 'gives "a,b" for the id'],
    [
      'a time that is none',
      hour.map((trade) => ({ ...trade, timestamp: null })),
      { way: 'last' },
      'no trade of the 48 hours',
    ],
    ['a price that is none', hour.map(({ price: _, ...trade }) => trade), {}, 'gives undefined for a figure'],
    ['an exchange that takes no page', hour, { most: 10 }, 'the exchange refuses (at most 10)'],
  ])('%s is told', async (_, history, own, told) => {
    const folder = fresh()
    await expect(fetched(exchangeOf(history, { ...PLAIN, ...own }).exchange, folder)).rejects.toThrow(told)
    expect(readdirSync(folder).filter((name) => !name.endsWith('.part'))).toEqual([])
  })

  test('a market, a day, an exchange that there is not', async () => {
    const { exchange } = exchangeOf(hour, PLAIN)
    const asked = (change: object, of = exchange) => fetched(of, fresh(), { ...REQUEST, ...change })
    await expect(asked({ symbol: 'X/Y' })).rejects.toThrow(
      'has no market X/Y; it has 1, such as BTC/USDT:USDT',
    )
    await expect(asked({ to: '2025-02-05' })).rejects.toThrow('2025-02-05 is not over')
    await expect(asked({ from: '2025-02-30' })).rejects.toThrow('2025-02-30 is no day')
    await expect(asked({}, { ...exchange, has: {} })).rejects.toThrow('ccxt:stub gives no past trades')
  })
})
