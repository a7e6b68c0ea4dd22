/**
 * What the history in memory keeps where no log is, encoded: ended orders, positions and what happened to them, each under a
 * number. What has ended is found by its id as well.
 *
 * An order or position is its id, what is kept of it, its creation sequence and phase, then the rest: of a position that
 * few events happened to, the last of them, which it follows from; of another its record besides. An event is the event
 * before it and the order behind it, each as its number + 1 or 0, its time, and itself.
 */
import { IdMap } from '../collections/idMap.ts'
import type { OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import { ByteReader } from '../events/codec/byteReader.ts'
import { eventCodec } from '../events/codec/eventSchemas.ts'
import { type Codec, compile, type Fields } from '../events/codec/fields.ts'
import { UUID_BYTES } from '../events/codec/idForm.ts'
import { wordsOf } from '../events/codec/uuidWords.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import { orderFields, positionFields } from '../projections/recordFields.ts'
import { positionRecord } from '../projections/records.ts'
import { IdTable } from './idTable.ts'
import { type Kept, KINDS, type Kind, type RecordHeader } from './kept.ts'
import { type Identity, type PastEvent, type PastEvents, positionAfter } from './pastEvents.ts'
import { NumberColumn } from './placeColumns.ts'
import { type Pinned, RecordHeap } from './recordHeap.ts'

const orders: Codec<OrderRecord> = compile(orderFields as Fields<object>)
const positions: Codec<PositionRecord> = compile(positionFields as Fields<object>)

export class KeptRecords implements Kept {
  readonly #heap = new RecordHeap()
  readonly #reader = new ByteReader(new Uint8Array())
  /** Of the id that is looked for, and of one that may be it. */
  readonly #words = new Uint32Array(4)
  readonly #others = new Uint32Array(4)
  readonly #ended = new IdTable((number, words) => this.#is(number, words))
  /** Numbers of open positions. */
  readonly #open = new IdMap<number>()
  /** Of an open position the number of its last event, and how many there are. */
  readonly #lastEvents = new NumberColumn()
  readonly #eventCounts = new NumberColumn()
  /** The order that ended last: mostly the one behind the next event. */
  #lastOrder = { id: '', number: -1 }

  /** Bytes of memory that records take, in proportion to them: what is forgotten gives its room back. */
  get room(): number {
    return this.#heap.room + this.#lastEvents.room + this.#eventCounts.room
  }

  engineCreated(): void {}

  began(): void {}

  orderPlaced(): void {}

  openAt(_sequence: number, id: string): number {
    return this.#open.known(id)
  }

  findOpen(id: string): number | null {
    return this.#open.get(id) ?? null
  }

  openNumbers(): Iterable<number> {
    return this.#open.values()
  }

  find(id: string): number | null {
    if (!wordsOf(id, this.#words)) return null
    const number = this.#ended.get(this.#words)
    return number < 0 ? null : number
  }

  numbers(): Iterable<number> {
    return this.#ended.numbers()
  }

  addOrder(record: OrderRecord, identity: Identity): number {
    const number = this.#heap.begin()
    this.#writeKept(record.id, 'order', identity)
    orders.write(this.#heap.writer, record)
    this.#heap.end(number)
    this.#index(record.id, number)
    this.#lastOrder = { id: record.id, number }
    return number
  }

  addPosition(id: string, identity: Identity): number {
    const number = this.#heap.begin()
    this.#writeKept(id, 'opened', identity)
    this.#heap.end(number)
    this.#eventCounts.set(number, 0)
    this.#open.add(id, number)
    return number
  }

  endPosition(number: number, id: string, record: PositionRecord | null): void {
    const [identity, last] = [this.identityOf(number), this.lastEvent(number)]
    this.#heap.beginAnew(number)
    const { writer } = this.#heap
    this.#writeKept(id, 'position', identity)
    writer.count(last)
    writer.flag(record !== null)
    if (record !== null) positions.write(writer, record)
    this.#heap.end(number)
    this.#open.delete(id)
    this.#index(id, number)
  }

  addEvent(position: number, event: PositionEvent, at: number): void {
    const order = 'orderId' in event ? this.#orderBehind(event.orderId) : null
    const count = this.eventCount(position)
    const number = this.#heap.begin()
    const { writer } = this.#heap
    writer.count(count === 0 ? 0 : this.#lastEvents.at(position) + 1)
    writer.count(order === null ? 0 : order + 1)
    writer.count(at)
    eventCodec.write(writer, event)
    this.#heap.end(number)
    this.#lastEvents.set(position, number)
    this.#eventCounts.set(position, count + 1)
  }

  eventCount(number: number): number {
    return this.#eventCounts.at(number)
  }

  forget(number: number): void {
    const { id, kind, ...identity } = this.at(number)
    const isOrder = kind === 'order'
    const { accountId } = this.endedAt(number)
    if (!isOrder) for (const event of this.#chain(this.lastEvent(number))) this.#heap.delete(event)
    this.#writeEarlier(number, id, isOrder ? 'earlierOrder' : 'earlierPosition', identity, accountId)
  }

  /** Of an earlier phase from the beginning. */
  addEarlier({ id, kind, ...identity }: RecordHeader, trader: string): void {
    const number = this.#heap.begin()
    this.#writeKept(id, kind, identity)
    this.#heap.writer.id(trader)
    this.#heap.end(number)
    this.#index(id, number)
  }

  at(number: number): RecordHeader {
    const reader = this.#reader
    this.#heap.open(number, reader)
    return {
      id: reader.id(),
      kind: reader.choice(KINDS),
      sequence: reader.count(),
      phaseOrdinal: reader.count(),
    }
  }

  identityOf(number: number): Identity {
    return { sequence: this.sequenceOf(number), phaseOrdinal: this.#reader.count() }
  }

  sequenceOf(number: number): number {
    this.#heap.open(number, this.#reader)
    this.#reader.at += UUID_BYTES + 1
    return this.#reader.count()
  }

  kindOf(number: number): Kind {
    this.#heap.open(number, this.#reader)
    this.#reader.at += UUID_BYTES
    return this.#reader.choice(KINDS)
  }

  endedAt(number: number): Ended {
    const { kind, phaseOrdinal } = this.at(number)
    if (kind === 'order') return { accountId: orders.read(this.#reader).accountId, phaseOrdinal }
    if (kind === 'position') {
      const { event } = readEvent(this.#reader, this.#heap.pinned(this.#reader.count()))
      return { accountId: event.accountId, phaseOrdinal }
    }
    return { accountId: this.#reader.id(), phaseOrdinal }
  }

  order(number: number): OrderRecord {
    this.at(number)
    return Object.freeze(orders.read(this.#reader))
  }

  position(number: number): PositionRecord {
    this.at(number)
    const last = this.#reader.count()
    if (this.#reader.flag()) return Object.freeze(positions.read(this.#reader))
    return positionRecord(this.positionAfter(last, this.identityOf(number)))
  }

  positionAfter(last: number, identity: Identity): Position {
    return positionAfter(this.eventsUpTo(last), identity)
  }

  lastEvent(number: number): number {
    const { kind } = this.at(number)
    return kind === 'opened' ? this.#lastEvents.at(number) : this.#reader.count()
  }

  eventsUpTo(last: number): PastEvents {
    const events: Pinned[] = []
    const orders: (Pinned | null)[] = []
    for (const number of this.#chain(last)) {
      events.push(this.#heap.pinned(number))
      this.#heap.open(number, this.#reader)
      this.#reader.count()
      const order = this.#reader.count()
      orders.push(order === 0 ? null : this.#heap.pinned(order - 1))
    }
    return {
      length: events.length,
      at: (index) => readEvent(this.#reader, events[events.length - 1 - index] as Pinned),
      orderBehind: (index) => {
        const order = orders[events.length - 1 - index] as Pinned | null
        return order && readOrder(this.#reader, order)
      },
    }
  }

  /** Numbers of the events up to one, newest first. */
  *#chain(last: number): Generator<number> {
    for (let number = last + 1; number > 0; ) {
      const current = number - 1
      this.#heap.open(current, this.#reader)
      number = this.#reader.count()
      yield current
    }
  }

  #orderBehind(id: string): number | null {
    return this.#lastOrder.id === id ? this.#lastOrder.number : this.find(id)
  }

  #writeKept(id: string, kind: Kind, { sequence, phaseOrdinal }: Identity): void {
    const { writer } = this.#heap
    writer.id(id)
    writer.choice(KINDS, kind)
    writer.count(sequence)
    writer.count(phaseOrdinal)
  }

  #writeEarlier(number: number, id: string, kind: Kind, identity: Identity, trader: string): void {
    this.#heap.beginAnew(number)
    this.#writeKept(id, kind, identity)
    this.#heap.writer.id(trader)
    this.#heap.end(number)
  }

  #index(id: string, number: number): void {
    if (!wordsOf(id, this.#words)) throw new TypeError(`not an id of the engine: ${id}`)
    this.#ended.add(this.#words, number)
  }

  #is(number: number, words: Uint32Array): boolean {
    this.#heap.open(number, this.#reader)
    const others = this.#others
    return (
      this.#reader.uuid(others) &&
      others[0] === words[0] &&
      others[1] === words[1] &&
      others[2] === words[2] &&
      others[3] === words[3]
    )
  }
}

function readEvent(reader: ByteReader, { bytes, at }: Pinned): PastEvent {
  reader.reset(bytes, at)
  reader.forgetIds()
  reader.count()
  reader.count()
  const time = reader.count()
  const event = eventCodec.read(reader) as PositionEvent
  return { event, at: time }
}

function readOrder(reader: ByteReader, { bytes, at }: Pinned): OrderRecord {
  reader.reset(bytes, at)
  reader.forgetIds()
  reader.id()
  reader.choice(KINDS)
  reader.count()
  reader.count()
  return Object.freeze(orders.read(reader))
}
