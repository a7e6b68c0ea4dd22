/**
 * WebSockets between a client and the node that has its shard. Frames are read and written again on the way, so that an
 * owner who dies in the middle of one ends the stream with a reason all the same.
 */
import type { IncomingMessage } from 'node:http'
import { type RawData, WebSocket, WebSocketServer } from 'ws'
import type { Upgrade } from '../stream/upgrades.ts'

/** Bytes of the one message that a client may send. */
const MOST_SENT = 8_192
/** How long that may take, ms. */
const FIRST_MS = 5_000
/** Bytes that wait for a client before nothing more is read from the owner: who reads nothing is the owner's to let go of. */
const MOST_WAITING = 65_536
/** What was sent before the end may be on its way for so long, ms. */
const LINGER_MS = 2_000
const CLOSING = 1001
const NO_TOKEN = 4408

/** The owner's side as it is opened: told to be elsewhere, or what it answered instead. */
export type Dialed = { readonly socket: WebSocket } | { readonly answer: IncomingMessage } | 'untouched'

/**
 * Dials the owner of a shard. What it sends at once is kept until somebody listens; one that does not answer within
 * `patienceMs` is as one that is not there.
 */
export function dial(
  url: string,
  headers: Readonly<Record<string, string>>,
  elsewhere: number,
  patienceMs: number,
): Promise<Dialed> {
  return new Promise((resolve) => {
    const socket = new WebSocket(url, {
      headers,
      handshakeTimeout: patienceMs,
      perMessageDeflate: false,
      autoPong: false,
    })
    socket.once('open', () => {
      socket.pause()
      resolve({ socket })
    })
    socket.once('unexpected-response', (_request, answer) => {
      if (answer.statusCode !== elsewhere) return resolve({ answer })
      answer.resume()
      resolve('untouched')
    })
    socket.on('error', () => resolve('untouched'))
  })
}

export class SocketRelays {
  readonly #server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: MOST_SENT,
    autoPong: false,
  })
  readonly #clients = new Set<WebSocket>()

  /** Shakes hands with a client; null where it is none. */
  open(request: IncomingMessage, { socket, rest }: Upgrade): WebSocket | null {
    const shaken: WebSocket[] = []
    this.#server.handleUpgrade(request, socket, rest, (client) => shaken.push(client))
    const [client] = shaken
    if (client === undefined) return null
    this.#clients.add(client)
    client.on('error', () => client.terminate())
    client.once('close', () => this.#clients.delete(client))
    return client
  }

  /** What a client says first; null where that takes too long, or nobody is there. */
  first(client: WebSocket): Promise<Buffer | null> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => end(client, NO_TOKEN, 'no_token'), FIRST_MS).unref()
      client.once('close', () => resolve(null))
      client.once('message', (message) => {
        clearTimeout(timer)
        resolve(message as Buffer)
      })
    })
  }

  close(): void {
    for (const client of this.#clients) end(client, CLOSING, 'closing')
  }
}

/** From here on each hears the other, and the end of the one is that of the other. */
export function join(client: WebSocket, owner: WebSocket): void {
  if (client.readyState !== WebSocket.OPEN) return owner.terminate()
  pass(owner, client)
  pass(client, owner)
  // An owner that is gone without a word has died, or was cut off: whoever takes over goes on from where the client is.
  owner.once('close', (code, reason) =>
    isTold(code) ? end(client, code, reason.toString()) : end(client, CLOSING, 'closing'),
  )
  client.once('close', () => owner.terminate())
  owner.resume()
}

function pass(from: WebSocket, to: WebSocket): void {
  from.on('message', (data: RawData, isBinary) => {
    if (to.readyState !== WebSocket.OPEN) return
    to.send(data as Buffer, { binary: isBinary }, () => {
      if (from.isPaused && to.bufferedAmount < MOST_WAITING) from.resume()
    })
    if (to.bufferedAmount >= MOST_WAITING) from.pause()
  })
  from.on('ping', (data) => to.readyState === WebSocket.OPEN && to.ping(data))
  from.on('pong', (data) => to.readyState === WebSocket.OPEN && to.pong(data))
}

/** Codes below 1004 and above 1006 that travel in a frame. */
function isTold(code: number): boolean {
  return code !== 1005 && code !== 1006 && code !== 1015
}

/** Ends a connection with a reason, for good after a while. */
export function end(client: WebSocket, code: number, reason: string): void {
  client.close(code, reason)
  setTimeout(() => client.terminate(), LINGER_MS).unref()
}
