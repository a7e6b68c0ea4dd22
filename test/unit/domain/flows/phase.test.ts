import { describe, expect, test } from 'vitest'
import { fp9 } from '../../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_ACCOUNT, OTHER_USER, USER, Venue } from '../../venue.ts'

const mine = { userId: USER, apiKey: true }
const theirs = { userId: OTHER_USER, apiKey: true }

/** An account that has left a phase with an active, an ended and a replaced order and a position behind it. */
function promoted() {
  const venue = new Venue({ otherAccount: {} })
  const executed = venue.place()
  const position = venue.position()
  const replaced = venue.place({ orderType: 'limit', triggerPrice: fp9('90') })
  const resting = venue.accepted({ type: 'editOrder', orderId: replaced.id, triggerPrice: fp9('91') }).value
  venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
  return { venue, executed, replaced, resting, position }
}

describe('H3: orders and positions of an earlier phase', () => {
  test('are in no list', () => {
    const { venue } = promoted()
    const { read } = venue.engine
    expect(read.activeOrders(ACCOUNT)).toEqual([])
    expect(read.orderHistory(ACCOUNT, MARKET)).toEqual({ data: [], totalCount: 0 })
    expect(read.activePositions(ACCOUNT)).toEqual([])
    expect(read.positionHistory(ACCOUNT, MARKET)).toEqual({ data: [], totalCount: 0 })
    expect(read.portfolio(ACCOUNT)).toEqual({ data: [], totalCount: 0 })
  })

  test('cannot be read by id, replaced orders included', () => {
    const { venue, executed, replaced, resting, position } = promoted()
    for (const { id } of [executed, replaced, resting]) expect(venue.engine.read.order(id)).toBeUndefined()
    expect(venue.engine.read.position(position.id)).toBeUndefined()
    expect(venue.engine.read.positionEvents(position.id)).toBeUndefined()
  })

  test('are not found by their owner', () => {
    const { venue, executed, replaced, resting, position } = promoted()
    for (const { id: orderId } of [executed, replaced, resting]) {
      expect(venue.rejection({ type: 'editOrder', orderId }, mine)).toBe('order_not_found')
      expect(venue.rejection({ type: 'cancelOrder', orderId }, mine)).toBe('order_not_found')
    }
    const positionId = position.id
    expect(venue.rejection({ type: 'changeMargin', positionId, marginChange: 0n }, mine)).toBe(
      'position_not_found',
    )
    expect(venue.rejection({ type: 'forceClosePosition', positionId })).toBe('position_not_found')
    expect(venue.placeRefusal({ orderType: 'take', triggerPrice: 0n, positionId }, mine)).toBe(
      'position_not_found',
    )
  })

  test('I14: exist for another user, who may not have them', () => {
    const { venue, executed, position } = promoted()
    const denied = 'account_access_denied'
    expect(venue.rejection({ type: 'cancelOrder', orderId: executed.id }, theirs)).toBe(denied)
    const positionId = position.id
    expect(venue.rejection({ type: 'changeMargin', positionId, marginChange: 0n }, theirs)).toBe(denied)
    const close = { orderType: 'take', triggerPrice: 0n, positionId, accountId: OTHER_ACCOUNT } as const
    expect(venue.placeRefusal(close, theirs)).toBe('position_not_available')
  })

  test('what belongs to the new phase is served', () => {
    const { venue } = promoted()
    const order = venue.place()
    expect(venue.engine.read.orderHistory(ACCOUNT, MARKET).data).toEqual([order])
    expect(venue.engine.read.portfolio(ACCOUNT).totalCount).toBe(1)
  })
})
