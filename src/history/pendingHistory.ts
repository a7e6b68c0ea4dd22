/** Changes of the history that are not written yet: looked up before what is, and written once their commits are durable. */

import type { Keeping } from '../projections/keeping.ts'
import type { Pace } from '../store/turns.ts'
import type { CommitChanges } from './historyChanges.ts'
import type { EndedOrder, EndedPosition, KeptEvent } from './historyRecords.ts'
import type { HistoryTarget } from './historyTarget.ts'
import type { CreatedIn, EntryKey } from './recordKeys.ts'

/** Changes that wait at most; beyond it those who tell of more have to wait. */
const CAPACITY = 200_000
/** A write takes what has gathered, or this many changes. */
const BATCH = 50_000

/** What one commit changed, as it is gathered. Most commits change one or two things: what they leave alone has no room. */
class GatheredChanges implements CommitChanges {
  seq = 0
  orders: CommitChanges['orders'][number][] = NONE
  positions: CommitChanges['positions'][number][] = NONE
  events: CommitChanges['events'][number][] = NONE
  entries: CommitChanges['entries'][number][] = NONE
  created: CreatedIn[] = NONE
  holes: CommitChanges['holes'][number][] = NONE

  get size(): number {
    const { orders, positions, events, entries, created, holes } = this
    return orders.length + positions.length + events.length + entries.length + created.length + holes.length
  }
}

const NONE: never[] = []

/** An array with room for one more thing and no others, as long as it is the first. */
function withOne<T>(items: T[], item: T): T[] {
  if (items === NONE) return [item]
  items.push(item)
  return items
}

export class PendingHistory implements Keeping {
  /** By creation sequence, as in the index. */
  readonly #orders = new Map<number, EndedOrder>()
  readonly #positions = new Map<number, EndedPosition>()
  readonly #events = new Map<number, KeptEvent[]>()
  readonly #ids = new Map<string, number>()
  /** By list, then by rank. */
  readonly #entries = new Map<number, Map<number, number>>()
  readonly #holes = new Map<string, Uint8Array>()
  /** In the order of their commits. */
  #created: CreatedIn[] = []
  readonly #index: HistoryTarget
  #told = new GatheredChanges()
  #waiting: GatheredChanges[] = []
  /** What is being written. */
  #taken: readonly GatheredChanges[] = []
  #size = 0
  /** The log is told again and nobody reads: what waits is only written. */
  #recovering = false
  #durable = 0
  readonly #pace: Pace
  #writing: Promise<void> | null = null
  /** After a write that failed nothing is written: the cursor would pass over what it lost. */
  #failed = false
  /** Ends the pause before a write. */
  #hurry: () => void = () => {}
  #fail: (reason: string, cause: unknown) => void = () => {}
  readonly failed: Promise<never>

