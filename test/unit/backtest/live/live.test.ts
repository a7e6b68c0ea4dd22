// One strategy object, in a backtest and on the reference host: the same orders come of the same prices.

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type KeepableFit,
  keepableBeside,
  type Plain,
  stateOf,
} from '../../../../src/backtest/learned/keepable.ts'
import type { Learned } from '../../../../src/backtest/learned/learned.ts'
import type { Learning } from '../../../../src/backtest/learned/learning.ts'
import { ModelShelf } from '../../../../src/backtest/learned/modelShelf.ts'
import { ridge } from '../../../../src/backtest/learned/ridge.ts'
import { withBarsTold } from '../../../../src/backtest/live/barsTold.ts'
import { LiveContext } from '../../../../src/backtest/live/liveContext.ts'
import { runLive } from '../../../../src/backtest/live/liveRun.ts'
import { toNumber } from '../../../../src/backtest/numbers/toNumber.ts'
import { portfolio } from '../../../../src/backtest/portfolio/portfolio.ts'
import { HeardBars } from '../../../../src/backtest/strategy/heardBars.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { MarginTradingClient } from '../../../../src/client/index.ts'
import { readConfiguration } from '../../../../src/host/configuration.ts'
import { type ServedVenue, serveVenue } from '../../../../src/host/serveVenue.ts'
import { type ErrorCode, fp9, type OrderRecord, type PositionRecord } from '../../../../src/index.ts'
import { ALICE, BTC, CONFIGURATION, VenueUnderTest } from '../../../host/venue.ts'

let served: ServedVenue
let venue: VenueUnderTest

beforeAll(async () => {
  served = await serveVenue({
    configuration: readConfiguration(Buffer.from(JSON.stringify(CONFIGURATION))),
    port: 0,
  })
  venue = new VenueUnderTest(served)
})
afterAll(() => served.close())

const now = () => served.engine.now
/** Waits for nothing. */
const clientOf = (baseUrl: string, token: string = ALICE.key) =>
  new MarginTradingClient({ baseUrl, token, retry: { wait: async () => {} } })
const contextOf = () => LiveContext.open(clientOf(served.url), now)

function accepted<T>(result: { readonly ok: true; readonly value: T } | { readonly ok: false }): T {
  if (!result.ok) throw new Error(JSON.stringify(result))
  return result.value
}

describe('live context', () => {
  test('opens, edits, adds margin, closes in part and in full, and reads what the engine has', async () => {
    const context: StrategyContext = await contextOf()
    const engine = served.engine.read
    const order: OrderRecord = accepted(
      await context.open({
        asset: 'BTC',
        direction: 'long',
        sizeBy: { margin: '5%' },
        leverage: '4',
        stopLoss: fp9('45000'),
      }),
    )
    expect(order).toEqual(engine.order(order.id))
    const [position] = context.positions('BTC') as [PositionRecord]
    expect(position).toEqual(engine.activePositions(ALICE.accountId)[0])
    const [stop] = context.orders('BTC') as [OrderRecord]
    expect(stop).toEqual(engine.activeOrders(ALICE.accountId)[0])
    accepted(await context.edit(stop.id, { triggerPrice: fp9('46000') }))
    expect(context.orders()[0]?.triggerPrice).toBe(fp9('46000'))
    expect(accepted(await context.changeMargin(position, fp9('10'))).margin).toBe(position.margin + fp9('10'))
    accepted(await context.close({ position, size: position.size / 2n }))
    expect(context.positions()[0]?.size).toBe(position.size - position.size / 2n)
    expect(context.equity()).toBe(engine.equity(ALICE.accountId))
    accepted(await context.close({ position, type: 'trailing_stop', offsetPercent: '2%' }))
    accepted(await context.cancel(context.orders()[0]?.id as string))
    accepted(await context.closeAll())
    expect(context.positions()).toEqual([])
    expect(context.freeBalance()).toBe(engine.balance(ALICE.accountId))
  })

  test('a rejection is a value with the code of the venue', async () => {
    const context = await contextOf()
    const order = { asset: 'BTC', direction: 'long', sizeBy: { margin: '10' }, leverage: '4000' } as const
    expect(await context.open(order)).toMatchObject({ ok: false, error: { code: 'invalid_leverage' } })
  })

  test('a wrong key and a host that is not there are said in one line', async () => {
    const open = (url: string, key: string) => LiveContext.open(clientOf(url, key), now)
    await expect(open(served.url, 'mtk_wrong')).rejects.toThrow(
      /^http:\S+ refuses GET \/accounts\/with-risk-status \(session_expired\): The Authorization header carries nothing that is good here/,
    )
    await expect(open('http://127.0.0.1:1', ALICE.key)).rejects.toThrow(
      'http://127.0.0.1:1 cannot be reached',
    )
  })
})

