// What the console says of an order before it is sent is what the venue then does with it.

import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ApiMarket } from '../../src/client/client.ts'
import { liquidationPrice } from '../../src/domain/formulas/liquidation.ts'
import { windowAfter } from '../../src/host/console/page/trader/profitWindow.ts'
import { previewOrder } from '../../src/host/console/page/trader/ticket/orderPreview.ts'
import { bodyOf } from '../../src/host/console/page/trader/ticket/placementBody.ts'
import {
  EMPTY_TICKET,
  type TicketForm,
  writtenTicket,
} from '../../src/host/console/page/trader/ticket/ticketForm.ts'
import { isCloseType, PLACEABLE_ORDER_TYPES } from '../../src/terms/orderTypes.ts'
import { ALICE, account, BTC, CONFIGURATION, market, startVenue, type VenueUnderTest } from './venue.ts'

let venue: VenueUnderTest
beforeAll(async () => {
  const terms = {
    spread: '300000',
    minStopDistance: '10000000',
    scalpingWindowMs: 30_000,
    scalpingCoefficient: '3000000000',
  }
  venue = await startVenue({
    ...CONFIGURATION,
    markets: [market(BTC, 'BTC', 'crypto', terms)],
    accounts: [account(ALICE)],
  })
})
afterAll(() => venue.venue.close())

async function ticketPlace({ type, direction }: Pick<TicketForm, 'type' | 'direction'>) {
  const [markets, accounts, positions] = await Promise.all([
    venue.get(`/v2/markets?accountId=${ALICE.accountId}`),
    venue.get('/accounts/with-risk-status'),
    venue.get(`/positions/${ALICE.accountId}/active`),
  ])
  const about = isCloseType(type)
    ? positions.body[0]
    : positions.body.find((position: { direction: string }) => position.direction === direction)
  // Of an account that is not loaded the markets are not told; a page that is open has them.
  known = markets.body[0] ?? known
  const { engine } = venue.venue
  const { locked, loaded } = engine.read.accountStanding(ALICE.accountId) as NonNullable<
    ReturnType<typeof engine.read.accountStanding>
  >
  return {
    accountId: ALICE.accountId,
    marketId: BTC,
    market: known,
    account: { ...accounts.body[0], locked, loaded },
    window: about === undefined ? null : await windowOf(about.idx),
    now: engine.now,
    freeBalance: BigInt(accounts.body[0].riskStatus.freeBalance),
    positions: positions.body,
  }
}

let known: ApiMarket

async function windowOf(positionId: string) {
  const { body } = await venue.get(`/positions/${positionId}/history`)
  return windowAfter(body.toSorted((a: Versioned, b: Versioned) => a.version - b.version))
}

type Versioned = { readonly version: number }

/** Prices around the index price of 50,000, on both sides of every bound. */
const price = fc.oneof(
  { arbitrary: fc.integer({ min: 40_000, max: 60_000 }).map(String), weight: 4 },
  { arbitrary: fc.constantFrom('', '0', '50000', '49500', '50500', '45000'), weight: 2 },
)
const forms: fc.Arbitrary<TicketForm> = fc.record({
  type: fc.constantFrom(...PLACEABLE_ORDER_TYPES),
  direction: fc.constantFrom('long', 'short'),
  sizeMode: fc.constantFrom('quote', 'base'),
  amount: fc.constantFrom('0.01', '0.0123456', '100', '250.55', '9000', '0', '0.000000001'),
  leverage: fc.constantFrom('1', '5', '10', '12', '0.5', '3.25'),
  triggerPrice: price,
  stopLimitPrice: price,
  stopTriggerPrice: price,
  takeTriggerPrice: price,
  trailingStopActivationPrice: fc.constantFrom('', '51000'),
  trailingStopOffset: fc.constantFrom('', '0', '500'),
  trailingStopOffsetPercent: fc.constantFrom('', '0', '1.5', '100'),
  // Around what 100 USD at 5x come to.
  expectedAmount: fc.oneof(fc.constant(''), fc.constantFrom('0', '0.0099', '0.00994', '0.01', '1')),
  positionId: fc.constant(''),
})

/** Of what rests on other traders, on time and on what fills later a preview says nothing. */
const NOT_FORESEEN = new Set(['order_exceeds_max_open_notional', 'too_many_active_orders'])

