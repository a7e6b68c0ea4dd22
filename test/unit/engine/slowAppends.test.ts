// A store that takes its time, and senders who wait for their answers: who is answered comes again in time for the next write.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Commit, type Engine, EngineStopped, MemoryStore, openEngine } from '../../../src/index.ts'
import { LOOP_CLOCKS } from '../../../src/store/node/loopClocks.ts'
import { ACCOUNT, PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../venue.ts'

class SlowStore extends MemoryStore {
  readonly appendsAtOnce = 2
  readonly clocks = LOOP_CLOCKS
  readonly groups: number[] = []
  tookMs = 0
  failsAfter = Number.POSITIVE_INFINITY

  override async append(commits: readonly Commit[], head: number, epoch: number): Promise<void> {
    this.groups.push(commits.length)
    const isBad = this.groups.length > this.failsAfter
    if (this.tookMs > 0) await sleep(this.tookMs)
    if (isBad) throw new Error('EIO')
    await super.append(commits, head, epoch)
  }
}

async function slow(): Promise<{ engine: Engine; store: SlowStore }> {
  const store = new SlowStore()
  const engine = await openEngine({
    store,
    seed: 's',
    at: START,
    markets: [PLAIN_MARKET],
    accounts: [PLAIN_ACCOUNT],
  })
  await engine.whenDurable()
  store.tookMs = 10
  store.groups.length = 0
  return { engine, store }
}

const deposit = (engine: Engine) => engine.send({ type: 'adjustBalance', accountId: ACCOUNT, amount: 1n })

const atOnce = async () => {}
const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Everyone sends again when answered, so many times. */
async function sending(engine: Engine, senders: number, times: number, pause = atOnce): Promise<void> {
  await Promise.all(
    Array.from({ length: senders }, async () => {
      for (let sent = 0; sent < times; sent++) {
        await deposit(engine)
        await pause()
      }
    }),
  )
}

test.each([
  ['at once', atOnce],
  ['a turn of the loop later', turn],
])(
  'most writes carry all who send again %s, and not the half that had not been answered',
  async (_, pause) => {
    const { engine, store } = await slow()
    await sending(engine, 300, 40, pause)
    expect(store.groups.reduce((sum, of) => sum + of)).toBe(12_000)
    // Of two halves in turns there would be 80, and none of all. A machine that does much else makes some late.
    expect(store.groups.length).toBeLessThan(70)
    expect(store.groups.filter((of) => of === 300).length).toBeGreaterThan(10)
    await engine.close()
  },
)

test('a few who come one after the other are written together, and one alone is not kept waiting', async () => {
  const { engine, store } = await slow()
  await Promise.all([sending(engine, 1, 12), sleep(4).then(() => sending(engine, 1, 12))])
  // Each alone in turns would take 24.
  expect(store.groups.length).toBeLessThan(18)
  await sleep(30)
  await deposit(engine)
  const writes = store.groups.length
  const answered = deposit(engine)
  await Promise.resolve()
  await Promise.resolve()
  expect(store.groups).toHaveLength(writes + 1)
  await answered
  await engine.close()
})

test('what waits for others is refused when the store fails, and written when the engine is closed', async () => {
  const failing = await slow()
  failing.store.failsAfter = 3
  await expect(sending(failing.engine, 10, 8)).rejects.toThrow(EngineStopped)
  expect(failing.engine.durableHead).toBeLessThan(failing.engine.head)

  const closing = await slow()
  await deposit(closing.engine)
  const last = deposit(closing.engine)
  const closed = closing.engine.close()
  await Promise.all([last, closed])
  expect(closing.engine.durableHead).toBe(closing.engine.head)
})
