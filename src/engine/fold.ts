/** The state as the fold of the commits: the one place that turns a log back into what it says. */
import { apply } from '../domain/evolve/apply.ts'
import { moveClock } from '../domain/evolve/clock.ts'
import { emptyWorld } from '../domain/evolve/emptyWorld.ts'
import { knownOrder } from '../domain/evolve/resting.ts'
import type { Order } from '../domain/state/order.ts'
import type { Triggers } from '../domain/state/triggers.ts'
import type { World } from '../domain/state/world.ts'
import type { Commit } from '../events/commit.ts'
import type { FoldedCommit } from '../projections/decidedProjection.ts'
import type { History } from '../projections/history.ts'
import { Reader } from '../projections/reader.ts'
import { orderRecord } from '../projections/records.ts'
import { CommandOutcomes } from './commandOutcomes.ts'
import { IdempotencyWindow } from './idempotency.ts'
import { inMemory } from './ownProjections.ts'
import { Projections } from './projections.ts'
import { stateHash } from './stateHash.ts'

/** Makes the triggers of a world. */
export type TriggersFactory = (world: World) => Triggers

/** Everything that is folded from a log: the world, the projections, and the outcomes that answer a repeated command. */
export class Folded {
  readonly world: World
  readonly projections: Projections
  /** What has ended. */
  readonly history: History
  readonly idempotency = new IdempotencyWindow()
  readonly commands = new CommandOutcomes()
  readonly read: Reader

  /** `projections`: default, those of every engine, in memory. Levels are gathered until whoever folds is through. */
  constructor(triggers: TriggersFactory, projections = new Projections(inMemory())) {
    this.projections = projections
    this.history = projections.history
    this.world = emptyWorld(this.history, triggers)
    this.world.triggers.gather()
    this.read = new Reader(this.world, this.history)
  }

  /** Folds a commit from a log. */
  fold(commit: Commit): void {
    this.world.positions.settle()
    moveClock(this.world, commit.at)
    let placed: Order | null = null
    for (const event of commit.events) {
      apply(this.world, event, commit.at)
      if (placed === null && event.type === 'orderPlaced') placed = knownOrder(this.world, event.orderId)
    }
    this.complete(commit, placed)
  }

  /**
   * What a commit leaves beside its events' effects: its place in the log, and the outcome under its key. `placed` is
   * the first order it placed: held on to, because the same commit may have ended it and its whole phase.
   */
  complete(commit: Commit, placed: Order | null): void {
    const { executing } = this.world
    if (executing !== null) throw new Error(`order ${executing.id} has not been executed`)
    this.world.seq = commit.seq
    this.tell(commit)
    this.commands.keepOf(commit)
    const { command, seq, at } = commit
    if (command.type !== 'placeOrder' || !command.idempotencyKey) return
    const account = this.world.accounts.get(command.accountId)
    if (placed === null || account === undefined) throw new TypeError(`commit ${seq} places no order`)
    const order = orderRecord(placed)
    this.idempotency.keep({ userId: account.userId, key: command.idempotencyKey, order, seq, at })
  }

  /** Tells the projections that rules ask of a commit, right after its events have been applied. */
  tell(commit: FoldedCommit): void {
    this.projections.decided(commit, this.world)
    this.world.ended.clear()
    this.world.changed.clear()
  }

  /** SHA-256 over the canonical text of everything the rules depend on. */
  stateHash(): string {
    return stateHash(this)
  }
}
