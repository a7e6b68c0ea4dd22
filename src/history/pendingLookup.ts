/**
 * What of the history is not written yet, by what it is looked up by. Mostly it is written before anybody asks: what was told last is
 * put into maps when somebody does, or when so much has gathered that whoever asks would have to wait for it (K15).
 */
import type { Pace } from '../store/turns.ts'
import type { GatheredChanges, HeldEvent } from './gatheredChanges.ts'
import { bytesOf, type Held } from './heldRecords.ts'
import { type EndedOrder, endedOrders, isLast, type KeptEvent, keptEvents } from './historyRecords.ts'
import type { EntryKey } from './recordKeys.ts'

/** Changes that may be in no map: some milliseconds of one who asks. */
const LEFT_OUT = 16_384

export class PendingLookup {
  /** By creation sequence, as in the index. */
  readonly #orders = new Map<number, Held>()
  readonly #events = new Map<number, Held[]>()
  readonly #ids = new Map<string, number>()
  /** By list, then by rank. */
  readonly #entries = new Map<number, Map<number, number>>()
  /** Told and in no map, from `#first` on, oldest first. */
  #leftOut: GatheredChanges[] = []
  #first = 0
  /** Of these the changes. */
  #size = 0

  /** A commit was told whole. */
  tell(told: GatheredChanges): void {
    this.#leftOut.push(told)
    this.#size += told.size
    while (this.#size > LEFT_OUT) this.#serveNext()
  }

  sequenceOf(id: string): number | undefined {
    this.#serve()
    return this.#ids.get(id)
  }

  orderAt(sequence: number): EndedOrder | undefined {
    this.#serve()
    const held = this.#orders.get(sequence)
    return held && endedOrders.decode(bytesOf(held))
  }

  endOf(sequence: number): KeptEvent | undefined {
    this.#serve()
    const held = this.#events.get(sequence)?.at(-1)
    const newest = held && keptEvents.decode(bytesOf(held))
    return newest !== undefined && isLast(newest) ? newest : undefined
  }

  eventsOf(sequence: number): readonly KeptEvent[] {
    this.#serve()
    return this.#events.get(sequence)?.map((held) => keptEvents.decode(bytesOf(held))) ?? []
  }

  entryOf({ list, rank }: EntryKey): number | undefined {
    this.#serve()
    return this.#entries.get(list)?.get(rank)
  }

  clear(): void {
    for (const kept of [this.#orders, this.#events, this.#ids, this.#entries]) kept.clear()
    this.#leaveOut([])
    this.#size = 0
  }

  /** The oldest were written: an order or position ends once, an entry and an event are told once. */
  async release(written: readonly GatheredChanges[], pace: Pace): Promise<void> {
    for (const { orders, events, entries } of this.#servedOf(written)) {
      for (const { sequence, id } of orders) {
        this.#orders.delete(sequence)
        this.#ids.delete(id)
        if (pace.over) await pace.step()
      }
      for (const event of events) {
        this.#releaseEvent(event)
        if (pace.over) await pace.step()
      }
      for (const { key } of entries) {
        this.#releaseEntry(key)
        if (pace.over) await pace.step()
      }
    }
  }

  /** Those that are in maps. The others, which are younger, need not come into any. */
  #servedOf(written: readonly GatheredChanges[]): readonly GatheredChanges[] {
    const oldest = this.#leftOut[this.#first]
    const found = oldest === undefined ? -1 : written.indexOf(oldest)
    const served = found === -1 ? written.length : found
    for (const told of written.slice(served)) this.#size -= told.size
    this.#leaveOut(this.#leftOut.slice(this.#first + written.length - served))
    return written.slice(0, served)
  }

  #leaveOut(told: GatheredChanges[]): void {
    this.#leftOut = told
    this.#first = 0
  }

  /** Somebody looks something up. */
  #serve(): void {
    if (this.#leftOut.length === 0) return
    while (this.#size > 0) this.#serveNext()
    this.#leaveOut([])
  }

  #serveNext(): void {
    const told = this.#leftOut[this.#first++] as GatheredChanges
    this.#size -= told.size
    for (const { sequence, id, order } of told.orders) {
      this.#orders.set(sequence, order)
      this.#ids.set(id, sequence)
    }
    for (const event of told.events) this.#serveEvent(event)
    for (const { key, sequence } of told.entries) this.#serveEntry(key, sequence)
  }

  #serveEvent({ sequence, endedId, event }: HeldEvent): void {
    if (endedId !== null) this.#ids.set(endedId, sequence)
    const events = this.#events.get(sequence)
    if (events === undefined) this.#events.set(sequence, [event])
    else events.push(event)
  }

  #serveEntry({ list, rank }: EntryKey, sequence: number): void {
    const entries = this.#entries.get(list)
    if (entries === undefined) this.#entries.set(list, new Map([[rank, sequence]]))
    else entries.set(rank, sequence)
  }

  /** Events of a position are written in the order they were told. */
  #releaseEvent({ sequence, endedId }: HeldEvent): void {
    if (endedId !== null) this.#ids.delete(endedId)
    const events = this.#events.get(sequence)
    if (events === undefined) return
    if (events.length === 1) this.#events.delete(sequence)
    else events.shift()
  }

  #releaseEntry({ list, rank }: EntryKey): void {
    const entries = this.#entries.get(list)
    entries?.delete(rank)
    if (entries?.size === 0) this.#entries.delete(list)
  }
}
