// Checked by the compiler: `npm run typecheck` fails when a line below that must not compile does. What each order type
// can be told is then held against what the engine does with it.

import { describe, expect, expectTypeOf, test } from 'vitest'
import {
  type Command,
  fp9,
  PLACEMENT_USES,
  type PlaceableOrderType,
  type Placement,
  type PlaceOrder,
  uncheckedOrder,
} from '../../src/index.ts'
import { ACCOUNT, MARKET, Venue } from './venue.ts'

const P = fp9
const on = {
  type: 'placeOrder',
  accountId: ACCOUNT,
  marketId: MARKET,
  direction: 'long',
  amount: 1n,
} as const
const increase = { ...on, leverage: P('10') } as const

test('every placement is a command, and a command that places is one of them', () => {
  expectTypeOf<PlaceOrder>().toExtend<Placement>()
  expectTypeOf<Placement>().not.toExtend<PlaceOrder>()
  expectTypeOf<Extract<Command, { type: 'placeOrder' }>>().toEqualTypeOf<PlaceOrder>()
  expectTypeOf<PlaceOrder['orderType']>().toEqualTypeOf<PlaceableOrderType>()
})

test('what can be meant compiles', () => {
  const orders: PlaceOrder[] = [
    { ...increase, orderType: 'market' },
    {
      ...increase,
      orderType: 'market',
      stopTriggerPrice: P('90'),
      takeTriggerPrice: null,
      expectedAmount: 0n,
    },
    { ...increase, orderType: 'market', sizeMode: 'base', baseSize: P('1') },
    { ...increase, orderType: 'limit', triggerPrice: P('90'), positionId: null, idempotencyKey: 'a' },
    { ...increase, orderType: 'stop_market', triggerPrice: P('110') },
    { ...increase, orderType: 'stop_limit', triggerPrice: P('110'), stopLimitPrice: P('109') },
    { ...on, orderType: 'take', positionId: 'p', triggerPrice: 0n },
    { ...on, orderType: 'stop', positionId: 'p', triggerPrice: P('90'), leverage: undefined },
    { ...on, orderType: 'trailing_stop', positionId: 'p', trailingStopOffset: P('1') },
    { ...on, orderType: 'trailing_stop', positionId: 'p', trailingStopOffsetPercent: P('1%') },
  ]
  expect(orders).toHaveLength(10)
})

test('what cannot be meant does not compile', () => {
  const orders: PlaceOrder[] = [
    // @ts-expect-error an increase needs its leverage
    { ...on, orderType: 'market' },
    // @ts-expect-error a market order waits for no price
    { ...increase, orderType: 'market', triggerPrice: P('90') },
    // @ts-expect-error a market order trails nothing
    { ...increase, orderType: 'market', trailingStopOffset: P('1') },
    // @ts-expect-error a limit order waits for a price
    { ...increase, orderType: 'limit' },
    // @ts-expect-error a limit order leaves no other
    { ...increase, orderType: 'limit', triggerPrice: P('90'), stopLimitPrice: P('90') },
    // @ts-expect-error a stop_limit needs the price of the order it leaves
    { ...increase, orderType: 'stop_limit', triggerPrice: P('110') },
    // @ts-expect-error sized by its base size, without one
    { ...increase, orderType: 'market', sizeMode: 'base' },
    // @ts-expect-error a base size, and not sized by it
    { ...increase, orderType: 'market', baseSize: P('1') },
    // @ts-expect-error a close order closes some of a position
    { ...on, orderType: 'take', triggerPrice: 0n },
    // @ts-expect-error a take without a price says so with 0
    { ...on, orderType: 'take', positionId: 'p' },
    // @ts-expect-error a close order has the leverage of its position
    { ...on, orderType: 'stop', positionId: 'p', triggerPrice: P('90'), leverage: P('10') },
    // @ts-expect-error a close order has nothing attached
    { ...on, orderType: 'stop', positionId: 'p', triggerPrice: P('90'), stopTriggerPrice: P('80') },
    // @ts-expect-error a trailing stop without a distance
    { ...on, orderType: 'trailing_stop', positionId: 'p' },
    // @ts-expect-error one distance, not two
    {
      ...on,
      orderType: 'trailing_stop',
      positionId: 'p',
      trailingStopOffset: 1n,
      trailingStopOffsetPercent: 1n,
    },
    // @ts-expect-error the engine alone liquidates
    { ...on, orderType: 'liquidation', positionId: 'p' },
    // @ts-expect-error a field that nobody declared
    { ...increase, orderType: 'market', stopLoss: P('90') },
  ]
  expect(orders).toHaveLength(16)
})

