// Where trailing stops fire now: the stream tells an order when it changes, and not each time that its stop has followed the price.
import type { ApiOrder } from '../../../../client/client.ts'
import { isTrailing } from '../../../../terms/orderTypes.ts'

/** However often the price goes beyond what it was, orders are asked for once in this time, ms: a key may read 60 times a minute. */
const WHILE_MS = 3_000

type Ask = (accountId: string) => Promise<readonly ApiOrder[]>

export class TrailedStops {
  readonly #ask: Ask
  readonly #changed: () => void
  /** By order: the price that it has followed at least, as far as it was heard. */
  readonly #followed = new Map<string, bigint>()
  /** By order: where it fires, as it was read. */
  readonly #levels = new Map<string, string>()
  #timer: ReturnType<typeof setTimeout> | null = null
  readonly #due = new Set<string>()

  /** `changed`: told when a level is another. */
  constructor(ask: Ask, changed: () => void) {
    this.#ask = ask
    this.#changed = changed
  }

  /** The orders, each trailing stop with where it fires now. */
  shown(orders: Iterable<ApiOrder>): ApiOrder[] {
    return [...orders].map((order) => {
      const triggerPrice = this.#levels.get(order.id)
      return triggerPrice === undefined ? order : { ...order, triggerPrice }
    })
  }

  /** A price was heard: stops that follow it are read again, in a while. */
  hear(orders: ReadonlyMap<string, ApiOrder>, marketId: string, indexPrice: bigint): void {
    for (const id of this.#followed.keys())
      if (!orders.has(id)) {
        this.#followed.delete(id)
        this.#levels.delete(id)
      }
    for (const order of orders.values()) {
      if (order.market !== marketId || !isTrailing(order.type)) continue
      const best = this.#followed.get(order.id)
      const isBeyond =
        best === undefined || (order.direction === 'long' ? indexPrice > best : indexPrice < best)
      if (!isBeyond) continue
      this.#followed.set(order.id, indexPrice)
      this.#due.add(order.trader)
      this.#timer ??= setTimeout(() => void this.#read(), WHILE_MS)
    }
  }

  stop(): void {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#due.clear()
  }

  /** What cannot be read is read after the next price that goes beyond. */
  async #read(): Promise<void> {
    this.#timer = null
    const accountIds = [...this.#due]
    this.#due.clear()
    const read = await Promise.all(accountIds.map((id) => this.#ask(id).catch(() => [])))
    for (const order of read.flat())
      if (isTrailing(order.type) && this.#followed.has(order.id))
        this.#levels.set(order.id, order.triggerPrice)
    this.#changed()
  }
}
