// Every store against the plainest model of one: an array, a writer number, and a list of snapshots.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Commit, MemoryStore, type Store } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { commitsOf, sampleCommit } from '../../src/testing/index.ts'

interface Kept {
  store: Store
  reopen(): Promise<Store>
  dispose(): Promise<void>
}

/** What is done to a store; numbers are taken relative to what there is. */
type Operation =
  | { readonly do: 'open' }
  | {
      readonly do: 'append'
      readonly commits: number
      readonly headOff: number
      readonly stale: boolean
      readonly gap: boolean
    }
  | { readonly do: 'read'; readonly from: number }
  | { readonly do: 'snapshot'; readonly seq: number }
  | { readonly do: 'reopen' }

const often = <T>(usual: T, arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary })

const operations: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 1, arbitrary: fc.record({ do: fc.constant('open' as const) }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('append' as const),
      commits: fc.integer({ min: 0, max: 5 }),
      headOff: often(0, fc.integer({ min: -2, max: 2 })),
      stale: often(false, fc.boolean()),
      gap: often(false, fc.boolean()),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('read' as const), from: fc.integer({ min: 0, max: 30 }) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('snapshot' as const), seq: fc.integer({ min: 0, max: 30 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('reopen' as const) }) },
)

class Model {
  readonly commits: Commit[] = []
  readonly snapshots = new Set<number>()
  epoch = 0
  #mark = 0n

  async apply(kept: Kept, operation: Operation): Promise<void> {
    switch (operation.do) {
      case 'open': {
        const session = await kept.store.open()
        expect(session.head).toBe(this.commits.length)
        expect(session.epoch).toBeGreaterThan(this.epoch)
        this.epoch = session.epoch
        return
      }
      case 'append':
        return this.#append(kept.store, operation)
      case 'read':
        expect(await commitsOf(kept.store, operation.from)).toEqual(
          this.commits.slice(Math.max(operation.from, 1) - 1),
        )
        return
      case 'snapshot': {
        const seq = Math.min(operation.seq, this.commits.length)
        await kept.store.saveSnapshot({ seq, schema: 'model', pieces: [Uint8Array.of(seq)] })
        this.snapshots.add(seq)
        for await (const newest of kept.store.snapshots()) {
          expect(newest).toEqual({
            seq: Math.max(...this.snapshots),
            schema: 'model',
            bytes: Uint8Array.of(newest.seq),
          })
          return
        }
        throw new Error('no snapshot was kept')
      }
      case 'reopen':
        await kept.reopen()
        return this.apply(kept, { do: 'open' })
    }
  }

  async #append(store: Store, { commits, headOff, stale, gap }: Operation & { do: 'append' }): Promise<void> {
    const head = this.commits.length
    this.#mark += 1n
    const batch = Array.from({ length: commits }, (_, index) =>
      sampleCommit(head + 1 + index + (gap && index === commits - 1 ? 1 : 0), this.#mark),
    )
    const fits = headOff === 0 && !stale && !(gap && commits > 0)
    const outcome = await store.append(batch, head + headOff, stale ? this.epoch - 1 : this.epoch).then(
      () => 'appended',
      (error: Error) => error.name,
    )
    expect(outcome).toBe(fits ? 'appended' : 'StoreConflict')
    if (fits) this.commits.push(...batch)
  }
}

async function memory(): Promise<Kept> {
  const store = new MemoryStore()
  return { store, reopen: async () => store, dispose: async () => {} }
}

async function lmdb(): Promise<Kept> {
  const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-model-'))
  const open = () => openLmdbStore(directory, { segmentBytes: 600 })
  const kept: Kept = {
    store: await open(),
    async reopen() {
      await kept.store.close()
      kept.store = await open()
      return kept.store
    },
    async dispose() {
      await kept.store.close()
      await rm(directory, { recursive: true })
    },
  }
  return kept
}

describe.each([
  ['memory', memory, 200],
  ['lmdb', lmdb, 40],
] as const)('the %s store', (_, make, runs) => {
  test('does what an array would', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operations, { size: 'large', maxLength: 60 }), async (list) => {
        const kept = await make()
        const model = new Model()
        try {
          await model.apply(kept, { do: 'open' })
          for (const operation of list) await model.apply(kept, operation)
          expect(await commitsOf(kept.store)).toEqual(model.commits)
        } finally {
          await kept.dispose()
        }
      }),
      { numRuns: runs },
    )
  })
})
