/**
 * The stream as a client of it sees it: messages in the order of the log, each once, however often the connection is lost,
 * and a copy of what they add up to.
 */
import type { Static } from 'typebox'
import type { MarketResource } from '../resources/account.ts'
import type { OrderResource } from '../resources/order.ts'
import type { PositionResource } from '../resources/position.ts'
import type { StreamedAccount, StreamMessageResource } from '../resources/stream.ts'
import type { SentEvent } from './sentEvent.ts'

type ApiMarket = Static<typeof MarketResource>
type ApiOrder = Static<typeof OrderResource>
type ApiPosition = Static<typeof PositionResource>

/** What a stream tells. */
export type StreamMessage = Static<typeof StreamMessageResource>
/** An account as a stream tells it. */
export type ApiStreamedAccount = Static<typeof StreamedAccount>

/** What to hear, and from when on. */
export interface StreamOptions {
  /** Default: all accounts of the caller. */
  readonly accountIds?: readonly string[]
  /** Goes on after this commit, a sequence; default: begins with a snapshot. */
  readonly from?: number
  /** Ends it. */
  readonly signal?: AbortSignal
  /** Silence after which the connection counts as lost, ms; default 40 s: the venue says something every 15. */
  readonly silenceMs?: number
  /**
   * Told when a connection has begun to tell something, and when it is lost; not where it ends with `signal`. `reason` is the venue's own, where
   * it gave one: `slow_consumer`, `closing`, `engine_stopped`.
   */
  readonly onConnection?: (isConnected: boolean, reason?: string) => void
}

/** What is asked for when a stream is opened, as in {@link StreamOptions}. */
export interface StreamOpening {
  readonly accountIds?: readonly string[]
  readonly from?: number
}

/** Opens the stream. Rejects with what the client's calls reject with. */
export type OpenStream = (opening: StreamOpening, signal: AbortSignal) => AsyncIterable<SentEvent>

/** The first pause before connecting again, and the longest, ms. */
const [FIRST_PAUSE_MS, LONGEST_PAUSE_MS] = [100, 10_000]
const SILENCE_MS = 40_000

/** The venue ended the stream, and connecting again would not help. */
export class StreamEnded extends Error {
  override readonly name = 'StreamEnded'
  /** As the venue gives it. */
  readonly reason: string

  constructor(reason: string) {
    super(`the stream has ended: ${reason}`)
    this.reason = reason
  }
}

/** After these a connection begins anew; after any other reason it does not. */
const PASSING: ReadonlySet<string> = new Set(['slow_consumer', 'closing', 'engine_stopped'])

/**
 * A stream that reconnects and resumes. Iterating gives every message once, those of a commit together; what the copy shows
 * is as of {@link seq}, the last commit given in full. It ends when `signal` fires, and throws {@link StreamEnded} or
 * `ApiError` where it may not go on.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const venue = await serveVenue({ configuration, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: venue.url, token: apiKey })
 * const stop = new AbortController()
 * const stream = client.stream({ signal: stop.signal })
 * for await (const message of stream) if (message.type === 'snapshot') break
 * stop.abort()
 * const markets = stream.markets.size
 * await venue.close()
 * markets // → 4
 * ```
 */
export class VenueStream implements AsyncIterable<StreamMessage> {
  readonly #open: OpenStream
  readonly #options: StreamOptions
  readonly #orders = new Map<string, ApiOrder>()
  readonly #positions = new Map<string, ApiPosition>()
  readonly #accounts = new Map<string, ApiStreamedAccount>()
  readonly #markets = new Map<string, ApiMarket>()
  #seq: number | null
  /** Why the venue ended the last connection, where another helps. */
  #passing: string | null = null

  constructor(open: OpenStream, options: StreamOptions = {}) {
    this.#open = open
    this.#options = options
    this.#seq = options.from ?? null
  }

  /** The commit up to which everything has been given; null before the first. */
  get seq(): number | null {
    return this.#seq
  }

  /** Whether it was ended by its signal: it tells nothing more. */
  get isEnded(): boolean {
    return this.#options.signal?.aborted === true
  }

  /** Active orders by id. The trigger price of a trailing stop that trails is as it was when the order was told. */
  get orders(): ReadonlyMap<string, ApiOrder> {
    return this.#orders
  }

  /** Open positions by id. */
  get positions(): ReadonlyMap<string, ApiPosition> {
    return this.#positions
  }

  /** As of {@link seq}; while what was missed is told, as of before it, until its last commit. */
  get accounts(): ReadonlyMap<string, ApiStreamedAccount> {
    return this.#accounts
  }