test('prices are told as ticks and gathered into bars', async () => {
  const prices = ['50000', '50300', '49900', '50100', '50200', '50250']
  const told: string[] = []
  const stop = new AbortController()
  const strategy: Strategy = {
    name: 'listens',
    onStart: ({ assets }) => {
      expect(assets).toEqual(['BTC'])
    },
    onTick: ({ price }) => {
      told.push(`tick ${price / 1_000_000_000n}`)
    },
    onBar: ({ open, high, low, close, openTime, closeTime }, context) => {
      told.push(
        `bar ${[open, high, low, close].map((price) => price / 1_000_000_000n)} ${closeTime - openTime}`,
      )
      const shown = context.bars('BTC', '1m')
      expect(shown.at(-1)).toMatchObject({ open, high, low, close, openTime, closeTime })
    },
    onEnd: () => {
      told.push('end')
    },
  }
  let polls = 0
  const next = async () => {
    if (polls === prices.length) return stop.abort()
    await venue.operate(
      { type: 'advanceTime', ms: 20_000 },
      { type: 'updatePrice', marketId: BTC, indexPrice: fp9(prices[polls++] as string).toString() },
    )
  }
  // To the start of a minute, then three polls a minute.
  await venue.operate({ type: 'advanceTime', ms: 60_000 - (now() % 60_000) - 20_000 })
  await next()
  const context = await contextOf()
  expect(context.assets).toEqual(context.markets.map(({ config }) => config.baseAsset))
  expect(context.assets.length).toBeGreaterThan(1)
  await runLive({
    context,
    strategy,
    assets: ['BTC'],
    sleep: next,
    signal: stop.signal,
  })
  expect(told).toEqual([
    'tick 50000',
    'tick 50300',
    'tick 49900',
    'bar 50000,50300,49900,49900 59999',
    'tick 50100',
    'tick 50200',
    'tick 50250',
    'end',
  ])
})

/** Done a while after it is begun. */
const slowRidge = keepableBeside({
  learner: (ridge() as KeepableFit).learner,
  async learn(rows, about) {
    await new Promise((resolve) => setTimeout(resolve, 5))
    return stateOf(ridge()(rows, about)) as Plain
  },
  model: (state) => ridge().restored(state),
})

