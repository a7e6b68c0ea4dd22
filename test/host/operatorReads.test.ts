// What operators read over all accounts, from the state and from the log.

import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { accountsImageOf, columnsOf } from '../../src/engine/internals.ts'
import { searchAccounts } from '../../src/host/accountSearch.ts'
import { readColumns, readColumnsAhead } from '../../src/host/columnsAhead.ts'
import { createEngine, type Engine, fp9 } from '../../src/index.ts'
import type { EquityColumns } from '../../src/projections/equityColumns.ts'
import { request } from './raw.ts'
import {
  ALICE,
  BOB,
  BTC,
  CONFIGURATION,
  GOLD,
  limitOrder,
  marketOrder,
  OPERATOR,
  startVenue,
  type VenueUnderTest,
} from './venue.ts'

let venue: VenueUnderTest
/** A position of Alice's with a stop, and one of Bob's that was liquidated. */
let [position, order, before] = ['', '', 0]
const read = (path: string) => venue.get(`/operator/${path}`, { key: OPERATOR })

beforeAll(async () => {
  const accounts = CONFIGURATION.accounts.map((account, at) =>
    at === 0 ? { ...account, maxTotalLoss: '100000000', phase: 'active_evaluation' } : account,
  )
  venue = await startVenue({ ...CONFIGURATION, accounts })
  const bob = { key: BOB.key, body: marketOrder({ accountId: BOB.accountId, leverage: '10000000000' }) }
  await venue.call('POST', '/orders', bob)
  before = (await read('health')).body.head
  await venue.tick('45200000000000')
  order = (await venue.post('/orders', marketOrder({ stopTriggerPrice: '42000000000000' }))).body.id
  await venue.post('/orders', limitOrder())
  position = (await venue.get(`/positions/${ALICE.accountId}/active`)).body[0].idx
  await venue.advance(1_000)
})
afterAll(() => venue.venue.close())

test('accounts of everybody: searched, filtered, sorted and paged, as of one commit', async () => {
  const { body } = await read('accounts?sort=pnl')
  expect(body).toMatchObject({ seq: (await read('health')).body.head, totalCount: 2 })
  expect(body.data.map(({ accountId }: { accountId: string }) => accountId)).toEqual([
    ALICE.accountId,
    BOB.accountId,
  ])
  expect(body.data[0]).toMatchObject({ openPositions: 1, activeOrders: 2, userId: ALICE.userId })
  const headroom = (Number(body.data[0].equity) - 9_000e9) / Number(body.data[0].equity)
  expect(Number(body.data[0].headroom) / 1e9).toBeCloseTo(headroom, 8)
  expect(body.data[1]).toMatchObject({ headroom: null, openPositions: 0 })
  const ids = async (query: string) =>
    (await read(`accounts?${query}`)).body.data.map(({ accountId }: { accountId: string }) => accountId)
  expect(await ids(`search=${BOB.accountId.slice(-4).toUpperCase()}`)).toEqual([BOB.accountId])
  expect(await ids('sort=headroom')).toEqual([ALICE.accountId, BOB.accountId])
  expect(await ids('')).toEqual([BOB.accountId, ALICE.accountId])
  expect(await ids('limit=1&offset=1')).toEqual([ALICE.accountId])
  expect(await ids('status=failed')).toEqual([])
  expect(await ids('phase=none')).toEqual([])
  expect((await read('accounts?sort=luck')).status).toBe(400)
  expect((await read(`accounts?search=${'f'.repeat(255)}`)).status).toBe(200)
  expect((await read(`accounts?search=${'f'.repeat(256)}`)).status).toBe(400)
})

