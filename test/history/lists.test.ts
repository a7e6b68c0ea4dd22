// The places in which history lists are kept, each held to the same features.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import type { Position } from '../../src/domain/state/position.ts'
import { RecordedHistory } from '../../src/history/historyTarget.ts'
import { MemoryHistory } from '../../src/history/memoryHistory.ts'
import { PagedHistory } from '../../src/history/pagedHistory.ts'
import { StoredHistory } from '../../src/history/storedHistory.ts'
import type { Commit } from '../../src/index.ts'
import type { FoldedCommit } from '../../src/projections/decidedProjection.ts'
import { CommitLog } from '../../src/store/commitLog.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { ALL_RUNS, runs } from '../properties/runs.ts'
import { RecordsInMemory } from '../recordsInMemory.ts'
import { HeldTables } from './heldTables.ts'
import { type ListMaker, listFeatures, REACHED } from './listFeatures.ts'

const FORM = 7

const inMemory = {
  async create() {
    return { lists: new MemoryHistory(), reopen: null, dispose: async () => {} }
  },
}

/** A log that commits are pushed to as the next one begins, or at once. */
class LoggedHistory extends MemoryHistory {
  readonly #log: CommitLog
  #told: Commit | null = null

  constructor(log = new CommitLog()) {
    super(log)
    this.#log = log
  }

  override began(commit: FoldedCommit): void {
    this.#push()
    super.began(commit)
    this.#told = commit as Commit
  }

  override completed(seq: number): void {
    if (seq % 3 === 0) this.#push()
  }

  #push(): void {
    if (this.#told !== null) this.#log.push(this.#told)
    this.#told = null
  }
}

const inTheLog = {
  async create() {
    return { lists: new LoggedHistory(), reopen: null, dispose: async () => {} }
  },
}

const OVER_A_STORE: Readonly<Record<string, ListMaker<Position>>> = {
  'records in a map': {
    async create() {
      const records = new RecordsInMemory()
      const opened = () => new StoredHistory(new RecordedHistory(records))
      return { lists: opened(), reopen: async () => opened(), dispose: async () => {} }
    },
  },
  'records in LMDB': {
    async create() {
      const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-lists-'))
      let index = await RecordIndex.open(directory, FORM)
      const opened = () => new StoredHistory(new RecordedHistory(index))
      return {
        lists: opened(),
        async reopen() {
          await index.close()
          index = await RecordIndex.open(directory, FORM)
          return opened()
        },
        async dispose() {
          await index.close()
          await rm(directory, { recursive: true })
        },
      }
    },
  },
  'rows of tables': {
    async create() {
      const tables = new HeldTables()
      return {
        lists: new PagedHistory(tables),
        reopen: async () => new PagedHistory(tables),
        dispose: async () => {},
      }
    },
  },
}

describe.each([
  ['records in memory', inMemory],
  ['places in a log in memory', inTheLog],
])('%s', (_, maker) => {
  for (const { name, run } of listFeatures(maker, runs(2).numRuns)) test(name, run)
})

describe.each(Object.entries(OVER_A_STORE))('%s', (where, maker) => {
  for (const { name, run } of listFeatures(maker, where === 'records in LMDB' ? 1 : runs(2).numRuns))
    test(name, run)
})

test.runIf(ALL_RUNS)('the logs reached what the features are about', () => {
  for (const [what, times] of Object.entries(REACHED)) expect(times, what).toBeGreaterThan(10)
})
