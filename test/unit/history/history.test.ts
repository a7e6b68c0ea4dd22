import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LevelTriggers } from '../../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../../src/engine/fold.ts'
import type { MemoryHistory } from '../../../src/history/memoryHistory.ts'
import { fp9 } from '../../../src/index.ts'
import { ACCOUNT, MARKET, OTHER_MARKET, Venue } from '../venue.ts'

const P = fp9

describe('I10, I11: lists', () => {
  test('order history holds what ended, newest created first, whenever it ended; replaced ones not', () => {
    const venue = new Venue()
    const first = venue.place({ orderType: 'limit', triggerPrice: P('90') })
    const second = venue.place({ orderType: 'limit', triggerPrice: P('91') })
    const third = venue.place()
    venue.accepted({ type: 'cancelOrder', orderId: second.id })
    venue.accepted({ type: 'cancelOrder', orderId: first.id })
    const { data, totalCount } = venue.engine.read.orderHistory(ACCOUNT, MARKET)
    expect(data.map(({ id }) => id)).toEqual([third.id, second.id, first.id])
    expect(totalCount).toBe(3)
  })

  test('so it is in whatever order they end', () => {
    const sequences = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 })
    fc.assert(
      fc.property(sequences, (ending) => {
        const venue = new Venue()
        const ids = ending.map(() => venue.place({ orderType: 'limit', triggerPrice: P('90') }).id)
        for (const at of ending) venue.accepted({ type: 'cancelOrder', orderId: ids[at] as string })
        const { data } = venue.engine.read.orderHistory(ACCOUNT, MARKET)
        expect(data.map(({ id }) => id)).toEqual(ids.reverse())
      }),
      { numRuns: 30 },
    )
  })

  test('pages count from the newest; beyond the end they are empty and still tell the total', () => {
    const venue = new Venue()
    const ids = [1, 2, 3, 4, 5].map(() => venue.place().id).reverse()
    const page = (limit: number, offset: number) =>
      venue.engine.read.orderHistory(ACCOUNT, MARKET, { limit, offset })
    expect(page(2, 1)).toMatchObject({ totalCount: 5 })
    expect(page(2, 1).data.map(({ id }) => id)).toEqual(ids.slice(1, 3))
    expect(page(100, 4).data.map(({ id }) => id)).toEqual(ids.slice(4))
    expect(page(100, 5)).toEqual({ data: [], totalCount: 5 })
    expect(page(100, Number.MAX_SAFE_INTEGER)).toEqual({ data: [], totalCount: 5 })
  })

  test('position history holds what closed on the market, the portfolio everything', () => {
    const venue = new Venue({ otherMarket: {} })
    const closed = venue.open()
    venue.close()
    const open = venue.open({ direction: 'short' })
    const elsewhere = venue.open({ marketId: OTHER_MARKET })
    const { read } = venue.engine
    expect(read.positionHistory(ACCOUNT, MARKET).data.map(({ id }) => id)).toEqual([closed.id])
    expect(read.portfolio(ACCOUNT).data.map(({ id }) => id)).toEqual([elsewhere.id, open.id, closed.id])
    expect(read.activePositions(ACCOUNT).map(({ id }) => id)).toEqual([elsewhere.id, open.id])
    venue.close(undefined, { marketId: OTHER_MARKET })
    expect(read.positionHistory(ACCOUNT, MARKET).data.map(({ id }) => id)).toEqual([closed.id])
    expect(read.positionHistory(ACCOUNT, OTHER_MARKET).data.map(({ id }) => id)).toEqual([elsewhere.id])
  })
})

describe('I13, K15: the events of a position, in runs', () => {
  const many = 700

  function busy(): { venue: Venue; positionId: string } {
    const venue = new Venue()
    const { id: positionId } = venue.open()
    for (let n = 1; n < many; n++) venue.accepted({ type: 'changeMargin', positionId, marginChange: 1n })
    return { venue, positionId }
  }

  test('no run is long, and together they are the whole list, newest first', () => {
    const { venue, positionId } = busy()
    const runs = [...(venue.engine.read.positionEventRuns(positionId) ?? [])]
    expect(Math.max(...runs.map((run) => run.length))).toBeLessThanOrEqual(256)
    expect(runs.flat().map(({ version }) => version)).toEqual(
      Array.from({ length: many }, (_, n) => many - n),
    )
    expect(runs.flat()).toEqual(venue.engine.read.positionEvents(positionId))
  })

  test('they are those of the moment they were asked for, whatever happens on the way', () => {
    const { venue, positionId } = busy()
    const then = venue.engine.read.positionEvents(positionId)
    const runs = venue.engine.read.positionEventRuns(positionId)?.[Symbol.iterator]()
    venue.accepted({ type: 'changeMargin', positionId, marginChange: 1n })
    venue.close()
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
    expect(venue.engine.read.positionEvents(positionId)).toBeUndefined()
    const rest: object[] = []
    for (let run = runs?.next(); run && !run.done; run = runs?.next()) rest.push(...run.value)
    expect(rest).toEqual(then)
  })
})