test('one account: ledger, day, charges by kind, and what is open', async () => {
  const { body } = await read(`accounts/${ALICE.accountId.toUpperCase()}`)
  const risk = (await venue.get(`/accounts/${ALICE.accountId}/risk-status`)).body
  expect(body).toMatchObject({
    equity: risk.currentEquity,
    totalLossFloor: risk.totalLossFloor,
    day: { dayStartEquity: risk.dayStartEquity, nextDayAt: risk.nextDayAt },
    charges: {
      fees: '5000000000',
      liquidation: '0',
      fundingPaid: '0',
      fundingReceived: '0',
      window: '0',
    },
  })
  const { free, reserve, margin } = body.ledger
  expect(BigInt(free) + BigInt(reserve) + BigInt(margin)).toBe(BigInt(body.balance))
  expect(body.positions).toEqual((await venue.get(`/positions/${ALICE.accountId}/active`)).body)
  expect(body.orders).toEqual((await venue.get(`/orders/${ALICE.accountId}/active`)).body)
  const bob = (await read(`accounts/${BOB.accountId}`)).body
  expect(bob.charges.fees).toBe('10000000000')
  expect(BigInt(bob.charges.liquidation)).toBeGreaterThan(0n)
  expect((await read(`accounts/${BTC}`)).body.error).toBe('account_not_found')
})

test('charges: what the spread cost and the first minute kept, to the last digit', async () => {
  const spread = '1000000'
  const markets = CONFIGURATION.markets.map((market) => ({
    ...market,
    spread,
    scalpingCoefficient: '1500000000',
    scalpingWindowMs: 180_000,
  }))
  const charged = await startVenue({ ...CONFIGURATION, markets })
  await charged.post('/orders', marketOrder())
  const [{ idx, size }] = (await charged.get(`/positions/${ALICE.accountId}/active`)).body
  await charged.tick('51000000000000')
  const close = { accountId: ALICE.accountId, marketId: BTC, type: 'take', triggerPrice: '0' }
  await charged.post('/orders', { ...close, positionId: idx, direction: 'long', amount: size })
  const { body } = await charged.get(`/operator/accounts/${ALICE.accountId}`, { key: OPERATOR })
  const [closed, opened] = (await charged.get(`/positions/${idx}/history`)).body
  // Bought at 0.1 % above the index, sold at 0.15 % below it; within the minute nothing of the gain is paid out.
  const bought = BigInt(opened.exchangedQuote) - BigInt(opened.exchangedBase) * 50_000n
  const sold = BigInt(closed.exchangedBase) * 51_000n - BigInt(closed.exchangedQuote)
  expect([bought > 0n, sold > bought]).toEqual([true, true])
  expect(body.charges).toMatchObject({
    spread: String(bought + sold),
    window: String(BigInt(closed.rawPnlInEvent) - BigInt(closed.pnlInEvent)),
  })
  expect(BigInt(body.charges.window)).toBeGreaterThan(0n)
  await charged.venue.close()
})

test('exposure by market: what is open, against what may be, and what moves would do', async () => {
  const { body } = await read('exposure')
  const [btc, gold] = body.markets
  expect(btc).toMatchObject({
    marketId: BTC,
    openPositions: 1,
    openNotionalShort: '0',
    quotaLong: null,
    indexPrice: '45200000000000',
  })
  expect(btc.moves).toHaveLength(8)
  expect(btc.moves[0]).toMatchObject({ move: '-100000000', indexPrice: '40680000000000', liquidations: 0 })
  expect(BigInt(btc.moves[0].houseGain)).toBeGreaterThan(0n)
  expect(gold).toMatchObject({ marketId: GOLD, openPositions: 0 })
})

test('markets: price with its age and source, funding, what rests', async () => {
  const [btc, gold] = (await read('markets')).body.markets
  expect(btc).toMatchObject({
    status: 'open',
    priceAgeMs: 1_000,
    isStale: false,
    priceSource: 'operator',
    nextFundingAt: '2026-01-05T08:00:00.000Z',
    restingOrders: 2,
    openPositions: 1,
  })
  expect(gold).toMatchObject({ marketId: GOLD, restingOrders: 0 })
})

test('why: the causes of an order and of a position', async () => {
  const causes = (await read(`why/${position.toUpperCase()}`)).body
  expect(causes[0]).toMatchObject({ kind: 'request', event: null, command: { type: 'placeOrder' } })
  expect(causes.map(({ event }: { event: { type: string } | null }) => event?.type)).toContain(
    'increasePosition',
  )
  expect((await read(`why/${order}`)).body.length).toBeGreaterThan(1)
  expect((await read(`why/${BTC}`)).body.error).toBe('order_not_found')
})

