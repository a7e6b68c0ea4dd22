/**
 * The command bus: decide, apply, append, publish. One serial queue over the accounts it hosts; the same code path for
 * a host, a simulation and a backtest.
 */
import type { Caller, Command, PlaceOrder } from '../domain/command.ts'
import { decide } from '../domain/decide.ts'
import { invalid, type Refusal, refusal } from '../domain/errors.ts'
import { movePrice } from '../domain/market/applyMarketEvent.ts'
import type { Market } from '../domain/market/market.ts'
import type { Order, OrderRecord } from '../domain/order/order.ts'
import type { Position } from '../domain/position/position.ts'
import { LAST_INSTANT, moveClock } from '../domain/schedule.ts'
import { type CloseAllAnswer, Step } from '../domain/step.ts'
import type { QuietRange } from '../domain/triggers/triggers.ts'
import type { CausedBy, Commit } from '../events/commit.ts'
import { checkColumns, type TickColumns, tickCommand, tickCommit } from '../events/tickColumns.ts'
import type { Reader } from '../projections/reader.ts'
import { orderRecord, positionRecord } from '../projections/records.ts'
import type { Price } from '../quantity/units.ts'
import type { Store } from '../store/store.ts'
import { causedBy } from './causedBy.ts'
import { Folded, type TriggersFactory } from './fold.ts'
import { scope } from './idempotency.ts'
import type { Journal } from './journal.ts'
import type {
  Accepted,
  CloseAllValue,
  FeedOutcome,
  FeedRefusal,
  Outcome,
  Refused,
  ValueOf,
} from './outcome.ts'
import { ownCopy } from './ownCopy.ts'
import { type AnswerOf, answerQuery, type Query, type QueryOutcome } from './queries.ts'
import { QuietRun, quietMarket } from './quietRun.ts'
import type { Recovery } from './recovery.ts'
import type { SnapshotSchedule } from './snapshotSchedule.ts'
import type { Listener, Subscription, Subscriptions } from './subscriptions.ts'

/** When a command happens, and who asks. */
export interface CommandOptions {
  /** Epoch ms, not before the engine's time; default: the engine's time. */
  readonly at?: number
  /** Default: the embedding program itself, which is trusted. */
  readonly caller?: Caller
  /** Who is behind it, for the record; default: the caller. It gives no rights and changes no outcome (K10). */
  readonly by?: CausedBy
}

/** The engine stopped: an invariant broke or the log could not be written. It refuses everything until restarted. */
export class EngineStopped extends Error {
  override readonly name = 'EngineStopped'
}

export class Engine {
  readonly #folded: Folded
  readonly #step: Step
  readonly #store: Store
  readonly #journal: Journal
  readonly #triggers: TriggersFactory
  readonly #subscriptions: Subscriptions
  readonly #snapshots: SnapshotSchedule | null
  /** How the state was recovered from the store; null for an engine in memory. */
  readonly recovery: Recovery | null
  readonly #inFlight = new Set<string>()
  #failure: { readonly error: unknown } | null = null

