/** A store in memory: what is in it is lost with the process. */
import type { Commit } from '../events/commit.ts'
import type { TickColumns } from '../events/tickColumns.ts'
import { CommitLog } from './commitLog.ts'
import {
  joined,
  type Snapshot,
  type SnapshotInPieces,
  type SnapshotShelf,
  type Store,
  StoreConflict,
  type StoreSession,
} from './store.ts'

/** Commits that are read in one go: one may hold everything that a tick set off. */
const RUN = 64

class MemoryShelf implements SnapshotShelf {
  #snapshots: Snapshot[] = []

  async saveSnapshot({ seq, schema, pieces }: SnapshotInPieces): Promise<void> {
    const snapshot = { seq, schema, bytes: joined([...pieces]) }
    this.#snapshots = [snapshot, ...this.#snapshots.filter(({ seq }) => seq !== snapshot.seq)].sort(
      (a, b) => b.seq - a.seq,
    )
  }

  async *snapshots(): AsyncIterable<Snapshot> {
    yield* this.#snapshots
  }
}

/**
 * A store in memory: what is in it is lost with the process.
 *
 * ```ts
 * const kept = new MemoryStore()
 * const first = await openEngine({ store: kept, at })
 * await first.send({ type: 'advanceTime' }, { at: at + 60_000 })
 * for await (const commits of kept.read(1)) console.log(commits.map(({ command }) => command.type))
 * ```
 */
export class MemoryStore implements Store {
  /** @internal */
  readonly log = new CommitLog()
  readonly #snapshots = new MemoryShelf()
  readonly #shelves = new Map<string, MemoryShelf>()
  #epoch = 0

  async open(): Promise<StoreSession> {
    return this.openNow()
  }

  /** @internal Opening itself: memory needs no waiting. */
  openNow(): StoreSession {
    this.#epoch += 1
    return { head: this.log.length, epoch: this.#epoch, repaired: null, unwritable: null }
  }

  async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    this.appendNow(commits, expectedHead, epoch)
  }

  /** @internal The append itself: memory needs no waiting. */
  appendNow(commits: readonly Commit[], expectedHead: number, epoch: number): void {
    const head = this.log.length
    checkAppend(commits, expectedHead, epoch, { head, epoch: this.#epoch })
    for (const commit of commits) this.log.push(commit)
  }

  /** @internal Appends a single commit. */
  appendOne(commit: Commit, expectedHead: number, epoch: number): void {
    checkSession(expectedHead, epoch, this.log.length, this.#epoch)
    if (commit.seq !== expectedHead + 1)
      throw new StoreConflict(`commit ${commit.seq} where ${expectedHead + 1} was due`)
    this.log.push(commit)
  }

  /** @internal Appends rows of a feed, each a tick that changed nothing but its market's price. */
  appendTicks(ticks: TickColumns, from: number, to: number, expectedHead: number, epoch: number): void {
    checkSession(expectedHead, epoch, this.log.length, this.#epoch)
    this.log.pushTicks(ticks, from, to)
  }

  async *read(from: number): AsyncIterable<readonly Commit[]> {
    const end = this.log.length + 1
    for (let seq = Math.max(from, 1); seq < end; seq += RUN)
      yield this.log.slice(seq, Math.min(seq + RUN, end))
  }

  saveSnapshot(snapshot: SnapshotInPieces): Promise<void> {
    return this.#snapshots.saveSnapshot(snapshot)
  }

  snapshots(): AsyncIterable<Snapshot> {
    return this.#snapshots.snapshots()
  }

  async shelf(name: string): Promise<SnapshotShelf> {
    let shelf = this.#shelves.get(name)
    if (shelf === undefined) {
      shelf = new MemoryShelf()
      this.#shelves.set(name, shelf)
    }
    return shelf
  }

  async close(): Promise<void> {}
}

/** @throws StoreConflict unless the writer knows the head and nobody has opened the store after it. */
function checkSession(expectedHead: number, epoch: number, head: number, newest: number): void {
  if (epoch !== newest) throw new StoreConflict(`epoch ${epoch} was fenced off by epoch ${newest}`)
  if (expectedHead !== head) throw new StoreConflict(`expected head ${expectedHead}, found ${head}`)
}

/** @throws StoreConflict unless the batch goes exactly on top of the head, written by the newest session. */
export function checkAppend(
  commits: readonly Commit[],
  expectedHead: number,
  epoch: number,
  store: { readonly head: number; readonly epoch: number },
): void {
  checkSession(expectedHead, epoch, store.head, store.epoch)
  let next = expectedHead + 1
  for (const { seq } of commits)
    if (seq !== next++) throw new StoreConflict(`commit ${seq} where ${next - 1} was due`)
}
