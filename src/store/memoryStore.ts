/** A store in memory: what is in it is lost with the process. */
import type { Commit } from '../events/commit.ts'
import { type Snapshot, type Store, StoreConflict, type StoreSession } from './store.ts'

export class MemoryStore implements Store {
  readonly #commits: Commit[] = []
  #snapshots: Snapshot[] = []
  #epoch = 0

  async open(): Promise<StoreSession> {
    return this.openNow()
  }

  openNow(): StoreSession {
    this.#epoch += 1
    return { head: this.#commits.length, epoch: this.#epoch }
  }

  async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    this.appendNow(commits, expectedHead, epoch)
  }

  /** The append itself: memory needs no waiting. */
  appendNow(commits: readonly Commit[], expectedHead: number, epoch: number): void {
    if (epoch !== this.#epoch)
      throw new StoreConflict(`epoch ${epoch} was fenced off by epoch ${this.#epoch}`)
    if (expectedHead !== this.#commits.length)
      throw new StoreConflict(`expected head ${expectedHead}, found ${this.#commits.length}`)
    for (const commit of commits) this.#commits.push(commit)
  }

  async *read(from: number): AsyncIterable<Commit> {
    const head = this.#commits.length
    for (let seq = Math.max(from, 1); seq <= head; seq++) yield this.#commits[seq - 1] as Commit
  }

  async saveSnapshot(snapshot: Snapshot): Promise<void> {
    this.#snapshots = [snapshot, ...this.#snapshots.filter(({ seq }) => seq !== snapshot.seq)].sort(
      (a, b) => b.seq - a.seq,
    )
  }

  async *snapshots(): AsyncIterable<Snapshot> {
    yield* this.#snapshots
  }

  async close(): Promise<void> {}
}
