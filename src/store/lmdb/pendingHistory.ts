/** Changes of the history that are not written yet: looked up before what is, and written once their commits are durable. */
import type { EntryKey, HistoryBatch, HistoryIndex } from './historyIndex.ts'
import type { EndedOrder, EndedPosition, KeptEvent } from './historyRecords.ts'

/** Changes that wait at most; beyond it those who tell of more have to wait. */
const CAPACITY = 200_000
/** A write takes what the last pause has brought: it touches few pages more than a small one, and flushes as often. */
const PAUSE_MS = 200

/** What one commit changed. */
interface Changes {
  readonly seq: number
  readonly orders: string[]
  readonly positions: string[]
  readonly events: KeptEvent[]
  readonly entries: { readonly key: EntryKey; readonly id: string }[]
  readonly holes: { readonly list: number; readonly chunk: number; readonly bits: Uint8Array }[]
}

export class PendingHistory {
  readonly orders = new Map<string, EndedOrder>()
  readonly positions = new Map<string, EndedPosition>()
  readonly #events = new Map<string, KeptEvent[]>()
  /** By list, then by rank. */
  readonly #entries = new Map<number, Map<number, string>>()
  readonly #holes = new Map<string, Uint8Array>()
  readonly #index: HistoryIndex
  readonly #onFailure: (error: unknown) => void
  #told = newChanges(0)
  #waiting: Changes[] = []
  #size = 0
  #durable = 0
  #writing: Promise<void> | null = null
  /** Ends the pause before a write. */
  #hurry: () => void = () => {}

  constructor(index: HistoryIndex, onFailure: (error: unknown) => void) {
    this.#index = index
    this.#onFailure = onFailure
  }

  order(id: string, order: EndedOrder): void {
    this.orders.set(id, order)
    this.#told.orders.push(id)
  }

  position(id: string, position: EndedPosition): void {
    this.positions.set(id, position)
    this.#told.positions.push(id)
  }

  event(event: KeptEvent): void {
    const events = this.#events.get(event.record.idx)
    if (events === undefined) this.#events.set(event.record.idx, [event])
    else events.push(event)
    this.#told.events.push(event)
  }

  entry(key: EntryKey, id: string): void {
    const list = this.#entries.get(key.list)
    if (list === undefined) this.#entries.set(key.list, new Map([[key.rank, id]]))
    else list.set(key.rank, id)
    this.#told.entries.push({ key, id })
  }

  holes(list: number, chunk: number, bits: Uint8Array): void {
    this.#holes.set(nameOf(list, chunk), bits)
    this.#told.holes.push({ list, chunk, bits })
  }

  eventsOf(positionId: string): readonly KeptEvent[] {
    return this.#events.get(positionId) ?? []
  }

  entryOf({ list, rank }: EntryKey): string | undefined {
    return this.#entries.get(list)?.get(rank)
  }

  holesOf(list: number, chunk: number): Uint8Array | undefined {
    return this.#holes.get(nameOf(list, chunk))
  }

  completed(seq: number): void {
    const told = { ...this.#told, seq }
    const size = sizeOf(told)
    if (size === 0) return
    this.#told = newChanges(0)
    this.#size += size
    if (seq <= this.#index.cursor) this.#release([told])
    else this.#waiting.push(told)
  }

  durable(seq: number): void {
    this.#durable = seq
    if (this.#waiting.length > 0) this.#writing ??= this.#write()
  }

  async room(): Promise<void> {
    if (this.#size <= CAPACITY) return
    this.#hurry()
    await this.#writing
  }

  async flushed(): Promise<void> {
    while (this.#writing !== null) {
      this.#hurry()
      await this.#writing
    }
    if (this.#durable > this.#index.cursor) await this.#index.write(this.#batchOf([], this.#durable))
  }

  /** Drops everything: it is told again. */
  forget(): void {
    this.orders.clear()
    this.positions.clear()
    this.#events.clear()
    this.#entries.clear()
    this.#holes.clear()
    this.#told = newChanges(0)
    this.#waiting = []
    this.#size = 0
  }

  async #write(): Promise<void> {
    try {
      await this.#pause()
      const durable = this.#durable
      const taken = this.#take(durable)
      if (taken.length > 0) {
        await this.#index.write(this.#batchOf(taken, durable))
        this.#release(taken)
      }
      this.#writing = null
      if ((this.#waiting[0]?.seq ?? Number.POSITIVE_INFINITY) <= this.#durable) this.#writing = this.#write()
    } catch (error) {
      this.#writing = null
      this.#onFailure(error)
    }
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, this.#size > CAPACITY ? 0 : PAUSE_MS)
      this.#hurry = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #take(durable: number): Changes[] {
    const after = this.#waiting.findIndex(({ seq }) => seq > durable)
    const taken = after === -1 ? this.#waiting : this.#waiting.slice(0, after)
    this.#waiting = after === -1 ? [] : this.#waiting.slice(after)
    return taken
  }

  #batchOf(taken: readonly Changes[], cursor: number): HistoryBatch {
    const orders = new Map<string, EndedOrder>()
    const positions = new Map<string, EndedPosition>()
    for (const changes of taken) {
      for (const id of changes.orders) orders.set(id, this.orders.get(id) as EndedOrder)
      for (const id of changes.positions) positions.set(id, this.positions.get(id) as EndedPosition)
    }
    return {
      orders,
      positions,
      events: taken.flatMap(({ events }) => events),
      entries: taken.flatMap(({ entries }) => entries),
      holes: taken.flatMap(({ holes }) => holes),
      cursor,
    }
  }

  /** What is written no longer needs to be held: an order or position ends once, an entry and an event are told once. */
  #release(taken: readonly Changes[]): void {
    for (const changes of taken) {
      const { orders, positions, events, entries, holes } = changes
      this.#size -= sizeOf(changes)
      for (const id of orders) this.orders.delete(id)
      for (const id of positions) this.positions.delete(id)
      for (const { record } of events) this.#releaseEvent(record.idx)
      for (const { key } of entries) this.#releaseEntry(key)
      for (const { list, chunk, bits } of holes)
        if (this.#holes.get(nameOf(list, chunk)) === bits) this.#holes.delete(nameOf(list, chunk))
    }
  }

  #releaseEntry({ list, rank }: EntryKey): void {
    const entries = this.#entries.get(list)
    entries?.delete(rank)
    if (entries?.size === 0) this.#entries.delete(list)
  }

  /** Events of a position are written in the order they were told. */
  #releaseEvent(positionId: string): void {
    const events = this.#events.get(positionId)
    if (events === undefined) return
    if (events.length === 1) this.#events.delete(positionId)
    else events.shift()
  }
}

function newChanges(seq: number): Changes {
  return { seq, orders: [], positions: [], events: [], entries: [], holes: [] }
}

function sizeOf({ orders, positions, events, entries, holes }: Changes): number {
  return orders.length + positions.length + events.length + entries.length + holes.length
}

function nameOf(list: number, place: number): string {
  return `${list} ${place}`
}
