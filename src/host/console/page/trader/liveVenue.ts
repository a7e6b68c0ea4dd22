// The venue as it is now: the copy that the stream keeps, whether it is up to date, and the prices that were heard.
import { type ApiOrder, MarginTradingClient } from '../../../../client/client.ts'
import type { StreamMessage, VenueStream } from '../../../../client/venueStream.ts'
import { venueAt } from '../shared/venueAddress.ts'
import { PriceTrail } from './priceTrail.ts'
import { TrailedStops } from './trailedStops.ts'

/** Whoever asks again when orders were told of asks no more often, however many there are. */
const WHILE_MS = 500

/** The venue says something every 15 s: what is older than this is not shown as live. */
const SILENCE_MS = 20_000

export type Connection = 'connecting' | 'live' | 'lost'

export class LiveVenue {
  readonly client: MarginTradingClient
  readonly stream: VenueStream
  /** By market. */
  readonly trails = new Map<string, PriceTrail>()
  connection: Connection = 'connecting'
  /** Counts what could be seen to change. */
  version = 0
  /** Counts that orders were told of, however many within a while. */
  ordersTold = 0
  readonly #leaving = new AbortController()
  readonly #listeners = new Set<() => void>()
  readonly #trailed: TrailedStops
  #aheadMs = 0
  #isDue = false
  #toldAt: ReturnType<typeof setTimeout> | null = null

  constructor(token: string) {
    const baseUrl = venueAt()
    this.client = new MarginTradingClient({ baseUrl, token })
    this.#trailed = new TrailedStops(
      (accountId) => this.client.activeOrders(accountId),
      () => this.#changed(),
    )
    const watched = new MarginTradingClient({
      baseUrl,
      token,
      fetch: (input, init) => this.#watch(input, init),
    })
    this.stream = watched.stream({ signal: this.#leaving.signal, silenceMs: SILENCE_MS })
  }

  /** Until {@link stop}; rejects with why the venue would not go on. */
  async listen(): Promise<void> {
    for await (const message of this.stream) this.#hear(message)
  }

  stop(): void {
    this.#leaving.abort()
    if (this.#toldAt !== null) clearTimeout(this.#toldAt)
    this.#trailed.stop()
    this.#listeners.clear()
  }

  /** Told of changes at most once in a frame. Returns what ends it. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => {
      this.#listeners.delete(listener)
    }
  }

  /** Orders that rest, as they are now. */
  get orders(): ApiOrder[] {
    return this.#trailed.shown(this.stream.orders.values())
  }

  /** The time of the venue, as far as it has been told, epoch ms. */
  now(): number {
    return Date.now() + this.#aheadMs
  }

  #hear(message: StreamMessage): void {
    this.connection = 'live'
    this.#aheadMs = Date.parse(message.at) - Date.now()
    if (message.type === 'order' || message.type === 'snapshot') this.#tellOfOrders()
    if (message.type === 'price') this.#trail(message.data.marketId, message.data)
    if (message.type === 'snapshot') for (const { id, state } of message.data.markets) this.#trail(id, state)
    this.#changed()
  }

  #tellOfOrders(): void {
    this.#toldAt ??= setTimeout(() => {
      this.#toldAt = null
      this.ordersTold++
      this.#changed()
    }, WHILE_MS)
  }

  #trail(
    marketId: string,
    { indexPrice, updatedAt }: { indexPrice: string; updatedAt: string | null },
  ): void {
    if (updatedAt === null) return
    const trail = this.trails.get(marketId) ?? new PriceTrail()
    this.trails.set(marketId, trail)
    trail.add(Date.parse(updatedAt), BigInt(indexPrice))
    this.#trailed.hear(this.stream.orders, marketId, BigInt(indexPrice))
  }

  #changed(): void {
    this.version++
    if (this.#isDue) return
    this.#isDue = true
    requestAnimationFrame(() => {
      this.#isDue = false
      for (const listener of this.#listeners) listener()
    })
  }

  #connect(connection: Connection): void {
    this.connection = connection
    this.#changed()
  }

  /** As `fetch`, and notes when what it opened ends. */
  async #watch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
    const response = await fetch(input, init).catch((error: unknown) => {
      this.#connect('lost')
      throw error
    })
    if (!response.ok || response.body === null) return response
    const lost = () => this.#connect('lost')
    return new Response(untilItEnds(response.body, lost), response)
  }
}

function untilItEnds(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        onEnd()
        controller.close()
      } catch (error) {
        onEnd()
        controller.error(error)
      }
    },
    cancel: (reason) => reader.cancel(reason),
  })
}