  /** With the newest prices; while what was missed is told, as {@link accounts}. */
  get markets(): ReadonlyMap<string, ApiMarket> {
    return this.#markets
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<StreamMessage, void> {
    const { signal } = this.#options
    let pause = FIRST_PAUSE_MS
    const isOver = () => signal?.aborted === true
    let isConnected = false
    const connected = (isNow: boolean) => {
      if (isConnected !== isNow)
        this.#options.onConnection?.(isNow, ...(isNow || this.#passing === null ? [] : [this.#passing]))
      isConnected = isNow
    }
    while (!isOver()) {
      this.#passing = null
      try {
        for await (const messages of this.#connection()) {
          pause = FIRST_PAUSE_MS
          connected(true)
          yield* messages
        }
      } catch (error) {
        if (isOver()) return
        if (error instanceof StreamEnded || isRefusal(error)) throw error
      }
      if (isOver()) return
      connected(false)
      await elapsed(pause * (0.5 + Math.random() / 2), signal)
      pause = Math.min(pause * 2, LONGEST_PAUSE_MS)
    }
  }

  /** One connection: the messages of whole commits, folded into the copy. */
  async *#connection(): AsyncGenerator<readonly StreamMessage[], void> {
    const { accountIds, signal, silenceMs = SILENCE_MS } = this.#options
    const leaving = new AbortController()
    const leave = () => leaving.abort()
    signal?.addEventListener('abort', leave)
    let watch = setTimeout(leave, silenceMs)
    try {
      const opening = { ...(accountIds && { accountIds }), ...(this.#seq !== null && { from: this.#seq }) }
      let gathered: StreamMessage[] = []
      for await (const { id, message: sent } of this.#open(opening, leaving.signal)) {
        clearTimeout(watch)
        watch = setTimeout(leave, silenceMs)
        const message = sent as StreamMessage
        if (message.type === 'end') {
          if (PASSING.has(message.data.reason)) {
            this.#passing = message.data.reason
            return
          }
          throw new StreamEnded(message.data.reason)
        }
        gathered.push(message)
        if (id === null) continue
        for (const one of gathered) this.#fold(one)
        this.#seq = id
        yield gathered
        gathered = []
      }
    } finally {
      clearTimeout(watch)
      signal?.removeEventListener('abort', leave)
      leave()
    }
  }

  #fold(message: StreamMessage): void {
    switch (message.type) {
      case 'snapshot':
        replace(this.#accounts, message.data.accounts, ({ accountId }) => accountId)
        replace(this.#orders, message.data.orders, ({ id }) => id)
        replace(this.#positions, message.data.positions, ({ idx }) => idx ?? '')
        replace(this.#markets, message.data.markets, ({ id }) => id)
        return
      case 'order':
        if (message.data.status === 'active') this.#orders.set(message.data.id, message.data)
        else this.#orders.delete(message.data.id)
        return
      case 'position': {
        const { order: _, ...position } = message.data
        const id = position.idx ?? ''
        if (position.status === 'opened') this.#positions.set(id, position)
        else this.#positions.delete(id)
        return
      }
      case 'account':
        this.#accounts.set(message.accountId, message.data)
        return
      case 'market':
        this.#markets.set(message.data.id, message.data)
        return
      case 'price':
        this.#price(message.data)
        return
      case 'equity':
        this.#value(message.accountId, message.data)
    }
  }

  #price({ marketId, indexPrice, updatedAt }: DataOf<'price'>): void {
    const market = this.#markets.get(marketId)
    if (market === undefined) return
    this.#markets.set(marketId, { ...market, state: { ...market.state, indexPrice, updatedAt } })
  }

  #value(accountId: string, { unrealizedPnl: _, ...values }: DataOf<'equity'>): void {
    const account = this.#accounts.get(accountId)
    if (account === undefined) return
    this.#accounts.set(accountId, { ...account, riskStatus: { ...account.riskStatus, ...values } })
  }
}

type DataOf<Type extends StreamMessage['type']> = Extract<StreamMessage, { readonly type: Type }>['data']

function replace<Item>(map: Map<string, Item>, items: readonly Item[], idOf: (item: Item) => string): void {
  map.clear()
  for (const item of items) map.set(idOf(item), item)
}

/** What the venue will not answer otherwise when it is asked again; it may later what it has no time for now. */
function isRefusal(error: unknown): boolean {
  const status = (error as { readonly statusCode?: number } | null)?.statusCode
  return status !== undefined && status >= 400 && status < 500 && status !== 429
}

function elapsed(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    const settle = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', settle)
      resolve()
    }
    const timer = setTimeout(settle, ms)
    signal?.addEventListener('abort', settle)
  })
}
