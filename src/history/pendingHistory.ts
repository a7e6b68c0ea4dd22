/** Changes of the history that are not written yet: looked up before what is, and written once their commits are durable. */

import type { Keeping } from '../projections/keeping.ts'
import type { Pace } from '../store/turns.ts'
import { GatheredChanges, type HeldOrder, withOne } from './gatheredChanges.ts'
import { HeldRecords } from './heldRecords.ts'
import { type EndedOrder, endedOrders, isLast, type KeptEvent, keptEvents } from './historyRecords.ts'
import type { HistoryTarget } from './historyTarget.ts'
import { PendingLookup } from './pendingLookup.ts'
import type { CreatedIn, EntryKey } from './recordKeys.ts'

/** Changes that wait at most; beyond it those who tell of more have to wait. */
const CAPACITY = 200_000
/** A write takes what has gathered, or this many changes. */
const BATCH = 50_000

export class PendingHistory implements Keeping {
  readonly #holes = new Map<string, Uint8Array>()
  /** In the order of their commits. */
  #created: CreatedIn[] = []
  readonly #index: HistoryTarget
  readonly #held = new HeldRecords()
  #told = new GatheredChanges()
  readonly #lookup = new PendingLookup()
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
    const held = this.#held.hold(endedOrders, order)
    this.#told.orders = withOne(this.#told.orders, { sequence, id: order.record.id, order: held })
  }

  event(sequence: number, event: KeptEvent): void {
    const { version, id } = event.record
    const held = this.#held.hold(keptEvents, event)
    const endedId = isLast(event) ? id : null
    this.#told.events = withOne(this.#told.events, { sequence, version, endedId, event: held })
  }

  entry(key: EntryKey, sequence: number): void {
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

  /** The sequence of an order that ended in the commit that is told now: mostly it is the last that did. */
  sequenceTold(orderId: string): number | undefined {
    const { orders } = this.#told
    for (let index = orders.length - 1; index >= 0; index--) {
      const { sequence, id } = orders[index] as HeldOrder
      if (id === orderId) return sequence
    }
    return undefined
  }

  sequenceOf(id: string): number | undefined {
    return this.#lookup.sequenceOf(id)
  }

  orderAt(sequence: number): EndedOrder | undefined {
    return this.#lookup.orderAt(sequence)
  }

  endOf(sequence: number): KeptEvent | undefined {
    return this.#lookup.endOf(sequence)
  }

  eventsOf(sequence: number): readonly KeptEvent[] {
    return this.#lookup.eventsOf(sequence)
  }

  entryOf(key: EntryKey): number | undefined {
    return this.#lookup.entryOf(key)
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
    if (!this.#recovering) this.#lookup.tell(told)
    this.#waiting.push(told)
    if (this.#size > BATCH) this.#hurry()
  }

  /** Everything that was dropped has been told again: what is not written is looked up from here on. */
  recovered(): void {
    if (!this.#recovering) return
    this.#recovering = false
    for (const told of [...this.#taken, ...this.#waiting]) this.#lookup.tell(told)
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

  /** Drops everything: it is told again, and not looked up before {@link recovered}. */
  forget(): void {
    this.#recovering = true
    this.#lookup.clear()
    this.#holes.clear()
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

  /** What is written need not be held. While the log is told again nothing is looked up. */
  async #release(taken: readonly GatheredChanges[]): Promise<void> {
    for (const told of taken) {
      this.#size -= told.size
      this.#releaseHoles(told)
      this.#releaseCreated(told)
    }
    if (!this.#recovering) await this.#lookup.release(taken, this.#index.turns.pace())
  }

  /** They are written in the order they were told. */
  #releaseCreated({ created }: GatheredChanges): void {
    if (created.length > 0) this.#created = this.#created.slice(created.length)
  }

  #releaseHoles({ holes }: GatheredChanges): void {
    for (const { list, chunk, bits } of holes)
      if (this.#holes.get(nameOf(list, chunk)) === bits) this.#holes.delete(nameOf(list, chunk))
  }
}

function nameOf(list: number, place: number): string {
  return `${list} ${place}`
}