test('a preview refuses with the code of the venue, and its figures are those of the fill', async () => {
  const accepted = new Set<string>()
  await fc.assert(
    fc.asyncProperty(forms, async (form) => {
      const place = await ticketPlace(form)
      const { placement } = writtenTicket(form, place)
      if (placement === null) return
      const preview = previewOrder(placement, place)
      const { status, body } = await venue.post('/orders', bodyOf(placement, preview.reserve))
      if (NOT_FORESEEN.has(body.error)) return
      expect([form, body.error ?? null]).toEqual([form, preview.rejection?.code ?? null])
      if (status !== 201) return
      accepted.add(form.type)
      if (body.type === 'market') expect([form, body.errorCode]).toEqual([form, preview.failure])
      if (body.type === 'market' && body.status === 'executed') await expectFilled(preview)
      if (body.type === 'take' && body.status === 'executed')
        await expectClosed(preview, placement.positionId)
      await venue.post(`/positions/${ALICE.accountId}/close-all`)
      for (const { id } of (await venue.get(`/orders/${ALICE.accountId}/active`)).body)
        await venue.delete(`/orders/${id}`)
      if (isOddRun()) await venue.post('/orders', OPENS)
    }),
    {
      numRuns: 60,
      examples: [
        [{ ...EMPTY_TICKET, amount: '100' }],
        [{ ...EMPTY_TICKET, amount: '100', expectedAmount: '1' }],
        [{ ...EMPTY_TICKET, amount: '100', direction: 'short', expectedAmount: '0.001' }],
      ],
    },
  )
  expect(accepted.size).toBeGreaterThan(2)
})

const OPENS = bodyOf(
  writtenTicket(
    { ...EMPTY_TICKET, amount: '500' },
    { accountId: ALICE.accountId, marketId: BTC, positions: [] },
  ).placement as NonNullable<ReturnType<typeof writtenTicket>['placement']>,
  0n,
)
let runs = 0
const isOddRun = () => runs++ % 2 === 0

async function expectFilled({
  fill,
  liquidationPrice: level,
}: ReturnType<typeof previewOrder>): Promise<void> {
  const { body } = await venue.get(`/positions/${ALICE.accountId}/active`)
  const position = body[0]
  const events = await venue.get(`/positions/${position.idx}/history`)
  const last = events.body.toSorted(
    (a: { version: number }, b: { version: number }) => b.version - a.version,
  )[0]
  expect([last.exchangedBase, last.feeInEvent]).toEqual([String(fill?.size), String(fill?.fee)])
  const terms = {
    direction: position.direction,
    size: BigInt(position.size),
    notional: BigInt(position.notional),
    margin: BigInt(position.margin),
  }
  expect(level).toBe(liquidationPrice(terms, 5_000_000n))
}

/** What a close at once paid, the rule of the first minute and the multiplied spread among it. */
async function expectClosed(
  { settlement, takenByMinute }: ReturnType<typeof previewOrder>,
  positionId: string | null | undefined,
): Promise<void> {
  const { body } = await venue.get(`/positions/${positionId}/history`)
  const last = body.toSorted((a: Versioned, b: Versioned) => b.version - a.version)[0]
  expect([last.pnlInEvent, last.feeInEvent]).toEqual([String(settlement?.pnl), String(settlement?.fee)])
  // The whole position would lose that; a part of it does no more.
  expect(BigInt(last.rawPnlInEvent) - BigInt(last.pnlInEvent)).toBe(takenByMinute)
}

test('a close at once is shown with its multiplied spread and what the first minute takes, an increase with what it would', async () => {
  await venue.post(`/positions/${ALICE.accountId}/close-all`)
  const at = (indexPrice: string) => venue.operate({ type: 'updatePrice', marketId: BTC, indexPrice })
  const preview = async (form: Partial<TicketForm>) => {
    const written = { ...EMPTY_TICKET, ...form }
    const place = await ticketPlace(written)
    const { placement } = writtenTicket(written, place)
    if (placement === null) throw new Error('malformed')
    return { placement, shown: previewOrder(placement, place) }
  }
  const close = { type: 'take', triggerPrice: '0' } as const
  for (const [waits, part, times] of [
    [0, '', 3_000_000_000n],
    [40_000, '', 1_000_000_000n],
    [70_000, '', 1_000_000_000n],
    [20_000, '0.02', 3_000_000_000n],
  ] as const) {
    await at('50000000000000')
    expect((await venue.post('/orders', OPENS)).status).toBe(201)
    if (waits > 0) await venue.operate({ type: 'advanceTime', ms: waits })
    await at('51000000000000')
    const isWithin = waits < 60_000
    const more = (await preview({ amount: '100' })).shown
    expect([waits, more.takenByMinute > 0n]).toEqual([waits, isWithin])
    const { placement, shown } = await preview({ ...close, amount: part })
    expect([waits, shown.spreadTimes, shown.takenByMinute > 0n]).toEqual([waits, times, isWithin])
    expect((await venue.post('/orders', bodyOf(placement, 0n))).status).toBe(201)
    await expectClosed(shown, placement.positionId)
    await venue.post(`/positions/${ALICE.accountId}/close-all`)
  }
  // After an increase the minute begins anew: what had grown within the one before is out of reach for as long.
  await at('50000000000000')
  await venue.post('/orders', OPENS)
  await at('51000000000000')
  const { placement, shown } = await preview({ amount: '100' })
  expect((await venue.post('/orders', bodyOf(placement, shown.reserve))).status).toBe(201)
  expect((await preview(close)).shown.takenByMinute).toBe(shown.takenByMinute)
  await venue.post(`/positions/${ALICE.accountId}/close-all`)
  await at('50000000000000')
})

