/**
 * Requests that ask for another protocol. Node hands them out beside all others; here they take the way of all others, so that
 * one declaration says who may use a route, whatever the transport: a stream's route takes the connection over
 * (webSocket.ts), and everything else is answered as if it had not asked, as HTTP lets a server (RFC 9110, 7.8).
 */
import { type IncomingMessage, type Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { readOn } from '../portionedSocket.ts'

/** A connection that a route may take over. */
export interface Upgrade {
  readonly socket: Duplex
  /** What came behind the head of the request. */
  readonly rest: Buffer
}

const upgrades = new WeakMap<IncomingMessage, Upgrade>()
const routed = new WeakSet<Server>()

/** How long a connection whose request was refused may take to read why, ms. */
const LINGER_MS = 2_000

/** The connection of a request that asks for a WebSocket; undefined for any other. */
export function upgradeOf({ raw }: FastifyRequest): Upgrade | undefined {
  return upgrades.get(raw)
}

/**
 * Whether its caller is told of in the first message, because browsers give a WebSocket no headers. Its route then lets nobody
 * in before.
 */
export function saysLaterWhoAsks(request: FastifyRequest): boolean {
  const { headers, routeOptions } = request
  const isStream = !request.is404 && routeOptions.config.isStream === true
  return isStream && headers.authorization === undefined && upgradeOf(request) !== undefined
}

/** Has the routes of a server, whichever there are, answer what asks for another protocol. */
export function routeUpgrades({ server, routing }: FastifyInstance): void {
  if (routed.has(server)) return
  routed.add(server)
  onHandshake(server, (request, response, upgrade) => {
    upgrades.set(request, upgrade)
    response.shouldKeepAlive = false
    response.once('finish', () => end(upgrade.socket))
    routing(request, response)
  })
}

/** Has a handshake taken by whoever knows what it is for; whatever else asks for another protocol is answered as if it had not. */
export function onHandshake(
  server: Server,
  take: (request: IncomingMessage, response: ServerResponse, upgrade: Upgrade) => void,
): void {
  server.on('upgrade', (request: IncomingMessage, socket: Duplex, rest: Buffer) => {
    socket.on('error', ignore)
    const response = new ServerResponse(request)
    try {
      response.assignSocket(socket as Socket)
    } catch {
      // An earlier request of this connection is still being answered, and two answers would be mixed.
      return void socket.destroy()
    }
    if (isHandshake(request)) return take(request, response, { socket, rest })
    response.detachSocket(socket as Socket)
    socket.off('error', ignore)
    socket.unshift(Buffer.concat([headWithoutUpgrade(request), rest]))
    readOn(server, socket)
  })
}

/** Of a connection that breaks while nobody reads from it; its end is told otherwise. */
const ignore = () => {}

/** A handshake has no body, and Node reads none of a request that it hands out here. */
function isHandshake({ method, headers }: IncomingMessage): boolean {
  const hasBody = headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) !== 0
  return method === 'GET' && !hasBody && headers.upgrade?.toLowerCase() === 'websocket'
}

/** The head as it came, but for what it asked. */
function headWithoutUpgrade({ method, url, httpVersion, rawHeaders }: IncomingMessage): Buffer {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`
  for (let at = 0; at < rawHeaders.length; at += 2)
    if (rawHeaders[at]?.toLowerCase() !== 'upgrade') head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`
  return Buffer.from(`${head}\r\n`, 'latin1')
}

/** Ends a connection whose request was answered otherwise. */
export function end(socket: Duplex): void {
  socket.end()
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
