/**
 * An engine as its users have it: what gives commands, what may be read, what of it is durable, and how it ends. What becomes of a
 * command is the bus's (`commandBus.ts`).
 */

import { frozen } from '../collections/frozen.ts'
import type { Caller, Command } from '../events/command.ts'
import type { Commit } from '../events/commit.ts'
import { checkColumns, type TickColumns, tickCommand } from '../events/tickColumns.ts'
import type { EventLog } from '../history/loggedRecords.ts'
import type { Projection } from '../projections/projection.ts'
import type { Reader } from '../projections/reader.ts'
import type { Store } from '../store/store.ts'
import type { Audience } from './audience.ts'
import { CommandBus } from './commandBus.ts'
import type { CommandOptions } from './commandOptions.ts'
import { EngineStopped } from './engineStopped.ts'
import type { Folded, TriggersFactory } from './fold.ts'
import type { FollowOptions } from './following.ts'
import type { Journal } from './journal.ts'
import { type Notify, reasonOf } from './notices.ts'
import type { FeedOutcome, FeedRejection, Outcome } from './outcome.ts'
import { type PastState, pastState } from './pastState.ts'
import type { BlockedProjection } from './projections.ts'
import { type AnswerOf, answerQuery, type Query, type QueryOutcome } from './queries.ts'
import { QuietRun } from './quietRun.ts'
import type { Recovery } from './recovery.ts'
import type { SnapshotSchedule } from './snapshotSchedule.ts'
import { Standing } from './standing.ts'
import type { Listener, Subscription } from './subscriptions.ts'

/** Of an engine what a host or a backtest asks beyond its public face (`internals.ts`). */
export interface EngineParts {
  readonly folded: Folded
  readonly bus: CommandBus
  readonly standing: Standing
  readonly audience: Audience
  /** Closes without a snapshot. */
  readonly closeAsItIs: () => Promise<void>
}

export let partsOf: (engine: Engine) => EngineParts

/**
 * An engine: commands in, one after the other (I17), commits out, read models beside. `createEngine` and `openEngine` make one.
 *
 * On a store there are two ways to give a command. {@link Engine.send} answers when the outcome is durable: what it says
 * may be told to others. {@link Engine.dispatch} answers at once: a crash may still take back what it says, until
 * {@link Engine.whenDurable} resolves. In memory the two say the same.
 */
export class Engine {
  static {
    partsOf = (engine) => ({
      folded: engine.#folded,
      bus: engine.#bus,
      standing: engine.#standing,
      audience: engine.#audience,
      closeAsItIs: () => engine.#close(false),
    })
  }

  readonly #folded: Folded
  readonly #bus: CommandBus
  readonly #store: Store
  readonly #log: EventLog | null
  readonly #journal: Journal
  readonly #triggers: TriggersFactory
  readonly #audience: Audience
  readonly #snapshots: SnapshotSchedule | null
  /** How the state was recovered from the store; null for an engine in memory. */
  readonly recovery: Recovery | null
  readonly #standing: Standing
  readonly #notify: Notify

  /** @internal Engines are made by `createEngine` and `openEngine`. */
  constructor(parts: {
    readonly folded: Folded
    readonly store: Store
    /** The events of what is in the store, where that is in memory. */
    readonly log: EventLog | null
    readonly journal: Journal
    readonly triggers: TriggersFactory
    readonly audience: Audience
    readonly snapshots: SnapshotSchedule | null
    readonly recovery: Recovery | null
    readonly unwritable: string | null
    readonly notify: Notify
  }) {
    this.#folded = parts.folded
    this.#bus = new CommandBus(parts.folded, parts.journal, parts.audience)
    this.#store = parts.store
    this.#log = parts.log
    this.#journal = parts.journal
    this.#triggers = parts.triggers
    this.#audience = parts.audience
    this.#snapshots = parts.snapshots
    this.recovery = parts.recovery === null ? null : frozen(parts.recovery)
    this.#standing = new Standing(parts.unwritable, parts.notify)
    this.#notify = parts.notify
  }

  /** The read models, up to date after every command. */
  get read(): Reader {
    return this.#folded.read
  }

  /** Engine time, epoch ms; 0 before the first input that carries a time. */
  get now(): number {
    return this.#folded.world.now
  }

  /** The next instant at which something falls due by time alone, epoch ms. */
  get nextDueAt(): number {
    return this.#folded.world.nextDueAt
  }

  /** Sequence of the last commit. */
  get head(): number {
    return this.#folded.world.seq
  }

