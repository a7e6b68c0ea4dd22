/** What everybody is told of, however many they are: prices, equities while positions are open, and pings. */
import type { Engine } from '../../engine/engine.ts'
import { equityJson } from './accountJson.ts'
import type { Delivery } from './delivery.ts'
import type { HeardAccount } from './heardAccount.ts'
import type { Listener } from './listener.ts'
import { messageNow, priceJson } from './message.ts'

/** How often prices are told at most, and how long those that come together are waited for, ms. */
const [PRICES_MS, GATHER_MS] = [250, 5]
/** Beats between two pings. */
const BEATS_A_PING = 15
/** Listeners that are told in one portion, and accounts whose equity is. */
const PORTION = 128
/** After a portion in which nobody was told of an equity, and after one with equities, which takes twice as long, ms: the rest is for orders. */
const [REST_MS, EQUITY_REST_MS] = [20, 40]

/**
 * Goes round all who listen, whenever prices have moved and at least once a second, and tells each all that is due at once: what costs is the
 * writing, and not how much is written.
 */
export class Broadcasts {
  readonly #engine: Engine
  readonly #delivery: Delivery
  readonly #heard: ReadonlyMap<string, HeardAccount>
  readonly #guarded: (task: () => void) => void
  /** As they were told, by market. */
  readonly #prices: Map<string, string>
  /** When prices were told last, ms of the process. */
  #pricesToldAt = Number.NEGATIVE_INFINITY
  /** Until those that have moved since are told; null: none has. */
  #pricesDue: ReturnType<typeof setTimeout> | null = null
  #beats = 0
  #isPingDue = false

  constructor(
    engine: Engine,
    delivery: Delivery,
    heard: ReadonlyMap<string, HeardAccount>,
    guarded: (task: () => void) => void,
  ) {
    this.#engine = engine
    this.#delivery = delivery
    this.#heard = heard
    this.#guarded = guarded
    this.#prices = new Map(engine.read.markets().map((market) => [market.id, priceJson(market)]))
  }

  /** A second has passed. */
  beat(): void {
    this.#beats += 1
    if (this.#beats % BEATS_A_PING === 0) this.#isPingDue = true
    // Prices that are about to be told take with them what is due; and where some are still to be told nobody is told yet another.
    if (this.#pricesDue === null && !this.#delivery.arePortionsOut) this.#goRound()
  }

  /** The first price after a pause is told at once, and what moves meanwhile with the next. */
  priceMoved(wait = Math.max(GATHER_MS, this.#pricesToldAt + PRICES_MS - performance.now())): void {
    if (this.#pricesDue !== null) return
    const tell = () => {
      this.#pricesDue = null
      // Whoever is still to be told of something is not told yet another price.
      if (this.#delivery.arePortionsOut) return this.priceMoved(PRICES_MS)
      this.#pricesToldAt = performance.now()
      this.#goRound()
    }
    this.#pricesDue = setTimeout(() => this.#guarded(tell), wait).unref()
  }

  stop(): void {
    if (this.#pricesDue !== null) clearTimeout(this.#pricesDue)
    this.#pricesDue = null
  }

  #goRound(): void {
    this.#delivery.pushInPortions(this.#round())
  }

  /** Every portion is of the engine's head when it is made, so that nobody is told of an earlier commit after a later one. */
  *#round(): Generator<number> {
    const moved = this.#movedPrices()
    const isPingDue = this.#isPingDue
    this.#isPingDue = false
    const isForAll = isPingDue || moved.length > 0
    let listeners = new Set<Listener>()
    let equities = 0
    const endPortion = () => {
      this.#tellAll(listeners, moved, isPingDue)
      const rest = equities > 0 ? EQUITY_REST_MS : REST_MS
      listeners = new Set()
      equities = 0
      return rest
    }
    for (const listener of this.#delivery.listeners.keys()) {
      for (const accountId of listener.accountIds) {
        if (equities === PORTION) yield endPortion()
        if (this.#tellEquity(accountId)) equities += 1
      }
      if (isForAll) listeners.add(listener)
      if (listeners.size === PORTION) yield endPortion()
    }
    if (listeners.size + equities > 0) yield endPortion()
  }

  /** The markets that have another price than was told. */
  #movedPrices(): string[] {
    return this.#engine.read.markets().flatMap((market) => {
      const price = priceJson(market)
      if (this.#prices.get(market.id) === price) return []
      this.#prices.set(market.id, price)
      return [market.id]
    })
  }

  #tellAll(listeners: ReadonlySet<Listener>, moved: readonly string[], isPingDue: boolean): void {
    if (listeners.size === 0) return
    for (const marketId of moved) {
      const market = this.#engine.read.market(marketId)
      if (market === undefined) continue
      const price = messageNow(this.#engine, 'price', () => priceJson(market))
      this.#delivery.push((tell) => tell(price, listeners))
    }
    if (!isPingDue) return
    const ping = messageNow(this.#engine, 'ping', () => 'null')
    this.#delivery.push((tell) => tell(ping, listeners))
  }

  /** Tells an equity that is another than was told, to all who hear it. @returns whether it was looked at, which is once in each second at most. */
  #tellEquity(accountId: string): boolean {
    const heard = this.#heard.get(accountId)
    if (heard === undefined || !heard.fold.hasPositions) return false
    if (heard.equitySeenAt === this.#beats) return false
    heard.equitySeenAt = this.#beats
    const risk = this.#engine.read.riskStatus(accountId)
    if (risk === undefined || this.#engine.failure !== null) return true
    const equity = equityJson(risk)
    if (equity === heard.equity) return true
    heard.equity = equity
    const message = messageNow(this.#engine, 'equity', () => equity, accountId)
    this.#delivery.push((tell) => tell(message, heard.listeners))
    return true
  }
}
