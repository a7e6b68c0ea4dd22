/**
 * The history as rows of tables, for others to query: what each commit adds is made as it is told, and written once the commit is
 * durable. What is open is followed, and nothing of it is served.
 */
import { positionRecipe, unopenedPosition } from '../domain/evolve/positionReducers.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { OrderEnd } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { FoldedCommit } from '../projections/decidedProjection.ts'
import type { Keeping } from '../projections/keeping.ts'
import type { RowStore, RowsLost } from '../store/rowStore.ts'
import { CommitPast, type PastOrder, type PastPosition } from './commitPast.ts'
import type { Identity } from './pastEvents.ts'
import { RecordLists } from './recordLists.ts'
import { RowQueue } from './rowQueue.ts'

export class TabledHistory extends RecordLists<Position> {
  readonly #queue: RowQueue
  /** What the commit adds that is told now; null where its rows are written already, and not made again, which is most of the work. */
  #past: CommitPast | null = null

  constructor(tables: RowStore) {
    super()
    this.#queue = new RowQueue(tables, (commits, upTo) => this.written(commits, upTo))
  }

  override get keeping(): Keeping {
    return this.#queue
  }

  override began(commit: FoldedCommit): void {
    this.#past = commit.seq <= this.#queue.cursor ? null : new CommitPast(commit)
  }

  orderEnded(_event: OrderEnd, order: Order): PastOrder | null {
    return this.#past?.addOrder(order) ?? null
  }

  positionOpened(event: IncreasePosition, at: number, identity: Identity): Position {
    return unopenedPosition(event, at, identity)
  }

  positionChanged(position: Position, event: PositionEvent, at: number): void {
    positionRecipe(position, event, at)
    this.#past?.addEvent(position, event)
  }

  positionEnded(position: Position): PastPosition | null {
    return this.#past?.addPosition(position) ?? null
  }

  override completed(_seq: number): void {
    if (this.#past !== null) this.waits(this.#past)
  }

  override restore(_saved: object | null, _seq: number): void {
    this.#queue.forget()
  }

  restorePosition(position: Position, _place: number | null): Position {
    return { ...position }
  }

  /** What a commit adds is not in the tables yet. */
  protected waits(past: CommitPast): void {
    this.#queue.push(past)
  }

  /** Rows that were written are there no more. */
  protected lost(cause: RowsLost): void {
    this.#queue.lost(cause)
  }

  /** The rows of commits are in the tables, and all others up to a commit. */
  protected written(_commits: readonly CommitPast[], _upTo: number): void {}
}