test.each([
  ['at once', {}, {}],
  ['when the next is due', { takesEffectAfter: '3m' }, { fit: slowRidge }],
] as const)(
  'a model whose fits are used %s is learned live as it is of the same bars in a backtest, also where a run goes on from the one before',
  async (_, more, beside) => {
    const learning: Learning = {
      ...{ horizon: 2, window: '10m', every: '3m', atLeast: 2, fit: ridge(), ...more },
      features: ({ close }) => [toNumber(close)],
      label: (ahead, { close }) => toNumber((ahead.at(-1) ?? { close }).close) - toNumber(close),
    }
    const told: { readonly bar: Bar; readonly value: number | null }[] = []
    let stop = new AbortController()
    let live: Learned | undefined
    const strategy: Strategy = {
      name: 'learns',
      onStart(context) {
        live = context.learn('BTC', 'change', { ...learning, ...beside })
      },
      onBar(bar) {
        told.push({ bar, value: live?.value ?? null })
      },
    }
    let polls = 0
    const next = async () => {
      if (polls === 14) return stop.abort()
      const indexPrice = fp9(String(50_000 + ((polls * 7) % 5) * 10)).toString()
      polls += 1
      await venue.operate(
        { type: 'advanceTime', ms: 60_000 },
        { type: 'updatePrice', marketId: BTC, indexPrice },
      )
    }
    const runFrom = async (models: ModelShelf) => {
      const context = await LiveContext.open(clientOf(served.url), now, undefined, undefined, models)
      await runLive({ context, strategy, assets: ['BTC'], sleep: next, signal: stop.signal })
      return models
    }
    const { kept } = await runFrom(new ModelShelf({ keeps: true }))
    expect(kept[0]?.pending.length).toBe('fit' in beside ? 1 : 0)
    ;[polls, stop] = [1, new AbortController()]
    await runFrom(new ModelShelf({ from: kept }))
    expect(told.length).toBeGreaterThan(20)
    const heard = new HeardBars()
    const again = heard.learn('BTC', 'change', learning)
    const values = told.map(({ bar }) => {
      heard.add(bar)
      return again.value
    })
    expect(told.map(({ value }) => value)).toEqual(values)
    const madeOf = (learned?: Learned) =>
      learned?.fits.map(({ at, usedFrom, rows, inSample }) => ({ at, usedFrom, rows, inSample }))
    expect(madeOf(live)).toEqual(madeOf(again))
    expect(again.fits.length).toBeGreaterThan(1)
  },
)

test('what happened to the account meanwhile is known at every bar', async () => {
  const stop = new AbortController()
  const seen: bigint[] = []
  const journal: bigint[] = []
  const strategy: Strategy = {
    name: 'looks',
    onBar: (_bar, context) => {
      seen.push(context.freeBalance())
    },
  }
  const balances: (bigint | undefined)[] = []
  const next = async () => {
    if (balances.length === 3) return stop.abort()
    await venue.operate(
      { type: 'adjustBalance', accountId: ALICE.accountId, amount: fp9('7').toString() },
      { type: 'advanceTime', ms: 60_000 },
      { type: 'updatePrice', marketId: BTC, indexPrice: fp9('50000').toString() },
    )
    balances.push(served.engine.read.balance(ALICE.accountId))
  }
  await runLive({
    context: await contextOf(),
    strategy,
    assets: ['BTC'],
    sleep: next,
    signal: stop.signal,
    onEntry: (entry) => {
      if (entry.type === 'account') journal.push(entry.account.accountBalance)
    },
  })
  expect(seen).toEqual(balances)
  expect(new Set(balances).size).toBe(3)
  expect(journal).toEqual(balances)
})

describe('a lost connection', () => {
  test('places an order once, whose answer was lost', async () => {
    let lost = 0
    const client = new MarginTradingClient({
      baseUrl: served.url,
      token: ALICE.key,
      retry: { wait: async () => {} },
      fetch: async (input, init) => {
        const response = await fetch(input, init)
        if (init?.method === 'POST' && lost++ === 0) throw new TypeError('the answer was lost')
        return response
      },
    })
    const context = await LiveContext.open(client, now)
    accepted(await context.open({ asset: 'BTC', direction: 'long', sizeBy: { margin: '50' }, leverage: '2' }))
    expect(lost).toBe(2)
    expect(context.positions()).toHaveLength(1)
    accepted(await context.closeAll())
  })
})

