/** The stream over a WebSocket: one message in each frame, the same for everybody who hears it, and next to nothing back. */

import type { Duplex } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { type RawData, type WebSocket, WebSocketServer } from 'ws'
import type { EndReason } from '../../resources/stream.ts'
import { type ErrorAnswer, transportErrorAnswer } from '../errorAnswer.ts'
import { outOf, unsentOf } from '../portionedSocket.ts'
import type { StreamConnection } from './listener.ts'
import { endsCommit, type Message } from './message.ts'
import { taken } from './taken.ts'
import { type Upgrade, upgradeOf } from './upgrades.ts'

/** Bytes of the one message that a client may send: a token, and a hundred accounts. */
const MOST_SENT = 8_192
/** Pieces that it may come in. */
const MOST_FRAGMENTS = 16
/** How long the first message may take, ms. */
const FIRST_MS = 5_000
/** Whoever has answered none of two pings when the next is due is gone. */
const PING_MS = 15_000
const MOST_UNANSWERED = 2
/** Bytes that may wait for a reader when its ping is answered: it is told of what it does not read no further. */
const MOST_BEFORE_PONG = 65_536
/** What was sent before the end may be on its way for so long, ms. */
const LINGER_MS = 2_000

/** Why a connection is closed (RFC 6455, 7.4); where HTTP has a status for it, 4000 and that. */
const CLOSE_CODES: Readonly<Record<EndReason | 'binary' | 'not_expected' | 'no_token', number>> = {
  closing: 1001,
  binary: 1003,
  not_expected: 1008,
  engine_stopped: 1011,
  slow_consumer: 1013,
  session_expired: 4401,
  api_trading_not_enabled: 4403,
  no_token: 4408,
  archived: 4410,
  too_many_streams: 4429,
}

/** How patient a server is with its sockets, ms. */
export interface SocketPace {
  readonly firstMs: number
  readonly pingMs: number
}

/** The sockets of a server. */
export class WebSockets {
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_SENT,
    maxFragments: MOST_FRAGMENTS,
    // A client that pings without end and reads nothing would be answered without end.
    autoPong: false,
  })
  readonly #open = new Set<WebSocketStream>()
  readonly #pace: SocketPace
  readonly #pinging: NodeJS.Timeout
  #isClosed = false

  constructor(pace: SocketPace = { firstMs: FIRST_MS, pingMs: PING_MS }) {
    this.#pace = pace
    this.#pinging = setInterval(() => this.#ping(), pace.pingMs).unref()
    // A handshake that is none is answered like every malformed request.
    this.#server.on('wsClientError', () => {})
  }

  /** Takes the connection over; null where its handshake is none, and it is to be answered with why. */
  open(request: FastifyRequest, reply: FastifyReply): WebSocketStream | null {
    const { socket, rest } = upgradeOf(request) as Upgrade
    const shaken: WebSocket[] = []
    this.#server.handleUpgrade(request.raw, socket, rest, (webSocket) => shaken.push(webSocket))
    const [webSocket] = shaken
    if (webSocket === undefined) return null
    reply.hijack()
    const stream = new WebSocketStream(webSocket, socket)
    this.#open.add(stream)
    webSocket.once('close', () => this.#open.delete(stream))
    if (this.#isClosed) stream.end('closing')
    return stream
  }

  /** What a client sends first; null where it goes, or sends nothing in time, and is let go of. */
  first(stream: WebSocketStream): Promise<Buffer | null> {
    return stream.first(this.#pace.firstMs)
  }

  /** No socket stays open. */
  close(): void {
    this.#isClosed = true
    clearInterval(this.#pinging)
    for (const stream of this.#open) stream.end('closing')
  }

  #ping(): void {
    for (const stream of this.#open) stream.ping()
  }
}

/** What a request that is none of a WebSocket is answered with. */
export const NO_HANDSHAKE: ErrorAnswer = transportErrorAnswer(400, 'upgrade')

export class WebSocketStream implements StreamConnection {
  readonly #webSocket: WebSocket
  readonly #socket: Duplex
  /** Takes the first message, while that is waited for. */
  #onFirst: ((message: Buffer) => void) | null = null
  #unanswered = 0
  /** Is it only waited for its client to close it too. */
  #isClosing = false
  onGone = () => {}

  constructor(webSocket: WebSocket, socket: Duplex) {
    this.#webSocket = webSocket
    this.#socket = socket
    webSocket.on('message', (data, isBinary) => this.#hear(data, isBinary))
    webSocket.on('ping', (data) => {
      if (this.unsent < MOST_BEFORE_PONG) webSocket.pong(data)
    })
    webSocket.on('pong', () => {
      this.#unanswered = 0
    })
    // A frame against the protocol: the connection is being closed, with what was wrong with it as its code.
    webSocket.on('error', () => {
      this.onGone()
      this.#linger()
    })
    webSocket.once('close', () => this.onGone())
  }

  get unsent(): number {
    return unsentOf(this.#socket)
  }

  /** The last message of each commit holds the `id` that its Server-Sent Event has beside it. */
  send(messages: readonly Message[], complete: number | null): void {
    const last = messages.at(-1)
    if (last === undefined || this.#webSocket.readyState !== this.#webSocket.OPEN) return
    const frames = messages.map((message, at) =>
      endsCommit(messages, at) ? message.lastFrame : message.frame,
    )
    if (complete !== null) frames.splice(-1, 1, last.lastFrame)
    outOf(this.#socket).write(frames.length === 1 ? frames[0] : Buffer.concat(frames))
  }

  end(reason: EndReason): void {
    this.#close(reason)
  }

  /** Tells why it is told nothing, as the body that HTTP would answer with. */
  refuse({ status, body }: ErrorAnswer): void {
    this.#webSocket.send(JSON.stringify(body))
    this.#webSocket.close(4000 + status, body.error)
    this.#linger()
  }

  taken(ms: number): Promise<boolean> {
    return taken(outOf(this.#socket), ms)
  }

  /** What its client sends first; null where that takes longer than `ms`, or nobody is there. */
  first(ms: number): Promise<Buffer | null> {
    return new Promise((resolve) => {
      const settle = (message: Buffer | null) => {
        clearTimeout(timer)
        this.#onFirst = null
        resolve(message)
      }
      const timer = setTimeout(() => {
        this.#close('no_token')
        settle(null)
      }, ms).unref()
      this.#onFirst = settle
      this.#webSocket.once('close', () => settle(null))
    })
  }

  ping(): void {
    if (this.#unanswered === MOST_UNANSWERED) return this.#webSocket.terminate()
    this.#unanswered += 1
    this.#webSocket.ping()
  }

  #hear(data: RawData, isBinary: boolean): void {
    if (isBinary) this.#close('binary')
    else if (this.#onFirst === null) this.#close('not_expected')
    else this.#onFirst(data as Buffer)
  }

  #close(reason: keyof typeof CLOSE_CODES): void {
    this.#webSocket.close(CLOSE_CODES[reason], reason)
    this.#linger()
  }

  #linger(): void {
    // One timer, however much a client sends on.
    if (this.#isClosing) return
    this.#isClosing = true
    setTimeout(() => this.#webSocket.terminate(), LINGER_MS).unref()
  }
}
