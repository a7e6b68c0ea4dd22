/**
 * A ticker stream of an exchange: a connection that is made again, with growing pauses, when it is lost or says nothing, and the
 * newest price of each symbol with its age.
 */
import { WebSocket } from 'ws'
import { reasonOf } from '../../engine/notices.ts'
import type { Price } from '../../quantity/units.ts'
import type { SourceConfiguration } from '../configuration.ts'
import { LastMinute } from './lastMinute.ts'
import { LeastDelay } from './leastDelay.ts'
import { leavingOf, objectionIn } from './objection.ts'
import { subscriptions, tickersIn } from './ticker.ts'

/** What is not the same twice: a test gives its own. */
export interface Surroundings {
  /** Monotonic, ms. */
  readonly monotonic: () => number
  /** The clock of this machine, epoch ms. */
  readonly wall: () => number
  /** In [0, 1): spreads the pauses of many. */
  readonly random: () => number
  /** The first pause before connecting again, and the longest, ms. */
  readonly pauses: readonly [first: number, longest: number]
  /** A connection that has not been made by then is given up, ms. */
  readonly handshakeMs: number
}

const SURROUNDINGS: Surroundings = {
  monotonic: () => performance.now(),
  wall: Date.now,
  random: Math.random,
  pauses: [500, 60_000],
  handshakeMs: 10_000,
}

/** Twice as long after each failure, of which a random part of the second half: not all come back at once. */
export function pauseAfter(
  failures: number,
  { pauses: [first, longest], random }: Pick<Surroundings, 'pauses' | 'random'>,
): number {
  return Math.min(first * 2 ** failures, longest) * (0.5 + random() / 2)
}

/** Bytes of a frame; a ticker has some hundred. */
const MOST_BYTES = 262_144
/** Pieces that one may come in. */
const MOST_FRAGMENTS = 64
/** Bytes of answers to pings that may wait to be taken. */
const MOST_UNREAD = 65_536

/** The newest that a source said of a market. */
export interface SourceQuote {
  readonly price: Price
  /** On the monotonic clock, when it was current: the delay of its way counts. */
  readonly at: number
  /** How many there were before. */
  readonly ordinal: number
}

export class TickerSource {
  readonly configuration: SourceConfiguration
  readonly #around: Surroundings
  readonly #marketOf: ReadonlyMap<string, string>
  readonly #quotes = new Map<string, SourceQuote>()
  readonly #minute: LastMinute
  readonly #delay: LeastDelay
  #socket: WebSocket | null = null
  #timers: NodeJS.Timeout[] = []
  #failures = 0
  #isStopped = false
  /** What was wrong last, whether or not it has been overcome, and when, epoch ms of this machine; null: nothing. */
  lastError: { readonly text: string; readonly at: number } | null = null
  /** Tickers, frames that could not be read, and connections after the first, since it began. */
  tickers = 0
  unreadable = 0
  reconnections = 0

