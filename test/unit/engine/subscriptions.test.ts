import { expect, test } from 'vitest'
import { readCommits } from '../../../src/engine/internals.ts'
import { type Commit, fp9, MemoryStore, openEngine } from '../../../src/index.ts'
import { MARKET, PLAIN_MARKET, Venue } from '../venue.ts'

test('a subscription is told of every commit from then on, in order', () => {
  const venue = new Venue()
  const seen: number[] = []
  const subscription = venue.engine.subscribe(({ seq }) => seen.push(seq))
  const { head } = venue.engine
  venue.tick('101')
  venue.tick('102')
  subscription.unsubscribe()
  venue.tick('103')
  expect(seen).toEqual([head + 1, head + 2])
})

test('a listener that throws is blocked and shown, and stops neither the bus nor the others', () => {
  const venue = new Venue()
  const seen: number[] = []
  const error = new Error('full disk')
  const faulty = venue.engine.subscribe(() => {
    throw error
  }, 'faulty')
  venue.engine.subscribe(({ seq }) => seen.push(seq))
  venue.tick('101')
  venue.tick('102')
  expect(seen.length).toBe(2)
  expect(venue.engine.blockedSubscriptions).toEqual([faulty])
  expect(faulty).toMatchObject({ name: 'faulty', blocked: { seq: seen[0], error } })
  expect(venue.engine.failure).toBeNull()
})

test('K16: a listener that rejects is blocked and shown like one that throws, and both are told', async () => {
  const notices: string[] = []
  const venue = new Venue({ engine: { onNotice: (notice) => notices.push(notice) } })
  const { head } = venue.engine
  let told = 0
  const late = venue.engine.subscribe(async () => {
    told += 1
    throw new Error('later')
  }, 'late')
  const prompt = venue.engine.subscribe(() => {
    throw new Error('at once')
  })
  venue.tick('101')
  venue.tick('102')
  await new Promise((resolve) => setImmediate(resolve))
  venue.tick('103')
  expect(told).toBe(2)
  expect(venue.engine.blockedSubscriptions).toEqual([late, prompt])
  expect(late.blocked).toMatchObject({ seq: head + 1, error: { message: 'later' } })
  expect(notices).toEqual([
    `subscription 2 was blocked at commit ${head + 1}: at once`,
    `late was blocked at commit ${head + 1}: later`,
  ])
  expect(venue.engine.failure).toBeNull()
})

test('a blocked listener is not told again', () => {
  const venue = new Venue()
  let told = 0
  venue.engine.subscribe(() => {
    told += 1
    throw new Error('once')
  })
  venue.tick('101')
  venue.tick('102')
  expect(told).toBe(1)
})

test('a listener may dispatch: everyone hears of what it caused after the commit it heard of', () => {
  const venue = new Venue()
  const { head } = venue.engine
  const first: number[] = []
  const second: number[] = []
  venue.engine.subscribe(({ seq }: Commit) => {
    first.push(seq)
    if (seq < head + 3)
      venue.engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: BigInt(seq) })
  })
  venue.engine.subscribe(({ seq }) => second.push(seq))
  const outcome = venue.accepted({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('101') })
  expect(outcome.seq).toBe(head + 1)
  expect(first).toEqual([head + 1, head + 2, head + 3])
  expect(second).toEqual(first)
})

test('on a store a subscription hears of a commit once it is durable', async () => {
  const engine = await openEngine({ store: new MemoryStore(), seed: 's', markets: [PLAIN_MARKET] })
  const heads: number[] = []
  engine.subscribe(({ seq }) => heads.push(seq, engine.durableHead))
  const outcome = await engine.send({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9('101') })
  if (!outcome.ok) throw new Error(outcome.error.code)
  expect(heads.slice(-2)).toEqual([outcome.seq, outcome.seq])
})

test('K16: a commit is frozen for whoever is subscribed, however many of the host read it beside', () => {
  const venue = new Venue()
  const read: boolean[] = []
  const told: boolean[] = []
  const frozenIn = (list: boolean[]) => (commit: Commit) =>
    list.push([commit, commit.command, commit.events, ...commit.events].every(Object.isFrozen))
  readCommits(venue.engine, frozenIn(read), 'a reader')
  venue.tick('101')
  const subscription = venue.engine.subscribe(frozenIn(told))
  venue.tick('102')
  subscription.unsubscribe()
  venue.tick('103')
  expect(read).toEqual([false, true, false])
  expect(told).toEqual([true])
})
