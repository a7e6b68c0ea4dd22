// One contract, every store.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, test } from 'vitest'
import { MemoryStore } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { type StoreMaker, storeFeatures } from '../../src/testing/index.ts'

const memory: StoreMaker = {
  async create() {
    return { store: new MemoryStore(), reopen: null, dispose: async () => {} }
  },
}

const lmdb: StoreMaker = {
  async create() {
    const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-store-'))
    let store = await openLmdbStore(directory)
    return {
      store,
      async reopen() {
        await store.close()
        store = await openLmdbStore(directory)
        return store
      },
      async dispose() {
        await store.close()
        await rm(directory, { recursive: true })
      },
    }
  },
}

describe.each([
  ['memory', memory],
  ['lmdb', lmdb],
])('the %s store', (_, maker) => {
  test.each(storeFeatures(maker).map((feature) => [feature.name, feature] as const))('%s', (_name, feature) =>
    feature.run(),
  )
})
