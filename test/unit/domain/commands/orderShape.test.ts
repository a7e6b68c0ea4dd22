import { describe, expect, test } from 'vitest'
import { type Placement, uncheckedOrder } from '../../../../src/events/placeOrder.ts'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, UNKNOWN, Venue } from '../../venue.ts'

const venue = new Venue()
const P = fp9

type Fields = Partial<Omit<Placement, 'type'>>

/** The code of a whole command: nothing is filled in. */
const refused = (fields: Fields) =>
  venue.rejection(
    uncheckedOrder({
      type: 'placeOrder',
      accountId: ACCOUNT,
      marketId: MARKET,
      orderType: 'market',
      direction: 'long',
      amount: P('100'),
      ...fields,
    }),
  )

const increase: Fields = { leverage: P('10') }
const limit: Fields = { ...increase, orderType: 'limit', triggerPrice: P('90') }
const stopLimit: Fields = {
  ...increase,
  orderType: 'stop_limit',
  triggerPrice: P('110'),
  stopLimitPrice: P('105'),
}
const trailing: Fields = { orderType: 'trailing_stop', positionId: UNKNOWN, trailingStopOffset: P('1') }
const stop: Fields = { orderType: 'stop', positionId: UNKNOWN, triggerPrice: P('90') }

/** Passes shape: what is refused next is the account, the market, or a later rule. */
const wellFormed = (fields: Fields) => refused({ ...fields, accountId: UNKNOWN }) === 'account_not_found'

describe('I2: every shape code, alone', () => {
  test.each<[string, Fields]>([
    ['amount_not_positive', { ...limit, amount: 0n }],
    ['amount_not_positive', { ...limit, amount: -1n }],
    ['amount_not_positive', { ...stop, amount: 0n }],
    ['base_size_required', { ...limit, sizeMode: 'base' }],
    ['base_size_required', { ...limit, sizeMode: 'base', baseSize: null }],
    ['base_size_required', { ...limit, sizeMode: 'base', baseSize: 0n }],
    ['base_size_negative', { ...limit, sizeMode: 'base', baseSize: -1n }],
    ['base_size_negative', { ...limit, baseSize: -1n }],
    ['base_size_not_allowed', { ...limit, baseSize: 1n }],
    ['base_size_not_allowed', { ...limit, sizeMode: 'quote', baseSize: 0n }],
    ['base_size_not_allowed', { ...stop, sizeMode: 'base' }],
    ['base_size_not_allowed', { ...stop, baseSize: 1n }],
    ['leverage_required', { ...limit, leverage: null }],
    ['leverage_negative', { ...limit, leverage: -1n }],
    ['trigger_price_required', { ...limit, triggerPrice: null }],
    ['trigger_price_required', { ...limit, triggerPrice: 0n }],
    ['trigger_price_required', { ...increase, orderType: 'stop_market', triggerPrice: 0n }],
    ['trigger_price_required', { ...stopLimit, triggerPrice: 0n }],
    ['trigger_price_required', { ...stop, triggerPrice: null }],
    ['trigger_price_required', { ...stop, orderType: 'take', triggerPrice: null }],
    ['trigger_price_negative', { ...limit, triggerPrice: -1n }],
    ['trigger_price_negative', { ...stop, triggerPrice: -1n }],
    ['stop_trigger_price_negative', { ...limit, stopTriggerPrice: -1n }],
    ['take_trigger_price_negative', { ...limit, takeTriggerPrice: -1n }],
    ['stop_trigger_price_gt_trigger_price', { ...limit, stopTriggerPrice: P('91') }],
    ['stop_trigger_price_lt_trigger_price', { ...limit, direction: 'short', stopTriggerPrice: P('89') }],
    ['take_trigger_price_gt_trigger_price', { ...limit, direction: 'short', takeTriggerPrice: P('91') }],
    ['take_trigger_price_lt_trigger_price', { ...limit, takeTriggerPrice: P('89') }],
    ['stop_limit_price_required', { ...stopLimit, stopLimitPrice: null }],
    ['stop_limit_price_required', { ...stopLimit, stopLimitPrice: 0n }],
    ['stop_limit_price_negative', { ...stopLimit, stopLimitPrice: -1n }],
    ['stop_limit_price_gt_trigger_price', { ...stopLimit, stopLimitPrice: P('110') + 1n }],
    [
      'stop_limit_price_lt_trigger_price',
      { ...stopLimit, direction: 'short', stopLimitPrice: P('110') - 1n },
    ],
    ['trailing_stop_activation_price_negative', { ...trailing, trailingStopActivationPrice: -1n }],
    ['trailing_stop_offset_required', { ...trailing, trailingStopOffset: null }],
    ['trailing_stop_offset_required', { ...trailing, trailingStopOffset: 0n, trailingStopOffsetPercent: 0n }],
    ['trailing_stop_offset_conflict', { ...trailing, trailingStopOffsetPercent: 1n }],
    ['trailing_stop_offset_negative', { ...trailing, trailingStopOffset: -1n }],
    [
      'trailing_stop_offset_percent_negative',
      { ...trailing, trailingStopOffset: null, trailingStopOffsetPercent: -1n },
    ],
    [
      'trailing_stop_offset_percent_gte_one',
      { ...trailing, trailingStopOffset: null, trailingStopOffsetPercent: P('1') },
    ],
    ['position_id_required', { ...stop, positionId: null }],
    ['position_id_required', { ...stop, orderType: 'take', positionId: null }],
    ['position_id_required', { ...trailing, positionId: null }],
  ])('%s: %o', (code, fields) => expect(refused(fields)).toBe(code))
})

