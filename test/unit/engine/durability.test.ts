// K5, K6 in the library: what `send` has told is durable; and what goes wrong beside a command stops no process.

import { describe, expect, test, vi } from 'vitest'
import { earlierOutcome } from '../../../src/engine/internals.ts'
import { PendingHistory } from '../../../src/history/pendingHistory.ts'
import {
  createEngine,
  type Engine,
  EngineStopped,
  MemoryStore,
  openEngine,
  type StoredEngineOptions,
} from '../../../src/index.ts'
import { HeldStore } from '../../host/slowStore.ts'
import { RecordsInMemory } from '../../recordsInMemory.ts'
import { ACCOUNT, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START, Venue } from '../venue.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }
const order = (more: object = {}) => ({
  ...new Venue().command({ orderType: 'limit', triggerPrice: 90n }),
  ...more,
})

async function held(
  store = new HeldStore(),
): Promise<{ engine: Engine; store: HeldStore; notices: string[] }> {
  const notices: string[] = []
  const engine = await openEngine({ store, ...configuration, onNotice: (notice) => notices.push(notice) })
  await engine.whenDurable()
  store.held = true
  return { engine, store, notices }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false
  const now = () => {
    settled = true
  }
  promise.then(now, now)
  await turn()
  return settled
}

describe('send', () => {
  test('resolves a rejection once what it was decided on is durable, and at once where nothing is being written', async () => {
    const { engine, store } = await held()
    const nobody = { type: 'closeAll', accountId: 'nobody' } as const
    expect(await isSettled(engine.send(nobody))).toBe(true)
    engine.dispatch({ type: 'adjustBalance', accountId: ACCOUNT, amount: 1n })
    const refused = engine.send(nobody)
    expect(await isSettled(refused)).toBe(false)
    store.release()
    expect(await refused).toMatchObject({ ok: false, error: { code: 'account_not_found' } })
  })

  test('waits for what is durable at its own moment, not for what comes after', async () => {
    const { engine, store } = await held()
    const first = engine.send({ type: 'adjustBalance', accountId: ACCOUNT, amount: 1n })
    await turn()
    const second = engine.send({ type: 'adjustBalance', accountId: ACCOUNT, amount: 2n })
    store.write()
    expect((await first).ok).toBe(true)
    expect(await isSettled(second)).toBe(false)
    store.release()
    expect((await second).ok).toBe(true)
  })

  test('rejects a rejection whose ground was lost, and a read that waited', async () => {
    const { engine, store } = await held()
    engine.dispatch({ type: 'adjustBalance', accountId: ACCOUNT, amount: 1n })
    const refused = engine.send({ type: 'closeAll', accountId: 'nobody' })
    const read = engine.whenDurable()
    await turn()
    store.fail()
    await expect(refused).rejects.toThrow(EngineStopped)
    await expect(read).rejects.toThrow(EngineStopped)
    await expect(engine.whenDurable(engine.durableHead)).resolves.toBeUndefined()
  })

  test('a stopped engine replays nothing, durable or not', async () => {
    const { engine, store } = await held()
    store.held = false
    await engine.send(order({ idempotencyKey: 'good' }))
    store.held = true
    const lost = engine.send(order({ idempotencyKey: 'lost' }))
    await turn()
    store.fail()
    await expect(lost).rejects.toThrow(EngineStopped)
    for (const idempotencyKey of ['good', 'lost']) {
      await expect(engine.send(order({ idempotencyKey }))).rejects.toThrow(EngineStopped)
      expect(() => earlierOutcome(engine, PLAIN_ACCOUNT.userId, idempotencyKey, engine.now)).toThrow(
        EngineStopped,
      )
    }
  })
})

test('a past state is told once its commit is durable, and is that of its commit', async () => {
  const { engine, store } = await held()
  engine.dispatch({ type: 'adjustBalance', accountId: ACCOUNT, amount: 1n })
  const now = engine.stateHash()
  const past = engine.asOf(engine.head)
  expect(await isSettled(past)).toBe(false)
  store.release()
  expect((await past).stateHash()).toBe(now)
})

