/**
 * What clients make the host hold for them: requests under way, and answers they have not read. Each connection and each
 * user may cost so much and no more, and no answer waits for its reader for longer than its time; whoever goes beyond is
 * cut off, and everything held for the connection is let go (K4).
 */
import type { Socket } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LongAnswer } from './longAnswer.ts'
import { networkOf } from './network.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** What this request makes the host hold; null before it counts. */
    exchange: Exchange | null
  }
}

export interface BacklogLimits {
  /** Bytes. */
  readonly perConnection: number
  /** Bytes over all connections of a user; of an address, for those who are nobody. */
  readonly perOwner: number
  /** Sweeps that an answer may wait for its reader. */
  readonly sweeps: number
}

const MIB = 1_048_576
/** How often unread answers are looked at, ms. */
export const SWEEP_MS = 500
/** What is under way for longer is given up, ms. */
export const LIFETIME_MS = 30_000

export const BACKLOG_LIMITS: BacklogLimits = {
  perConnection: 16 * MIB,
  perOwner: 64 * MIB,
  sweeps: LIFETIME_MS / SWEEP_MS - 1,
}

/** What the objects of one request and its answer take up, bytes, beside their texts. */
const EXCHANGE = 8_192

/** A request with its answer. */
export interface Exchange {
  readonly connection: Connection
  owner: string
  bytes: number
  /** The sweep in which the answer was given or its last piece taken; null while there is none. */
  since: number | null
  answer: LongAnswer | null
  /** Has the request handled; null once it is. */
  handle: (() => void) | null
}

interface Connection {
  readonly socket: Socket
  readonly exchanges: Set<Exchange>
  /** Requests behind those that are handled, in their order. */
  readonly waiting: Exchange[]
  handled: number
  bytes: number
  isOver: boolean
}

/** Requests of one connection that are handled at once; an answer nobody reads therefore keeps the rest from being made. */
const AT_ONCE = 4

export class Backlog {
  readonly #limits: BacklogLimits
  readonly #connections = new WeakMap<Socket, Connection>()
  readonly #owners = new Map<string, number>()
  /** Answers that have not been read, the one that has waited longest first. */
  readonly #unread = new Set<Exchange>()
  readonly #onCut: (why: string, owner: string) => void
  #sweep = 0

  /** `onCut` is told why somebody was cut off, and who. */
  constructor(limits: BacklogLimits, onCut: (why: string, owner: string) => void) {
    this.#limits = limits
    this.#onCut = onCut
  }

  /** A request has come, of `bytes` beside the usual. It is handled in its turn, or not at all where its client is cut. */
  begin(socket: Socket, owner: string, bytes: number, handle: () => void): Exchange {
    const connection = this.#connectionOf(socket)
    const exchange: Exchange = { connection, owner, bytes: 0, since: null, answer: null, handle }
    if (connection.isOver) return exchange
    connection.exchanges.add(exchange)
    this.#hold(exchange, EXCHANGE + bytes)
    connection.waiting.push(exchange)
    this.#handleNext(connection)
    return exchange
  }

  /** Its answer has been given: bytes of text, or a long one; by now it is known whose it is. */
  answered(exchange: Exchange, answer: number | LongAnswer, owner: string): void {
    const { bytes } = exchange
    this.#hold(exchange, -bytes)
    exchange.owner = owner
    this.#hold(exchange, bytes)
    if (answer instanceof LongAnswer) {
      if (exchange.connection.isOver) return void answer.destroy()
      exchange.answer = answer
      answer.onTaken = () => this.#wait(exchange)
    }
    this.#wait(exchange)
    this.#hold(exchange, answer instanceof LongAnswer ? answer.holds : answer)
  }