  constructor(configuration: SourceConfiguration, around: Surroundings = SURROUNDINGS) {
    this.configuration = configuration
    this.#around = around
    this.#marketOf = new Map(
      configuration.symbols.map(({ symbol, marketId }) => [symbol.toLowerCase(), marketId]),
    )
    this.#minute = new LastMinute(around.monotonic)
    this.#delay = new LeastDelay(around.monotonic)
    this.#connect()
  }

  get isConnected(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN
  }

  /** Tickers within the last minute. */
  get perMinute(): number {
    return this.#minute.count
  }

  quoteOf(marketId: string): SourceQuote | undefined {
    return this.#quotes.get(marketId)
  }

  /** How old a quote is, ms. */
  ageOf({ at }: SourceQuote): number {
    return Math.max(this.#around.monotonic() - at, 0)
  }

  /** How far the clock of the exchange is ahead of this machine's, ms, less what its fastest ticker was under way; null: it tells no times. */
  get clockAhead(): number | null {
    const { ahead } = this.#delay
    return ahead === null ? null : Math.round(ahead + this.#around.monotonic() - this.#around.wall())
  }

  stop(): void {
    this.#isStopped = true
    this.#forgetTimers()
    this.#socket?.terminate()
  }

  #connect(): void {
    const { url, format, symbols, silenceMs } = this.configuration
    const socket = new WebSocket(url, {
      perMessageDeflate: false,
      maxPayload: MOST_BYTES,
      maxFragments: MOST_FRAGMENTS,
      // However many frames come at once, each has a turn of the loop of its own, and what is not read stays with who sent it.
      allowSynchronousEvents: false,
      autoPong: false,
    })
    this.#socket = socket
    let fault: string | null = null
    const cut = (why: string) => {
      fault ??= why
      socket.terminate()
    }
    const { handshakeMs } = this.#around
    // The one of the socket begins anew with every byte that comes.
    const patience = this.#after(handshakeMs, () => cut(`no connection within ${handshakeMs} ms`))
    let silence: NodeJS.Timeout | undefined
    socket.on('open', () => {
      clearTimeout(patience)
      silence = this.#after(silenceMs, () => cut(`no price for ${silenceMs} ms`))
      for (const message of subscriptions(
        format,
        symbols.map(({ symbol }) => symbol),
      ))
        socket.send(message)
      const { ping, pingMs } = format
      if (ping !== null) this.#timers.push(setInterval(() => socket.send(ping), pingMs).unref())
    })
    socket.on('message', (text) => {
      if (this.#hear(String(text))) silence?.refresh()
    })
    socket.on('ping', (data) => {
      if (socket.bufferedAmount <= MOST_UNREAD) socket.pong(data)
      else cut('it pings, and takes no answers')
    })
    socket.on('error', (error) => {
      fault ??= reasonOf(error)
    })
    socket.on('close', (code, reason) => {
      if (!this.#isStopped) this.#again(fault ?? leavingOf(code, String(reason)))
    })
  }

  #after(ms: number, act: () => void): NodeJS.Timeout {
    const timer = setTimeout(act, ms).unref()
    this.#timers.push(timer)
    return timer
  }

  #again(why: string): void {
    this.#forgetTimers()
    this.#failed(why)
    const pause = pauseAfter(this.#failures, this.#around)
    this.#failures += 1
    this.#after(pause, () => {
      this.reconnections += 1
      this.#delay.forget()
      this.#connect()
    })
  }

  #failed(text: string): void {
    this.lastError = { text, at: this.#around.wall() }
  }

  /** Whether there was a price in it that was asked for. */
  #hear(text: string): boolean {
    try {
      let isPriced = false
      const tickers = tickersIn(text, this.configuration.format)
      for (const { symbol, price, at } of tickers) {
        const marketId = this.#marketOf.get(symbol.toLowerCase())
        if (marketId === undefined) continue
        this.#keepNewest(marketId, price, this.#around.monotonic() - this.#delay.beyond(at))
        this.tickers += 1
        this.#minute.add()
        this.#failures = 0
        isPriced = true
      }
      const objection = tickers.length === 0 ? objectionIn(text) : null
      if (objection !== null) this.#failed(objection)
      return isPriced
    } catch (error) {
      if (!(error instanceof RangeError)) throw error
      this.unreadable += 1
      this.#failed(`a frame that cannot be read: ${error.message}`)
      return false
    }
  }

  /**
   * A ticker that a later one has overtaken tells nothing new. Times come in milliseconds, and of two of one the last counts; one
   * that is behind by more than a price may be old was not overtaken: the clock was set back.
   */
  #keepNewest(marketId: string, price: Price, at: number): void {
    const behind = (this.#quotes.get(marketId)?.at ?? at) - at
    if (behind >= 1 && behind <= this.configuration.maxAgeMs) return
    this.#quotes.set(marketId, { price, at, ordinal: this.tickers })
  }

  #forgetTimers(): void {
    for (const timer of this.#timers.splice(0)) clearTimeout(timer)
  }
}
