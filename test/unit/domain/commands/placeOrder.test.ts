import { describe, expect, test } from 'vitest'
import { fp9, type PlaceOrder } from '../../../../src/index.ts'
import {
  ACCOUNT,
  DAY,
  MARKET,
  OTHER_ACCOUNT,
  OTHER_MARKET,
  OTHER_USER,
  UNKNOWN,
  USER,
  Venue,
} from '../../venue.ts'

const P = fp9
type Terms = Partial<Omit<PlaceOrder, 'type'>>
const apiKey = { userId: USER, apiKey: true }
const session = { userId: USER, apiKey: false }

interface Fault {
  readonly code: string
  /** What makes an otherwise good command wrong. */
  readonly terms?: Terms
  /** What makes the venue refuse it. */
  readonly setting?: { market?: object; account?: object }
  readonly caller?: { userId: string; apiKey: boolean }
}

const placed = ({ terms = {}, setting = {}, caller = apiKey }: Omit<Fault, 'code'>, base: Terms = {}) =>
  new Venue({ ...setting, otherMarket: {} }).placeRefusal({ ...base, ...terms }, caller)

/** Every fault of an increase, in the order of I1; none of them excludes another unless it names the same field. */
const FAULTS: readonly Fault[] = [
  { code: 'validation_failed expectedAmount', terms: { expectedAmount: -1n } },
  { code: 'trigger_price_required', terms: { triggerPrice: null } },
  { code: 'account_not_found', terms: { accountId: UNKNOWN } },
  { code: 'account_access_denied', caller: { userId: OTHER_USER, apiKey: true } },
  { code: 'api_trading_not_enabled', setting: { account: { apiTrading: false } } },
  { code: 'account_not_loaded', setting: { account: { loaded: false } } },
  { code: 'market_not_found', terms: { marketId: UNKNOWN } },
  { code: 'invalid_leverage', terms: { leverage: P('0.5') } },
  { code: 'challenge_closed', setting: { account: { status: 'closed' } } },
  { code: 'account_phase_not_allowed', setting: { account: { phase: null } } },
  { code: 'funded_limit_trading_locked', setting: { account: { locked: true } } },
  { code: 'insufficient_balance', terms: { amount: P('10000') + 1n } },
  { code: 'too_many_active_orders', setting: { account: { maxActiveOrders: 0 } } },
  { code: 'market_paused', setting: { market: { status: 'paused' } } },
  { code: 'market_category_not_allowed', setting: { account: { allowedCategories: ['rwa'] } } },
  { code: 'market_close_only', setting: { market: { status: 'close_only' } } },
  { code: 'market_price_unavailable', setting: { market: { indexPrice: null } } },
  { code: 'market_price_stale', setting: { market: { maxPriceAgeMs: 0 } } },
  { code: 'trigger_price_gt_current', terms: { triggerPrice: P('101') } },
  { code: 'order_exceeds_max_open_notional', setting: { market: { maxOpenNotionalLong: 1n } } },
]

const LIMIT: Terms = { orderType: 'limit', triggerPrice: P('90') }

const overlap = (a: object = {}, b: object = {}) => Object.keys(a).some((key) => key in b)
const compatible = (a: Fault, b: Fault) =>
  !overlap(a.terms, b.terms) &&
  !overlap(a.setting?.account, b.setting?.account) &&
  !overlap(a.setting?.market, b.setting?.market) &&
  !(a.caller && b.caller)

const both = (a: Fault, b: Fault): Omit<Fault, 'code'> => ({
  terms: { ...a.terms, ...b.terms },
  setting: {
    market: { ...a.setting?.market, ...b.setting?.market },
    account: { ...a.setting?.account, ...b.setting?.account },
  },
  caller: a.caller ?? b.caller ?? apiKey,
})

describe('I1: the stages of POST /orders', () => {
  test.each(FAULTS.map((fault) => [fault.code, fault] as const))('%s', (code, fault) => {
    expect(placed(fault, LIMIT)).toBe(code)
  })

  const pairs = FAULTS.flatMap((earlier, index) =>
    FAULTS.slice(index + 1)
      .filter((later) => compatible(earlier, later))
      .map((later) => [earlier.code, later.code, both(earlier, later)] as const),
  )
  test.each(pairs)('%s before %s', (earlier, _later, faults) => {
    expect(placed(faults, LIMIT)).toBe(earlier)
  })

  test('a command without fault is accepted', () => expect(placed({}, LIMIT)).toBe('accepted'))

  test('a session is not bound to the API switch, and the embedding program to nothing but existence', () => {
    const venue = new Venue({ account: { apiTrading: false } })
    expect(venue.placeRefusal({}, session)).toBe('accepted')
    expect(venue.placeRefusal({})).toBe('accepted')
  })

  test('H1: of an account in a wrong status the status speaks, not the phase', () => {
    expect(placed({ setting: { account: { status: 'failed', phase: null } } })).toBe('challenge_closed')
    expect(placed({ setting: { account: { status: 'frozen' } } })).toBe('challenge_closed')
  })
})

