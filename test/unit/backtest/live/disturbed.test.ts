// What befalls a live run on its way: limits, orders of which nobody knows what became, a strategy that fails; and that the journal says so.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { LateOrder } from '../../../../src/backtest/live/actionWatch.ts'
import type { JournalEntry } from '../../../../src/backtest/live/journal.ts'
import { LiveContext } from '../../../../src/backtest/live/liveContext.ts'
import { LiveError } from '../../../../src/backtest/live/liveError.ts'
import type { LiveOptions } from '../../../../src/backtest/live/liveOptions.ts'
import { runLive } from '../../../../src/backtest/live/liveRun.ts'
import { streamOf } from '../../../../src/backtest/live/streamOf.ts'
import type { EntryOrder, Strategy } from '../../../../src/backtest/strategy/strategy.ts'
import { MarginTradingClient } from '../../../../src/client/index.ts'
import { fp9, type PositionRecord } from '../../../../src/index.ts'
import { ALICE, BTC, CONFIGURATION, startVenue, type VenueUnderTest } from '../../../host/venue.ts'

let venue: VenueUnderTest
let proxy: ReturnType<typeof createServer>
let url: string
/** What becomes of the next change: passed on, limited for some seconds, done without an answer, or not done and without one. */
let fates: ('limited' | 'lost' | 'dropped' | 'passed')[] = []
let limitSeconds = 4
beforeAll(async () => {
  venue = await startVenue({ ...CONFIGURATION, rateLimit: null })
  proxy = createServer((request, response) => void passed(request, response))
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
})
afterAll(async () => {
  proxy.closeAllConnections()
  await new Promise((closed) => proxy.close(closed))
  await venue.venue.close()
})

async function passed(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const fate = request.method === 'GET' ? 'passed' : (fates.shift() ?? 'passed')
  if (fate === 'limited') {
    const refused = { error: 'api_key_rate_limit_exceeded', message: 'too many', statusCode: 429 }
    response.writeHead(429, { 'content-type': 'application/json', 'retry-after': String(limitSeconds) })
    return void response.end(JSON.stringify(refused))
  }
  if (fate === 'dropped') return void response.destroy()
  const { host: _, ...headers } = request.headers
  const answer = await fetch(venue.venue.url + request.url, {
    method: request.method as string,
    headers: headers as Record<string, string>,
    ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
  })
  if (fate === 'lost') return void response.destroy()
  response.writeHead(answer.status, { 'content-type': 'application/json' })
  response.end(Buffer.from(await answer.arrayBuffer()))
}

/** Changes go by way of the proxy, the stream does not. */
async function live(
  strategy: Strategy,
  more: Partial<LiveOptions> = {},
  until: (entries: readonly JournalEntry[]) => boolean = () => true,
): Promise<{
  readonly entries: readonly JournalEntry[]
  readonly error: Error | null
  readonly refused: string[]
}> {
  const entries: JournalEntry[] = []
  const refused: string[] = []
  const [stop, over] = [new AbortController(), new AbortController()]
  const now = () => venue.venue.engine.now
  const onWait = (ms: number, why: string) => entries.push({ type: 'waited', at: now(), ms, why })
  const client = new MarginTradingClient({
    baseUrl: url,
    token: ALICE.key,
    retry: { wait: async () => {}, onWait },
  })
  const direct = new MarginTradingClient({ baseUrl: venue.venue.url, token: ALICE.key })
  const context = await LiveContext.open(client, now)
  const stream = await streamOf(direct, context.accountId, over.signal)
  if (stream === null) throw new Error('the venue has a stream')
  const run = runLive({
    ...{
      context,
      stream,
      strategy,
      assets: ['BTC'],
      signal: stop.signal,
      sleep: () => new Promise<void>(() => {}),
    },
    onEntry: (entry) => entries.push(entry),
    onRefused: (what) => refused.push(what),
    ...more,
  })
  let error: Error | null = null
  const ended = run.catch((thrown: Error) => {
    error = thrown
  })
  const begun = vi.waitFor(
    () => expect(entries.some(({ type }) => type === 'price') && until(entries)).toBe(true),
    20_000,
  )
  await Promise.race([ended, begun])
  stop.abort()
  await ended
  over.abort()
  return { entries, error, refused }
}

const types = (entries: readonly JournalEntry[]) =>
  entries.flatMap((entry) =>
    entry.type === 'event'
      ? [entry.event.type]
      : entry.type === 'asked'
        ? [`${entry.action} ${entry.answer}`]
        : [],
  )