  /** Sequence up to which everything is durable. */
  get durableHead(): number {
    return this.#journal.durableHead
  }

  /** Why the engine stopped; null while it runs. */
  get failure(): unknown {
    return this.#standing.failure
  }

  /**
   * Why the engine only reads, in a sentence: it was opened where nothing can be written. Every command is refused, and
   * whatever reads goes on. Null where it takes commands.
   */
  get unwritable(): string | null {
    return this.#standing.unwritable
  }

  /**
   * Not durable yet: decides a command now, and does not wait for the disk. On a store neither the outcome nor a rejection is
   * safe from a crash before {@link durableHead} has reached the {@link head} of this moment. What others are told, tell
   * them after {@link send} or {@link whenDurable}. What falls due before the command's time happens first, in commits of its
   * own. A refused command changes nothing, not even the sequence; one with a `commandId` leaves a commit that says it was
   * refused.
   *
   * Times lead up to the end of the year 9999, and one `advanceTime` ten years ahead at most (K12).
   *
   * @throws EngineStopped when the engine has stopped, or only reads ({@link unwritable}).
   */
  dispatch<C extends Command>(command: C, options: CommandOptions = {}): Outcome<C> {
    this.#standing.mustTakeCommands()
    try {
      return this.#bus.dispatch(command, options)
    } catch (error) {
      this.stop(error)
      throw error
    } finally {
      this.#audience.deliver()
    }
  }

