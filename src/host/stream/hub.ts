/**
 * Everybody who hears the venue. A commit is looked at while the state is as it left it, once for each account that somebody
 * listens to, and told when it is durable: what is told can never be taken back. Writing and sending are done in turns of
 * their own, a few milliseconds each, after whoever asked has been answered. What everybody is told of, prices, equities and
 * pings, goes out in portions while nothing else waits: an order is told at once, however many hear of prices meanwhile.
 */

import type { Engine } from '../../engine/engine.ts'
import { openOf, seeCommits } from '../../engine/internals.ts'
import type { AccountOpened } from '../../events/accountEvents.ts'
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import type { EndReason } from '../../resources/stream.ts'
import { toJson } from '../json.ts'
import { AccountFold } from './accountFold.ts'
import type { Listener } from './listener.ts'
import {
  accountFingerprint,
  accountJson,
  changeMessage,
  equityJson,
  Message,
  type MessageType,
  priceJson,
} from './message.ts'

/** How often prices are told at most, and how long those that come together are waited for, ms. */
const [PRICES_MS, GATHER_MS] = [250, 5]
/** Between two looks at equities, and at who may still listen, ms. */
const BEAT_MS = 1_000
/** Beats between two pings. */
const BEATS_A_PING = 15
/** A turn that has taken so long ends, ms. */
const PATIENCE_MS = 4
/** Listeners that may have something gathered before it is sent. */
const MOST_GATHERED = 256
/** Accounts that are looked at in one go. */
const ACCOUNTS_A_TURN = 128
/** Listeners, or accounts, that are told of prices, equities or a ping in one portion. */
const PORTION = 128
/** Between two portions, ms: they take a few of them, and the rest is for orders. */
const REST_MS = 20

/** An account that somebody listens to. */
interface Heard {
  readonly accountId: string
  readonly fold: AccountFold
  readonly listeners: Set<Listener>
  fingerprint: string
  equity: string
}

/** Something to be done once its commit is durable. */
interface Due {
  /** How many were before it: what came before a listener did is part of what that one begins with. */
  readonly ordinal: number
  readonly seq: number
  /** Null: everybody. */
  readonly to: ReadonlySet<Listener> | null
  /** What they are told, or what is done instead. */
  readonly what: Message | (() => void)
}

export class StreamHub {
  readonly #engine: Engine
  /** Everybody, with the ordinal from which on messages are for them. */
  readonly #listeners = new Map<Listener, number>()
  #ordinal = 0
  readonly #heard = new Map<string, Heard>()
  readonly #onFailure: (error: unknown) => void
  #due: Due[] = []
  #gathered = new Set<Listener>()
  #isScheduled = false
  #running: Running | null = null
  /** What is told in portions, each made when the one before has gone out. */
  #portions: Iterator<undefined>[] = []
  /** Is one on its way, or the rest after it not over. */
  #isPortionDue = false
  #prices = new Map<string, string>()
  /** Whether some are still to be told of their equity. */
  #areEquitiesOut = false
  /** When prices were told last, ms of the process. */
  #pricesToldAt = Number.NEGATIVE_INFINITY
  /** Until those that have moved since are told; null: none has. */
  #pricesDue: ReturnType<typeof setTimeout> | null = null
  #beats = 0

  /** `onFailure` is told what kept it from telling: everybody's stream has then ended. */
  constructor(engine: Engine, onFailure: (error: unknown) => void) {
    this.#engine = engine
    this.#onFailure = onFailure
  }

  /** How many listen. */
  get size(): number {
    return this.#listeners.size
  }

