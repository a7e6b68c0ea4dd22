// Snapshots are as rare as there is to write, come again and again, and one at a time.

import { expect, test } from 'vitest'
import { openEngine } from '../../../src/engine/open.ts'
import { MemoryStore } from '../../../src/store/memoryStore.ts'
import type { SnapshotInPieces } from '../../../src/store/store.ts'
import { PLAIN_ACCOUNT, PLAIN_MARKET, START } from '../venue.ts'

/** Notes after which commits snapshots are taken, and lets them be kept one by one where they are held. */
class WatchedStore extends MemoryStore {
  readonly seqs: number[] = []
  underWay = 0
  mostUnderWay = 0
  held = false
  readonly #waiting: (() => void)[] = []

  override async saveSnapshot(snapshot: SnapshotInPieces): Promise<void> {
    this.seqs.push(snapshot.seq)
    this.underWay += 1
    this.mostUnderWay = Math.max(this.mostUnderWay, this.underWay)
    if (this.held) await new Promise<void>((resolve) => this.#waiting.push(resolve))
    await super.saveSnapshot(snapshot)
    this.underWay -= 1
  }

  release(): void {
    this.held = false
    for (const go of this.#waiting.splice(0)) go()
  }
}

const idOf = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`

async function opened(accountCount: number, snapshotEvery: number) {
  const store = new WatchedStore()
  const accounts = Array.from({ length: accountCount }, (_, n) => ({ ...PLAIN_ACCOUNT, id: idOf(n) }))
  const engine = await openEngine({
    store,
    seed: 's',
    at: START,
    markets: [PLAIN_MARKET],
    accounts,
    snapshotEvery,
  })
  const deposits = async (count: number) => {
    for (let n = 0; n < count; n++)
      expect((await engine.send({ type: 'adjustBalance', accountId: idOf(0), amount: 1n })).ok).toBe(true)
    await new Promise((resolve) => setImmediate(resolve))
  }
  await deposits(1)
  return { engine, store, deposits }
}

test.each([
  [60, 10],
  [5, 40],
])(
  'of %i accounts, at least every %i commits, comes one for as many commits as there is to write',
  async (accounts, every) => {
    const { engine, store, deposits } = await opened(accounts, every)
    await deposits(300)
    const distances = store.seqs.slice(1).map((seq, index) => seq - (store.seqs[index] as number))
    expect(distances.length).toBeGreaterThanOrEqual(3)
    for (const distance of distances) {
      expect(distance).toBeGreaterThanOrEqual(Math.max(accounts, every))
      expect(distance).toBeLessThan(Math.max(accounts, every) + 10)
    }
    await engine.close()
  },
)

test('while one is being kept no other is begun, however long it takes; afterwards one is', async () => {
  const { engine, store, deposits } = await opened(1, 20)
  store.held = true
  await deposits(100)
  expect([store.underWay, store.mostUnderWay]).toEqual([1, 1])
  const { length } = store.seqs
  store.release()
  await deposits(30)
  expect(store.seqs.length).toBeGreaterThan(length)
  expect(store.mostUnderWay).toBe(1)
  await engine.close()
})