test('the portfolio shows a position as it is, whether few things have happened to it or many', () => {
  const venue = new Venue()
  const { id: positionId } = venue.open()
  const { read } = venue.engine
  for (let n = 1; n < 40; n++) {
    expect(read.portfolio(ACCOUNT).data).toEqual([read.position(positionId)])
    venue.accepted({ type: 'changeMargin', positionId, marginChange: 1n })
  }
  venue.close()
  const [ended] = read.positionHistory(ACCOUNT, MARKET).data
  const { order, ...last } = read.positionEvents(positionId)?.[0] ?? { order: null }
  expect(ended).toEqual(last)
  expect(read.portfolio(ACCOUNT).data).toEqual([ended])
})

test('accounts of a user are theirs, oldest first', () => {
  const venue = new Venue({ otherAccount: {} })
  const { userId } = venue.engine.read.accountParameters(ACCOUNT) ?? { userId: '' }
  const id = '20000000-0000-4000-8000-000000000003'
  venue.accepted({ type: 'openAccount', account: { id, userId, balance: 0n } })
  expect(venue.engine.read.accounts(userId).map(({ accountId }) => accountId)).toEqual([ACCOUNT, id])
  expect(venue.engine.read.accounts('nobody')).toEqual([])
  expect(venue.engine.read.accounts()).toHaveLength(3)
})

test('going on from what was saved leaves nothing of what was there', async () => {
  const venue = new Venue()
  const { id } = venue.open()
  venue.close()
  const resting = venue.place({ orderType: 'limit', triggerPrice: P('90') })
  venue.accepted({ type: 'cancelOrder', orderId: resting.id })
  const folded = new Folded((world) => new LevelTriggers(world))
  for await (const commit of venue.engine.commits({ from: 1 })) folded.fold(commit)
  const { history, projections } = folded
  const saved = projections.carried.saved()
  projections.restore(null, 0, 0)
  expect(history.position(id)).toBeUndefined()
  expect(history.order(resting.id)).toBeUndefined()
  const empty = new Folded((world) => new LevelTriggers(world)).projections
  expect(projections.carried.saved()).toEqual(empty.carried.saved())
  projections.restore(saved, venue.engine.head, folded.world.created)
  projections.restore(saved, venue.engine.head, folded.world.created)
  expect(projections.carried.saved()).toEqual(saved)
  expect(history.position(id)).toEqual(venue.engine.read.positionHistory(ACCOUNT, MARKET).data[0])
})

test('H3: a finished phase gives its room back; of what was in it there remains whose it was', async () => {
  const venue = new Venue()
  const earlier: string[] = []
  for (let phase = 0; phase < 2; phase++) {
    for (let n = 0; n < 1_200; n++) {
      venue.open()
      venue.close()
    }
    earlier.push(...venue.engine.read.portfolio(ACCOUNT).data.map(({ id }) => id))
    venue.accepted({ type: 'stopAccount', accountId: ACCOUNT, reason: 'promote' })
  }
  const folded = new Folded((world) => new LevelTriggers(world))
  const history = folded.history as MemoryHistory
  let most = 0
  for await (const commit of venue.engine.commits({ from: 1 })) {
    folded.fold(commit)
    most = Math.max(most, history.room)
  }
  expect(most).toBeGreaterThan(900_000)
  expect(history.room).toBeLessThan(most - 400_000)
  for (const idx of earlier) {
    expect(history.endedPosition(idx)).toMatchObject({ accountId: ACCOUNT })
    expect(history.endedOrder(idx)).toBeUndefined()
    expect(history.position(idx)).toBeUndefined()
    expect(history.positionEvents(idx)).toBeUndefined()
  }
  expect(earlier.map((idx) => history.endedPosition(idx)?.phaseOrdinal)).toEqual(
    earlier.map((_, index) => (index < earlier.length / 2 ? 1 : 2)),
  )
})