  /** @internal Engines are made by `createEngine` and `openEngine`. */
  constructor(parts: {
    readonly folded: Folded
    readonly store: Store
    readonly journal: Journal
    readonly triggers: TriggersFactory
    readonly subscriptions: Subscriptions
    readonly snapshots: SnapshotSchedule | null
    readonly recovery: Recovery | null
  }) {
    this.#folded = parts.folded
    this.#step = new Step(parts.folded.world, parts.folded.history)
    this.#store = parts.store
    this.#journal = parts.journal
    this.#triggers = parts.triggers
    this.#subscriptions = parts.subscriptions
    this.#snapshots = parts.snapshots
    this.recovery = parts.recovery
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

  /** Index prices of a market that would change nothing but its price; null where the next one has to be looked at. */
  quietRange(marketId: string): QuietRange | null {
    const market = this.#folded.world.markets.get(marketId)
    return market === undefined ? null : this.#folded.world.triggers.quietRange(market)
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
    return this.#failure?.error ?? null
  }

  /**
   * Decides a command now. What falls due before its time happens first, in commits of its own. A refused command
   * changes nothing, not even the sequence.
   *
   * @throws EngineStopped when the engine has stopped.
   */
  dispatch<C extends Command>(command: C, options: CommandOptions = {}): Outcome<C> {
    if (this.#failure !== null)
      throw new EngineStopped('the engine has stopped', { cause: this.#failure.error })
    try {
      return this.#dispatch(command, options)
    } catch (error) {
      this.stop(error)
      throw error
    } finally {
      this.#subscriptions.deliver()
    }
  }

  /**
   * Dispatches a feed of ticks: the same commits, state and refusals as one `updatePrice` after the other, in a fraction
   * of the time where most of them do nothing but move their market's price. While anyone is subscribed there is no
   * shortcut.
   *
   * @throws RangeError for columns of different lengths or a market listed twice.
   * @throws EngineStopped when the engine has stopped.
   */
  dispatchTicks(ticks: TickColumns, from = 0, to = ticks.at.length): FeedOutcome {
    checkColumns(ticks, from, to)
    const refusals: FeedRefusal[] = []
    const run = new QuietRun(this.#folded.world, ticks)
    for (let tick = from; tick < to; ) {
      const seq = this.head + 1
      const end = this.#failure === null && this.#subscriptions.isEmpty ? run.advance(tick, to) : tick
      if (end > tick) {
        this.#journal.recordTicks(seq, ticks, tick, end)
        tick = end
        continue
      }
      const outcome = this.dispatch(tickCommand(ticks, tick), { at: ticks.at[tick] as number })
      if (!outcome.ok) refusals.push({ tick, error: outcome.error })
      tick += 1
    }
    return { accepted: to - from - refusals.length, refusals }
  }

  /**
   * The same, resolving once the commit is durable. While a `placeOrder` with an idempotency key waits, a second one
   * with the same key is refused with `idempotency_key_in_flight`.
   */
  async send<C extends Command>(command: C, options: CommandOptions = {}): Promise<Outcome<C>> {
    const key = command?.type === 'placeOrder' ? this.#idempotencyScope(command, options) : null
    if (key === null) return this.#sendNow(command, options)
    if (this.#inFlight.has(key)) return refused(refusal('idempotency_key_in_flight'))
    this.#inFlight.add(key)
    try {
      return await this.#sendNow(command, options)
    } finally {
      this.#inFlight.delete(key)
    }
  }

  /**
   * What a trader may read, behind the access rules; as of the engine's time. Without a caller it is trusted.
   *
   * @throws EngineStopped when the engine has stopped: half a commit may have been applied.
   */
  query<Q extends Query>(query: Q, caller: Caller | null = null): QueryOutcome<AnswerOf<Q>> {
    if (this.#failure !== null)
      throw new EngineStopped('the engine has stopped', { cause: this.#failure.error })
    return answerQuery(this.#folded.world, this.read, query, caller)
  }

  /**
   * What an earlier `placeOrder` under this key of this user answers for a new one at time `at`: its stored outcome,
   * `idempotency_key_in_flight` while it still runs, or null when the key is free (I4).
   */
  earlier(userId: string, key: string, at: number): Outcome<PlaceOrder> | null {
    if (this.#inFlight.has(scope(userId, key))) return refused(refusal('idempotency_key_in_flight'))
    return this.#stored(userId, key, at)
  }

  /** Resolves once everything decided so far is durable: then what was read cannot be lost any more. */
  async settled(): Promise<void> {
    if (this.durableHead < this.head) await this.#journal.durable(this.head)
  }

  /** Is called with every commit from now on, once it is durable. A listener that throws is blocked, visibly. */
  subscribe(listener: Listener, name?: string): Subscription {
    return this.#subscriptions.add(listener, name)
  }

  /** Subscriptions that threw, and with what. */
  get blockedSubscriptions(): readonly Subscription[] {
    return this.#subscriptions.blocked
  }

  /** The durable commits from a sequence on, oldest first, up to the head at the time of the call. */
  async *commits({ from }: { readonly from: number }): AsyncGenerator<Commit> {
    for await (const run of this.#store.read(from)) yield* run
  }

  /** The engine as it was after commit `seq`: its read models and its state hash, folded from the log. */
  async asOf(seq: number): Promise<PastState> {
    if (!Number.isSafeInteger(seq) || seq < 0 || seq > this.head) throw new RangeError(`no commit ${seq}`)
    await this.#journal.durable(seq)
    const past = new Folded(this.#triggers)
    if (seq > 0)
      for await (const commit of this.commits({ from: 1 })) {
        past.fold(commit)
        if (commit.seq === seq) break
      }
    return { seq, read: past.read, stateHash: () => past.stateHash() }
  }

  /** SHA-256 over the canonical text of everything the rules depend on. */
  stateHash(): string {
    return this.#folded.stateHash()
  }

  /** Fail-stop: from now on every command is refused with {@link EngineStopped}. */
  stop(error: unknown): void {
    this.#failure ??= { error }
  }

  /** Keeps a snapshot of the state as it is now, where the engine keeps any; recovery then begins from it. */
  async saveSnapshot(): Promise<void> {
    await this.#snapshots?.save(this.#journal)
  }

  /** Waits for what is recorded to become durable, keeps a snapshot, then lets go of the store. */
  async close(): Promise<void> {
    const failed = this.#failure !== null
    this.#failure ??= { error: new Error('the engine was closed') }
    try {
      if (!failed) {
        await this.#journal.durable(this.head)
        await this.#snapshots?.save(this.#journal)
      }
    } finally {
      await this.#store.close()
    }
  }

  async #sendNow<C extends Command>(command: C, options: CommandOptions): Promise<Outcome<C>> {
    const outcome = this.dispatch(command, options)
    if (outcome.ok && this.durableHead < outcome.seq) await this.#journal.durable(outcome.seq)
    return outcome
  }

  #dispatch<C extends Command>(command: C, options: CommandOptions): Outcome<C> {
    const at = this.#timeOf(command, options)
    if (at === null) return refused(invalid('at'))
    const by = causedBy(options)
    if (by === null) return refused(invalid(options.by == null ? 'caller' : 'by'))
    const repeated = this.#repeated(command, options, at)
    if (repeated !== null) return repeated as Outcome<C>
    const { world } = this.#folded
    if (command?.type === 'updatePrice') {
      const market = quietMarket(world, command, at)
      if (market !== null) return this.#tickQuietly(market, command.indexPrice, at, by) as Outcome<C>
    }
    this.#runDue(command, at)

    const step = this.#step
    step.begin(at)
    const fault = decide(step, command, options.caller ?? null)
    if (fault !== null) return refused(fault)
    const changes = !step.isSilent || (command.type === 'advanceTime' && at > world.now)
    const events = changes ? this.#commit(step, command, by).events : []
    return { ok: true, value: this.#valueOf(step) as ValueOf<C>, events, seq: world.seq }
  }

  /** What deciding and applying the tick would lead to. */
  #tickQuietly(market: Market, indexPrice: Price, at: number, by: CausedBy | undefined): Accepted<null> {
    const { world } = this.#folded
    movePrice(market, indexPrice, at)
    moveClock(world, at)
    world.seq += 1
    const tick = tickCommit(world.seq, at, market.id, indexPrice)
    const commit = by === undefined ? tick : { ...tick, by }
    this.#record(commit)
    return { ok: true, value: null, events: commit.events, seq: commit.seq }
  }

  /** The time of a command; null when it would go back, or past the last instant that has a date. */
  #timeOf(command: Command, options: CommandOptions): number | null {
    const { now } = this.#folded.world
    const from = options.at ?? now
    const passes = command?.type === 'advanceTime' && Number.isSafeInteger(command.ms)
    const at = passes ? from + Math.max(command.ms, 0) : from
    return Number.isSafeInteger(at) && from >= now && at <= LAST_INSTANT ? at : null
  }

  /** Funding instants and day boundaries up to the command, each in a commit of its own (E4). */
  #runDue(command: Command, at: number): void {
    const { world } = this.#folded
    const step = this.#step
    while (world.nextDueAt < at || (world.nextDueAt === at && command?.type !== 'advanceTime')) {
      const due: Command = { type: 'advanceTime', ms: world.nextDueAt - world.now }
      step.begin(world.nextDueAt)
      decide(step, due, null)
      this.#commit(step, due, undefined)
    }
  }

  #commit(step: Step, command: Command, by: CausedBy | undefined): Commit {
    const { world } = this.#folded
    if (step.isSilent) moveClock(world, step.at)
    const commit: Commit = {
      seq: world.seq + 1,
      at: step.at,
      ...(by !== undefined && { by }),
      command: ownCopy(command),
      events: step.events(),
    }
    this.#folded.complete(commit, command.type === 'placeOrder' ? (step.answer as Order) : null)
    this.#record(commit)
    return commit
  }

  #record(commit: Commit): void {
    this.#journal.record(commit)
    if (this.#journal.durableHead === commit.seq) this.#subscriptions.publish(commit)
  }

  #valueOf({ answer }: Step): OrderRecordOrPosition | CloseAllValue | null {
    if (answer === null) return null
    if ('idx' in answer) return positionRecord(answer as Position)
    if ('failed' in answer) return this.#closeAllValue(answer as CloseAllAnswer)
    return orderRecord(answer as Order, this.#folded.world.triggers)
  }

  #closeAllValue({ orders, failed }: CloseAllAnswer): CloseAllValue {
    return { orders: orders.map((order) => orderRecord(order, this.#folded.world.triggers)), failed }
  }

  /** The stored outcome of an earlier `placeOrder` with the same key, within its hour (I4). */
  #repeated(command: Command, options: CommandOptions, at: number): Accepted<unknown> | null {
    if (command?.type !== 'placeOrder' || !command.idempotencyKey) return null
    const userId = this.#userOf(command, options)
    return userId === undefined ? null : this.#stored(userId, command.idempotencyKey, at)
  }

  #stored(userId: string, key: string, at: number): Accepted<OrderRecord> | null {
    const stored = this.#folded.idempotency.find(userId, key, at)
    return stored === undefined
      ? null
      : { ok: true, value: stored.order, events: [], seq: stored.seq, replayedFrom: stored.at }
  }

  #idempotencyScope(command: PlaceOrder, options: CommandOptions): string | null {
    const userId = this.#userOf(command, options)
    return !command.idempotencyKey || userId === undefined ? null : scope(userId, command.idempotencyKey)
  }

  #userOf(command: PlaceOrder, options: CommandOptions): string | undefined {
    return options.caller?.userId ?? this.#folded.world.accounts.get(command.accountId)?.userId
  }
}

type OrderRecordOrPosition = ReturnType<typeof orderRecord> | ReturnType<typeof positionRecord>

/** A past state, for reading. */
export interface PastState {
  readonly seq: number
  readonly read: Reader
  stateHash(): string
}

function refused(error: Refusal): Refused {
  return { ok: false, error }
}
