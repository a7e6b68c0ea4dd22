/**
 * The slot for read models: the engine's own and those it is given, each caught up before the engine is handed out. Those of
 * stage `decided` are told of a commit right after it was decided, because the rules ask them, and what they throw stops the
 * engine. Those of stage `durable` are told once it is durable, each by itself: one that throws is blocked and shown as such.
 */
import type { Account } from '../domain/state/account.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { Commit } from '../events/commit.ts'
import type { EventType } from '../events/event.ts'
import type { Applied, DecidedFold, FoldedCommit } from '../projections/decidedProjection.ts'
import type { History } from '../projections/history.ts'
import type { Keeping } from '../projections/keeping.ts'
import type { Projection } from '../projections/projection.ts'
import { type Store, StoreDamaged } from '../store/store.ts'
import { CommitStamps } from './commitStamps.ts'
import { DurableProjection } from './durableProjection.ts'
import type { Notify } from './notices.ts'
import type { OwnProjections } from './ownProjections.ts'
import { sealed } from './sealedCommit.ts'
import type { Blocked } from './subscriptions.ts'

/** A projection that threw, the commit it threw at, and what. It is served as it was before. */
export interface BlockedProjection {
  readonly name: string
  readonly blocked: Blocked
}

export class Projections {
  readonly #decided: OwnProjections
  readonly #keepings: readonly Keeping[]
  readonly #durable: readonly DurableProjection[]
  /** What any of those in step with what is durable is about. */
  readonly #types: ReadonlySet<EventType>
  /** The last that was told: what is saved is saved after it, mostly. */
  #told: Commit | null = null

  constructor(
    decided: OwnProjections,
    durable: readonly Projection<unknown>[] = [],
    notify: Notify = () => {},
  ) {
    this.#decided = decided
    this.#keepings = decided.flatMap(({ keeping }) => keeping ?? [])
    this.#durable = durable.map((projection) => new DurableProjection(projection, notify))
    this.#types = new Set(durable.flatMap(({ types }) => [...types]))
  }

  /** What has ended, in step with the last decision. */
  get history(): History {
    return this.carried.served
  }

  /** The one of which a snapshot of the state carries what it cannot find out from it again. */
  get carried(): DecidedFold<History> {
    return this.#decided[0]
  }

  /** Whether every tick has to be told: a feed in columns tells of none. */
  get wantTicks(): boolean {
    return this.#types.has('priceUpdated')
  }

  get blocked(): readonly BlockedProjection[] {
    return this.#durable.flatMap(({ name, blocked }) => (blocked === null ? [] : [{ name, blocked }]))
  }

  /** @throws RangeError for one that is not run here. */
  served<Served>(projection: Projection<Served>): Served {
    const running = this.#durable.find((one) => one.projection === projection)
    if (running === undefined)
      throw new RangeError(`the engine was not given the projection ${projection.name}`)
    return running.served as Served
  }

  /** A commit was decided, and its events are applied. */
  decided(commit: FoldedCommit, applied: Applied): void {
    for (const fold of this.#decided) fold.apply(commit, applied)
  }

  /** A commit is durable. */
  tell(commit: Commit): void {
    this.#told = commit
    if (this.#types.size === 0 || !commit.events.some(({ type }) => this.#types.has(type))) return
    sealed(commit)
    for (const projection of this.#durable) projection.tell(commit)
  }

  /** Everything up to a commit is durable: what it changed may be kept for good. */
  durable(seq: number): void {
    for (const keeping of this.#keepings) keeping.durable(seq)
  }

  /** Resolves once there is room for more to be kept; null: there is room now. */
  room(): Promise<void> | null {
    const full = this.#keepings.flatMap((keeping) => keeping.room() ?? [])
    return full.length === 0 ? null : Promise.all(full).then(() => {})
  }

  /** Resolves once everything durable is kept for good. */
  async flushed(): Promise<void> {
    for (const keeping of this.#keepings) await keeping.flushed()
  }

  /** Rejects once one in step with decisions can no longer be kept or believed: the engine cannot go on. */
  get failed(): Promise<never> {
    return Promise.race(this.#keepings.map(({ failed }) => failed))
  }

  /** Why what was kept could not be used and was removed: it is folded again from the log (K8). Null mostly. */
  get removed(): string | null {
    return this.#keepings.find(({ removed }) => removed !== null)?.removed ?? null
  }

  /** @throws StoreDamaged where a log that ends at `head` has less than what was kept knows of (K7). */
  mustBeWithin(head: number): void {
    for (const { cursor } of this.#keepings)
      if (cursor > head) throw new StoreDamaged(head + 1, `the history lists know of commit ${cursor}`)
  }

  /** Why those in step with decisions cannot go on from a snapshot that was taken at a commit; null where they can. */
  cannotGoOnFrom(seq: number, store: Store): string | null {
    if (this.carried.keeping === null && store.records !== undefined)
      return 'the history lists it goes with cannot be used'
    const behind = this.#keepings.find(({ cursor }) => cursor < seq)
    return behind === undefined ? null : `the history is kept up to ${behind.cursor} only`
  }

  /** Those in step with decisions go on from what a snapshot carried; null: from the beginning. */
  restore(saved: object | null, seq: number, created: number): void {
    for (const fold of this.#decided) fold.restore(saved, seq, created)
  }

  /** As in {@link DecidedFold}. */
  restorePlaces(account: Account, places: object | null): void {
    for (const fold of this.#decided) fold.restorePlaces(account, places)
  }

  /** As in {@link DecidedFold}. */
  restorePlace(record: Order | Position, place: number | null): void {
    for (const fold of this.#decided) fold.restorePlace(record, place)
  }

  /**
   * Those in step with what is durable go on from what was saved of each, and are told of the log after it up to commit
   * `seq`; what comes then is told to all of them.
   */
  async catchUp(
    store: Store,
    { seq, own, head }: { readonly seq: number; readonly own: Commit | null; readonly head: number },
  ): Promise<void> {
    const stamps = new CommitStamps(store, own)
    for (const projection of this.#durable) await projection.restore(store, head, stamps)
    await tellUpTo(
      seq,
      store,
      this.#durable.filter(({ saved }) => saved < seq),
    )
  }

  /** The log has been told as far as it goes. */
  recovered(): void {
    for (const keeping of this.#keepings) keeping.recovered()
  }

  /** Saves what has changed of those in step with what is durable, where the store keeps it. A failure is told and nothing more. */
  async save(store: Store, durableHead: number): Promise<void> {
    const saves = this.#durable.map((projection) => projection.saving(durableHead))
    const stamps = new CommitStamps(store, this.#told)
    for (const save of saves) await save(store, stamps)
  }
}

/** The log up to a commit, read once. Where it cannot be read, those that need it from there on are blocked, and others go on. */
async function tellUpTo(seq: number, store: Store, behind: readonly DurableProjection[]): Promise<void> {
  if (behind.length === 0) return
  let next = Math.min(...behind.map(({ saved }) => saved)) + 1
  try {
    for await (const run of store.read(next))
      for (const commit of run) {
        if (commit.seq > seq) return
        for (const projection of behind) projection.tell(commit)
        next = commit.seq + 1
      }
  } catch (error) {
    for (const projection of behind) if (projection.saved < next) projection.block(next, error)
    await tellUpTo(
      seq,
      store,
      behind.filter(({ saved }) => saved >= next),
    )
  }
}