/** One placement of each type with all that it needs, accepted where the index price is 100. */
const NEEDED: { readonly [Type in PlaceableOrderType]: Partial<Placement> } = {
  market: { leverage: P('10') },
  limit: { leverage: P('10'), triggerPrice: P('90') },
  stop_market: { leverage: P('10'), triggerPrice: P('110') },
  stop_limit: { leverage: P('10'), triggerPrice: P('110'), stopLimitPrice: P('109') },
  stop: { triggerPrice: P('95') },
  take: { triggerPrice: P('110') },
  trailing_stop: { trailingStopOffset: P('1') },
}

/** A value of each field that would be told apart from none. */
const VALUES = {
  expectedAmount: P('0.001'),
  leverage: P('3'),
  triggerPrice: P('90'),
  stopTriggerPrice: P('80'),
  takeTriggerPrice: P('150'),
  trailingStopActivationPrice: P('120'),
  trailingStopOffset: P('2'),
  trailingStopOffsetPercent: P('2%'),
  stopLimitPrice: P('90'),
  sizeMode: 'base',
  baseSize: P('0.1'),
} as const satisfies Partial<Placement>

const REJECTED: readonly string[] = ['triggerPrice', 'sizeMode', 'baseSize']
const types = Object.keys(PLACEMENT_USES) as PlaceableOrderType[]

/** What a venue of its own answers. */
function placed(orderType: PlaceableOrderType, fields: Partial<Placement>): string {
  const venue = new Venue()
  const { id } = venue.open({ leverage: P('10') })
  const terms = { ...on, amount: P('0.05'), positionId: id }
  const outcome = venue.engine.dispatch(uncheckedOrder({ ...terms, orderType, ...fields }))
  if (!outcome.ok) return outcome.error.code
  const orderPlaced = outcome.events.find(({ type }) => type === 'orderPlaced')
  return JSON.stringify(orderPlaced, (_, value) => (typeof value === 'bigint' ? String(value) : value))
}

describe.each(types)('a %s order', (orderType) => {
  const uses: Readonly<Record<string, string>> = PLACEMENT_USES[orderType]
  const plain = placed(orderType, NEEDED[orderType])

  test('is accepted with all it needs, and refused without any of it', () => {
    expect(plain).toMatch(/^\{/)
    for (const field of Object.keys(uses).filter((name) => uses[name] === 'required'))
      expect([field, placed(orderType, { ...NEEDED[orderType], [field]: null })]).toEqual([
        field,
        expect.stringMatching(/^[a-z_]+_required$/),
      ])
  })

  test('is told something by every field that is its own, and by no other', () => {
    for (const [field, value] of Object.entries(VALUES)) {
      if (uses[field] === 'required' || uses[field] === 'one of') continue
      const answer = placed(orderType, { ...NEEDED[orderType], [field]: value })
      const refused = /^[a-z_]+$/.test(answer)
      // A base size and its mode are refused one without the other; `triggerPrice` and they where they do not apply (A6).
      if (uses[field] === undefined && !REJECTED.includes(field))
        expect([field, answer]).toEqual([field, plain])
      else if (uses[field] === undefined) expect([field, refused || answer === plain]).toEqual([field, true])
      else expect([field, answer]).not.toEqual([field, plain])
    }
  })
})
