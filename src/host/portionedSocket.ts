/**
 * A connection that is read in portions. Node parses whatever has come at once: of a client that sends requests without
 * waiting for answers that is two million bytes and thousands of requests in one turn of the loop, while everybody else
 * waits. Here connections that have sent more than a portion are parsed by turns, and of a connection with many requests
 * under way nothing more is read until some are answered: the client's own system then holds it back (K4, K15).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { Duplex } from 'node:stream'
import { networkOf } from './network.ts'
import { Turns } from './turns.ts'

/** Bytes that are parsed of one connection at a time: as many as usual requests have, and fewer than 60 of the shortest. */
export const PORTION = 1_024
/** Portions that are parsed in a turn of the loop beside the first of every address. */
const PORTIONS_A_TURN = 16
/** A turn that has taken so long parses no more of them, ms. */
const PATIENCE_MS = 2
/** Requests of one connection; while so many are under way, nothing more of it is read. */
export const UNDER_WAY = 16

/**
 * Has every connection of an HTTP server read in portions; not of an HTTPS one. To be called before it listens.
 *
 * ```ts
 * const { Server } = await import('node:http')
 * readInPortions(new Server())
 * ```
 */
export function readInPortions(server: Server): void {
  const turns = new Turns<string>(PORTIONS_A_TURN, PATIENCE_MS)
  const [listener] = server.listeners('connection') as [(connection: Duplex) => void]
  const serve = listener.bind(server)
  serving.set(server, serve)
  server.off('connection', listener)
  server.on('connection', (socket: Socket) => serve(new PortionedSocket(socket, turns)))
  server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
    const socket: Duplex = request.socket
    if (!(socket instanceof PortionedSocket)) return
    socket.begin(request)
    response.once('close', () => socket.finish())
  })
}

/** How Node itself serves a connection of the servers that read in portions. */
const serving = new WeakMap<Server, (connection: Duplex) => void>()

/**
 * Reads on from a connection that was handed out with a request: it is no new one, which would be bounded and put into portions
 * once more for every such request.
 */
export function readOn(server: Server, connection: Duplex): void {
  // Node takes back all its listeners but these when it hands a connection out, and adds them again now.
  connection.removeAllListeners('pause').removeAllListeners('resume')
  const serve = serving.get(server)
  if (serve === undefined) server.emit('connection', connection)
  else serve(connection)
}

/**
 * Where to write to a connection that is told of much: beneath its portions, which are about reading, and where a write of its own
 * would cost as much again as the system's. What was written above and is still on its way goes out before.
 */
export function outOf(connection: Duplex): Duplex {
  return connection instanceof PortionedSocket ? connection.out : connection
}

/** Bytes that were written to a connection, here or beneath its portions, and not taken yet. */
export function unsentOf(connection: Duplex): number {
  return Math.max(connection.writableLength, outOf(connection).writableLength)
}

/** Whether a client sends no more. It may have gone, or wait for answers: nothing tells the one from the other before it is written to. */
export function hasSentAll(connection: Duplex): boolean {
  return connection instanceof PortionedSocket ? connection.hasSentAll : connection.readableEnded
}

/** Calls once the client of a connection sends no more; gives what withdraws that. */
export function onSentAll(connection: Duplex, told: () => void): () => void {
  const event = connection instanceof PortionedSocket ? SENT_ALL : 'end'
  if (hasSentAll(connection)) told()
  else connection.once(event, told)
  return () => void connection.off(event, told)
}

const SENT_ALL = 'sentAll'

type Written = string | Uint8Array

interface Piece {
  readonly chunk: Written
  readonly encoding: BufferEncoding
}

class PortionedSocket extends Duplex {
  readonly #socket: Socket
  readonly #turns: Turns<string>
  #underWay = 0
  /** The request that began last. */
  #last: IncomingMessage | null = null
  #isEnded = false
  /** Has the parser asked for more. */
  #isWanted = false
  /** Has it a place among those that wait for a turn. */
  #waits = false

  constructor(socket: Socket, turns: Turns<string>) {
    // Text goes to the system as it is, which encodes it; here it would be encoded and copied once more.
    super({ decodeStrings: false })
    this.#socket = socket
    this.#turns = turns
    socket.on('readable', () => this.#read())
    socket.on('end', () => {
      this.emit(SENT_ALL)
      this.#end()
    })
    socket.on('timeout', () => this.emit('timeout'))
    socket.on('error', (error) => this.destroy(error))
    socket.on('close', () => this.destroy())
  }

  get out(): Duplex {
    return this.writableLength === 0 ? this.#socket : this
  }

  get hasSentAll(): boolean {
    return this.#socket.readableEnded
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress
  }

  get localPort(): number | undefined {
    return this.#socket.localPort
  }

  get bytesRead(): number {
    return this.#socket.bytesRead
  }

  setTimeout(ms: number): this {
    this.#socket.setTimeout(ms)
    return this
  }

  /** A request of this connection has begun. */
  begin(request: IncomingMessage): void {
    this.#underWay += 1
    this.#last = request
  }

  /** One has been answered, or given up. */
  finish(): void {
    this.#underWay -= 1
    if (this.#socket.readableEnded) this.#end()
    else this.#read()
  }

  /** Who sends no more is still told what was asked in full; Node would end the connection at once. */
  #end(): void {
    if (this.#isEnded || (this.#underWay > 0 && this.#last?.complete)) return
    this.#isEnded = true
    this.push(null)
  }

  #read(): void {
    if (this.#waits || !this.#mayRead()) return
    // Of an empty one the end is to be told.
    if (this.#socket.readableLength === 0) return void this.#socket.read(0)
    this.#waits = true
    this.#turns.take(networkOf(this.remoteAddress ?? ''), () => {
      this.#waits = false
      if (this.#mayRead()) this.#parse()
    })
  }

  #mayRead(): boolean {
    return this.#isWanted && this.#underWay < UNDER_WAY && !this.destroyed
  }

  #parse(): void {
    const bytes = this.#socket.read(Math.min(PORTION, this.#socket.readableLength)) as Buffer | null
    if (bytes === null) return
    this.#isWanted = false
    this.push(bytes)
  }

  override _read(): void {
    this.#isWanted = true
    this.#read()
  }

  override _write(chunk: Written, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#socket.write(chunk, encoding, done)
  }

  /** An answer that is one text comes with an empty piece behind it, which is how Node ends one: then it is written by itself. */
  override _writev(pieces: Piece[], done: (error?: Error | null) => void): void {
    const [first, ...others] = pieces.filter(({ chunk }) => chunk.length > 0)
    if (first === undefined) return done()
    const last = others.pop()
    if (last === undefined) return this._write(first.chunk, first.encoding, done)
    this.#socket.cork()
    for (const { chunk, encoding } of [first, ...others]) this.#socket.write(chunk, encoding)
    this.#socket.write(last.chunk, last.encoding, done)
    this.#socket.uncork()
  }

  override _final(done: (error?: Error | null) => void): void {
    this.#socket.end(done)
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#socket.destroy()
    done(error)
  }
}
