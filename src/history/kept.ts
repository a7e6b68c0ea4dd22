/** What the history in memory keeps, each under a number: ended orders, positions and what happened to them. */
import type { OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { OrderPlaced } from '../events/orderEvents.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import type { FoldedCommit } from '../projections/decidedProjection.ts'
import type { Identity, PastEvents } from './pastEvents.ts'

/** Of an open position, of what has ended, and of what had before the account's phase began. Their places are stored. */
export const KINDS = ['opened', 'order', 'position', 'earlierOrder', 'earlierPosition'] as const
export type Kind = (typeof KINDS)[number]

/** What is said of everything but events. */
export interface RecordHeader extends Identity {
  readonly id: string
  readonly kind: Kind
}

/** `index`: which event of its commit it is, from 0. */
export interface Kept {
  /** Bytes of memory that it takes. */
  readonly room: number

  /** Ids are made from this seed. */
  engineCreated(seed: string): void

  /** A commit begins, and what it does follows. */
  began(commit: FoldedCommit): void

  orderPlaced(event: OrderPlaced, identity: Identity, index: number): void

  /** An order as it ended. Gives its number. */
  addOrder(record: OrderRecord, identity: Identity, index: number): number

  /** The number of an open position, which was created as so many. */
  openAt(sequence: number, id: string): number

  /** The same by its id alone; null where none is open. */
  findOpen(id: string): number | null

  /** Of every open position. */
  openNumbers(): Iterable<number>

  /** A position that opens. Gives its number. */
  addPosition(id: string, identity: Identity, index: number): number

  /** What happens next to the open position of a number. */
  addEvent(number: number, event: PositionEvent, at: number, index: number): void

  /** How much has happened to an open position so far. */
  eventCount(number: number): number

  /** `record`: null where it is to be folded from its events when somebody asks. */
  endPosition(number: number, id: string, record: PositionRecord | null): void

  /** What has ended belongs to an earlier phase: whose it was is kept, because rejections depend on it (H3, I14). */
  forget(number: number): void

  /** The number of what has ended under an id; null where nothing has. */
  find(id: string): number | null

  /** Of everything that has ended. */
  numbers(): Iterable<number>

  at(number: number): RecordHeader

  kindOf(number: number): Kind

  /** Of an order or position what its events do not say. */
  identityOf(number: number): Identity

  /** The creation sequence alone, which lists are kept in the order of. */
  sequenceOf(number: number): number

  /** Whose something was that has ended. */
  endedAt(number: number): Ended

  order(number: number): OrderRecord

  /** Of a position that has ended. */
  position(number: number): PositionRecord

  /** A position, open or not, after one of its events. It costs what its events do. */
  positionAfter(last: number, identity: Identity): Position

  /** What happened last to a position, open or ended. */
  lastEvent(number: number): number

  /** What happened to a position up to an event, as it is now: none of it changes whatever becomes of the position. */
  eventsUpTo(last: number): PastEvents
}