  constructor(index: HistoryTarget) {
    this.#index = index
    this.#pace = index.turns.pace()
    this.failed = new Promise((_, reject) => {
      this.#fail = (reason, cause) => reject(new Error(reason, { cause }))
    })
    // There may be nobody to hear of it.
    this.failed.catch(() => {})
    index.checked.catch((cause) => this.#fail('the history lists cannot be believed', cause))
  }

  get cursor(): number {
    return this.#index.cursor
  }

  get removed(): string | null {
    return this.#index.removed
  }

  order(sequence: number, order: EndedOrder): void {
    // The events of its commit may ask for the sequence of an order already.
    if (this.#recovering) this.#ids.set(order.record.id, sequence)
    else this.#serveOrder(sequence, order)
    this.#told.orders = withOne(this.#told.orders, { sequence, order })
  }

  position(sequence: number, position: EndedPosition): void {
    if (!this.#recovering) this.#servePosition(sequence, position)
    this.#told.positions = withOne(this.#told.positions, { sequence, position })
  }

  event(sequence: number, event: KeptEvent): void {
    if (!this.#recovering) this.#serveEvent(sequence, event)
    this.#told.events = withOne(this.#told.events, { sequence, event })
  }

  entry(key: EntryKey, sequence: number): void {
    if (!this.#recovering) this.#serveEntry(key, sequence)
    this.#told.entries = withOne(this.#told.entries, { key, sequence })
  }

  created(created: CreatedIn): void {
    this.#created.push(created)
    this.#told.created = withOne(this.#told.created, created)
  }

  holes(list: number, chunk: number, bits: Uint8Array): void {
    this.#holes.set(nameOf(list, chunk), bits)
    this.#told.holes = withOne(this.#told.holes, { list, chunk, bits })
  }

  sequenceOf(id: string): number | undefined {
    return this.#ids.get(id)
  }

  orderAt(sequence: number): EndedOrder | undefined {
    return this.#orders.get(sequence)
  }

  positionAt(sequence: number): EndedPosition | undefined {
    return this.#positions.get(sequence)
  }

  eventsOf(sequence: number): readonly KeptEvent[] {
    return this.#events.get(sequence) ?? []
  }

  entryOf({ list, rank }: EntryKey): number | undefined {
    return this.#entries.get(list)?.get(rank)
  }

  /** The last commit up to one of which it is remembered how much had been created. */
  createdUpTo(seq: number): CreatedIn | undefined {
    for (let index = this.#created.length - 1; index >= 0; index--) {
      const created = this.#created[index] as CreatedIn
      if (created.seq <= seq) return created
    }
    return undefined
  }

  holesOf(list: number, chunk: number): Uint8Array | undefined {
    return this.#holes.get(nameOf(list, chunk))
  }

  completed(seq: number): void {
    const told = this.#told
    if (told.size === 0) return
    told.seq = seq
    this.#told = new GatheredChanges()
    this.#size += told.size
    if (this.#recovering) this.#ids.clear()
    this.#waiting.push(told)
    if (this.#size > BATCH) this.#hurry()
  }

  /** Everything that was dropped has been told again: what is not written is looked up from here on. */
  recovered(): void {
    if (!this.#recovering) return
    this.#recovering = false
    for (const told of [...this.#taken, ...this.#waiting]) this.#serve(told)
  }

  durable(seq: number): void {
    this.#durable = seq
    if (this.#waiting.length > 0 && !this.#failed) this.#writing ??= this.#write()
  }

  async room(): Promise<void> {
    if (this.#size > CAPACITY) await this.#writing
    await this.#pace.step()
  }

  async flushed(): Promise<void> {
    while (this.#writing !== null) {
      this.#hurry()
      await this.#writing
    }
    if (!this.#failed && this.#durable > this.#index.cursor)
      await this.#index.write([], this.#durable, this.#recovering)
  }

  #serve({ orders, positions, events, entries }: GatheredChanges): void {
    for (const { sequence, order } of orders) this.#serveOrder(sequence, order)
    for (const { sequence, position } of positions) this.#servePosition(sequence, position)
    for (const { sequence, event } of events) this.#serveEvent(sequence, event)
    for (const { key, sequence } of entries) this.#serveEntry(key, sequence)
  }

  #serveOrder(sequence: number, order: EndedOrder): void {
    this.#orders.set(sequence, order)
    this.#ids.set(order.record.id, sequence)
  }

  #servePosition(sequence: number, position: EndedPosition): void {
    this.#positions.set(sequence, position)
    this.#ids.set(position.record.id, sequence)
  }

  #serveEvent(sequence: number, event: KeptEvent): void {
    const events = this.#events.get(sequence)
    if (events === undefined) this.#events.set(sequence, [event])
    else events.push(event)
  }

  #serveEntry({ list, rank }: EntryKey, sequence: number): void {
    const entries = this.#entries.get(list)
    if (entries === undefined) this.#entries.set(list, new Map([[rank, sequence]]))
    else entries.set(rank, sequence)
  }

  /** Drops everything: it is told again, and not looked up before {@link recovered}. */
  forget(): void {
    this.#recovering = true
    for (const kept of [this.#orders, this.#positions, this.#events, this.#ids, this.#entries, this.#holes])
      kept.clear()
    this.#created = []
    this.#told = new GatheredChanges()
    this.#waiting = []
    this.#size = 0
  }

  async #write(): Promise<void> {
    try {
      await this.#pause()
      const durable = this.#durable
      const taken = this.#take(durable)
      if (taken.length > 0) {
        const [next] = this.#waiting
        // Of what waits still, nothing is written: the cursor stays before it.
        this.#taken = taken
        const cursor = next === undefined ? durable : Math.min(durable, next.seq - 1)
        await this.#index.write(taken, cursor, this.#recovering)
        this.#taken = []
        await this.#release(taken)
      }
      this.#writing = null
      if ((this.#waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= this.#durable) this.#writing = this.#write()
    } catch (error) {
      this.#failed = true
      this.#writing = null
      this.#fail('the history lists could not be written', error)
    }
  }

  #pause(): Promise<void> {
    if (this.#size > BATCH) return Promise.resolve()
    return new Promise((resolve) => {
      const callOff = this.#index.turns.gather(resolve)
      this.#hurry = () => {
        callOff()
        resolve()
      }
    })
  }

  /** Whole commits that are durable, about as many as one write takes. */
  #take(durable: number): GatheredChanges[] {
    let size = 0
    const after = this.#waiting.findIndex((told, index) => {
      size += told.size
      return told.seq > durable || (size > BATCH && index > 0)
    })
    const taken = after === -1 ? this.#waiting : this.#waiting.slice(0, after)
    this.#waiting = after === -1 ? [] : this.#waiting.slice(after)
    return taken
  }

  /** What is written need not be held: an order or position ends once, an entry and an event are told once. */
  async #release(taken: readonly GatheredChanges[]): Promise<void> {
    const pace = this.#index.turns.pace()
    for (const told of taken) {
      this.#size -= told.size
      this.#releaseHoles(told)
      this.#releaseCreated(told)
      // While the log is told again nothing is served.
      if (this.#recovering) continue
      for (const { sequence, order } of told.orders) {
        this.#orders.delete(sequence)
        this.#ids.delete(order.record.id)
        if (pace.over) await pace.step()
      }
      for (const { sequence, position } of told.positions) {
        this.#positions.delete(sequence)
        this.#ids.delete(position.record.id)
        if (pace.over) await pace.step()
      }
      for (const { sequence } of told.events) {
        this.#releaseEvent(sequence)
        if (pace.over) await pace.step()
      }
      for (const { key } of told.entries) {
        this.#releaseEntry(key)
        if (pace.over) await pace.step()
      }
    }
  }

  /** They are written in the order they were told. */
  #releaseCreated({ created }: GatheredChanges): void {
    if (created.length > 0) this.#created = this.#created.slice(created.length)
  }

  #releaseHoles({ holes }: GatheredChanges): void {
    for (const { list, chunk, bits } of holes)
      if (this.#holes.get(nameOf(list, chunk)) === bits) this.#holes.delete(nameOf(list, chunk))
  }

  #releaseEntry({ list, rank }: EntryKey): void {
    const entries = this.#entries.get(list)
    entries?.delete(rank)
    if (entries?.size === 0) this.#entries.delete(list)
  }

  /** Events of a position are written in the order they were told. */
  #releaseEvent(sequence: number): void {
    const events = this.#events.get(sequence)
    if (events === undefined) return
    if (events.length === 1) this.#events.delete(sequence)
    else events.shift()
  }
}

function nameOf(list: number, place: number): string {
  return `${list} ${place}`
}
