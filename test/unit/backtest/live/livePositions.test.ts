// What a live strategy is told of positions is what the engine decided, field by field, although the interface gives records alone.

import { describe, expect, test } from 'vitest'
import { LivePositions, takenOver } from '../../../../src/backtest/live/livePositions.ts'
import type { PositionEvent } from '../../../../src/events/positionEvents.ts'
import { fp9, ONE, type PositionEventRecord } from '../../../../src/index.ts'
import { HOUR, MARKET, Venue } from '../../venue.ts'

const market = {
  spread: fp9('0.1%'),
  feeRate: fp9('0.2%'),
  fundingRate: fp9('0.01%'),
  scalpingWindowMs: 1_000,
  scalpingCoefficient: fp9('2'),
}

const isOfPosition = (event: { readonly type: string }): event is PositionEvent =>
  'positionId' in event && KINDS.includes(event.type)
const KINDS = [
  'addMargin',
  'closePosition',
  'forceClose',
  'increasePosition',
  'liquidate',
  'payFunding',
  'removeMargin',
]

/** Everything that can happen to a position, of both sides. */
function life(venue: Venue): void {
  for (const direction of ['long', 'short'] as const) {
    const further = direction === 'long' ? ['101', '103', '60'] : ['99', '97', '160']
    venue.tick('100')
    venue.open({ direction, amount: fp9('100') })
    venue.wait(500)
    venue.tick(further[0] as string)
    venue.open({ direction, amount: fp9('70'), leverage: fp9('7') })
    const { id: positionId } = venue.position(direction)
    venue.accepted({ type: 'changeMargin', positionId, marginChange: fp9('30') })
    venue.wait(100)
    venue.close(fp9('0.4'), { direction })
    venue.wait(HOUR)
    venue.tick(further[1] as string)
    venue.accepted({ type: 'changeMargin', positionId, marginChange: -fp9('3') })
    venue.close(fp9('0.3'), { direction })
    venue.wait(9 * HOUR)
    venue.tick(further[1] as string)
    venue.close(fp9('1000'), { direction })
    venue.open({ direction, amount: fp9('50') })
    venue.tick(further[2] as string)
    venue.tick('100')
    venue.open({ direction, amount: fp9('40') })
    venue.accepted({ type: 'forceClosePosition', positionId: venue.position(direction).id })
  }
}

interface Happened {
  readonly event: PositionEvent
  readonly record: PositionEventRecord
  readonly market: NonNullable<ReturnType<Venue['engine']['read']['market']>>
}

function happenedIn(venue: Venue): Happened[] {
  const happened: Happened[] = []
  // Each command of that life does one thing to a position, whose record is read right after it.
  venue.engine.subscribe(({ events }) => {
    for (const event of events.filter(isOfPosition)) {
      const order = 'orderId' in event ? venue.order(event.orderId) : null
      const market = venue.engine.read.market(MARKET)
      if (market === undefined) throw new Error('no market')
      happened.push({ event, record: { ...venue.positionById(event.positionId), order }, market })
    }
  })
  life(venue)
  return happened
}

describe('the events that are made of records', () => {
  const happened = happenedIn(new Venue({ market }))

  test('are those that there are', () =>
    expect([...new Set(happened.map(({ event }) => event.type))].sort()).toEqual(KINDS))

  test('say what the engine’s own said', () => {
    const told = new LivePositions()
    expect(happened.map(({ record, market }) => told.add(record, market))).toEqual(
      happened.map(({ event }) => event),
    )
  })

  test('of a position that was there before say what it has, and that nothing was paid for it', () => {
    const venue = new Venue({ market })
    venue.tick('100')
    venue.open({ direction: 'short', amount: fp9('100') })
    const record = venue.position('short')
    const { size, notional, margin, feeRate, accountId, marketId } = record
    expect(takenOver(record)).toEqual({
      ...{ type: 'increasePosition', positionId: record.id, accountId, marketId, direction: 'short' },
      ...{ opens: true, orderId: '', indexPrice: (notional * ONE) / size, size, notional, margin },
      ...{ leverage: 0n, fee: 0n, feeRate, profitReference: 0n },
    })
  })
})