  /**
   * Not durable yet: dispatches a feed of ticks. The same commits, state and rejections as one `updatePrice` after the other, in a
   * fraction of the time where most of them do nothing but move their market's price. `from` is the index of the first that is
   * dispatched, `to` that behind the last; default: all of them. While anyone is subscribed, or a
   * projection is about ticks, there is no shortcut.
   *
   * @throws RangeError for columns of different lengths or a market listed twice.
   * @throws EngineStopped when the engine has stopped, or only reads.
   */
  dispatchTicks(ticks: TickColumns, from = 0, to = ticks.at.length): FeedOutcome {
    checkColumns(ticks, from, to)
    const rejections: FeedRejection[] = []
    const run = new QuietRun(this.#folded.world, ticks)
    for (let tick = from; tick < to; ) {
      const quiet = this.#standing.takesCommands && !this.#audience.wantsTicks
      const end = quiet ? this.#bus.takeQuietTicks(run, ticks, tick, to) : tick
      if (end > tick) {
        tick = end
        continue
      }
      const outcome = this.dispatch(tickCommand(ticks, tick), { at: ticks.at[tick] as number })
      if (!outcome.ok) rejections.push({ tick, error: outcome.error })
      tick += 1
    }
    return { accepted: to - from - rejections.length, rejections }
  }

  /**
   * Durable: dispatches a command, and resolves once everything the outcome rests on is on disk, whatever it is. A rejection
   * waits for the commits it was decided on as an acceptance does (K5). Only `idempotency_key_in_flight`, which says that an order under the
   * same key is not durable yet, is answered at once.
   *
   * @throws EngineStopped when the engine has stopped or only reads, or stops before that is durable.
   */
  async send<C extends Command>(command: C, options: CommandOptions = {}): Promise<Outcome<C>> {
    const outcome = this.dispatch(command, options)
    const { head } = this
    const rests = outcome.ok || outcome.error.code !== 'idempotency_key_in_flight'
    if (rests && this.durableHead < head) await this.#journal.durable(head)
    return outcome
  }

  /**
   * What a trader may read, behind the access rules; as of the engine's time. Without a caller it is trusted. It may show
   * what is not durable yet: {@link whenDurable} waits for that.
   *
   * @throws EngineStopped when the engine has stopped: half a commit may have been applied.
   */
  query<Q extends Query>(query: Q, caller: Caller | null = null): QueryOutcome<AnswerOf<Q>> {
    this.#standing.mustRead()
    return answerQuery(this.#folded.world, this.read, query, caller)
  }

  /**
   * Resolves once everything up to commit `seq` is durable; default: everything decided so far. What was read before
   * then cannot be lost any more.
   *
   * @throws EngineStopped when that cannot become durable.
   */
  async whenDurable(seq: number = this.head): Promise<void> {
    if (this.durableHead < seq) await this.#journal.durable(seq)
  }

  /**
   * Is called with every commit from now on, once it is durable, in the turn in which it becomes so: for what concerns the
   * moment alone. What was before it is not told, because a listener cannot be made to wait for a disk; whoever has to miss
   * nothing, from whatever commit on, follows ({@link follow}), and a read model is a projection. A listener that throws or rejects is blocked, visibly,
   * and `onNotice` is told; nobody waits for one that answers with a promise.
   */
  subscribe(listener: Listener, name?: string): Subscription {
    return this.#audience.subscriptions.add(listener, name)
  }

  /** Subscriptions that threw or rejected, and with what. */
  get blockedSubscriptions(): readonly Subscription[] {
    return this.#audience.subscriptions.blocked
  }

  /**
   * What a projection that the engine was given shows: its row, or its rows by their keys, as of {@link durableHead}. One
   * that is blocked shows what it was before.
   *
   * @throws RangeError for a projection that the engine was not given.
   */
  projection<Served>(projection: Projection<Served>): Served {
    return this.#audience.projections.served(projection)
  }

  /** Projections that threw, the commit each threw at, and with what. */
  get blockedProjections(): readonly BlockedProjection[] {
    return this.#audience.projections.blocked
  }

  /**
   * The commits from a sequence on, each once and without a gap, as they are durable: first those that are stored, then
   * those that come. It ends when it is left (`return`, `signal`) or the engine is closed. Nobody waits for who is slow:
   * they read what is stored again, and hold some thousand events at most. The commits are everybody's, and frozen.
   *
   * The iterator throws EngineStopped when the engine stops, after what was durable and told; StoreDamaged or
   * CommitsArchived where what is stored cannot be read; RangeError where no log is kept.
   *
   * @throws RangeError for a `from` that is no sequence; EngineStopped when the engine has stopped.
   */
  follow(options: FollowOptions): AsyncIterableIterator<Commit, undefined> {
    const { from } = options
    if (!Number.isSafeInteger(from) || from < 1) throw new RangeError(`no commit ${from}`)
    this.#standing.mustRead()
    return this.#audience.followers.follow(options)
  }

  /**
   * The durable commits from a sequence on, oldest first, up to the head at the time of the call.
   *
   * @throws what {@link Store.read} throws.
   */
  async *commits({ from }: { readonly from: number }): AsyncGenerator<Commit> {
    for await (const run of this.#store.read(from)) yield* run
  }

  /**
   * The engine as it was after commit `seq`: its read models and its state hash, folded from the log.
   *
   * @throws RangeError for a sequence that there is not; EngineStopped when it cannot become durable; what {@link Store.read}
   * throws.
   */
  async asOf(seq: number): Promise<PastState> {
    if (!Number.isSafeInteger(seq) || seq < 0 || seq > this.head) throw new RangeError(`no commit ${seq}`)
    await this.#journal.durable(seq)
    return pastState(seq, this.#store.read(1), this.#triggers, this.#log)
  }

  /** SHA-256 over the canonical text of everything the rules depend on. */
  stateHash(): string {
    return this.#folded.stateHash()
  }

  /** Fail-stop: from now on every command is refused with {@link EngineStopped}. The first reason stands. */
  stop(error: unknown): void {
    this.#standing.stop(error)
    this.#audience.followers.end(new EngineStopped('the engine has stopped', { cause: this.failure }))
  }

  /** Keeps a snapshot of the state as it is now, where the engine keeps any; recovery then begins from it. */
  async saveSnapshot(): Promise<void> {
    await this.#snapshots?.save(this.#journal)
  }

  /**
   * Waits for what is recorded to become durable, keeps a snapshot, then lets go of the store. An engine that had failed
   * only lets go: what goes wrong then is told to `onNotice`, because the failure is known and nothing can be saved.
   */
  close(): Promise<void> {
    return this.#close(true)
  }

  async #close(withSnapshot: boolean): Promise<void> {
    const failed = this.#standing.hasStopped
    this.#standing.end()
    if (failed) return this.#letGo()
    try {
      await this.#journal.durable(this.head)
      if (withSnapshot) await this.#snapshots?.save(this.#journal)
      await this.#folded.projections.flushed()
    } finally {
      this.#audience.followers.end(null)
      await this.#store.close()
    }
  }

  async #letGo(): Promise<void> {
    try {
      await this.#journal.still()
      await this.#folded.projections.flushed()
    } catch (error) {
      this.#notify(`the history lists could not be kept: ${reasonOf(error)}`)
    }
    try {
      await this.#store.close()
    } catch (error) {
      this.#notify(`the store could not be closed: ${reasonOf(error)}`)
    }
  }
}