describe('POST 2: leverage', () => {
  const outcome = (leverage: bigint, account: object = {}) =>
    new Venue({ account, market: { minLeverage: P('2') } }).engine.dispatch(new Venue().command({ leverage }))

  test.each([
    [P('2') - 1n, { leverage: P('2') - 1n, minLeverage: P('2') }],
    [0n, { leverage: 0n, minLeverage: P('2') }],
    [P('50') + 1n, { leverage: P('50') + 1n, maxLeverage: P('50') }],
  ])('%s is refused with the bound it broke', (leverage, fields) => {
    expect(outcome(leverage)).toEqual({ ok: false, error: { code: 'invalid_leverage', ...fields } })
  })

  test.each([P('2'), P('50')])('the bound %s itself is allowed', (leverage) => {
    expect(outcome(leverage).ok).toBe(true)
  })

  test('the upper bound is the smaller of the phase maximum and the market maximum', () => {
    expect(outcome(P('100') + 1n, { maxLeverage: P('200') })).toMatchObject({
      error: { maxLeverage: P('100') },
    })
    expect(outcome(P('100'), { maxLeverage: P('200') }).ok).toBe(true)
  })

  test('an account without phase has the bound of the market', () => {
    expect(outcome(P('60'), { phase: null })).toMatchObject({ error: { code: 'account_phase_not_allowed' } })
    expect(outcome(P('101'), { phase: null })).toMatchObject({ error: { maxLeverage: P('100') } })
  })
})

