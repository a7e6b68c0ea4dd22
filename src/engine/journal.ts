/** How the engine's commits reach a store: at once into memory, or in groups onto a disk. */
import type { Commit } from '../events/commit.ts'
import { isPlainTick, type TickColumns, tickCommand, tickCommit } from '../events/tickColumns.ts'
import type { MemoryStore } from '../store/memoryStore.ts'
import type { Store, StoreSession } from '../store/store.ts'
import { AppendPace } from './appendPace.ts'

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

/** Commits that are worth a group of their own while another is being written: fewer wait for it, and cost no write of theirs. */
const WORTH_A_WRITE = 128

/**
 * Group commit: what is recorded while the store writes goes into the next group, so the load itself sets their size. Where the store
 * takes several appends at once, a group that is worth it is given to it while others are under way, and the store writes while
 * commands are decided; it counts as durable only after all groups before it. Where the loop mostly waits for the store, one group
 * is under way at a time, and whoever is answered may come again before the next. Ticks that nobody waits for gather for as long
 * as the store says, because the header of a group is many times as long as a tick (K14); what is told of them waits as well.
 * After a failed write nothing is written again: what the store holds is then unknown.
 */
export class GroupCommit implements Journal {
  readonly holds = true
  readonly #store: Store
  readonly #epoch: number
  readonly #room: () => Promise<void> | null
  readonly #onDurable: (commits: readonly Commit[]) => void
  readonly #onFailure: (error: unknown) => unknown
  #gathering = newGroup()
  /** Groups that were given to the store, oldest first. */
  readonly #underWay: Group[] = []
  /** The last commit that was given to the store. */
  #givenHead: number
  readonly #pace: AppendPace
  #starting = false
  /** Whoever was just answered may come again before the next group is given. */
  #isLingering = false
  #isWaitingForRoom = false
  /** Calls off the end of gathering; null while nothing gathers. */
  #callOff: (() => void) | null = null
  #failure: { readonly error: unknown } | null = null
  durableHead: number

  constructor(
    store: Store,
    session: StoreSession,
    listeners: {
      /** Resolves once what is kept beside the log has room for more; null: it has. */
      room(): Promise<void> | null
      onDurable(commits: readonly Commit[]): void
      /** Gives the error that everyone who waits is told. */
      onFailure(error: unknown): unknown
    },
  ) {
    this.#store = store
    this.#epoch = session.epoch
    this.durableHead = session.head
    this.#givenHead = session.head
    this.#room = listeners.room
    this.#onDurable = listeners.onDurable
    this.#onFailure = listeners.onFailure
    this.#pace = new AppendPace(store.clocks ?? null)
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
    let head = this.durableHead
    for (const group of this.#underWay) {
      head += group.commits.length
      if (seq <= head) return group.written
    }
    this.#hurry()
    return this.#gathering.written
  }

  async still(): Promise<void> {
    await Promise.allSettled(this.#underWay.map(({ written }) => written))
  }

  #hurry(): void {
    this.#gathering.isUrgent = true
    this.#start()
  }

  #start(): void {
    if (this.#callOff !== null && !this.#gathering.isUrgent) return
    this.#callOff?.()
    this.#callOff = null
    if (this.#mayFollow()) return this.#give()
    if (this.#starting) return
    this.#starting = true
    // Commits of the same turn of the event loop belong to one group.
    void Promise.resolve().then(() => {
      this.#starting = false
      this.#goOn()
    })
  }

  /** Gives the store what has gathered, as long as it may be given more. */
  #give(): void {
    while (this.#failure === null && !this.#isWaitingForRoom && !this.#isLingering && this.#isDue()) {
      const room = this.#room()
      if (room === null) void this.#append()
      else void this.#appendAfter(room)
    }
  }

  #isDue(): boolean {
    const { isUrgent, commits } = this.#gathering
    return isUrgent && commits.length > 0 && (this.#underWay.length === 0 || this.#mayFollow())
  }

  /** Whether what has gathered may be written beside, or before its turn of the event loop ends. */
  #mayFollow(): boolean {
    const { appendsAtOnce = 1 } = this.#store
    return (
      appendsAtOnce > 1 &&
      this.#underWay.length < appendsAtOnce &&
      !this.#pace.isSlow &&
      this.#gathering.commits.length >= WORTH_A_WRITE
    )
  }

  async #appendAfter(room: Promise<void>): Promise<void> {
    this.#isWaitingForRoom = true
    try {
      await room
    } catch (error) {
      this.fail(this.#onFailure(error))
    }
    this.#isWaitingForRoom = false
    if (this.#failure === null) await this.#append()
  }

  async #append(): Promise<void> {
    const group = this.#gathering
    this.#gathering = newGroup()
    const before = this.#underWay.at(-1)
    this.#underWay.push(group)
    const head = this.#givenHead
    this.#givenHead += group.commits.length
    const ended = this.#pace.begin()
    try {
      await this.#store.append(group.commits, head, this.#epoch)
      ended()
      await before?.written
    } catch (error) {
      if (this.#failure === null) this.fail(this.#onFailure(error))
      this.#underWay.splice(this.#underWay.indexOf(group), 1)
      return group.reject(this.#failure?.error)
    }
    this.#underWay.shift()
    this.durableHead += group.commits.length
    group.resolve()
    try {
      this.#onDurable(group.commits)
    } catch (error) {
      this.fail(this.#onFailure(error))
    }
    const isAlone = group.commits.length === 1 && this.#gathering.commits.length === 0
    if (this.#pace.isSlow && this.#underWay.length === 0 && !isAlone) this.#linger(group.commits.length)
    else this.#goOn()
  }

  #linger(answered: number): void {
    this.#isLingering = true
    this.#pace.gather(
      answered,
      () => this.#gathering.commits.length,
      () => {
        this.#isLingering = false
        this.#goOn()
      },
    )
  }

  #goOn(): void {
    this.#give()
    const isIdle = this.#underWay.length === 0 && !this.#isWaitingForRoom && this.#failure === null
    if (isIdle && this.#gathering.commits.length > 0)
      this.#callOff ??= this.#store.gather?.(() => this.#hurry()) ?? null
  }

  /** Nothing is written after this, and whoever waits for more than is being written is given the reason. */
  fail(error: unknown): void {
    this.#failure ??= { error }
    this.#gathering.reject(this.#failure.error)
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
