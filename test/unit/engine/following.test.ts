import { expect, test } from 'vitest'
import { type Commit, createEngine, EngineStopped, MemoryStore, openEngine } from '../../../src/index.ts'
import { HeldStore } from '../../host/slowStore.ts'
import { ACCOUNT, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START, Venue } from '../venue.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }
const deposit = { type: 'adjustBalance', accountId: ACCOUNT, amount: 1n } as const

/** How many times it was read. */
class CountedStore extends MemoryStore {
  reads = 0

  override read(from: number): AsyncIterable<readonly Commit[]> {
    this.reads += 1
    return super.read(from)
  }
}

async function taken(commits: AsyncIterator<Commit, undefined>, count: number): Promise<number[]> {
  const sequences: number[] = []
  for (let index = 0; index < count; index++) sequences.push((await commits.next()).value?.seq ?? 0)
  return sequences
}

test('a follower waits for what has not happened yet', async () => {
  const { engine } = new Venue()
  const { head } = engine
  const commits = engine.follow({ from: head + 2 })
  const waiting = taken(commits, 1)
  engine.dispatch(deposit)
  engine.dispatch(deposit)
  expect(await waiting).toEqual([head + 2])
})

test.each(['return', 'signal'])('one that is waiting is ended by %s', { timeout: 5_000 }, async (how) => {
  const { engine } = new Venue()
  const abort = new AbortController()
  const commits = engine.follow({ from: engine.head + 1, signal: abort.signal })
  const waiting = commits.next()
  await new Promise((resolve) => setImmediate(resolve))
  if (how === 'signal') abort.abort()
  else await commits.return?.()
  engine.dispatch(deposit)
  expect(await waiting).toEqual({ done: true, value: undefined })
})

test('one that has left is given nothing more, whatever was there', async () => {
  const { engine } = new Venue()
  const abort = new AbortController()
  const commits = engine.follow({ from: engine.head, signal: abort.signal })
  await taken(commits, 1)
  for (let index = 0; index < 3; index++) engine.dispatch(deposit)
  await taken(commits, 1)
  abort.abort()
  expect(await commits.next()).toEqual({ done: true, value: undefined })
  const late = engine.follow({ from: 1, signal: abort.signal })
  expect(await late.next()).toEqual({ done: true, value: undefined })
})

test('it ends with the engine, after what it was told', async () => {
  const engine = await openEngine({ store: new MemoryStore(), ...configuration })
  const { head } = engine
  const commits = engine.follow({ from: head })
  const waiting = taken(commits, 2)
  await engine.send(deposit)
  expect(await waiting).toEqual([head, head + 1])
  await engine.send(deposit)
  await engine.close()
  expect(await taken(commits, 1)).toEqual([head + 2])
  expect(await commits.next()).toEqual({ done: true, value: undefined })
  expect(() => engine.follow({ from: 1 })).toThrow(EngineStopped)
})

test('it throws what stopped the engine, after what was durable', { timeout: 5_000 }, async () => {
  const store = new HeldStore()
  const engine = await openEngine({ store, ...configuration })
  await engine.whenDurable()
  const { head } = engine
  const commits = engine.follow({ from: head + 1 })
  const waiting = taken(commits, 1)
  await engine.send(deposit)
  expect(await waiting).toEqual([head + 1])
  store.held = true
  const lost = engine.send(deposit).catch((error: unknown) => error)
  const next = commits.next().catch((error: unknown) => error)
  await new Promise((resolve) => setImmediate(resolve))
  store.fail()
  expect(await lost).toBeInstanceOf(EngineStopped)
  expect(await next).toBeInstanceOf(EngineStopped)
  expect(await next).toMatchObject({ cause: { cause: { message: 'EIO' } } })
  expect(await commits.next()).toEqual({ done: true, value: undefined })
})

test('one that is slow reads again what is stored, and one that keeps up does not', async () => {
  const store = new CountedStore()
  const engine = await openEngine({ store, ...configuration })
  const [slow, prompt] = [engine.follow({ from: 1 }), engine.follow({ from: 1 })]
  await engine.whenDurable()
  await taken(slow, engine.head)
  await taken(prompt, engine.head)
  const { head } = engine
  const waiting = [slow.next(), prompt.next()]
  const before = store.reads
  for (let round = 0; round < 10; round++) {
    for (let tick = 0; tick < 1_000; tick++)
      engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: 100n + BigInt(tick) })
    await engine.whenDurable()
    await Promise.all(waiting)
    await taken(prompt, round === 0 ? 999 : 1_000)
  }
  expect(store.reads).toBe(before)
  expect((await taken(slow, 9_999)).at(-1)).toBe(head + 10_000)
  expect(store.reads).toBe(before + 1)
})

test('there is nothing to follow without a log, and from what is no sequence', async () => {
  const engine = createEngine({ log: false })
  await expect(engine.follow({ from: 1 }).next()).rejects.toThrow(RangeError)
  for (const from of [0, -1, 1.5, Number.NaN]) expect(() => engine.follow({ from })).toThrow(RangeError)
})
