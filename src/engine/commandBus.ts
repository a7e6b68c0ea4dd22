/**
 * The command bus: decide, apply, record. One serial queue over the accounts it hosts (I17); the same code path for a host, a
 * simulation and a backtest.
 */

import { decide } from '../domain/commands/decide.ts'
import { moveClock } from '../domain/evolve/clock.ts'
import { Decision } from '../domain/flows/decision.ts'
import type { Market } from '../domain/state/market.ts'
import type { Order } from '../domain/state/order.ts'
import type { Command } from '../events/command.ts'
import type { CausedBy, Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import type { PlaceOrder } from '../events/placeOrder.ts'
import { type TickColumns, tickCommit } from '../events/tickColumns.ts'
import type { Price } from '../quantity/units.ts'
import { invalid, type Rejection, rejection } from '../terms/errors.ts'
import { LAST_INSTANT, LONGEST_ADVANCE_MS } from '../terms/instants.ts'
import { answerRecord, placedBy } from './answerRecord.ts'
import type { Audience } from './audience.ts'
import { type CommandOptions, causedBy } from './commandOptions.ts'
import { answerAgain, type CommandOutcome, commandIdOf, rejectionEvent } from './commandOutcomes.ts'
import type { Folded } from './fold.ts'
import type { Journal } from './journal.ts'
import type { Accepted, Outcome, Rejected } from './outcome.ts'
import { ownCopy } from './ownCopy.ts'
import { type QuietRun, takeQuietly } from './quietRun.ts'
import { givenEvents } from './sealedCommit.ts'

export class CommandBus {
  readonly #folded: Folded
  readonly #decision: Decision
  readonly #journal: Journal
  readonly #audience: Audience
  readonly #seers = new Set<(commit: Commit) => void>()

  constructor(folded: Folded, journal: Journal, audience: Audience) {
    this.#folded = folded
    folded.world.triggers.arrange()
    this.#decision = new Decision(folded.world)
    this.#journal = journal
    this.#audience = audience
  }

  /**
   * Decides a command, and applies and records what follows. What falls due before it happens first, in commits of its own.
   * What it throws has half applied a commit: nothing may be decided or read afterwards.
   */
  dispatch<C extends Command>(command: C, options: CommandOptions): Outcome<C> {
    const given = this.givenBefore(command, options.at ?? this.#folded.world.now)
    if (given !== undefined) return answerAgain(given) as Outcome<C>
    const at = this.#timeOf(command, options)
    if (at === null) return rejected(invalid(isTooLong(command) ? 'ms' : 'at'))
    const by = causedBy(options)
    if (by === null) return rejected(invalid(options.by == null ? 'caller' : 'by'))
    const repeated = this.#repeated(command, options, at)
    if (repeated !== null) return repeated as Outcome<C>
    const { world } = this.#folded
    if (command?.type === 'updatePrice' && command.commandId == null) {
      const market = takeQuietly(world, command, at)
      if (market !== null) return this.#recordQuietly(market, command.indexPrice, at, by) as Outcome<C>
    }
    this.#runDue(command, at)

    const decision = this.#decision
    decision.begin(at)
    const own = ownCopy(command)
    const ruling = decide(decision, own, options.caller ?? null)
    if (ruling.rejected !== null) {
      const kept = rejectionEvent(own, ruling.rejected)
      if (kept !== null) {
        decision.emit(kept)
        this.#commit(decision, own, by, null)
      }
      return rejected(ruling.rejected)
    }
    const timePasses = own.type === 'advanceTime' && at > world.now
    const changes = !decision.isSilent || timePasses || commandIdOf(own) !== null
    const events = changes ? this.#commit(decision, own, by, placedBy(own, ruling)) : []
    return {
      ok: true,
      value: answerRecord<C>(ruling),
      events,
      seq: world.seq,
    }
  }

  /**
   * Folds and records the ticks from `from` on, before `to`, that do nothing but move their market's price. Returns the first
   * that has to be dispatched by itself, or before which to look again.
   */
  takeQuietTicks(run: QuietRun, ticks: TickColumns, from: number, to: number): number {
    const seq = this.#folded.world.seq + 1
    const end = run.advance(from, to)
    if (end === from) return from
    this.#journal.recordTicks(seq, ticks, from, end)
    this.#audience.followers.advanced()
    return end
  }

  /** What an earlier `placeOrder` under this key of this user answers at time `at`; null when the key is free (I4, K6). */
  earlier(userId: string, key: string, at: number): Outcome<PlaceOrder> | null {
    const stored = this.#folded.idempotency.find(userId, key, at)
    if (stored === undefined) return null
    if (stored.seq > this.#journal.durableHead) return rejected(rejection('idempotency_key_in_flight'))
    return { ok: true, value: stored.order, events: [], seq: stored.seq, replayedFrom: stored.at }
  }

  /** What became of the first command under the same id, within its day. A time before the engine's own is taken as that. */
  givenBefore(command: Command, at: number): CommandOutcome | undefined {
    const commandId = commandIdOf(command)
    return commandId === null
      ? undefined
      : this.#folded.commands.find(commandId, Math.max(at, this.#folded.world.now))
  }

  /** Calls `see` with every commit while the state is as that commit left it. Returns what ends it. */
  seeCommits(see: (commit: Commit) => void): () => void {
    this.#seers.add(see)
    return () => this.#seers.delete(see)
  }

  /** What deciding a tick would have led to that is folded already. */
  #recordQuietly(market: Market, indexPrice: Price, at: number, by: CausedBy | undefined): Accepted<null> {
    const { world } = this.#folded
    moveClock(world, at)
    world.seq += 1
    const tick = tickCommit(world.seq, at, market.id, indexPrice)
    const commit = by === undefined ? tick : { ...tick, by }
    this.#record(commit)
    // The commit may wait for the disk, so the caller gets an event of their own.
    return {
      ok: true,
      value: null,
      events: [{ type: 'priceUpdated', marketId: market.id, indexPrice }],
      seq: commit.seq,
    }
  }

  /** The time of a command; null when it would go back, past the last instant there is, or too far at once. */
  #timeOf(command: Command, options: CommandOptions): number | null {
    const { now } = this.#folded.world
    const from = options.at ?? now
    const passes = command?.type === 'advanceTime' && Number.isSafeInteger(command.ms)
    const at = passes ? from + Math.max(command.ms, 0) : from
    return Number.isSafeInteger(at) && at >= now && at <= LAST_INSTANT && !isTooLong(command) ? at : null
  }

  /** Funding instants and day boundaries up to the command, each in a commit of its own (E4). */
  #runDue(command: Command, at: number): void {
    const { world } = this.#folded
    const decision = this.#decision
    while (world.nextDueAt < at || (world.nextDueAt === at && command?.type !== 'advanceTime')) {
      const due: Command = { type: 'advanceTime', ms: world.nextDueAt - world.now }
      decision.begin(world.nextDueAt)
      decide(decision, due, null)
      this.#commit(decision, due, undefined, null)
    }
  }

  /** `placed`: the order of a placement, for its idempotency key. */
  #commit(
    decision: Decision,
    command: Command,
    by: CausedBy | undefined,
    placed: Order | null,
  ): readonly Event[] {
    const { world } = this.#folded
    if (decision.isSilent) moveClock(world, decision.at)
    const seq = world.seq + 1
    const { at } = decision
    const events = decision.events()
    const commit: Commit = by === undefined ? { seq, at, command, events } : { seq, at, by, command, events }
    this.#folded.complete(commit, placed)
    for (const see of this.#seers) see(commit)
    const given = givenEvents(events, this.#journal.holds)
    this.#record(commit)
    return given
  }

  #record(commit: Commit): void {
    this.#journal.record(commit)
    if (this.#journal.durableHead === commit.seq) this.#audience.tell(commit)
  }

  /** What an earlier `placeOrder` with the same key answers, within its hour (I4). */
  #repeated(command: Command, { caller }: CommandOptions, at: number): Outcome<PlaceOrder> | null {
    if (command?.type !== 'placeOrder' || typeof command.idempotencyKey !== 'string') return null
    if (command.idempotencyKey === '') return null
    const userId = caller?.userId ?? this.#folded.world.accounts.get(command.accountId)?.userId
    return userId === undefined ? null : this.earlier(userId, command.idempotencyKey, at)
  }
}

function isTooLong(command: Command): boolean {
  return command?.type === 'advanceTime' && command.ms > LONGEST_ADVANCE_MS
}

function rejected(error: Rejection): Rejected {
  return { ok: false, error }
}
