/** How the engine's commits reach a store: at once into memory, or in groups onto a disk. */
import type { Commit } from '../events/commit.ts'
import { isPlainTick, type TickColumns, tickCommand, tickCommit } from '../events/tickColumns.ts'
import type { MemoryStore } from '../store/memoryStore.ts'
import type { Store, StoreSession } from '../store/store.ts'

export interface Journal {
  /** Sequence up to which everything is durable. */
  readonly durableHead: number
  /** Whether a commit is held as it was given until it is written: nobody may be given anything of it that they can change. */
  readonly holds: boolean
  /** Takes the next commit. Never fails by itself: a failed write is told to `onFailure`. */
  record(commit: Commit): void
  /** Takes rows of a feed as the commits from `seq` on, each a tick that changed nothing but its market's price. */
  recordTicks(seq: number, ticks: TickColumns, from: number, to: number): void
  /** Resolves once commit `seq` is durable; rejects when it cannot become so. */
  durable(seq: number): Promise<void>
  /** Resolves once no write is under way, however it ended. */
  still(): Promise<void>
}

/** Every commit is in the store when `record` returns. */
export class MemoryJournal implements Journal {
  readonly holds = false
  readonly #store: MemoryStore
  readonly #epoch: number
  durableHead: number

  constructor(store: MemoryStore, session: StoreSession) {
    this.#store = store
    this.#epoch = session.epoch
    this.durableHead = session.head
  }

  record(commit: Commit): void {
    this.#store.appendOne(commit, this.durableHead, this.#epoch)
    this.durableHead = commit.seq
  }

  recordTicks(_seq: number, ticks: TickColumns, from: number, to: number): void {
    this.#store.appendTicks(ticks, from, to, this.durableHead, this.#epoch)
    this.durableHead += to - from
  }

  async durable(): Promise<void> {}

  async still(): Promise<void> {}
}

/** Keeps nothing. */
export class NoJournal implements Journal {
  readonly holds = false
  durableHead = 0

  record({ seq }: Commit): void {
    this.durableHead = seq
  }

  recordTicks(seq: number, _ticks: TickColumns, from: number, to: number): void {
    this.durableHead = seq + to - from - 1
  }

  async durable(): Promise<void> {}

  async still(): Promise<void> {}
}

/** Commits that are written together, and everyone who waits for them. */
interface Group {
  readonly commits: Commit[]
  /** Whether it is more than plain ticks that nobody waits for. */
  isUrgent: boolean
  readonly written: Promise<void>
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** Ticks that gather at most: a group is held in memory, and is encoded in one go. */
const GATHERED = 1_024

/**
 * Group commit: one write is under way at a time, and everything recorded meanwhile goes into the next. The load itself
 * sets the size of the groups. Ticks that nobody waits for gather for as long as the store says, because the header of a
 * group is many times as long as a tick (K14); what is told of them waits as well. After a failed write nothing is written
 * again: what the store holds is then unknown.
 */
export class GroupCommit implements Journal {
  readonly holds = true
  readonly #store: Store
  readonly #epoch: number
  readonly #room: () => Promise<void>
  readonly #onDurable: (commits: readonly Commit[]) => void
  readonly #onFailure: (error: unknown) => unknown
  #gathering = newGroup()
  /** The group being written; null while nothing is. */
  #writing: Group | null = null
  #started = false
  /** Calls off the end of gathering; null while nothing gathers. */
  #callOff: (() => void) | null = null
  #failure: { readonly error: unknown } | null = null
  durableHead: number

  constructor(
    store: Store,
    session: StoreSession,
    listeners: {
      /** Resolves once what is kept beside the log has room for more. */
      room(): Promise<void>
      onDurable(commits: readonly Commit[]): void
      /** Gives the error that everyone who waits is told. */
      onFailure(error: unknown): unknown
    },
  ) {
    this.#store = store
    this.#epoch = session.epoch
    this.durableHead = session.head
    this.#room = listeners.room
    this.#onDurable = listeners.onDurable
    this.#onFailure = listeners.onFailure
  }

  record(commit: Commit): void {
    const group = this.#gathering
    group.commits.push(commit)
    if (!group.isUrgent && !this.#mayGather(commit)) group.isUrgent = true
    this.#start()
  }

  #mayGather(commit: Commit): boolean {
    return (
      this.#store.gather !== undefined && this.#gathering.commits.length < GATHERED && isPlainTick(commit)
    )
  }

  recordTicks(seq: number, ticks: TickColumns, from: number, to: number): void {
    for (let tick = from; tick < to; tick++) {
      const { marketId, indexPrice } = tickCommand(ticks, tick)
      this.record(tickCommit(seq + tick - from, ticks.at[tick] as number, marketId, indexPrice))
    }
  }

  durable(seq: number): Promise<void> {
    if (seq <= this.durableHead) return Promise.resolve()
    if (this.#failure !== null) return Promise.reject(this.#failure.error)
    const writing = this.#writing
    if (writing !== null && seq <= this.durableHead + writing.commits.length) return writing.written
    this.#hurry()
    return this.#gathering.written
  }

  async still(): Promise<void> {
    await this.#writing?.written.catch(() => {})
  }

  #hurry(): void {
    this.#gathering.isUrgent = true
    this.#start()
  }

  #start(): void {
    if (this.#started || (this.#callOff !== null && !this.#gathering.isUrgent)) return
    this.#callOff?.()
    this.#callOff = null
    void this.#write()
  }

  async #write(): Promise<void> {
    this.#started = true
    // Commits of the same turn of the event loop belong to one group.
    await Promise.resolve()
    while (this.#gathering.isUrgent && this.#gathering.commits.length > 0) {
      const group = this.#gathering
      this.#writing = group
      this.#gathering = newGroup()
      try {
        await this.#room()
        if (this.#failure !== null) return this.#refuse(group)
        await this.#store.append(group.commits, this.durableHead, this.#epoch)
      } catch (error) {
        this.fail(this.#onFailure(error))
        return this.#refuse(group)
      }
      this.durableHead += group.commits.length
      this.#writing = null
      group.resolve()
      try {
        this.#onDurable(group.commits)
      } catch (error) {
        this.fail(this.#onFailure(error))
      }
      if (this.#failure !== null) return
    }
    this.#started = false
    if (this.#gathering.commits.length > 0) this.#callOff = this.#store.gather?.(() => this.#hurry()) ?? null
  }

  /** Nothing is written after this, and whoever waits for more than is being written is given the reason. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#gathering.reject(this.#failure.error)
  }

  /** A group that is not written. */
  #refuse(group: Group): void {
    group.reject(this.#failure?.error)
  }
}

function newGroup(): Group {
  let resolve: () => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const written = new Promise<void>((resolved, rejected) => {
    resolve = resolved
    reject = rejected
  })
  // A group may have nobody waiting for it.
  written.catch(() => {})
  return { commits: [], isUrgent: false, written, resolve, reject }
}
