/** What everybody is told of, however many they are: prices, equities while positions are open, and pings. */
import type { Engine } from '../../engine/engine.ts'
import { type Delivery, portionsOf } from './delivery.ts'
import type { HeardAccount } from './heardAccount.ts'
import { equityJson, messageNow, priceJson } from './message.ts'

/** How often prices are told at most, and how long those that come together are waited for, ms. */
const [PRICES_MS, GATHER_MS] = [250, 5]
/** Beats between two pings. */
const BEATS_A_PING = 15

export class Broadcasts {
  readonly #engine: Engine
  readonly #delivery: Delivery
  readonly #heard: ReadonlyMap<string, HeardAccount>
  readonly #guarded: (task: () => void) => void
  /** As they were told, by market. */
  readonly #prices: Map<string, string>
  /** Whether some are still to be told of their equity. */
  #areEquitiesOut = false
  /** When prices were told last, ms of the process. */
  #pricesToldAt = Number.NEGATIVE_INFINITY
  /** Until those that have moved since are told; null: none has. */
  #pricesDue: ReturnType<typeof setTimeout> | null = null
  #beats = 0

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
    // Where the last ones are still being told nobody is told yet another.
    if (!this.#areEquitiesOut) {
      this.#areEquitiesOut = true
      this.#delivery.pushInPortions(this.#equities())
    }
    if (this.#beats % BEATS_A_PING === 0) this.#delivery.pushInPortions(this.#ping())
  }

  /** The first price after a pause is told at once, and what moves meanwhile with the next. */
  priceMoved(wait = Math.max(GATHER_MS, this.#pricesToldAt + PRICES_MS - performance.now())): void {
    if (this.#pricesDue !== null) return
    const tell = () => {
      this.#pricesDue = null
      // Whoever is still to be told of something is not told yet another price.
      if (this.#delivery.arePortionsOut) return this.priceMoved(PRICES_MS)
      this.#pricesToldAt = performance.now()
      this.#delivery.pushInPortions(this.#movedPrices())
    }
    this.#pricesDue = setTimeout(() => this.#guarded(tell), wait).unref()
  }

  stop(): void {
    if (this.#pricesDue !== null) clearTimeout(this.#pricesDue)
    this.#pricesDue = null
  }

  /** Every portion is of the engine's head when it is made, so that nobody is told of an earlier commit after a later one. */
  *#movedPrices(): Generator<undefined> {
    const moved = this.#engine.read.markets().flatMap((market) => {
      const price = priceJson(market)
      if (this.#prices.get(market.id) === price) return []
      this.#prices.set(market.id, price)
      return [market.id]
    })
    if (moved.length === 0) return
    for (const listeners of portionsOf(this.#delivery.listeners.keys())) {
      for (const marketId of moved) {
        const market = this.#engine.read.market(marketId)
        if (market === undefined) continue
        const price = messageNow(this.#engine, 'price', () => priceJson(market))
        this.#delivery.push((tell) => tell(price, listeners))
      }
      yield
    }
  }

  *#equities(): Generator<undefined> {
    for (const accounts of portionsOf(this.#heard.values())) {
      for (const heard of accounts) if (heard.fold.hasPositions) this.#tellEquity(heard)
      yield
    }
    this.#areEquitiesOut = false
  }

  *#ping(): Generator<undefined> {
    for (const listeners of portionsOf(this.#delivery.listeners.keys())) {
      const ping = messageNow(this.#engine, 'ping', () => 'null')
      this.#delivery.push((tell) => tell(ping, listeners))
      yield
    }
  }

  #tellEquity(heard: HeardAccount): void {
    const risk = this.#engine.read.riskStatus(heard.accountId)
    if (risk === undefined || this.#engine.failure !== null) return
    const equity = equityJson(risk)
    if (equity === heard.equity) return
    heard.equity = equity
    const message = messageNow(this.#engine, 'equity', () => equity, heard.accountId)
    this.#delivery.push((tell) => tell(message, heard.listeners))
  }
}
