// History lists that keep places in the log: what a page costs, and what room is given back.

import { expect, test } from 'vitest'
import { LoggedRecords } from '../../../src/history/loggedRecords.ts'
import { MemoryHistory } from '../../../src/history/memoryHistory.ts'
import { type Commit, fp9 } from '../../../src/index.ts'
import { CommitLog } from '../../../src/store/commitLog.ts'
import { foldedOver } from '../../foldedOver.ts'
import { ACCOUNT, HOUR, MARKET, PLAIN_ACCOUNT, Venue } from '../venue.ts'

/** Lists over a log of their own, which counts how many of its events are read. */
class CountedLog extends CommitLog {
  read = 0

  override event(seq: number, index: number) {
    this.read += 1
    return super.event(seq, index)
  }
}

async function historyOf(
  venue: Venue,
  told: (history: MemoryHistory, commit: Commit, log: CountedLog) => unknown = () => {},
) {
  const log = new CountedLog()
  const history = new MemoryHistory(log)
  const folded = foldedOver(history)
  for await (const commit of venue.engine.commits({ from: 1 })) {
    folded.fold(commit)
    log.push(commit)
    told(history, commit, log)
  }
  log.read = 0
  return { history, log }
}

const ALL = { limit: 100, offset: 0 }

test('a page costs the same whatever has happened to its positions', async () => {
  const venue = new Venue()
  const positions = [3, 3_000].map((events) => {
    const { id: positionId } = venue.open()
    for (let n = 1; n < events; n++) venue.accepted({ type: 'changeMargin', positionId, marginChange: 1n })
    venue.close()
    return positionId
  })
  const { id: open } = venue.open()
  for (let n = 1; n < 3_000; n++) venue.accepted({ type: 'changeMargin', positionId: open, marginChange: 1n })
  const { history, log } = await historyOf(venue)
  const { read } = venue.engine
  expect(history.closedPositions(ACCOUNT, MARKET, ALL)).toEqual(read.positionHistory(ACCOUNT, MARKET, ALL))
  expect(history.portfolio(ACCOUNT, ALL)).toEqual(read.portfolio(ACCOUNT, ALL))
  expect(history.portfolio(ACCOUNT, ALL).data.map(({ id }) => id)).toEqual([open, ...positions.reverse()])
  // Eight events at most are folded for a position, and one says which it is.
  expect(log.read).toBeLessThan(40)
  expect([...(history.positionEvents(open) ?? [])].flat()).toEqual(read.positionEvents(open))
})

test('positions that are paid for together are not all folded in one instant (K15)', async () => {
  const venue = new Venue({ market: { fundingRate: fp9('0.01%') } })
  const [positions, instants] = [60, 14]
  for (let n = 0; n < positions; n++) {
    const accountId = `20000000-0000-4000-8000-0000000001${n + 10}`
    venue.accepted({ type: 'openAccount', account: { ...PLAIN_ACCOUNT, id: accountId } })
    venue.open({ accountId, stopTriggerPrice: fp9('95'), takeTriggerPrice: fp9('120') })
  }
  for (let n = 0; n < instants; n++) venue.wait(8 * HOUR)
  const read: number[] = []
  let before = 0
  await historyOf(venue, (_, { events }, log) => {
    if (events.filter(({ type }) => type === 'payFunding').length === positions) read.push(log.read - before)
    before = log.read
  })
  expect(read).toHaveLength(instants)
  expect(read.reduce((sum, more) => sum + more)).toBeGreaterThan(positions * 5)
  expect(Math.max(...read)).toBeLessThan(positions * 4)
})

test('H3: a finished phase gives the room of its events back; of what was in it there remain 12 bytes at most', async () => {
  const venue = new Venue()
  const [pairs, accounts] = [600, 5]
  const ended: number[] = []
  for (let n = 0; n < accounts; n++) {
    const accountId = `20000000-0000-4000-8000-00000000010${n}`
    venue.accepted({ type: 'openAccount', account: { ...PLAIN_ACCOUNT, id: accountId } })
    for (let pair = 0; pair < pairs; pair++) {
      const { id: positionId } = venue.open({ accountId })
      for (let change = 0; change < 19; change++)
        venue.accepted({ type: 'changeMargin', positionId, marginChange: 1n })
      venue.close(undefined, { accountId })
    }
    ended.push(venue.accepted({ type: 'stopAccount', accountId, reason: 'promote' }).seq)
  }
  const rooms = new Map<number, number>()
  await historyOf(venue, (history, { seq }) => rooms.set(seq, history.room))
  const [first, last] = [rooms.get(ended[0] as number), rooms.get(ended.at(-1) as number)] as [number, number]
  const things = (accounts - 1) * (3 * pairs + 1)
  // Pages have 4,096 rows, and the last block of records is one of 256 KiB.
  expect(last - first).toBeLessThan(12 * (things + 4_096) + (1 << 18))
})

test('an id leads to what it was given to, and to nothing else', async () => {
  const venue = new Venue()
  const orders = Array.from({ length: 30 }, (_, n) =>
    venue.place({ orderType: 'limit', triggerPrice: fp9(`${60 + n}`) }),
  )
  const { id: positionId } = venue.open()
  for (const { id } of orders.slice(10)) venue.accepted({ type: 'cancelOrder', orderId: id })
  venue.close()
  venue.accepted({
    type: 'openAccount',
    account: { ...PLAIN_ACCOUNT, id: '20000000-0000-4000-8000-000000000100' },
  })
  const { id: last } = venue.place()
  const { history } = await historyOf(venue)
  expect(history.order(last)).toEqual(venue.engine.read.order(last))
  for (const [n, { id }] of orders.entries())
    expect(history.order(id)).toEqual(n < 10 ? undefined : venue.engine.read.order(id))
  expect(history.endedOrder(positionId)).toBeUndefined()
  expect(history.order(positionId)).toBeUndefined()
  expect(history.position(positionId)).toEqual(venue.engine.read.position(positionId))
  expect(history.position((orders[20] as { id: string }).id)).toBeUndefined()
  expect(new LoggedRecords(new CommitLog()).find(positionId)).toBeNull()
})

test('whoever changes the events that they were given changes nothing that is read (K16)', () => {
  const venue = new Venue()
  const { id, size } = venue.open()
  const { events } = venue.accepted(
    venue.command({ orderType: 'take', triggerPrice: 0n, positionId: id, amount: size }),
  )
  const [ended, [order]] = [
    venue.engine.read.position(id),
    venue.engine.read.orderHistory(ACCOUNT, MARKET).data,
  ]
  for (const event of events)
    Object.assign(event, { pnl: 7n, amount: 7n, released: 7n, accountId: 'another' })
  expect(venue.engine.read.position(id)).toEqual(ended)
  expect(venue.engine.read.orderHistory(ACCOUNT, MARKET).data[0]).toEqual(order)
})

test('commits of many events tell each of them apart', async () => {
  const venue = new Venue()
  for (let n = 0; n < 60; n++)
    venue.place({ orderType: 'limit', triggerPrice: fp9(`${90 - (n % 30)}`), amount: fp9('1') })
  const ids = venue.engine.read.activeOrders(ACCOUNT).map(({ id }) => id)
  const { events } = venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
  expect(events.length).toBeGreaterThan(60)
  const { history } = await historyOf(venue)
  for (const id of ids) expect(history.endedOrder(id)).toEqual({ accountId: ACCOUNT, phaseOrdinal: 1 })
})
