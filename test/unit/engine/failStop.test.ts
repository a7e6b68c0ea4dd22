import { expect, test } from 'vitest'
import { type Commit, createEngine, EngineStopped, fp9, MemoryStore, openEngine } from '../../../src/index.ts'
import { SimpleTriggers } from '../../../src/testing/index.ts'
import { MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, Venue } from '../venue.ts'

const tick = { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('101') } as const

class FullStore extends MemoryStore {
  full = false

  override async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    if (this.full) throw new Error('no space left')
    return super.append(commits, expectedHead, epoch)
  }
}

class BrokenTriggers extends SimpleTriggers {
  static broken = false

  override firing(...args: Parameters<SimpleTriggers['firing']>) {
    if (BrokenTriggers.broken) throw new RangeError('levels out of order')
    return super.firing(...args)
  }
}

test('an engine whose invariant breaks throws, and from then on refuses everything', () => {
  const venue = new Venue({ engine: { triggers: (world) => new BrokenTriggers(world) } })
  const { head } = venue.engine
  BrokenTriggers.broken = true
  try {
    expect(() => venue.tick('101')).toThrow('levels out of order')
  } finally {
    BrokenTriggers.broken = false
  }
  expect(venue.engine.failure).toBeInstanceOf(RangeError)
  expect(() => venue.tick('101')).toThrow(EngineStopped)
  expect(() => venue.place()).toThrow(EngineStopped)
  expect(venue.engine.head).toBe(head)
})

test('a command that broke an invariant is not in the log: the log folds to the state before it', async () => {
  const venue = new Venue({ engine: { triggers: (world) => new BrokenTriggers(world) } })
  venue.open()
  const before = venue.engine.stateHash()
  BrokenTriggers.broken = true
  try {
    expect(() => venue.tick('101')).toThrow()
  } finally {
    BrokenTriggers.broken = false
  }
  expect((await venue.engine.asOf(venue.engine.head)).stateHash()).toBe(before)
})

test('an engine whose log cannot be written stops; what is not durable is not acknowledged', async () => {
  const store = new FullStore()
  const engine = await openEngine({ store, seed: 's', markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] })
  await engine.send(tick)
  store.full = true
  await expect(engine.send(tick)).rejects.toMatchObject({
    name: 'EngineStopped',
    cause: { message: 'no space left' },
  })
  expect(engine.failure).toBeInstanceOf(EngineStopped)
  await expect(engine.send(tick)).rejects.toThrow(EngineStopped)
  expect(() => engine.dispatch(tick)).toThrow(EngineStopped)
  expect(engine.durableHead).toBe(engine.head - 1)
  store.full = false
  const restarted = await openEngine({ store })
  expect(restarted.head).toBe(engine.durableHead)
})

test('the writer that was fenced off by a newer one stops', async () => {
  const store = new MemoryStore()
  const older = await openEngine({ store, seed: 's', markets: [PLAIN_MARKET] })
  await older.send({ type: 'advanceTime', ms: 1 })
  const newer = await openEngine({ store })
  await expect(older.send(tick)).rejects.toMatchObject({
    name: 'EngineStopped',
    cause: { name: 'StoreConflict' },
  })
  expect(() => older.dispatch(tick)).toThrow(EngineStopped)
  expect((await newer.send(tick)).ok).toBe(true)
})

test('stopping by hand is final, and closing is a stop', async () => {
  const engine = createEngine()
  engine.stop(new Error('maintenance'))
  engine.stop(new Error('second'))
  expect(engine.failure).toEqual(new Error('maintenance'))
  const other = createEngine()
  await other.close()
  expect(() => other.dispatch({ type: 'advanceTime', ms: 1 })).toThrow(EngineStopped)
})

/** Whether it was closed while something was being written. */
class HesitantStore extends MemoryStore {
  go: (() => void) | null = null
  closedEarly = false

  override async append(...batch: Parameters<MemoryStore['append']>): Promise<void> {
    await new Promise<void>((resolve) => {
      this.go = resolve
    })
    this.go = null
    await super.append(...batch)
  }

  override async close(): Promise<void> {
    this.closedEarly = this.go !== null
    await super.close()
  }
}

test('an engine that has stopped lets go of its store once what is being written has been', async () => {
  const store = new HesitantStore()
  const opening = openEngine({ store, seed: 's', markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] })
  const turn = () => new Promise((resolve) => setImmediate(resolve))
  let opened: Awaited<typeof opening> | null = null
  opening.then((engine) => {
    opened = engine
  })
  while (opened === null) {
    store.go?.()
    await turn()
  }
  const engine = await opening
  while (engine.durableHead < engine.head) {
    store.go?.()
    await turn()
  }
  const sent = engine.send(tick).catch((error: unknown) => error)
  while (store.go === null) await turn()
  engine.stop(new Error('gone'))
  const closing = engine.close()
  for (let n = 0; n < 5; n++) await turn()
  store.go?.()
  await closing
  expect(store.closedEarly).toBe(false)
  await sent
})