  /** Its answer has been handed to the system in full. */
  end(exchange: Exchange): void {
    const { connection } = exchange
    if (!connection.exchanges.delete(exchange)) return
    this.#unread.delete(exchange)
    this.#hold(exchange, -exchange.bytes)
    if (exchange.handle !== null) return
    connection.handled -= 1
    // Not in this turn of the loop: a client that reads fast would have it for all it asks.
    if (connection.waiting.length > 0) setImmediate(() => this.#handleNext(connection))
  }

  /** Cuts off who has not read an answer for its time. To be called every {@link SWEEP_MS}. */
  sweep(): void {
    this.#sweep += 1
    for (const exchange of this.#unread) {
      if (this.#sweep - (exchange.since as number) <= this.#limits.sweeps) return
      this.#cut(exchange, 'an answer was not read in time')
    }
  }

  /** Bytes held for an owner. */
  heldBy(owner: string): number {
    return this.#owners.get(owner) ?? 0
  }

  #connectionOf(socket: Socket): Connection {
    let connection = this.#connections.get(socket)
    if (connection !== undefined) return connection
    connection = {
      socket,
      exchanges: new Set(),
      waiting: [],
      handled: 0,
      bytes: 0,
      isOver: socket.destroyed,
    }
    this.#connections.set(socket, connection)
    // Answers that wait behind another are not told when their connection goes.
    socket.once('close', () => this.#letGo(connection))
    return connection
  }

  #handleNext(connection: Connection): void {
    if (connection.isOver || connection.handled >= AT_ONCE) return
    const next = connection.waiting.shift()
    if (next === undefined) return
    const { handle } = next
    next.handle = null
    connection.handled += 1
    handle?.()
  }

  #wait(exchange: Exchange): void {
    if (exchange.connection.isOver) return
    exchange.since = this.#sweep
    this.#unread.delete(exchange)
    this.#unread.add(exchange)
  }

  #hold(exchange: Exchange, bytes: number): void {
    const { connection, owner } = exchange
    if (connection.isOver) return
    exchange.bytes += bytes
    connection.bytes += bytes
    const held = this.heldBy(owner) + bytes
    if (held === 0) this.#owners.delete(owner)
    else this.#owners.set(owner, held)
    if (connection.bytes > this.#limits.perConnection) this.#cut(exchange, 'too much unread on a connection')
    else if (held > this.#limits.perOwner) this.#cut(exchange, 'too much unread of one user')
  }

  #cut({ connection, owner }: Exchange, why: string): void {
    this.#letGo(connection)
    connection.socket.destroy()
    this.#onCut(why, owner)
  }

  #letGo(connection: Connection): void {
    for (const exchange of [...connection.exchanges]) {
      this.end(exchange)
      exchange.answer?.destroy()
    }
    connection.waiting.length = 0
    connection.isOver = true
  }
}

/** Has everything that a server is asked and answers count. To be called before the hook that finds out who asks. */
export function boundBacklog(app: FastifyInstance): void {
  const backlog = new Backlog(BACKLOG_LIMITS, (why, owner) => app.log.warn({ owner }, `cut off: ${why}`))
  app.decorateRequest('exchange', null)
  app.addHook('onRequest', (request, reply, done) => {
    const exchange = backlog.begin(
      request.raw.socket,
      `address ${networkOf(request.ip)}`,
      bytesOf(request),
      done,
    )
    request.exchange = exchange
    reply.raw.once('close', () => backlog.end(exchange))
  })
  app.addHook('onSend', (request, _reply, payload: unknown, done) => {
    const answer = payload instanceof LongAnswer ? payload : lengthOf(payload)
    if (request.exchange !== null) backlog.answered(request.exchange, answer, ownerOf(request))
    done(null, payload)
  })
  const sweeping = setInterval(() => backlog.sweep(), SWEEP_MS).unref()
  app.addHook('onClose', (_app, done) => {
    clearInterval(sweeping)
    done()
  })
}

/** Who asks: a user, an operator, or for those who are nobody an address. */
export function ownerOf({ principal, operator, ip }: FastifyRequest): string {
  if (principal !== null) return `user ${principal.userId}`
  return operator === null ? `address ${ip}` : `operator ${operator.name}`
}

/** Its head as it came, and its body as announced; one that is not announced may become as long as is let in. */
function bytesOf({ raw, routeOptions, headers }: FastifyRequest): number {
  let bytes = 0
  for (const text of raw.rawHeaders) bytes += text.length
  const most = routeOptions.bodyLimit ?? 0
  if (headers['transfer-encoding'] !== undefined) return bytes + most
  return bytes + Math.min(Number(headers['content-length'] ?? 0), most)
}

function lengthOf(payload: unknown): number {
  return typeof payload === 'string' || payload instanceof Uint8Array ? payload.length : 0
}