  countOf(userId: string): number {
    let count = 0
    for (const listener of this.#listeners.keys()) if (listener.userId === userId) count += 1
    return count
  }

  /** From now on it is told of every commit after the engine's head. */
  add(listener: Listener): void {
    this.#running ??= this.#run()
    this.#listeners.set(listener, this.#ordinal)
    for (const accountId of listener.accountIds) this.#hear(accountId).listeners.add(listener)
  }

  /** As if it were added now. */
  restart(listener: Listener): void {
    if (!this.#listeners.has(listener)) return
    listener.restart()
    this.#listeners.set(listener, this.#ordinal)
  }

  /** Its connection is gone. */
  remove(listener: Listener): void {
    listener.leave()
    this.#forget(listener)
  }

  /** Ends a stream, and says why. */
  end(listener: Listener, reason: EndReason): void {
    this.#forget(listener)
    const last = this.#message('end', () => JSON.stringify({ reason }))
    listener.end(last, reason)
  }

  /** Does something once everything up to the engine's head is durable, after that has been told. */
  whenDurable(task: () => void): void {
    this.#push(task, null)
  }

  /** The venue closes. */
  close(): void {
    for (const listener of [...this.#listeners.keys()]) this.end(listener, 'closing')
  }

  #hear(accountId: string): Heard {
    const known = this.#heard.get(accountId)
    if (known !== undefined) return known
    const heard: Heard = {
      accountId,
      fold: new AccountFold(openOf(this.#engine, accountId)),
      listeners: new Set(),
      fingerprint: this.#fingerprintOf(accountId),
      equity: '',
    }
    this.#heard.set(accountId, heard)
    return heard
  }

  /** Whoever hears of all accounts of a user hears of a new one. */
  #hearOpened({ accountId, parameters: { userId } }: AccountOpened): void {
    for (const listener of this.#listeners.keys()) {
      if (!listener.hearsAll || listener.userId !== userId) continue
      listener.accountIds.add(accountId)
      const heard = this.#hear(accountId)
      heard.fingerprint = ''
      heard.listeners.add(listener)
    }
  }

  #forget(listener: Listener): void {
    this.#gathered.delete(listener)
    if (!this.#listeners.delete(listener)) return
    for (const accountId of listener.accountIds) {
      const heard = this.#heard.get(accountId)
      heard?.listeners.delete(listener)
      if (heard?.listeners.size === 0) this.#heard.delete(accountId)
    }
    if (this.#listeners.size > 0) return
    this.#running?.stop()
    this.#running = null
  }

  #run(): Running {
    const unsee = seeCommits(this.#engine, (commit) => this.#guarded(() => this.#see(commit)))
    const subscription = this.#engine.subscribe(({ command }) => {
      if (command.type === 'updatePrice') this.#priceMoved()
      this.#schedule()
    }, 'streams')
    const beating = setInterval(() => this.#guarded(() => this.#beat()), BEAT_MS).unref()
    this.#prices = new Map(this.#engine.read.markets().map((market) => [market.id, priceJson(market)]))
    return {
      stop: () => {
        unsee()
        subscription.unsubscribe()
        clearInterval(beating)
        if (this.#pricesDue !== null) clearTimeout(this.#pricesDue)
        this.#pricesDue = null
        this.#due = []
        this.#portions = []
        this.#areEquitiesOut = false
        this.#isPortionDue = false
      },
    }
  }

  /** What goes wrong here is nobody's business but the listeners': no command fails for it. */
  #guarded(task: () => void): void {
    try {
      task()
    } catch (error) {
      this.#onFailure(error)
      this.close()
    }
  }

  /** The state is as the commit left it. */
  #see({ seq, at, events }: Commit): void {
    const touched = new Set<Heard>()
    const markets = new Set<string>()
    for (const event of events) {
      if (event.type === 'accountOpened') this.#hearOpened(event)
      if (event.type === 'dayBegan') this.#lookAtAccounts()
      if (KEY_EVENTS.has(event.type)) this.#push(() => this.#look(), null)
      if (MARKET_EVENTS.has(event.type)) markets.add((event as { readonly marketId: string }).marketId)
      const heard = 'accountId' in event ? this.#heard.get(event.accountId) : undefined
      if (heard === undefined) continue
      touched.add(heard)
      const change = heard.fold.apply(event, at)
      if (change !== null) this.#push(changeMessage(change, seq, at), heard.listeners)
    }
    for (const marketId of markets) this.#tellMarket(marketId)
    for (const heard of touched) this.#lookAtAccount(heard)
  }

  #tellMarket(marketId: string): void {
    const market = this.#engine.read.market(marketId)
    if (market !== undefined)
      this.#push(
        this.#message('market', () => toJson(market)),
        null,
      )
  }

  /** Tells an account where it is another than was told. */
  #lookAtAccount(heard: Heard): void {
    const { read } = this.#engine
    const record = read.account(heard.accountId)
    const standing = read.accountStanding(heard.accountId)
    if (record === undefined || standing === undefined) return
    const fingerprint = accountFingerprint(record, standing)
    if (fingerprint === heard.fingerprint) return
    heard.fingerprint = fingerprint
    this.#push(
      this.#message('account', () => accountJson(record, standing), heard.accountId),
      heard.listeners,
    )
    if (!standing.apiTrading) this.#push(() => this.#look(heard.listeners), null)
  }

  #fingerprintOf(accountId: string): string {
    const { read } = this.#engine
    const record = read.account(accountId)
    const standing = read.accountStanding(accountId)
    return record === undefined || standing === undefined ? '' : accountFingerprint(record, standing)
  }

  #lookAtAccounts(): void {
    inTurns([...this.#heard.values()], ACCOUNTS_A_TURN, (heard) =>
      this.#guarded(() => this.#lookAtAccount(heard)),
    )
  }

  #beat(): void {
    this.#beats += 1
    inTurns([...this.#listeners.keys()], PORTION, (listener) => this.#guarded(() => this.#look([listener])))
    // Where the last ones are still being told nobody is told yet another.
    if (!this.#areEquitiesOut) {
      this.#areEquitiesOut = true
      this.#tellInPortions(this.#tellEquities())
    }
    if (this.#beats % BEATS_A_PING === 0) this.#tellInPortions(this.#tellPing())
  }

  /** The first price after a pause is told at once, and what moves meanwhile with the next. */
  #priceMoved(wait = Math.max(GATHER_MS, this.#pricesToldAt + PRICES_MS - performance.now())): void {
    if (this.#pricesDue !== null) return
    const tell = () => {
      this.#pricesDue = null
      // Whoever is still to be told of something is not told yet another price.
      if (this.#portions.length > 0) return this.#priceMoved(PRICES_MS)
      this.#pricesToldAt = performance.now()
      this.#tellInPortions(this.#tellPrices())
    }
    this.#pricesDue = setTimeout(() => this.#guarded(tell), wait).unref()
  }

  /** Every portion is of the engine's head when it is made, so that nobody is told of an earlier commit after a later one. */
  *#tellPrices(): Generator<undefined> {
    const moved = this.#engine.read.markets().flatMap((market) => {
      const price = priceJson(market)
      if (this.#prices.get(market.id) === price) return []
      this.#prices.set(market.id, price)
      return [market.id]
    })
    if (moved.length === 0) return
    for (const listeners of portionsOf(this.#listeners.keys())) {
      for (const marketId of moved) {
        const market = this.#engine.read.market(marketId)
        if (market === undefined) continue
        const price = this.#message('price', () => priceJson(market))
        this.#push(price, listeners)
      }
      yield
    }
  }

  *#tellEquities(): Generator<undefined> {
    for (const accounts of portionsOf(this.#heard.values())) {
      for (const heard of accounts) if (heard.fold.hasPositions) this.#tellEquity(heard)
      yield
    }
    this.#areEquitiesOut = false
  }

  *#tellPing(): Generator<undefined> {
    for (const listeners of portionsOf(this.#listeners.keys())) {
      const ping = this.#message('ping', () => 'null')
      this.#push(ping, listeners)
      yield
    }
  }

  #tellInPortions(portions: Iterator<undefined>): void {
    this.#portions.push(portions)
    this.#schedule()
  }

  #tellEquity(heard: Heard): void {
    const risk = this.#engine.read.riskStatus(heard.accountId)
    if (risk === undefined || this.#engine.failure !== null) return
    const equity = equityJson(risk)
    if (equity === heard.equity) return
    heard.equity = equity
    this.#push(
      this.#message('equity', () => equity, heard.accountId),
      heard.listeners,
    )
  }

  /** Ends whoever may listen no longer. */
  #look(listeners: Iterable<Listener> = this.#listeners.keys()): void {
    const stopped = this.#engine.failure !== null
    for (const listener of [...listeners]) {
      const reason = stopped ? 'engine_stopped' : listener.obstacle
      if (reason !== null) this.end(listener, reason)
    }
  }

  /** As of the engine's head. */
  #message(type: MessageType, data: () => string, accountId?: string): Message {
    const { head, now } = this.#engine
    return new Message({ type, seq: head, at: now, data, ...(accountId !== undefined && { accountId }) })
  }

  #push(what: Due['what'], to: Due['to']): void {
    this.#due.push({ ordinal: this.#ordinal++, seq: this.#engine.head, to, what })
    this.#schedule()
  }

  #schedule(): void {
    if (this.#isScheduled || (this.#due.length === 0 && this.#gathered.size === 0 && !this.#mayMakePortion))
      return
    this.#isScheduled = true
    setImmediate(() => {
      this.#isScheduled = false
      this.#guarded(() => this.#turn())
    })
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
      if (typeof next.what === 'function') next.what()
      else this.#gather(next.what, next.ordinal, next.to ?? this.#listeners.keys())
    }
    this.#due = this.#due.slice(done)
    this.#send(end)
    if (this.#gathered.size === 0 && this.#mayMakePortion) this.#makePortion()
    // What is not durable yet is announced when it is.
    const isDue = (this.#due[0]?.seq ?? Number.POSITIVE_INFINITY) <= durableHead
    if (this.#gathered.size > 0 || isDue || this.#mayMakePortion) this.#schedule()
  }

  get #mayMakePortion(): boolean {
    return !this.#isPortionDue && this.#portions.length > 0
  }

  #makePortion(): void {
    if (this.#portions[0]?.next().done) return void this.#portions.shift()
    this.#isPortionDue = true
    this.#push(() => setTimeout(() => this.#endRest(), REST_MS).unref(), null)
  }

  #endRest(): void {
    this.#isPortionDue = false
    this.#schedule()
  }

  #gather(message: Message, ordinal: number, listeners: Iterable<Listener>): void {
    for (const listener of listeners)
      if (ordinal < (this.#listeners.get(listener) ?? Number.POSITIVE_INFINITY)) continue
      else if (listener.take(message)) this.#gathered.add(listener)
      else this.end(listener, 'slow_consumer')
  }

  #send(end: number): void {
    for (const listener of this.#gathered) {
      this.#gathered.delete(listener)
      if (!listener.flush()) this.end(listener, 'slow_consumer')
      if (performance.now() >= end) return
    }
  }
}

/** What keeps the hub in step with its engine, while somebody listens. */
interface Running {
  stop(): void
}

const KEY_EVENTS: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'apiKeyRefreshed',
  'apiKeyRevoked',
  'apiKeyAmended',
  'apiKeyForgotten',
])
const MARKET_EVENTS: ReadonlySet<Event['type']> = new Set<Event['type']>([
  'marketListed',
  'marketConfigured',
  'marketStatusChanged',
  'fundingRateChanged',
])

/** All there are by then, some at a time. */
function* portionsOf<T>(items: Iterable<T>): Generator<ReadonlySet<T>> {
  let portion = new Set<T>()
  for (const item of items) {
    portion.add(item)
    if (portion.size < PORTION) continue
    yield portion
    portion = new Set()
  }
  if (portion.size > 0) yield portion
}

/** Does something with each of many, some in each turn of the loop. */
function inTurns<T>(items: readonly T[], most: number, task: (item: T) => void, from = 0): void {
  for (const item of items.slice(from, from + most)) task(item)
  if (from + most < items.length) setImmediate(() => inTurns(items, most, task, from + most))
}