const LONG = { asset: 'BTC', direction: 'long', sizeBy: { margin: '50' }, leverage: '2' } as const
const PRICE = { type: 'updatePrice', marketId: BTC, indexPrice: fp9('50001').toString() }
const open = () => venue.venue.engine.read.activePositions(ALICE.accountId)
const opens = (then: Partial<Strategy> = {}): Strategy => ({
  name: 'opens',
  async onStart(context) {
    expect((await context.open({ ...LONG, stopLoss: fp9('45000') })).ok).toBe(true)
  },
  ...then,
})

describe('the end of a run', () => {
  test('that flattens is in the journal: what was asked, every order and fill it made, and that nothing is open', async () => {
    const { entries, error } = await live(opens(), { onExit: 'flatten' })
    expect(error).toBeNull()
    const told = types(entries)
    expect(told.slice(told.indexOf('closeAll accepted'))).toEqual([
      ...['closeAll accepted', 'orderPlaced', 'orderExecuted', 'closePosition', 'orderCanceled'],
    ])
    expect(entries.at(-1)).toMatchObject({ type: 'end', error: null, positions: 0, orders: 0 })
    expect(open()).toEqual([])
  })

  test('that a strategy fails is told with its own words, and the account is flattened where that was asked for', async () => {
    const failing = () =>
      opens({
        onTick() {
          throw new TypeError('the strategy has a hole')
        },
      })
    const kept = await live(failing())
    expect(kept.error?.message).toBe('the strategy has a hole')
    expect(kept.entries.at(-1)).toMatchObject({ type: 'end', error: 'the strategy has a hole', positions: 1 })
    expect(open()).toHaveLength(1)
    await live({ name: 'idles' }, { onExit: 'flatten' })
    const flattened = await live(failing(), { onExit: 'flatten' })
    expect(flattened.error?.message).toBe('the strategy has a hole')
    expect(types(flattened.entries)).toContain('closePosition')
    expect(flattened.entries.at(-1)).toMatchObject({
      error: 'the strategy has a hole',
      positions: 0,
      orders: 0,
    })
    expect(open()).toEqual([])
  })

  test('that cannot flatten says so, once, and fails with what ended it', async () => {
    fates = ['passed', ...Array.from({ length: 5 }, () => 'lost' as const)]
    const { entries, error, refused } = await live(
      opens({
        onTick() {
          throw new TypeError('the strategy has a hole')
        },
      }),
      { onExit: 'flatten' },
    )
    expect(error?.message).toBe('the strategy has a hole')
    expect(refused).toEqual([
      expect.stringMatching(/cannot be reached; whether POST .* was done is not known/),
    ])
    expect(types(entries)).toContain('closeAll unknown')
    await live({ name: 'idles' }, { onExit: 'flatten' })
  })
})

test('what comes after the end is for the journal: the strategy hears of no price, bar or fill any more', async () => {
  const told: string[] = []
  const tells = (what: string) => () => void told.push(what)
  const strategy = opens({
    onTick: tells('tick'),
    onBar: tells('bar'),
    onEvent: tells('event'),
    async onEnd(context) {
      told.length = 0
      await venue.operate({ type: 'advanceTime', ms: 120_000 }, PRICE)
      await vi.waitFor(() => expect(context.market('BTC').state.indexPrice).toBe(fp9('50001')), 20_000)
    },
  })
  const { entries, error } = await live(strategy, { onExit: 'flatten' })
  expect(error).toBeNull()
  expect(types(entries)).toContain('closePosition')
  expect(told).toEqual([])
})

test('a bar that is told late, because the strategy took so long, is told to be, and its strategy can see it', async () => {
  const late: [string, number][] = []
  const seen: number[] = []
  let hasSlept = false
  const { entries } = await live(
    {
      name: 'sleeps',
      async onTick() {
        if (hasSlept) return
        hasSlept = true
        await venue.operate({ type: 'advanceTime', ms: 180_000 }, PRICE)
      },
      onBar: ({ closeTime }, context) => void seen.push(context.now - closeTime),
    },
    { onLateBars: (asset, ms) => late.push([asset, ms]) },
    (told) => told.some(({ type }) => type === 'late'),
  )
  const bar = entries.find((entry) => entry.type === 'bar')
  const ms = venue.venue.engine.now - (bar?.at ?? 0)
  expect(late).toEqual([['BTC', ms]])
  expect(seen[0]).toBe(ms)
  expect(entries.find((entry) => entry.type === 'late')).toEqual({
    type: 'late',
    at: bar?.at,
    asset: 'BTC',
    ms,
  })
})

