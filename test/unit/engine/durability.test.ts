// K5, K6 in the library: what `send` has told is durable; and what goes wrong beside a command stops no process.

import { describe, expect, test } from 'vitest'
import { earlierOutcome } from '../../../src/engine/engine.ts'
import { createEngine, type Engine, EngineStopped, MemoryStore, openEngine } from '../../../src/index.ts'
import { ListsFailed } from '../../../src/store/listsFailed.ts'
import { HeldStore } from '../../host/slowStore.ts'
import { ACCOUNT, MARKET, PLAIN_ACCOUNT, PLAIN_MARKET, START, Venue } from '../venue.ts'

const configuration = { seed: 's', at: START, markets: [PLAIN_MARKET], accounts: [PLAIN_ACCOUNT] }
const order = (more: object = {}) => ({
  ...new Venue().command({ orderType: 'limit', triggerPrice: 90n }),
  ...more,
})

async function held(): Promise<{ engine: Engine; store: HeldStore; notices: string[] }> {
  const store = new HeldStore()
  const notices: string[] = []
  const engine = await openEngine({ store, ...configuration, onNotice: (notice) => notices.push(notice) })
  await engine.settled()
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
    const read = engine.settled()
    await turn()
    store.fail()
    await expect(refused).rejects.toThrow(EngineStopped)
    await expect(read).rejects.toThrow(EngineStopped)
    await expect(engine.settled(engine.durableHead)).resolves.toBeUndefined()
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
    await engine.settled()
    store.broken = true
    await expect(engine.send(tick)).rejects.toMatchObject({ cause: { message: 'no handle' } })
    expect(engine.failure).toBeInstanceOf(EngineStopped)
  })

  test('lists that can no longer be kept stop it in their own words, not in those of the log', async () => {
    const { engine, store, notices } = await held()
    const cause = new Error('the disk is full')
    const append = () => Promise.reject(new ListsFailed('the history lists could not be written', { cause }))
    Object.defineProperty(store, 'append', { value: append })
    await expect(engine.send(tick)).rejects.toMatchObject({ cause })
    const reason = 'the engine has stopped: the history lists could not be written: the disk is full'
    expect(notices).toEqual([reason])
  })

  test('history lists that cannot be told what is durable stop it too', async () => {
    const { engine, store } = await held()
    Object.defineProperty(store, 'history', {
      value: {
        durable: () => {
          throw new Error('lists are gone')
        },
      },
    })
    const sent = engine.send(tick)
    store.release()
    await sent
    await turn()
    expect(engine.failure).toMatchObject({ cause: { message: 'lists are gone' } })
    await expect(engine.send(tick)).rejects.toThrow(EngineStopped)
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
