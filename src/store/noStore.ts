/** A store that keeps nothing, for an engine without a log. */
import type { Commit } from '../events/commit.ts'
import type { Snapshot, Store, StoreSession } from './store.ts'

export class NoStore implements Store {
  async open(): Promise<StoreSession> {
    return { head: 0, epoch: 1, repaired: null, unwritable: null }
  }

  async append(): Promise<void> {}

  /** @throws RangeError always. */
  read(): AsyncIterable<readonly Commit[]> {
    throw new RangeError('this engine keeps no log')
  }

  async saveSnapshot(): Promise<void> {}

  async *snapshots(): AsyncIterable<Snapshot> {}

  async close(): Promise<void> {}
}