describe('what goes wrong beside a command', () => {
  const tick = { type: 'updatePrice', marketId: MARKET, indexPrice: 101n } as const

  test('a store that throws at once stops the engine like one that rejects', async () => {
    class Throwing extends MemoryStore {
      broken = false
      override append(...batch: Parameters<MemoryStore['append']>): Promise<void> {
        if (this.broken) throw new Error('no handle')
        return super.append(...batch)
      }
    }
    const store = new Throwing()
    const engine = await openEngine({ store, ...configuration })
    await engine.whenDurable()
    store.broken = true
    await expect(engine.send(tick)).rejects.toMatchObject({ cause: { message: 'no handle' } })
    expect(engine.failure).toBeInstanceOf(EngineStopped)
  })

  describe('with history lists that are kept beside the log', () => {
    class HeldWithRecords extends HeldStore {
      readonly kept = new RecordsInMemory()
      readonly records = async () => this.kept
    }

    test('it stops when they can no longer be written, in their own words and not in those of the log', async () => {
      const store = new HeldWithRecords()
      const { engine, notices } = await held(store)
      const cause = new Error('the disk is full')
      store.kept.write = () => Promise.reject(cause)
      store.release()
      expect((await engine.send(new Venue().command({ orderType: 'market' }))).ok).toBe(true)
      // Keeping a snapshot hurries the lists.
      await engine.saveSnapshot()
      await expect(engine.send(tick)).rejects.toMatchObject({ cause: { cause } })
      expect(notices).toContain(
        'the engine has stopped: the history lists could not be written: the disk is full',
      )
      await engine.close()
    })

    test('it stops when they are found damaged while they are served', async () => {
      const store = new HeldWithRecords()
      let found: (error: Error) => void = () => {}
      Object.defineProperty(store.kept, 'checked', {
        value: new Promise((_, reject) => {
          found = reject
        }),
      })
      const { engine, notices } = await held(store)
      const sent = engine.send(tick)
      // However long the lists let it wait.
      await vi.waitUntil(() => store.isAppending)
      const waiting = engine.send(tick)
      found(new Error('a page is torn'))
      await expect(waiting).rejects.toThrow('the history lists cannot be believed')
      // What is being written may become durable, and is then told.
      store.release()
      expect(await sent).toMatchObject({ ok: true })
      expect(notices).toEqual([
        'the engine has stopped: the history lists cannot be believed: a page is torn',
      ])
      await engine.close()
    })

    test('the log waits while they have no room, and is not written on once they have failed', async () => {
      const store = new HeldWithRecords()
      let found: (error: Error) => void = () => {}
      Object.defineProperty(store.kept, 'checked', {
        value: new Promise((_, reject) => {
          found = reject
        }),
      })
      const { engine } = await held(store)
      store.release()
      const before = engine.durableHead
      let goOn: () => void = () => {}
      const room = vi.spyOn(PendingHistory.prototype, 'room').mockImplementation(
        () =>
          new Promise((resolve) => {
            goOn = resolve
          }),
      )
      const first = engine.send(tick)
      expect(await isSettled(first)).toBe(false)
      goOn()
      expect(await first).toMatchObject({ ok: true, seq: before + 1 })
      const second = expect(engine.send(tick)).rejects.toThrow('the history lists cannot be believed')
      await turn()
      found(new Error('a page is torn'))
      await turn()
      goOn()
      await second
      room.mockRestore()
      expect(engine.durableHead).toBe(before + 1)
      expect((await store.open()).head).toBe(before + 1)
    })

    test('it stops when they cannot be told what is durable', async () => {
      const { engine, store } = await held(new HeldWithRecords())
      const durable = vi.spyOn(PendingHistory.prototype, 'durable').mockImplementation(() => {
        throw new Error('lists are gone')
      })
      const sent = engine.send(tick)
      store.release()
      await sent
      await turn()
      durable.mockRestore()
      expect(engine.failure).toMatchObject({ cause: { message: 'lists are gone' } })
      await expect(engine.send(tick)).rejects.toThrow(EngineStopped)
    })
  })

  test('stopping is told once, with the reason, and a listener that throws or rejects is nobody to tell', async () => {
    const { engine, store, notices } = await held()
    const sent = engine.send(tick)
    await turn()
    store.fail()
    await expect(sent).rejects.toThrow()
    engine.stop(new Error('again'))
    expect(notices).toEqual(['the engine has stopped: the log could not be written: EIO'])
    for (const onNotice of [
      () => {
        throw new Error('no console')
      },
      () => Promise.reject(new Error('no console')),
    ])
      createEngine({ onNotice }).stop(new Error('x'))
    await turn()
  })

  test('a failed engine lets go of its store calmly, whatever that makes of it; a good one says what went wrong', async () => {
    const { engine, store, notices } = await held()
    store.close = () => Promise.reject(new Error('MDB_PANIC'))
    engine.stop(new Error('disk'))
    await engine.close()
    expect(notices).toContain('the store could not be closed: MDB_PANIC')

    const good = await openEngine({ store: new MemoryStore(), ...configuration })
    const last = await held()
    last.store.close = store.close
    last.store.release()
    await expect(last.engine.close()).rejects.toThrow('MDB_PANIC')
    await good.close()
  })
})

test('whoever forgets the store is told so, and which engine needs none', async () => {
  for (const options of [undefined, {}, { store: undefined }])
    await expect(openEngine(options as unknown as StoredEngineOptions)).rejects.toThrow(
      /needs a store.*createEngine/,
    )
})