describe('K2: how many orders may rest', () => {
  const limited = (maxActiveOrders: number | null) => new Venue({ account: { maxActiveOrders } })
  const limit: Terms = { ...LIMIT, amount: P('1') }
  const guards: Terms = { stopTriggerPrice: P('80'), takeTriggerPrice: P('120') }

  test('500 unless the account says otherwise; null is any number', () => {
    for (const [venue, most] of [
      [new Venue(), 500],
      [limited(3), 3],
    ] as const) {
      for (let n = 0; n < most; n++) venue.place(limit)
      expect(venue.placeRefusal(limit, apiKey)).toBe('too_many_active_orders')
    }
    const unlimited = limited(null)
    for (let n = 0; n <= 500; n++) unlimited.place(limit)
  })

  const TOLD = [undefined, 0n] as const
  test.each(
    [
      { entry: { ...limit, name: 'a limit order' }, rests: 1, stop: P('80') },
      { entry: { name: 'a market order' }, rests: 0, stop: P('95') },
    ].flatMap(({ entry: { name, ...entry }, rests, stop }) =>
      [...TOLD, stop].flatMap((stopTriggerPrice) =>
        [...TOLD, P('120')].map((takeTriggerPrice) => {
          const attached = [stopTriggerPrice, takeTriggerPrice].filter(Boolean).length
          return {
            name,
            attached,
            most: rests + attached,
            terms: { ...entry, stopTriggerPrice, takeTriggerPrice },
          }
        }),
      ),
    ),
  )(
    '$name with $attached attached is taken where $most may rest, and not where fewer may',
    ({ most, terms }) => {
      expect(limited(most).placeRefusal(terms)).toBe('accepted')
      if (most > 0) expect(limited(most - 1).placeRefusal(terms)).toBe('too_many_active_orders')
    },
  )

  test('what an entry spawns may bring an account over its limit: what does not rest is taken all the same', () => {
    const venue = limited(3)
    venue.place({ ...limit, ...guards })
    venue.place({ ...limit, triggerPrice: P('70') })
    venue.place({ ...limit, triggerPrice: P('70') })
    venue.tick('90')
    expect(venue.orders()).toHaveLength(4)
    expect(venue.placeRefusal({ ...limit, triggerPrice: P('70') })).toBe('too_many_active_orders')
    expect(venue.placeRefusal({})).toBe('accepted')
    expect(venue.close().status).toBe('executed')
  })

  test('every type that rests counts one; attached prices of a close order do not apply (A6)', () => {
    const venue = limited(0)
    const { id: positionId } = venue.open()
    const close = { positionId, amount: P('1') }
    const resting: Terms[] = [
      limit,
      { orderType: 'stop_market', triggerPrice: P('110') },
      { orderType: 'stop_limit', triggerPrice: P('110'), stopLimitPrice: P('105') },
      { ...close, orderType: 'stop', triggerPrice: P('99') },
      { ...close, orderType: 'stop', triggerPrice: 0n },
      { ...close, orderType: 'take', triggerPrice: P('110') },
      { ...close, orderType: 'trailing_stop', trailingStopOffset: P('5') },
    ]
    for (const terms of resting) expect(venue.placeRefusal(terms)).toBe('too_many_active_orders')
    expect(venue.placeRefusal({ ...close, ...guards, orderType: 'take', triggerPrice: 0n })).toBe('accepted')
    const one = limited(1)
    const { id } = one.open()
    const guarded = { ...guards, orderType: 'take', triggerPrice: P('110'), positionId: id } as const
    expect(one.placeRefusal(guarded)).toBe('accepted')
  })

  test('an edit replaces one by one, and a cancellation makes room', () => {
    const venue = limited(1)
    const { id: orderId } = venue.place(limit)
    const { value } = venue.accepted({ type: 'editOrder', orderId, amount: P('2') })
    expect(venue.placeRefusal(limit)).toBe('too_many_active_orders')
    venue.accepted({ type: 'cancelOrder', orderId: value.id })
    expect(venue.placeRefusal(limit)).toBe('accepted')
  })

  test('what the engine makes of others is never refused, even where more rests than may', () => {
    const venue = limited(4)
    const entry = { ...limit, orderType: 'limit', ...guards } as const
    venue.place(entry)
    venue.place(entry)
    venue.tick('90')
    expect(venue.orders()).toHaveLength(4)
    const stopLimit = limited(1)
    stopLimit.place({ orderType: 'stop_limit', triggerPrice: P('110'), stopLimitPrice: P('105') })
    stopLimit.tick('110')
    expect(stopLimit.engine.read.activeOrders(ACCOUNT)).toMatchObject([
      { orderType: 'limit', status: 'active' },
    ])
  })

  test('F17: an order rests for years if nothing ends it', () => {
    const venue = new Venue()
    const { id } = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    venue.wait(2 * 365 * DAY)
    expect(venue.order(id).status).toBe('active')
    venue.tick('90')
    expect(venue.order(id).status).toBe('executed')
  })

  test('over the limit an order that leaves nothing is still taken', () => {
    const venue = limited(3)
    venue.place({ ...limit, ...guards })
    venue.tick('90')
    venue.place(limit)
    expect(venue.placeRefusal(limit)).toBe('too_many_active_orders')
    expect(venue.placeRefusal({})).toBe('accepted')
    expect(venue.close().status).toBe('executed')
  })
})

describe('POST 3: funds', () => {
  test('exactly the free balance is enough; reserves of resting orders are not free (C11)', () => {
    const venue = new Venue()
    venue.place({ orderType: 'limit', triggerPrice: P('90'), amount: P('9900') })
    expect(venue.free).toBe(P('100'))
    expect(venue.placeRefusal({ amount: P('100') + 1n })).toBe('insufficient_balance')
    venue.place({ amount: P('100') })
    expect(venue.free).toBe(0n)
  })

  test('H4: the lock concerns increases, not closes', () => {
    const venue = new Venue()
    const { id } = venue.open()
    const setLock = { type: 'setAccountLock', accountId: ACCOUNT, locked: true } as const
    venue.accepted(setLock)
    expect(venue.placeRefusal({})).toBe('funded_limit_trading_locked')
    expect(venue.placeRefusal({ orderType: 'stop', triggerPrice: P('95'), positionId: id })).toBe('accepted')
    expect(venue.close().status).toBe('executed')
  })

  test('H4: triggers of orders that rest already work on', () => {
    const venue = new Venue()
    const { id } = venue.place(LIMIT)
    venue.accepted({ type: 'setAccountLock', accountId: ACCOUNT, locked: true })
    venue.tick('90')
    expect(venue.order(id).status).toBe('executed')
  })
})

