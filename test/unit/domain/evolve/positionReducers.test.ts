import { describe, expect, test } from 'vitest'
import {
  type FrozenPosition,
  fp9,
  inPlace,
  type PositionEvent,
  type PositionEventRecord,
  positionRecipe,
  reducePosition,
  unopenedPosition,
  wirePosition,
  wirePositionEvent,
} from '../../../../src/index.ts'
import { ACCOUNT, MARKET, MINUTE, START, Venue } from '../../venue.ts'

const P = fp9

/** The 28 documented fields of a position. */
const POSITION_FIELDS = [
  'idx',
  'version',
  'openedAt',
  'lastUpdatedAt',
  'closedAt',
  'status',
  'market',
  'trader',
  'size',
  'notional',
  'margin',
  'pnl',
  'funding',
  'fee',
  'feeRate',
  'exchangedQuote',
  'exchangedBase',
  'direction',
  'eventName',
  'pnlInEvent',
  'rawPnlInEvent',
  'profitAdjustmentApplied',
  'holdingTimeMs',
  'feeInEvent',
  'fundingInEvent',
  'roe',
  'scalpingCoefficient',
  'closeReason',
]

/** A life with every kind of event but the endings, and the events of it, which go on to be collected. */
function life() {
  const venue = new Venue({
    market: { feeRate: P('0.1%'), fundingRate: P('0.1%'), fundingIntervalMs: 30 * MINUTE },
  })
  const events: { event: PositionEvent; at: number }[] = []
  venue.engine.subscribe((commit) => {
    for (const event of commit.events)
      if ('positionId' in event && 'direction' in event && !event.type.startsWith('order'))
        events.push({ event: event as PositionEvent, at: commit.at })
  })
  venue.open()
  const { id: positionId } = venue.position()
  venue.accepted({ type: 'changeMargin', positionId, marginChange: P('20') })
  venue.wait(MINUTE)
  venue.open({ leverage: P('20') })
  venue.accepted({ type: 'changeMargin', positionId, marginChange: P('-5') })
  venue.close(P('3'))
  venue.wait(30 * MINUTE)
  return { venue, events, positionId }
}

describe('C13: records', () => {
  test('a position has exactly its 28 fields, an event 28 and its order, an order 29', () => {
    const { venue, positionId } = life()
    const [event] = venue.engine.read.positionEvents(positionId) ?? []
    expect(Object.keys(wirePosition(venue.position()))).toEqual(POSITION_FIELDS)
    const wire = wirePositionEvent(event as PositionEventRecord)
    expect(Object.keys(wire)).toEqual([...POSITION_FIELDS, 'order'])
    expect(Object.keys(wire.order ?? {}).length).toBe(29)
  })

  test('version counts every event from 1; lastUpdatedAt follows', () => {
    const { venue } = life()
    expect(venue.position()).toMatchObject({
      version: 6,
      openedAt: START,
      lastUpdatedAt: START + 20 * MINUTE,
      closedAt: null,
      eventName: 'payFunding',
    })
  })

  test('I13: the history is by version, newest first, and leaves funding out: versions have gaps', () => {
    const { venue, positionId } = life()
    venue.close()
    const events = venue.engine.read.positionEvents(positionId) ?? []
    expect(
      events.map(({ version, eventName, order }) => [version, eventName, order?.orderType ?? null]),
    ).toEqual([
      [7, 'closePosition', 'take'],
      [5, 'closePosition', 'take'],
      [4, 'removeMargin', null],
      [3, 'increasePosition', 'market'],
      [2, 'addMargin', null],
      [1, 'increasePosition', 'market'],
    ])
  })

  test('the embedded order is as of the event', () => {
    const venue = new Venue()
    const { id } = venue.open()
    const order = venue.engine.read.positionEvents(id)?.[0]?.order
    expect(order).toEqual(venue.engine.read.orderHistory(ACCOUNT, MARKET).data[0])
  })

  test('holdingTimeMs is set by closes of every kind and null on other events', () => {
    const { venue, positionId } = life()
    venue.close()
    const times = venue.engine.read.positionEvents(positionId)?.map(({ holdingTimeMs }) => holdingTimeMs)
    expect(times).toEqual([30 * MINUTE, 0, null, null, null, null])
  })

  test('a closed position keeps its record: nothing changes it any more', () => {
    const { venue, positionId } = life()
    venue.close()
    const ended = venue.positionById(positionId)
    expect(ended).toMatchObject({ closedAt: venue.now, status: 'closed', size: 0n, notional: 0n, margin: 0n })
    venue.open()
    venue.tick('150')
    expect(venue.positionById(positionId)).toEqual(ended)
  })

  test('records are frozen: what was read does not change', () => {
    const { venue } = life()
    const before = venue.position()
    const version = before.version
    venue.close(P('1'))
    expect(before.version).toBe(version)
    expect(Object.isFrozen(before)).toBe(true)
  })
})

describe('the seven recipes', () => {
  const endings: Record<string, (venue: Venue, positionId: string) => void> = {
    closePosition: (venue) => venue.close(),
    forceClose: (venue, positionId) => venue.accepted({ type: 'forceClosePosition', positionId }),
    liquidate: (venue) => venue.tick('50'),
  }

  test.each(Object.keys(endings))('run in place and immutably give the same, up to %s', (ending) => {
    const { venue, events, positionId } = life()
    endings[ending]?.(venue, positionId)
    expect(events.at(-1)?.event.type).toBe(ending)
    const [first] = events
    if (first?.event.type !== 'increasePosition') throw new Error('a life begins with an increase')
    const empty = unopenedPosition(first.event, first.at, { sequence: 1, phaseOrdinal: 1 })
    const owned = { ...empty }
    let frozen: FrozenPosition = empty
    for (const { event, at } of events) {
      const before = { ...frozen }
      const next = reducePosition(frozen, event, at)
      expect(frozen).toEqual(before)
      frozen = next
      inPlace(positionRecipe)(owned, event, at)
      expect(frozen).toEqual(owned)
      expect(Object.isFrozen(frozen)).toBe(true)
    }
    expect(frozen).toMatchObject(venue.positionById(positionId))
  })

  test('an event of another kind stops the engine instead of being skipped', () => {
    expect(() => positionRecipe({} as never, { type: 'split' } as never, 0)).toThrow('not a position event')
  })
})