test('a journal has the venue’s clock alone, however wrong the client’s own is', async () => {
  const now = () => venue.venue.engine.now
  const client = new MarginTradingClient({ baseUrl: venue.venue.url, token: ALICE.key })
  const begun = now()
  for (const ms of [3_600_000, -3_600_000]) {
    const context = await LiveContext.open(client, () => now() + ms)
    const { entries } = await live(opens(), { context, onExit: 'flatten' })
    const times = entries.map(({ at }) => at)
    expect([Math.min(...times), Math.max(...times)]).toEqual([begun, now()])
  }
})

describe('a rate limit', () => {
  test('is waited out as long as the venue says, told, and the order placed once; the journal has the wait before the answer', async () => {
    fates = ['limited', 'limited', 'passed']
    const { entries, error } = await live(opens(), { onExit: 'flatten' })
    expect(error).toBeNull()
    const waits = entries.filter((entry) => entry.type === 'waited')
    expect(waits).toMatchObject([{ ms: 4_000 }, { ms: 4_000 }])
    const asked = entries.findIndex((entry) => entry.type === 'asked')
    expect(entries.indexOf(waits[1] as JournalEntry)).toBeLessThan(asked)
    expect(entries[asked]).toMatchObject({ action: 'open', answer: 'accepted' })
    expect(types(entries).filter((type) => type === 'increasePosition')).toHaveLength(1)
  })

  test('that does not end is a refusal, which the strategy is told', async () => {
    fates = Array.from({ length: 5 }, () => 'limited' as const)
    const told: unknown[] = []
    const { entries, error } = await live({
      name: 'opens',
      async onStart(context) {
        told.push(await context.open(LONG))
      },
    })
    expect(error).toBeNull()
    expect(told).toMatchObject([{ ok: false, error: { code: 'api_key_rate_limit_exceeded' } }])
    expect(types(entries)).toEqual(['open api_key_rate_limit_exceeded'])
    expect(open()).toEqual([])
  })
})

describe('a market order', () => {
  const told: { readonly ok: boolean; readonly error?: { readonly code: string } }[] = []
  const late: LateOrder[] = []
  const entered = async (order: EntryOrder) => {
    told.length = late.length = 0
    const strategy: Strategy = {
      name: 'enters',
      async onStart(context) {
        told.push(await context.open(order))
      },
    }
    return live(strategy, { onExit: 'flatten', onLateOrder: (one) => late.push(one) })
  }
  const times = (count: number, fate: (typeof fates)[number]) => Array.from({ length: count }, () => fate)
  // After 1, 2 and 4 s of waiting the next wait would be over after more than ten.
  const SENT = 4

  test('is not sent again after ten seconds; where the venue has not placed it, the strategy decides anew', async () => {
    fates = times(SENT, 'dropped')
    const { entries, error } = await entered(LONG)
    expect(error).toBeNull()
    expect(told).toEqual([{ ok: false, error: { code: 'not_taken_in_time' } }])
    expect(late).toEqual([{ action: 'open', asset: 'BTC', side: 'long', orderId: null, ms: 0 }])
    expect(types(entries)).toEqual(['open not_taken_in_time', 'closeAll accepted'])
    expect(entries.filter(({ type }) => type === 'waited')).toHaveLength(SENT - 1)
  })

  test('that was placed though no answer came in time is there once, and told as any other', async () => {
    fates = times(SENT, 'lost')
    const { entries, error } = await entered(LONG)
    expect(error).toBeNull()
    expect(told).toMatchObject([{ ok: true }])
    expect(late).toMatchObject([{ orderId: expect.any(String) }])
    expect(types(entries).filter((type) => type === 'increasePosition')).toHaveLength(1)
  })

  test('may be an exit: the position is still there, and the strategy is told', async () => {
    told.length = late.length = 0
    fates = ['passed', ...times(SENT, 'dropped')]
    const strategy: Strategy = {
      name: 'leaves',
      async onStart(context) {
        expect((await context.open(LONG)).ok).toBe(true)
        const [position] = context.positions('BTC') as [PositionRecord]
        told.push(await context.close({ position }))
        expect(context.positions('BTC')).toHaveLength(1)
        const asked = { position, type: 'take', triggerPrice: fp9('60000') } as const
        fates = times(SENT, 'dropped')
        told.push(await context.close(asked))
      },
    }
    await live(strategy, { onExit: 'flatten', onLateOrder: (one) => late.push(one) })
    expect(told).toMatchObject([{ ok: false, error: { code: 'not_taken_in_time' } }, { ok: true }])
    expect(late).toEqual([{ action: 'close', asset: 'BTC', side: 'long', orderId: null, ms: 0 }])
  })

  test('of which the venue cannot say what became ends the run', async () => {
    fates = times(SENT + 5, 'dropped')
    const { entries, error } = await entered(LONG)
    expect(error?.message).toMatch(/whether POST \/orders was done is not known/)
    expect(late).toEqual([])
    expect(types(entries)[0]).toBe('open unknown')
  })

  test('is refused where a rate limit lasts longer, and no moment is waited', async () => {
    limitSeconds = 11
    fates = ['limited']
    const { entries, error } = await entered(LONG)
    limitSeconds = 4
    expect(error).toBeNull()
    expect(told).toMatchObject([{ ok: false, error: { code: 'api_key_rate_limit_exceeded' } }])
    expect(entries.filter(({ type }) => type === 'waited')).toEqual([])
  })

  test('alone is bounded: an order with a price of its own is sent for as long as the client is patient', async () => {
    fates = times(SENT, 'dropped')
    const { error } = await entered({ ...LONG, type: 'limit', triggerPrice: fp9('40000') })
    expect(error).toBeNull()
    expect(told).toMatchObject([{ ok: true }])
    expect(late).toEqual([])
  })
})