describe('POST 5: the position of a close order', () => {
  const setting = () => {
    const venue = new Venue({ otherMarket: {}, otherAccount: { userId: USER } })
    return { venue, positionId: venue.open().id }
  }
  const take = { orderType: 'take', triggerPrice: 0n } as const

  test('must exist', () => {
    expect(setting().venue.placeRefusal({ ...take, positionId: UNKNOWN })).toBe('position_not_found')
  })

  test.each<[string, Terms]>([
    ['another account, even of the same user (I14)', { accountId: OTHER_ACCOUNT }],
    ['another market', { marketId: OTHER_MARKET }],
    ['the other direction', { direction: 'short' }],
  ])('must not be on %s', (_where, terms) => {
    const { venue, positionId } = setting()
    expect(venue.placeRefusal({ ...take, positionId, ...terms })).toBe('position_not_available')
  })

  test('must be open', () => {
    const { venue, positionId } = setting()
    venue.close()
    expect(venue.placeRefusal({ ...take, positionId })).toBe('position_not_available')
  })

  test('is checked before the price, and after the market', () => {
    const venue = new Venue({ market: { maxPriceAgeMs: 0 } })
    expect(venue.placeRefusal({ ...take, positionId: UNKNOWN })).toBe('position_not_found')
    venue.accepted({ type: 'setMarketStatus', marketId: MARKET, status: 'paused' })
    expect(venue.placeRefusal({ ...take, positionId: UNKNOWN })).toBe('market_paused')
  })

  test('a close reserves nothing and has no leverage', () => {
    const { venue, positionId } = setting()
    const { free } = venue
    expect(venue.place({ ...take, triggerPrice: P('110'), positionId })).toMatchObject({
      leverage: null,
      positionId,
      amount: P('100'),
      sizeMode: 'quote',
    })
    expect(venue.free).toBe(free)
  })
})

describe('F5: the three prices of an order', () => {
  test.each<[Terms, object]>([
    [LIMIT, { triggerPrice: P('90'), stopPrice: 0n, limitPrice: P('90') }],
    [
      { orderType: 'stop_market', triggerPrice: P('110') },
      { triggerPrice: P('110'), stopPrice: P('110'), limitPrice: P('110') },
    ],
    [
      { orderType: 'stop_limit', triggerPrice: P('110'), stopLimitPrice: P('105') },
      { triggerPrice: P('110'), stopPrice: P('110'), limitPrice: P('105') },
    ],
    [{}, { triggerPrice: 0n, stopPrice: 0n, limitPrice: 0n }],
  ])('%o reads %o', (terms, prices) => expect(new Venue().place(terms)).toMatchObject(prices))
})

describe('F7: closes without trigger', () => {
  test('a take with trigger 0 fills in the call', () => {
    const venue = new Venue()
    venue.open()
    expect(venue.close()).toMatchObject({ status: 'executed', triggerPrice: 0n, indexPrice: P('100') })
  })

  test('a stop with trigger 0 rests, never fires, cannot be edited, and ends with its position', () => {
    const venue = new Venue()
    const position = venue.open({ leverage: P('1') })
    const { id } = venue.place({
      orderType: 'stop',
      triggerPrice: 0n,
      positionId: position.id,
      amount: P('1'),
    })
    for (const price of ['1', '200', '50']) venue.tick(price)
    expect(venue.order(id)).toMatchObject({ status: 'active', requestedTriggerPrice: null })
    expect(venue.rejection({ type: 'editOrder', orderId: id, triggerPrice: P('40') })).toBe(
      'order_not_updatable',
    )
    expect(venue.rejection({ type: 'editOrder', orderId: id, amount: P('1') })).toBe('order_not_updatable')
    venue.close()
    expect(venue.order(id).status).toBe('canceled_by_position')
  })

  test('it can be cancelled, too', () => {
    const venue = new Venue()
    const position = venue.open()
    const { id } = venue.place({
      orderType: 'stop',
      triggerPrice: 0n,
      positionId: position.id,
      amount: P('1'),
    })
    expect(venue.accepted({ type: 'cancelOrder', orderId: id }).value.status).toBe('canceled')
  })

  test('C7, F14: an amount larger than the position closes it in full, and reads as requested', () => {
    const venue = new Venue()
    const { id } = venue.open()
    expect(venue.close(P('999')).amount).toBe(P('999'))
    expect(venue.positionById(id)).toMatchObject({ status: 'closed', exchangedBase: P('10') })
  })
})