test('an order is placed once whose answer is cut at any byte', async () => {
  let cuts = 0
  let placed = 0
  const proxy = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const { host: _, ...headers } = request.headers
    const answer = await fetch(served.url + request.url, {
      method: request.method as string,
      headers: headers as Record<string, string>,
      ...(chunks.length > 0 && { body: Buffer.concat(chunks) }),
    })
    const body = Buffer.from(await answer.arrayBuffer())
    response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': body.length })
    const isCut = request.method === 'POST' && placed++ % 2 === 0
    if (!isCut) return void response.end(body)
    response.write(body.subarray(0, (cuts++ * 37) % body.length))
    setImmediate(() => response.destroy())
  })
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  const context = await LiveContext.open(clientOf(url), now)
  const order = { asset: 'BTC', direction: 'long', type: 'limit', triggerPrice: fp9('40000') } as const
  for (let nth = 1; nth <= 8; nth++) {
    accepted(await context.open({ ...order, sizeBy: { margin: '20' }, leverage: '2' }))
    expect(served.engine.read.activeOrders(ALICE.accountId)).toHaveLength(nth)
  }
  expect(cuts).toBe(8)
  for (const { id } of context.orders('BTC')) accepted(await context.cancel(id))
  proxy.closeAllConnections()
  await new Promise((closed) => proxy.close(closed))
})

describe('the end of a live run', () => {
  async function ended(onExit: 'keep' | 'flatten') {
    const stop = new AbortController()
    const context = await contextOf()
    const strategy: Strategy = {
      name: 'opens',
      async onStart(context) {
        accepted(
          await context.open({ asset: 'BTC', direction: 'long', sizeBy: { margin: '50' }, leverage: '2' }),
        )
      },
    }
    const sleep = async () => stop.abort()
    await runLive({ context, strategy, assets: ['BTC'], sleep, signal: stop.signal, onExit })
    return context.positions().length
  }

  test('keeps what is open, or flattens it', async () => {
    expect(await ended('keep')).toBe(1)
    expect(await ended('flatten')).toBe(0)
  })

  test.each([
    [
      'account_not_loaded',
      /^the account could not be flattened, the venue refuses it \(account_not_loaded\): The account is not/,
    ],
    ['a_code_of_its_own', /^the account could not be flattened, the venue refuses it \(a_code_of_its_own\)$/],
  ])('says in a sentence that the venue refuses to flatten it: %s', async (code, sentence) => {
    const refusing = vi
      .spyOn(LiveContext.prototype, 'closeAll')
      .mockResolvedValue({ ok: false, error: { code: code as ErrorCode } })
    try {
      await expect(ended('flatten')).rejects.toThrow(sentence)
    } finally {
      refusing.mockRestore()
    }
  })
})

test('intervals in which no price was seen are told', async () => {
  const stop = new AbortController()
  const missing: [string, number][] = []
  let polls = 0
  await runLive({
    context: await contextOf(),
    strategy: { name: 'idles' },
    assets: ['BTC'],
    sleep: async () => {
      polls += 1
      if (polls === 3) return stop.abort()
      await venue.operate(
        { type: 'advanceTime', ms: polls === 1 ? 60_000 : 240_000 },
        { type: 'updatePrice', marketId: BTC, indexPrice: fp9('50000').toString() },
      )
    },
    signal: stop.signal,
    onMissingBars: (asset, bars) => missing.push([asset, bars]),
  })
  expect(missing).toEqual([['BTC', 3]])
})

test('a strategy that is watched keeps the hooks of its class', async () => {
  class Counts implements Strategy {
    readonly name = 'counts'
    ticks = 0
    onTick() {
      this.ticks += 1
    }
  }
  const strategy = new Counts()
  const watched = withBarsTold(strategy, () => {})
  await watched.onTick?.({ asset: 'BTC', time: 0, price: 1n }, await contextOf())
  expect(strategy.ticks).toBe(1)
})

test('a portfolio that is watched still knows whose orders are whose', () => {
  const strategy = portfolio([{ name: 'only', strategy: { name: 'idles' } }])
  expect(withBarsTold(strategy, () => {}).parts).toBe(strategy.parts)
})