describe('an answer that is lost', () => {
  test('of an order: it is asked for again and there once, with its events told once', async () => {
    fates = ['lost', 'lost', 'passed']
    const { entries, error } = await live(opens(), { onExit: 'flatten' })
    expect(error).toBeNull()
    expect(entries.filter(({ type }) => type === 'waited')).toHaveLength(2)
    expect(types(entries).filter((type) => type === 'increasePosition')).toHaveLength(1)
  })

  test('of flattening: everything is closed once more, which finds nothing', async () => {
    fates = ['passed', 'lost', 'lost', 'passed']
    const { entries, error } = await live(opens(), { onExit: 'flatten' })
    expect(error).toBeNull()
    expect(types(entries).filter((type) => type === 'closePosition')).toHaveLength(1)
    expect(entries.at(-1)).toMatchObject({ type: 'end', positions: 0, orders: 0 })
  })

  test('of a change that cannot be asked for twice: its fate is unknown, the run ends and says which; what it did is in the journal', async () => {
    fates = ['passed', 'lost']
    const { entries, error } = await live(
      opens({
        async onTick(_tick, context) {
          const [stop] = context.orders('BTC')
          if (stop !== undefined) await context.edit(stop.id, { triggerPrice: fp9('46000') })
        },
      }),
      { onExit: 'flatten' },
      (told) => told.some((entry) => entry.type === 'asked' && entry.answer === 'unknown'),
    )
    expect(error?.message).toMatch(/cannot be reached; whether PATCH \/orders\/\S+ was done is not known/)
    expect(entries.find((entry) => entry.type === 'asked' && entry.answer === 'unknown')).toMatchObject({
      ...{ action: 'edit', asset: 'BTC', side: 'long', orderId: null },
    })
    // It was done: the new stop is told before the account is flattened.
    const told = types(entries)
    expect(told.indexOf('edit unknown')).toBeLessThan(told.lastIndexOf('orderPlaced'))
    expect(entries.at(-1)).toMatchObject({ type: 'end', positions: 0, orders: 0 })
    expect(entries.at(-1)).toMatchObject({ error: expect.stringContaining('is not known') })
  })
})

test.each([
  [[], undefined, 'the key has no account'],
  [[], ALICE.accountId, `the key has no account ${ALICE.accountId}`],
  [[{ accountId: 'another' }], ALICE.accountId, `the key has no account ${ALICE.accountId}`],
])('a key whose accounts are %j opens none, and says so: %s', async (accounts, accountId, told) => {
  const fetch = async () => Response.json(accounts)
  const client = new MarginTradingClient({ baseUrl: 'http://venue', token: 'key', fetch })
  await expect(LiveContext.open(client, Date.now, accountId)).rejects.toThrow(new LiveError(told))
})
