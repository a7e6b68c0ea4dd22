// K14: ticks that nobody waits for gather in one group, on a store that says for how long; everything else is written at once.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { type Engine, EngineStopped, openEngine } from '../../../src/index.ts'
import { openLmdbStore } from '../../../src/store/lmdb/index.ts'
import { HeldStore } from '../../host/slowStore.ts'
import { ACCOUNT, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../venue.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }
const turn = () => new Promise((resolve) => setImmediate(resolve))

/** A store whose clock is the test's. */
class GatheringStore extends HeldStore {
  /** The commits of each append. */
  readonly groups: number[] = []
  /** Ends the gathering that is under way. */
  end: (() => void) | null = null
  begun = 0

  readonly gather = (write: () => void) => {
    this.begun += 1
    this.end = () => {
      this.end = null
      write()
    }
    return () => {
      this.end = null
    }
  }

  override async append(...batch: Parameters<HeldStore['append']>): Promise<void> {
    await super.append(...batch)
    this.groups.push(batch[0].length)
  }
}

async function opened(): Promise<{ engine: Engine; store: GatheringStore }> {
  const store = new GatheringStore()
  const engine = await openEngine({ store, ...configuration })
  await engine.whenDurable()
  store.groups.length = 0
  return { engine, store }
}

/** Ticks one at a time, each in a turn of its own. */
async function tick(engine: Engine, count: number): Promise<void> {
  for (let index = 1; index <= count; index++) {
    engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice: 100n + BigInt(index) })
    await turn()
  }
}

const deposit = { type: 'adjustBalance', accountId: ACCOUNT, amount: 1n } as const

describe('ticks that nobody waits for', () => {
  test('are written as one group when the store says so, and told to subscribers then', async () => {
    const { engine, store } = await opened()
    const told: number[] = []
    engine.subscribe(({ seq }) => told.push(seq))
    const { head } = engine
    await tick(engine, 3)
    expect([engine.durableHead, store.groups, told]).toEqual([head, [], []])
    store.end?.()
    await turn()
    expect([engine.durableHead, store.groups, store.begun]).toEqual([head + 3, [3], 1])
    expect(told).toEqual([head + 1, head + 2, head + 3])
    await tick(engine, 1)
    expect([store.groups, store.begun]).toEqual([[3], 2])
  })

  test.each<[string, (engine: Engine) => Promise<unknown>, number[]]>([
    ['whoever waits for them', (engine) => engine.whenDurable(), [2]],
    ['whoever waits for the first of them', (engine) => engine.whenDurable(engine.head - 1), [2]],
    ['a past state that is asked for', (engine) => engine.asOf(engine.head), [2]],
    [
      'a tick that is waited for',
      (engine) => engine.send({ type: 'updatePrice', marketId: MARKET, indexPrice: 90n }),
      [3],
    ],
    [
      'a rejection that rests on them',
      (engine) => engine.send({ type: 'closeAll', accountId: 'nobody' }),
      [2],
    ],
    ['another command, though nobody waits for it', async (engine) => engine.dispatch(deposit), [3]],
    [
      'a tick that says who caused it',
      async (engine) =>
        engine.dispatch(
          { type: 'updatePrice', marketId: MARKET, indexPrice: 90n },
          { by: { type: 'operator', name: 'desk' } },
        ),
      [3],
    ],
    ['a snapshot', (engine) => engine.saveSnapshot(), [2]],
    ['closing', (engine) => engine.close(), [2]],
  ])('%s: they are written at once, and the gathering is called off', async (_, hurry, groups) => {
    const { engine, store } = await opened()
    await tick(engine, 2)
    expect([store.groups, store.end === null]).toEqual([[], false])
    const done = hurry(engine)
    await turn()
    expect([store.groups, store.end]).toEqual([groups, null])
    expect(engine.durableHead).toBe(engine.head)
    await done
  })

  test('while a group is being written they gather, and hold nobody back who waits for that group', async () => {
    const { engine, store } = await opened()
    store.held = true
    const sent = engine.send(deposit)
    await turn()
    await tick(engine, 2)
    store.release()
    await sent
    await turn()
    expect([store.groups, store.begun]).toEqual([[1], 1])
    store.end?.()
    await engine.whenDurable()
    expect(store.groups).toEqual([1, 2])
  })

  test('what comes while they are being written gathers anew', async () => {
    const { engine, store } = await opened()
    await tick(engine, 2)
    store.held = true
    store.end?.()
    await turn()
    await tick(engine, 1)
    store.release()
    await turn()
    expect([store.groups, store.begun]).toEqual([[2], 2])
  })

  test('a thousand of them and some are written without being asked for', async () => {
    const { engine, store } = await opened()
    await tick(engine, 1_023)
    expect(store.groups).toEqual([])
    await tick(engine, 2)
    expect(store.groups).toEqual([1_024])
  })

  test('a write that fails is told to whoever waits for what gathered meanwhile', async () => {
    const { engine, store } = await opened()
    store.held = true
    const sent = engine.send(deposit)
    await turn()
    await tick(engine, 2)
    const waits = engine.whenDurable()
    store.fail()
    await expect(sent).rejects.toThrow(EngineStopped)
    await expect(waits).rejects.toThrow(EngineStopped)
  })
})

describe('the durable store', () => {
  afterEach(() => {
    vi.useRealTimers()
  })

  test('lets them gather for 50 ms', async () => {
    const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-gathering-'))
    const engine = await openEngine({ store: await openLmdbStore(directory), ...configuration })
    await engine.whenDurable()
    const { head } = engine
    const durable = new Promise<number>((resolve) => engine.subscribe(({ seq }) => resolve(seq)))
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    await tick(engine, 2)
    vi.advanceTimersByTime(49)
    await turn()
    expect(engine.durableHead).toBe(head)
    vi.advanceTimersByTime(1)
    expect(await durable).toBe(head + 1)
    expect(engine.durableHead).toBe(head + 2)
    vi.useRealTimers()
    await engine.close()
    await rm(directory, { recursive: true })
  })
})
