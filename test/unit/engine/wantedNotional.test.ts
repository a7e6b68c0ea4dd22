// What a command would open at most, which a shard of a cluster has to have before it decides it (C5).

import { expect, test } from 'vitest'
import { wantedNotionalOf } from '../../../src/engine/internals.ts'
import { fp9 } from '../../../src/index.ts'
import { MARKET, OTHER_USER, UNKNOWN, USER, Venue } from '../venue.ts'

test('of an order that opens something its notional after the fee; of any other, and of one that cannot be, nothing', () => {
  const venue = new Venue({ market: { feeRate: fp9('0.1%'), maxLeverage: fp9('20') } })
  const wanted = (terms: object, userId = USER) =>
    wantedNotionalOf(venue.engine, venue.command(terms), { userId, apiKey: true })
  expect(wanted({})).toEqual({ marketId: MARKET, direction: 'long', notional: fp9('990') })
  expect(
    wanted({ direction: 'short', leverage: fp9('20'), orderType: 'limit', triggerPrice: fp9('120') }),
  ).toEqual({
    marketId: MARKET,
    direction: 'short',
    notional: fp9('1960'),
  })
  expect(wanted({ amount: fp9('10000') })?.notional).toBe(fp9('99000'))
  for (const terms of [
    { amount: fp9('10000') + 1n },
    { amount: 0n },
    { leverage: fp9('20') + 1n },
    { leverage: 0n },
    { leverage: undefined },
    { marketId: UNKNOWN },
    { accountId: UNKNOWN },
    // The leverage of an order that closes means nothing (A6).
    { orderType: 'take', leverage: fp9('10'), triggerPrice: 0n },
  ])
    expect(wanted(terms), String(Object.entries(terms))).toBeNull()
  expect(wanted({}, OTHER_USER)).toBeNull()
  expect(wantedNotionalOf(venue.engine, venue.command(), null)?.notional).toBe(fp9('990'))
})

test('of an edit what the order would be then, paid for by what it has reserved and what is free', () => {
  const venue = new Venue()
  const { id: orderId } = venue.place({ orderType: 'limit', triggerPrice: fp9('90'), amount: fp9('4000') })
  const edited = (amount?: bigint, of = orderId) =>
    wantedNotionalOf(
      venue.engine,
      { type: 'editOrder', orderId: of, ...(amount !== undefined && { amount }) },
      { userId: USER, apiKey: true },
    )
  expect(edited(fp9('10000'))).toEqual({ marketId: MARKET, direction: 'long', notional: fp9('100000') })
  expect(edited()?.notional).toBe(fp9('40000'))
  expect(edited(fp9('10000') + 1n)).toBeNull()
  expect(edited(fp9('1'), UNKNOWN)).toBeNull()
  const { size: amount } = venue.open()
  const take = venue.place({
    orderType: 'take',
    triggerPrice: fp9('200'),
    amount,
    positionId: venue.position().id,
  })
  expect(edited(fp9('1'), take.id)).toBeNull()
})