describe('I2: the codes in their order: an order that is wrong in two ways is told the earlier', () => {
  // Each entry adds one fault to a long stop_limit; the faults of neighbours can be had together.
  const faults: [string, Fields][] = [
    ['amount_not_positive', { amount: 0n }],
    ['base_size_required', { sizeMode: 'base' }],
    ['leverage_required', { leverage: null }],
    ['trigger_price_negative', { triggerPrice: -1n }],
    ['stop_trigger_price_negative', { stopTriggerPrice: -1n }],
    ['take_trigger_price_negative', { takeTriggerPrice: -1n }],
    ['take_trigger_price_lt_trigger_price', { takeTriggerPrice: P('90') }],
    ['stop_limit_price_negative', { stopLimitPrice: -1n }],
  ]
  const pairs = faults.flatMap(([code, fields], index) =>
    faults
      .slice(index + 1)
      .filter(([, later]) => Object.keys(later).every((field) => !(field in fields)))
      .map(([later, others]) => [code, later, { ...stopLimit, ...others, ...fields }] as const),
  )
  test.each(pairs)('%s before %s', (code, _later, fields) => {
    // Without a positive trigger price nothing is compared with it.
    expect(refused(fields)).toBe(code)
  })

  test.each<[string, Fields]>([
    ['base_size_negative', { ...limit, baseSize: -1n, leverage: null }],
    ['base_size_not_allowed', { ...limit, baseSize: 1n, leverage: null }],
    ['leverage_negative', { ...limit, leverage: -1n, triggerPrice: null }],
    ['trigger_price_required', { ...limit, triggerPrice: null, stopTriggerPrice: -1n }],
    [
      'stop_trigger_price_gt_trigger_price',
      { ...limit, stopTriggerPrice: P('91'), takeTriggerPrice: P('89') },
    ],
    [
      'stop_trigger_price_lt_trigger_price',
      { ...limit, direction: 'short', stopTriggerPrice: P('89'), takeTriggerPrice: P('91') },
    ],
    [
      'take_trigger_price_lt_trigger_price',
      { ...stopLimit, takeTriggerPrice: P('110'), stopLimitPrice: null },
    ],
    [
      'trailing_stop_activation_price_negative',
      { ...trailing, trailingStopActivationPrice: -1n, trailingStopOffset: null },
    ],
    [
      'trailing_stop_offset_conflict',
      { ...trailing, trailingStopOffset: -1n, trailingStopOffsetPercent: -1n },
    ],
    ['trailing_stop_offset_negative', { ...trailing, trailingStopOffset: -1n, positionId: null }],
    ['trailing_stop_offset_required', { ...trailing, trailingStopOffset: null, positionId: null }],
    ['amount_not_positive', { ...stop, amount: 0n, baseSize: 1n }],
    ['base_size_not_allowed', { ...stop, baseSize: 1n, triggerPrice: null }],
    ['trigger_price_required', { ...stop, triggerPrice: null, positionId: null }],
  ])('%s first: %o', (code, fields) => expect(refused(fields)).toBe(code))
})

