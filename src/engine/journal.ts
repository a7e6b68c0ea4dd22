/** How the engine's commits reach a store: at once into memory, or in groups onto a disk. */
import type { Commit } from '../events/commit.ts'
import type { MemoryStore } from '../store/memoryStore.ts'
import type { Store, StoreSession } from '../store/store.ts'

export interface Journal {
  /** Sequence up to which everything is durable. */
  readonly durableHead: number
  /** Takes the next commit. Never fails by itself: a failed write is told to `onFailure`. */
  record(commit: Commit): void
  /** Resolves once commit `seq` is durable; rejects when it cannot become so. */
  durable(seq: number): Promise<void>
}

/** Every commit is in the store when `record` returns. */
export class MemoryJournal implements Journal {
  readonly #store: MemoryStore
  readonly #epoch: number
  durableHead: number

  constructor(store: MemoryStore, session: StoreSession) {
    this.#store = store
    this.#epoch = session.epoch
    this.durableHead = session.head
  }

  record(commit: Commit): void {
    this.#store.appendNow([commit], this.durableHead, this.#epoch)
    this.durableHead = commit.seq
  }

  async durable(): Promise<void> {}
}

interface Waiter {
  readonly seq: number
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/**
 * Group commit: one write is under way at a time, and everything recorded meanwhile goes into the next. The load itself
 * sets the size of the groups. After a failed write nothing is written again: what the store holds is then unknown.
 */
export class GroupCommit implements Journal {
  readonly #store: Store
  readonly #epoch: number
  readonly #onDurable: (commits: readonly Commit[]) => void
  readonly #onFailure: (error: unknown) => void
  #pending: Commit[] = []
  #waiting: Waiter[] = []
  #writing = false
  #failure: { readonly error: unknown } | null = null
  durableHead: number

  constructor(
    store: Store,
    session: StoreSession,
    listeners: { onDurable(commits: readonly Commit[]): void; onFailure(error: unknown): void },
  ) {
    this.#store = store
    this.#epoch = session.epoch
    this.durableHead = session.head
    this.#onDurable = listeners.onDurable
    this.#onFailure = listeners.onFailure
  }

  record(commit: Commit): void {
    this.#pending.push(commit)
    if (!this.#writing) void this.#write()
  }

  durable(seq: number): Promise<void> {
    if (this.#failure !== null) return Promise.reject(this.#failure.error)
    if (seq <= this.durableHead) return Promise.resolve()
    return new Promise((resolve, reject) => this.#waiting.push({ seq, resolve, reject }))
  }

  async #write(): Promise<void> {
    this.#writing = true
    // Commits of the same turn of the event loop belong to one group.
    await Promise.resolve()
    while (this.#pending.length > 0 && this.#failure === null) {
      const group = this.#pending
      this.#pending = []
      try {
        await this.#store.append(group, this.durableHead, this.#epoch)
      } catch (error) {
        return this.#fail(error)
      }
      this.durableHead += group.length
      this.#release()
      this.#onDurable(group)
    }
    this.#writing = false
  }

  #release(): void {
    const released = this.#waiting.findIndex(({ seq }) => seq > this.durableHead)
    const ready = released === -1 ? this.#waiting : this.#waiting.slice(0, released)
    this.#waiting = released === -1 ? [] : this.#waiting.slice(released)
    for (const waiter of ready) waiter.resolve()
  }

  #fail(error: unknown): void {
    this.#failure = { error }
    this.#onFailure(error)
    for (const waiter of this.#waiting) waiter.reject(error)
    this.#waiting = []
  }
}