test('a preview says what an account or a market does not take, as the venue does', async () => {
  const { accountId } = ALICE
  const market = (status: string) => venue.operate({ type: 'setMarketStatus', marketId: BTC, status })
  const codes = new Set<string>()
  const alike = async () => {
    for (const form of [
      { amount: '100' },
      { amount: '1000000' },
      { type: 'limit', amount: '100', triggerPrice: '49000' },
      { type: 'take', triggerPrice: '0' },
      { type: 'stop', triggerPrice: '49000' },
    ] as const) {
      const written: TicketForm = { ...EMPTY_TICKET, ...form }
      const place = await ticketPlace(written)
      const { placement } = writtenTicket(written, place)
      if (placement === null) throw new Error('malformed')
      const { rejection, reserve } = previewOrder(placement, place)
      if (rejection === null) continue
      const { body } = await venue.post('/orders', bodyOf(placement, reserve))
      expect([form, body.error]).toEqual([form, rejection.code])
      codes.add(body.error)
    }
  }
  /** Both ways: what the preview lets pass the venue takes. */
  const takes = async (form: Partial<TicketForm>, status: number) => {
    const written = { ...EMPTY_TICKET, ...form }
    const { placement } = writtenTicket(written, await ticketPlace(written))
    if (placement === null) throw new Error('malformed')
    expect((await venue.post('/orders', bodyOf(placement, 0n))).status).toBe(status)
  }
  await venue.post('/orders', OPENS)
  for (const status of ['paused', 'close_only']) {
    await market(status)
    await alike()
  }
  await takes({ type: 'take', triggerPrice: '0', amount: '0.01' }, 201)
  await market('open')
  await venue.operate({ type: 'setAccountLock', accountId, locked: true })
  await alike()
  await takes({ type: 'take', triggerPrice: '0' }, 201)
  await venue.operate({ type: 'setAccountLock', accountId, locked: false })
  await venue.operate({ type: 'setAccountLoaded', accountId, loaded: false })
  await alike()
  await venue.operate({ type: 'setAccountLoaded', accountId, loaded: true })
  await venue.operate({ type: 'stopAccount', accountId, reason: 'freeze' })
  await alike()
  await venue.operate({ type: 'unfreezeAccount', accountId })
  for (const code of [
    'market_paused',
    'market_close_only',
    'funded_limit_trading_locked',
    'account_not_loaded',
    'challenge_closed',
    'insufficient_balance',
  ])
    expect(codes).toContain(code)
})

test("the minute's rule is followed from the events of a position as the engine follows it", async () => {
  await venue.post(`/positions/${ALICE.accountId}/close-all`)
  await venue.post('/orders', OPENS)
  const at = (indexPrice: string) => venue.operate({ type: 'updatePrice', marketId: BTC, indexPrice })
  await at('50300000000000')
  await venue.operate({ type: 'advanceTime', ms: 61_000 })
  await at('50300000000000')
  await venue.post('/orders', OPENS)
  await at('50900000000000')
  const [position] = (await venue.get(`/positions/${ALICE.accountId}/active`)).body
  const events = (await venue.get(`/positions/${position.idx}/history`)).body
  const oldestFirst = events.toSorted(
    (a: { version: number }, b: { version: number }) => a.version - b.version,
  )
  const { lastIncreaseAt, profitReference } = windowAfter(oldestFirst)
  expect(lastIncreaseAt).toBe(Date.parse(position.lastUpdatedAt))
  expect(profitReference).toBeGreaterThan(0n)
  const { body } = await venue.get('/accounts/with-risk-status')
  const { currentEquity, currentBalance } = body[0].riskStatus
  expect(BigInt(currentEquity) - BigInt(currentBalance)).toBe(profitReference)
})