describe('F11: attached prices are strictly on their side of the entry trigger', () => {
  test.each<[Fields, string | null]>([
    [{ ...limit, stopTriggerPrice: P('90') - 1n }, null],
    [{ ...limit, stopTriggerPrice: P('90') }, 'stop_trigger_price_gt_trigger_price'],
    [{ ...limit, takeTriggerPrice: P('90') + 1n }, null],
    [{ ...limit, takeTriggerPrice: P('90') }, 'take_trigger_price_lt_trigger_price'],
    [{ ...limit, direction: 'short', stopTriggerPrice: P('90') + 1n }, null],
    [{ ...limit, direction: 'short', stopTriggerPrice: P('90') }, 'stop_trigger_price_lt_trigger_price'],
    [{ ...limit, direction: 'short', takeTriggerPrice: P('90') - 1n }, null],
    [{ ...limit, direction: 'short', takeTriggerPrice: P('90') }, 'take_trigger_price_gt_trigger_price'],
    [{ ...limit, stopTriggerPrice: 0n, takeTriggerPrice: 0n }, null],
  ])('%o: %s', (fields, code) => {
    if (code === null) expect(wellFormed(fields)).toBe(true)
    else expect(refused(fields)).toBe(code)
  })

  test('the stop-loss of a stop_limit is also beyond the price it will enter at, the take-profit need not be', () => {
    expect(refused({ ...stopLimit, stopTriggerPrice: P('105') })).toBe('stop_trigger_price_gt_trigger_price')
    expect(wellFormed({ ...stopLimit, stopTriggerPrice: P('105') - 1n })).toBe(true)
    expect(wellFormed({ ...stopLimit, takeTriggerPrice: P('110') + 1n })).toBe(true)
    const short: Fields = { ...stopLimit, direction: 'short', triggerPrice: P('90'), stopLimitPrice: P('95') }
    expect(refused({ ...short, stopTriggerPrice: P('95') })).toBe('stop_trigger_price_lt_trigger_price')
    expect(wellFormed({ ...short, stopTriggerPrice: P('95') + 1n })).toBe(true)
  })

  test('J19: where the stop-limit price is not positive, the stop-limit code speaks', () => {
    const fields = { ...stopLimit, stopTriggerPrice: P('106') }
    expect(refused({ ...fields, stopLimitPrice: -1n })).toBe('stop_limit_price_negative')
    expect(refused({ ...fields, stopLimitPrice: null })).toBe('stop_limit_price_required')
  })

  test('the stop-limit price may equal the trigger price', () => {
    expect(wellFormed({ ...stopLimit, stopLimitPrice: P('110') })).toBe(true)
    expect(wellFormed({ ...stopLimit, direction: 'short', stopLimitPrice: P('110') })).toBe(true)
  })
})

describe('F6: a trigger price where there is none', () => {
  test.each([0n, P('100'), -1n])('a market order refuses %s', (triggerPrice) => {
    expect(refused({ ...increase, triggerPrice })).toBe('validation_failed triggerPrice')
  })

  test('a trailing stop refuses any but 0', () => {
    expect(refused({ ...trailing, triggerPrice: P('1') })).toBe('validation_failed triggerPrice')
    expect(wellFormed({ ...trailing, triggerPrice: 0n })).toBe(true)
  })

  test('it comes before the shape', () => {
    expect(refused({ ...increase, amount: 0n, triggerPrice: 0n })).toBe('validation_failed triggerPrice')
  })
})

describe('A6: fields that are not declared, and fields that do not apply', () => {
  test('a field nobody declared is refused by name', () => {
    expect(refused({ ...increase, stopLossPrice: 1n } as Fields)).toBe('validation_failed stopLossPrice')
  })

  test('null is the same as omitted', () => {
    expect(
      refused({
        ...increase,
        positionId: null,
        expectedAmount: null,
        triggerPrice: null,
        stopTriggerPrice: null,
        takeTriggerPrice: null,
        trailingStopActivationPrice: null,
        trailingStopOffset: null,
        trailingStopOffsetPercent: null,
        stopLimitPrice: null,
        sizeMode: null,
        baseSize: null,
        idempotencyKey: null,
      }),
    ).toBe('accepted')
  })

  test('on an increase the fields of closes are ignored and stored neutral', () => {
    const order = venue.place({
      orderType: 'limit',
      triggerPrice: P('50'),
      positionId: UNKNOWN,
      trailingStopActivationPrice: -1n,
      trailingStopOffset: -1n,
      trailingStopOffsetPercent: P('2'),
      stopLimitPrice: -1n,
    })
    expect(order).toMatchObject({
      positionId: null,
      trailingStopActivationPrice: 0n,
      trailingStopOffset: 0n,
      trailingStopOffsetPercent: 0n,
      limitPrice: P('50'),
      stopPrice: 0n,
    })
  })

  test('on a close the fields of increases are ignored and stored neutral', () => {
    const { id: positionId } = venue.open()
    const order = venue.place({
      orderType: 'take',
      triggerPrice: P('200'),
      positionId,
      leverage: -1n,
      stopTriggerPrice: -1n,
      takeTriggerPrice: -1n,
      stopLimitPrice: -1n,
      expectedAmount: P('1'),
      trailingStopOffset: P('1'),
    })
    expect(order).toMatchObject({
      leverage: null,
      stopTriggerPrice: 0n,
      takeTriggerPrice: 0n,
      trailingStopOffset: 0n,
      sizeMode: 'quote',
      baseSize: null,
      reservedAmount: null,
    })
  })

  test('C3: a negative expected amount is malformed', () => {
    expect(refused({ ...increase, expectedAmount: -1n })).toBe('validation_failed expectedAmount')
  })

  test('liquidation and margin changes are no order types', () => {
    for (const orderType of ['liquidation', 'add_margin', 'remove_margin'])
      expect(refused({ ...increase, orderType } as unknown as Fields)).toBe('validation_failed orderType')
  })
})
