/** The state as the fold of the commits: the one place that turns a log back into what it says. */
import { apply } from '../domain/apply.ts'
import { moveClock } from '../domain/schedule.ts'
import type { Triggers } from '../domain/triggers/triggers.ts'
import type { World } from '../domain/world.ts'
import { emptyWorld } from '../domain/world.ts'
import type { Commit } from '../events/commit.ts'
import { MemoryHistory } from '../projections/history.ts'
import { Reader } from '../projections/reader.ts'
import { orderRecord } from '../projections/records.ts'
import { IdempotencyWindow } from './idempotency.ts'
import { stateHash } from './stateHash.ts'

/** Makes the triggers of a world. */
export type TriggersFactory = (world: World) => Triggers

/** Everything that is folded from a log: the world, the read models, and the idempotency outcomes. */
export class Folded {
  readonly world: World
  readonly history = new MemoryHistory()
  readonly idempotency = new IdempotencyWindow()
  readonly read: Reader

  constructor(triggers: TriggersFactory) {
    this.world = emptyWorld(this.history, triggers)
    this.read = new Reader(this.world, this.history)
  }

  /** Folds a commit from a log. */
  fold(commit: Commit): void {
    moveClock(this.world, commit.at)
    for (const event of commit.events) apply(this.world, event, commit.at, this.history)
    this.complete(commit)
  }

  /** What a commit leaves beside its events' effects: its place in the log, and the outcome under its key. */
  complete(commit: Commit): void {
    this.world.seq = commit.seq
    const { command } = commit
    if (command.type !== 'placeOrder' || command.idempotencyKey == null) return
    const placed = commit.events[0]
    const account = this.world.accounts.get(command.accountId)
    if (placed?.type !== 'orderPlaced' || account === undefined)
      throw new TypeError(`commit ${commit.seq} places no order`)
    const active = this.world.orders.get(placed.orderId)
    const order =
      active === undefined ? this.history.order(placed.orderId) : orderRecord(active, this.world.triggers)
    if (order === undefined) throw new TypeError(`commit ${commit.seq} placed an order that is nowhere`)
    this.idempotency.keep({
      userId: account.userId,
      key: command.idempotencyKey,
      order,
      seq: commit.seq,
      at: commit.at,
    })
  }

  /** SHA-256 over the canonical text of everything the rules depend on. */
  stateHash(): string {
    return stateHash(this.world, this.idempotency)
  }
}
