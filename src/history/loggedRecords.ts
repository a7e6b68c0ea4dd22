/**
 * What the history in memory keeps where the log is in memory too: places of events in it. Numbers are creation sequences, under
 * each of which stands where its order was placed or its position opened, and how it ended; records are folded from the events
 * when somebody asks. Of a position of many events the record is kept besides. An id says which commit made it, so that none is
 * kept.
 */
import { endOrder, endsOrder, placedOrder } from '../domain/evolve/orderReducers.ts'
import { IdSpace } from '../domain/state/ids.ts'
import type { OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import { ByteReader } from '../events/codec/byteReader.ts'
import { type Codec, compile, type Fields } from '../events/codec/fields.ts'
import type { OrderPlaced } from '../events/orderEvents.ts'
import type { IncreasePosition, PositionEvent } from '../events/positionEvents.ts'
import type { FoldedCommit } from '../projections/decidedProjection.ts'
import { positionFields } from '../projections/recordFields.ts'
import { endedOrderRecord, positionRecord } from '../projections/records.ts'
import type { CommitLog } from '../store/commitLog.ts'
import { EventChains } from './eventChains.ts'
import { type Kept, KINDS, type Kind, type RecordHeader } from './kept.ts'
import { type Identity, type PastEvents, positionAfter } from './pastEvents.ts'
import { NumberColumn, type Place, PlaceColumn } from './placeColumns.ts'
import { RecordHeap } from './recordHeap.ts'

/** Of a commit what the places in it lead to. */
export type EventLog = Pick<CommitLog, 'expect' | 'event'>

const positions: Codec<PositionRecord> = compile(positionFields as Fields<object>)

/** Beside the ordinal of a phase: a kind, counted from 1, or 0 of what is in no list yet. */
const PER_PHASE = KINDS.length + 1

export class LoggedRecords implements Kept {
  readonly #log: EventLog
  /** By number, as are the others. */
  readonly #begun = new PlaceColumn()
  /**
   * Of an order its end; of an open position the row of its last event and how many there are; of one that has ended that row and the
   * number of its record + 1 or 0.
   */
  readonly #ended = new PlaceColumn()
  /** Kind and phase. */
  readonly #states = new NumberColumn()
  readonly #chains = new EventChains()
  readonly #records = new RecordHeap()
  readonly #reader = new ByteReader(new Uint8Array())
  #ids = new IdSpace('')
  /** The commit that is told. */
  #seq = 0
  /** The highest number. */
  #newest = 0
  /** The order that ended last: mostly the one behind the next event. */
  #lastOrder = { id: '', number: 0 }

  constructor(log: EventLog) {
    this.#log = log
  }

  get room(): number {
    return this.#begun.room + this.#ended.room + this.#states.room + this.#chains.room + this.#records.room
  }

  engineCreated(seed: string): void {
    this.#ids = new IdSpace(seed)
  }

  began(commit: FoldedCommit): void {
    this.#seq = commit.seq
    this.#log.expect(commit)
  }

  orderPlaced(_event: OrderPlaced, identity: Identity, index: number): void {
    this.#begin(identity, index, 0)
  }

  addOrder({ id }: OrderRecord, { sequence, phaseOrdinal }: Identity, index: number): number {
    this.#ended.set(sequence, this.#seq, index)
    this.#setState(sequence, 'order', phaseOrdinal)
    this.#lastOrder.id = id
    this.#lastOrder.number = sequence
    return sequence
  }

  addPosition(_id: string, identity: Identity, index: number): number {
    this.#begin(identity, index, stateOf('opened'))
    this.#ended.set(identity.sequence, 0, 0)
    return identity.sequence
  }

  addEvent(number: number, event: PositionEvent, _at: number, index: number): void {
    const order = 'orderId' in event ? this.#orderBehind(event.orderId) : null
    const count = this.eventCount(number)
    const before = count === 0 ? null : this.lastEvent(number)
    this.#ended.set(number, this.#chains.add(this.#seq, index, before, order), count + 1)
  }

  eventCount(number: number): number {
    return this.#ended.indexAt(number)
  }

  endPosition(number: number, _id: string, record: PositionRecord | null): void {
    this.#ended.set(number, this.lastEvent(number), record === null ? 0 : this.#keep(record) + 1)
    this.#setState(number, 'position', this.identityOf(number).phaseOrdinal)
  }

  forget(number: number): void {
    const { phaseOrdinal } = this.identityOf(number)
    if (this.kindOf(number) === 'order') return this.#setState(number, 'earlierOrder', phaseOrdinal)
    const { seq: last, index: record } = this.#ended.at(number)
    this.#chains.drop(last)
    if (record > 0) this.#records.delete(record - 1)
    this.#setState(number, 'earlierPosition', phaseOrdinal)
  }

  openAt(sequence: number): number {
    return sequence
  }

  findOpen(id: string): number | null {
    return this.#numberOf(id, (number) => this.#isOpen(number))
  }

  *openNumbers(): Iterable<number> {
    for (let number = 1; number <= this.#newest; number++) if (this.#isOpen(number)) yield number
  }

  find(id: string): number | null {
    return this.#numberOf(id, (number) => this.#isEnded(number))
  }

  *numbers(): Iterable<number> {
    for (let number = 1; number <= this.#newest; number++) if (this.#isEnded(number)) yield number
  }

  at(number: number): RecordHeader {
    return { id: this.#idAt(number), kind: this.kindOf(number), ...this.identityOf(number) }
  }

  kindOf(number: number): Kind {
    return KINDS[(this.#states.at(number) % PER_PHASE) - 1] as Kind
  }

  identityOf(number: number): Identity {
    return { sequence: number, phaseOrdinal: Math.floor(this.#states.at(number) / PER_PHASE) }
  }

  sequenceOf(number: number): number {
    return number
  }

  endedAt(number: number): Ended {
    return {
      accountId: this.#beginning(number).event.accountId,
      phaseOrdinal: this.identityOf(number).phaseOrdinal,
    }
  }

  order(number: number): OrderRecord {
    const { event, at } = this.#beginning(number)
    if (event.type !== 'orderPlaced') throw new TypeError(`an order begins with ${event.type}`)
    const order = placedOrder(event, at, this.identityOf(number))
    const { event: end } = this.#read(this.#ended.at(number))
    if (!endsOrder(end)) throw new TypeError(`an order ends with ${end.type}`)
    endOrder(order, end)
    return endedOrderRecord(order)
  }

  position(number: number): PositionRecord {
    const { seq: last, index: record } = this.#ended.at(number)
    if (record === 0) return positionRecord(this.positionAfter(last, this.identityOf(number)))
    this.#records.open(record - 1, this.#reader)
    return Object.freeze(positions.read(this.#reader))
  }

  positionAfter(last: number, identity: Identity): Position {
    return positionAfter(this.eventsUpTo(last), identity)
  }

  lastEvent(number: number): number {
    return this.#ended.seqAt(number)
  }

  eventsUpTo(last: number): PastEvents {
    const events = this.#chains.upTo(last)
    return {
      length: events.length,
      at: (index) => {
        const { event, at } = this.#read(events.at(index))
        return { event: event as PositionEvent, at }
      },
      orderBehind: (index) => {
        const { order } = events.at(index)
        return order === null ? null : this.order(order)
      },
    }
  }

  #orderBehind(id: string): number | null {
    return this.#lastOrder.id === id ? this.#lastOrder.number : this.find(id)
  }

  #keep(record: PositionRecord): number {
    const number = this.#records.begin()
    positions.write(this.#records.writer, record)
    this.#records.end(number)
    return number
  }

  /** Accounts have numbers too, under which nothing is found: they count as begun with what was before them. */
  #begin({ sequence, phaseOrdinal }: Identity, index: number, state: number): void {
    const before = this.#newest === 0 ? 0 : this.#begun.seqAt(this.#newest)
    for (let number = this.#newest + 1; number < sequence; number++) this.#begun.set(number, before, 0)
    this.#begun.set(sequence, this.#seq, index)
    this.#states.set(sequence, phaseOrdinal * PER_PHASE + state)
    this.#newest = sequence
  }

  #setState(number: number, kind: Kind, phaseOrdinal: number): void {
    this.#states.set(number, phaseOrdinal * PER_PHASE + stateOf(kind))
  }

  /** The first number that a commit from `seq` on began, or that comes next. */
  #firstFrom(seq: number): number {
    let [from, to] = [1, this.#newest + 1]
    while (from < to) {
      const middle = Math.floor((from + to) / 2)
      if (this.#begun.seqAt(middle) < seq) from = middle + 1
      else to = middle
    }
    return from
  }

  #numberOf(id: string, isIt: (number: number) => boolean): number | null {
    for (const { seq, index } of this.#ids.placesOf(id)) {
      // Ids are made in the order in which orders and positions are created: of a commit that is still to come beyond the newest.
      const number = this.#firstFrom(seq) + index
      if (number <= this.#newest && isIt(number) && this.#idAt(number) === id) return number
    }
    return null
  }

  #isOpen(number: number): boolean {
    return this.#states.at(number) % PER_PHASE === stateOf('opened')
  }

  #isEnded(number: number): boolean {
    return this.#states.at(number) % PER_PHASE > stateOf('opened')
  }

  #idAt(number: number): string {
    const { event } = this.#beginning(number)
    return event.type === 'orderPlaced' ? event.orderId : event.positionId
  }

  #beginning(number: number): { readonly event: OrderPlaced | IncreasePosition; readonly at: number } {
    const { event, at } = this.#read(this.#begun.at(number))
    if (event.type !== 'orderPlaced' && event.type !== 'increasePosition')
      throw new TypeError(`what is in a list begins with ${event.type}`)
    return { event, at }
  }

  #read({ seq, index }: Place) {
    return this.#log.event(seq, index)
  }
}

function stateOf(kind: Kind): number {
  return KINDS.indexOf(kind) + 1
}