test('of an operator two states of the past are folded at once, and none for who has gone before their turn', async () => {
  const { engine } = venue.venue
  const { commits } = engine
  let folding = 0
  const waiting: (() => void)[] = []
  const reading = vi.spyOn(engine, 'commits').mockImplementation(async function* (range) {
    folding += 1
    await new Promise<void>((resolve) => waiting.push(resolve))
    yield* commits.call(engine, range)
  })
  const path = `as-of?seq=${before}&accountId=${BOB.accountId}`
  const answers = Array.from({ length: 4 }, () => read(path))
  await vi.waitFor(() => expect(folding).toBe(2), 20_000)
  const { hostname, port } = new URL(venue.venue.url)
  const left = connect(Number(port), hostname)
  left.on('error', () => {})
  left.write(
    request(`GET /operator/${path}`, { connection: 'keep-alive', authorization: `Bearer ${OPERATOR}` }),
  )
  // What is asked for after another is there after it.
  await read('health')
  left.resetAndDestroy()
  await once(left, 'close')
  await read('health')
  expect(folding).toBe(2)
  const going = setInterval(() => waiting.shift()?.(), 5)
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200, 200])
  expect(folding).toBe(4)
  clearInterval(going)
  reading.mockRestore()
})

test('nothing is folded for who has gone while what they asked for was waited for', async () => {
  const { engine } = venue.venue
  let letGo = () => {}
  const reading = vi.spyOn(engine, 'commits')
  const waiting = vi.spyOn(engine, 'whenDurable')
  const isWaitedFor = new Promise<void>((resolve) => {
    waiting.mockImplementationOnce(() => {
      resolve()
      return new Promise((go) => {
        letGo = go
      })
    })
  })
  const { hostname, port } = new URL(venue.venue.url)
  const left = connect(Number(port), hostname)
  left.on('error', () => {})
  left.write(
    request(`GET /operator/as-of?seq=${before}&accountId=${BOB.accountId}`, {
      connection: 'keep-alive',
      authorization: `Bearer ${OPERATOR}`,
    }),
  )
  await isWaitedFor
  left.resetAndDestroy()
  await once(left, 'close')
  await read('health')
  letGo()
  await read('health')
  expect(reading).not.toHaveBeenCalled()
  waiting.mockRestore()
  reading.mockRestore()
})

test('as-of: an account as it was after a commit, or at an instant', async () => {
  const then = (await read(`as-of?seq=${before}&accountId=${BOB.accountId}`)).body
  expect(then).toMatchObject({ seq: before, at: '2026-01-05T00:10:00.000Z', orders: [] })
  expect(then.positions).toHaveLength(1)
  const now = (await read(`as-of?at=2026-01-05T00:10:00.500Z&accountId=${ALICE.accountId}`)).body
  expect(now.positions).toEqual((await venue.get(`/positions/${ALICE.accountId}/active`)).body)
  const refused = async (query: string) =>
    (await read(`as-of?accountId=${BOB.accountId}&${query}`)).body.error
  for (const query of [
    '',
    'seq=1&at=2026-01-05T00:10:00.000Z',
    'seq=0',
    'seq=999999',
    'at=yesterday',
    'at=2026-13-45T00:00:00Z',
    'at=2020-01-01T00:00:00Z',
  ])
    expect(await refused(query)).toBe('validation_failed')
  expect(await refused('seq=1')).toBe('account_not_found')
})

