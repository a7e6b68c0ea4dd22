/**
 * What has become durable on its way to everybody who hears it: gathered in the order of the log and sent in turns of its own, a
 * few milliseconds each, after whoever asked has been answered. What everybody is told of, prices, equities and pings, goes out
 * in portions while nothing else waits: an order is told at once, however many hear of prices meanwhile.
 */
import type { Engine } from '../../engine/engine.ts'
import type { Listener } from './listener.ts'
import type { Message } from './message.ts'

/** A turn that has taken so long ends, ms. */
const PATIENCE_MS = 4
/**
 * From the beginning of one turn to that of the next where all was told, ms. To turn from orders to telling and back costs both the processor's
 * caches, and a message alone costs a write: what comes in meanwhile is told together.
 */
const PACE_MS = 8
/** Listeners that may have something gathered before it is sent. */
const MOST_GATHERED = 256

/** Something to be done once its commit is durable. */
interface Due {
  /** How many were before it: what came before a listener did is part of what that one begins with. */
  readonly ordinal: number
  readonly seq: number
  readonly telling: Telling
}

/** Tells what has become durable, and may do something of which nobody is told. */
export type Telling = (tell: Tell) => void

/** Tells a message to those; null: to everybody. */
export type Tell = (message: Message, to: ReadonlySet<Listener> | null) => void

/** What a delivery asks of whom it delivers for. */
export interface DeliveryPorts {
  /** Does something of which nobody outside is to know that it failed. */
  readonly guarded: (task: () => void) => void
  /** Ends the stream of somebody who does not read. */
  readonly letGo: (listener: Listener) => void
}

export class Delivery {
  readonly #engine: Pick<Engine, 'head' | 'durableHead'>
  readonly #ports: DeliveryPorts
  /** Everybody, with the ordinal from which on messages are for them. */
  readonly #listeners = new Map<Listener, number>()
  #ordinal = 0
  #due: Due[] = []
  readonly #gathered = new Set<Listener>()
  #isScheduled = false
  /** When the last turn began, ms of the process. */
  #turnedAt = Number.NEGATIVE_INFINITY
  /** Did that turn leave anything behind that might have been told. */
  #isBehind = false
  /** What is told in portions, each made when the one before has gone out. */
  #portions: Iterator<number>[] = []
  /** Is one on its way, or the rest after it not over. */
  #isPortionDue = false

  constructor(engine: Pick<Engine, 'head' | 'durableHead'>, ports: DeliveryPorts) {
    this.#engine = engine
    this.#ports = ports
  }

  /** Everybody who listens. */
  get listeners(): ReadonlyMap<Listener, unknown> {
    return this.#listeners
  }

  /** Whether somebody is still to be told of something in portions. */
  get arePortionsOut(): boolean {
    return this.#portions.length > 0
  }

  /** What is pushed from now on is for them, and nothing before. */
  admit(listener: Listener): void {
    this.#listeners.set(listener, this.#ordinal)
  }

  /** False where nobody knew them. */
  forget(listener: Listener): boolean {
    this.#gathered.delete(listener)
    return this.#listeners.delete(listener)
  }

  /** Is called once everything up to the engine's head is durable. */
  push(telling: Telling): void {
    this.#due.push({ ordinal: this.#ordinal++, seq: this.#engine.head, telling })
    this.schedule()
  }

  /** Each step makes a portion, as of the engine's head by then, and gives for how long the next is to wait, ms. */
  pushInPortions(portions: Iterator<number>): void {
    this.#portions.push(portions)
    this.schedule()
  }

  /** Something may have become durable: after a pause it is told at once. */
  schedule(): void {
    if (this.#isScheduled || (this.#due.length === 0 && this.#gathered.size === 0 && !this.#mayMakePortion))
      return
    this.#isScheduled = true
    const turn = () => {
      this.#isScheduled = false
      this.#turnedAt = performance.now()
      this.#ports.guarded(() => this.#turn())
    }
    const wait = this.#isBehind ? 0 : this.#turnedAt + PACE_MS - performance.now()
    if (wait > 0) setTimeout(turn, wait)
    else setImmediate(turn)
  }

  /** Nobody listens any more. */
  clear(): void {
    this.#due = []
    this.#portions = []
    this.#isPortionDue = false
  }

  /** Gathers what has become durable, whole commits, and sends it, for as long as a turn may take. */
  #turn(): void {
    const { durableHead } = this.#engine
    const end = performance.now() + PATIENCE_MS
    let done = 0
    for (let next = this.#due[done]; next !== undefined && next.seq <= durableHead; next = this.#due[done]) {
      const isBoundary = next.seq !== this.#due[done - 1]?.seq
      if (isBoundary && (this.#gathered.size >= MOST_GATHERED || performance.now() >= end)) break
      done += 1
      const { ordinal, telling } = next
      telling((message, to) => this.#gather(message, ordinal, to ?? this.#listeners.keys()))
    }
    this.#due = this.#due.slice(done)
    this.#send(end)
    if (this.#gathered.size === 0 && this.#mayMakePortion) this.#makePortion()
    // What is not durable yet is announced when it is.
    const isDue = (this.#due[0]?.seq ?? Number.POSITIVE_INFINITY) <= durableHead
    this.#isBehind = this.#gathered.size > 0 || isDue
    if (this.#isBehind || this.#mayMakePortion) this.schedule()
  }

  get #mayMakePortion(): boolean {
    return !this.#isPortionDue && this.#portions.length > 0
  }

  #makePortion(): void {
    const portion = this.#portions[0]?.next()
    if (portion?.done !== false) return void this.#portions.shift()
    this.#isPortionDue = true
    this.push(() => setTimeout(() => this.#endRest(), portion.value).unref())
  }

  #endRest(): void {
    this.#isPortionDue = false
    this.schedule()
  }

  #gather(message: Message, ordinal: number, listeners: Iterable<Listener>): void {
    for (const listener of listeners)
      if (ordinal < (this.#listeners.get(listener) ?? Number.POSITIVE_INFINITY)) continue
      else if (listener.take(message)) this.#gathered.add(listener)
      else this.#ports.letGo(listener)
  }

  #send(end: number): void {
    for (const listener of this.#gathered) {
      this.#gathered.delete(listener)
      if (!listener.flush()) this.#ports.letGo(listener)
      if (performance.now() >= end) return
    }
  }
}