test('ledger: every posting of the log, by account and stretch, as JSON and as CSV', async () => {
  const all = (await read('ledger')).body
  for (const { free, reserve, margin, house } of all)
    expect([free, reserve, margin, house].reduce((sum, value) => sum + BigInt(value), 0n)).toBe(0n)
  const house = all.reduce((sum: bigint, entry: { house: string }) => sum + BigInt(entry.house), 0n)
  expect(house).toBe(venue.venue.engine.read.ledger().house)
  const bob = (await read(`ledger?accountId=${BOB.accountId}`)).body
  expect(bob).toEqual(all.filter(({ accountId }: { accountId: string }) => accountId === BOB.accountId))
  const part = (await read(`ledger?from=${before}&to=${before + 1}`)).body
  expect(part).toEqual(all.filter(({ seq }: { seq: number }) => seq === before || seq === before + 1))
  expect((await read('ledger?from=2026-01-05T00:10:00.001Z')).body).toEqual([])
  expect((await read('ledger?to=2026-01-05T00:10:00.000Z')).body).toEqual(all)
  expect((await read('ledger?to=soon')).body.error).toBe('validation_failed')
  const csv = await read(`ledger?accountId=${BOB.accountId}&format=csv`)
  expect(csv.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  const [names, ...lines] = csv.text.trim().split('\n')
  expect(names).toBe('seq,at,event,accountId,free,reserve,margin,house')
  expect(lines).toEqual(bob.map((entry: object) => Object.values(entry).join()))
})

test('pages of many thousands of accounts are those of all of them sorted', () => {
  const engine = createEngine({ at: 0 })
  for (let at = 0; at < 9_000; at++)
    engine.dispatch({
      type: 'openAccount',
      account: {
        id: `account ${at}`,
        userId: `user ${at % 7}`,
        balance: fp9(String(1 + ((at * 7_919) % 4_001))),
      },
    })
  const image = accountsImageOf(engine)
  const all = engine.read.accounts()
  const sorted = all.toSorted((a, b) => Number(b.accountBalance - a.accountBalance))
  for (const offset of [0, 90, 4_050, 5_000, 8_990]) {
    // However fast the machine is: at each look at the clock a turn is over.
    const pieces = searchAccounts(image, { search: '', sort: 'equity', limit: 100, offset }, 0)
    let [next, turns] = [pieces.next(), 1]
    for (; next.done !== true; next = pieces.next()) turns += 1
    expect(turns).toBeGreaterThan(9_000 / 64)
    expect(next.value.totalCount).toBe(9_000)
    expect(next.value.data.map(({ accountId }) => accountId)).toEqual(
      sorted.slice(offset, offset + 100).map(({ accountId }) => accountId),
    )
  }
  image.release()
})

test('an account that has changed is read when another changes', () => {
  const { ids, columns, change, come } = tenAccounts()
  const page = () => {
    for (const _ of columns().broughtUp(1));
  }
  page()
  change(ids.slice(0, 3))
  change(ids.slice(0, 2))
  expect(columns().behind).toBe(1)
  change(ids)
  expect(columns().behind).toBe(1)
  page()
  expect(columns().behind).toBe(0)
  come('one more')
  expect(columns().behind).toBe(1)
})

test('who reads columns while accounts come and change reads them too', () => {
  const { ids, columns, change, come } = tenAccounts()
  for (const _ of columns().broughtUp(1));
  come('one', 'two')
  const pieces = columns().broughtUp(1)
  expect(pieces.next().done).toBe(false)
  change([...ids.slice(0, 1), 'one', 'two'])
  come('three')
  // Two and three are new, and one has changed last.
  expect(columns().behind).toBe(3)
  while (pieces.next().done !== true);
  expect(columns().behind).toBe(0)
})

test('columns of many accounts are read before anybody can ask', async () => {
  const { engine, columns } = tenAccounts()
  await readColumns(engine, 11)
  expect(columns().behind).toBe(10)
  await readColumns(engine, 10)
  expect(columns().behind).toBe(0)
})

test('a host of many accounts listens when their columns are there', async () => {
  const [one] = CONFIGURATION.accounts
  const accounts = Array.from({ length: 10_000 }, (_, at) => ({
    ...one,
    id: `10000000-0000-4000-8000-${at.toString().padStart(12, '0')}`,
  }))
  const many = await startVenue({ ...CONFIGURATION, accounts })
  expect(columnsOf(many.venue.engine, 0)?.behind).toBe(0)
  await many.venue.close()
})

test('columns of many accounts are read ahead of who asks, and again when more than a few have come', async () => {
  const { engine, columns, come } = tenAccounts()
  const none = readColumnsAhead(engine, 12)
  const end = readColumnsAhead(engine, 10)
  await expect.poll(() => columns().behind, { timeout: 20_000 }).toBe(0)
  come('one more')
  await expect.poll(() => columns().behind, { timeout: 20_000 }).toBe(0)
  end()
  none()
  come('another', 'a third')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  expect(columns().behind).toBe(2)
})

function tenAccounts() {
  const engine = createEngine({ at: 0 })
  const ids = Array.from({ length: 10 }, (_, at) => `account ${at}`)
  const come = (...accounts: readonly string[]) => {
    for (const id of accounts)
      engine.dispatch({ type: 'openAccount', account: { id, userId: 'user', balance: fp9('1') } })
  }
  come(...ids)
  const columns = () => columnsOf(engine, 0) as EquityColumns
  const change = (accounts: readonly string[]) => {
    for (const accountId of accounts)
      expect(engine.dispatch({ type: 'adjustBalance', accountId, amount: fp9('1') }).ok).toBe(true)
  }
  return { engine, ids, columns, change, come }
}

test('amounts that no double tells apart are told apart', () => {
  const engine = createEngine({ at: 0 })
  const balances = [3n, 1n, 2n, 1n, 0n].map((more) => 10n ** 17n + more)
  for (const [at, balance] of balances.entries())
    engine.dispatch({ type: 'openAccount', account: { id: `account ${at}`, userId: 'user', balance } })
  const image = accountsImageOf(engine)
  const pieces = searchAccounts(image, { search: '', sort: 'equity', limit: 4, offset: 1 })
  let next = pieces.next()
  while (next.done !== true) next = pieces.next()
  expect(next.value.data.map(({ accountId }) => accountId)).toEqual([2, 1, 3, 4].map((at) => `account ${at}`))
  image.release()
})

test('an account that does not trade any more comes after those that have headroom', () => {
  const engine = createEngine({ at: 0, markets: [PLAIN_MARKET] })
  for (const [at, maxTotalLoss] of [fp9('10%'), fp9('1%'), fp9('20%')].entries()) {
    const id = `account ${at}`
    const account = { id, userId: 'user', balance: fp9('1000'), maxTotalLoss }
    engine.dispatch({ type: 'openAccount', account })
    open(engine, id)
  }
  // A headroom that is no whole number, so that doubles are enough for it.
  engine.dispatch({ type: 'updatePrice', marketId: 'market', indexPrice: fp9('49997.1') })
  const byHeadroom = () => {
    const image = accountsImageOf(engine)
    const pieces = searchAccounts(image, { search: '', sort: 'headroom', limit: 3, offset: 0 })
    let next = pieces.next()
    while (next.done !== true) next = pieces.next()
    image.release()
    return next.value.data.map(({ accountId }) => Number(accountId.slice(-1)))
  }
  expect(byHeadroom()).toEqual([1, 0, 2])
  engine.dispatch({ type: 'stopAccount', accountId: 'account 1', reason: 'fail' })
  expect(byHeadroom()).toEqual([0, 2, 1])
})

test('an equity beyond the whole numbers of a double is not made of doubles', () => {
  const engine = createEngine({ at: 0, markets: [PLAIN_MARKET] })
  const balance = 2n ** 53n - 1n
  engine.dispatch({ type: 'openAccount', account: { id: 'account', userId: 'user', balance } })
  open(engine, 'account')
  const seen = () => {
    const image = accountsImageOf(engine)
    for (const _ of image.columns.broughtUp(64));
    const prices = image.columns.pricesOf(image.markets)
    image.release()
    return image.columns.equity(0, prices, image.at, image.rules.profitWindowMs)
  }
  expect(seen()).toBe(Number(balance))
  engine.dispatch({ type: 'updatePrice', marketId: 'market', indexPrice: fp9('50001') })
  engine.dispatch({ type: 'advanceTime', ms: 60_000 })
  expect(seen()).toBeNaN()
})

const PLAIN_MARKET = {
  id: 'market',
  baseAsset: 'BTC',
  ticker: 'BTC',
  category: 'crypto',
  indexPrice: fp9('50000'),
  spread: 0n,
  feeRate: 0n,
} as const

function open(engine: Engine, accountId: string): void {
  const order = { type: 'placeOrder', accountId, marketId: 'market', orderType: 'market' } as const
  const outcome = engine.dispatch({ ...order, direction: 'long', amount: fp9('100'), leverage: fp9('5') })
  expect(outcome.ok).toBe(true)
}
