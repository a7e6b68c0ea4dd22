/**
 * The HTTP server around the API: Node and Fastify set so that every request, however malformed, gets the documented
 * body and none gets a hang (I7, I16).
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import Fastify, { type FastifyInstance, type FastifyServerOptions } from 'fastify'
import { LIFETIME_MS, SWEEP_MS } from './backlog.ts'
import { ConnectionBound } from './connectionBound.ts'
import { JSON_TYPE } from './context.ts'
import { boundByDescriptors } from './descriptors.ts'
import { transportErrorAnswer } from './errorAnswer.ts'
import { BODY_LIMIT, type MarginTradingApiOptions, marginTradingApi } from './marginTradingApi.ts'
import { readInPortions } from './portionedSocket.ts'
import { silentLetGo } from './silentConnections.ts'

/** What a server logs, and where to. */
export interface LogOptions {
  readonly level: 'silent' | 'error' | 'warn' | 'info' | 'debug'
  /** Where lines of JSON go; default: standard error. */
  readonly stream?: { write(line: string): void }
}

/** A request whose head or body takes longer is given up; the next look at it comes a sweep later. */
const REQUEST_TIMEOUT_MS = LIFETIME_MS - SWEEP_MS
/** More than a reverse proxy keeps; who opens more from one address is not let in. */
export const CONNECTIONS_PER_ADDRESS = 1_024
/** How long a connection that was told its error may stay open. */
const LINGER_MS = 2_000
/** Longer than any path that makes sense; what is longer is malformed, not unlisted. */
const MAX_PARAMETER = 16_384

/**
 * A server with the API on it, not yet listening.
 *
 * ```ts
 * const app = await createServer({ engine, clock: manualClock(engine) })
 * const answer = await app.inject('/markets')
 * await app.close()
 * answer.statusCode // → 401
 * ```
 */
export async function createServer(
  options: MarginTradingApiOptions & { readonly log?: LogOptions; readonly isBehindNode?: boolean },
): Promise<FastifyInstance> {
  const app = Fastify({
    bodyLimit: BODY_LIMIT,
    exposeHeadRoutes: false,
    return503OnClosing: false,
    requestTimeout: REQUEST_TIMEOUT_MS,
    // The node says from whom, and lets nobody else say it.
    trustProxy: options.isBehindNode === true ? (_address: string, hop: number) => hop === 0 : false,
    routerOptions: { maxParamLength: MAX_PARAMETER },
    rewriteUrl: ({ url = '/' }) => decodableUrl(url),
    clientErrorHandler: answerUnreadable,
    ...logging(options.log ?? { level: 'silent' }),
    http: PATIENCE,
  } as FastifyServerOptions)
  const connections = new ConnectionBound(CONNECTIONS_PER_ADDRESS)
  app.server.on('connection', (socket) => connections.take(socket))
  boundByDescriptors(app.server)
  const letGoOfSilent = silentLetGo(app.server)
  app.addHook('preClose', async () => letGoOfSilent())
  readInPortions(app.server)
  refuseOtherProtocols(app.server)
  await app.register(marginTradingApi, { startPage: true, ...options })
  return app
}

/** How long Node waits for a request, and how often it looks; a request needs no Host header. */
export const PATIENCE = {
  requireHostHeader: false,
  requestTimeout: REQUEST_TIMEOUT_MS,
  headersTimeout: REQUEST_TIMEOUT_MS,
  connectionsCheckingInterval: SWEEP_MS,
} as const

/** Has what never becomes a request answered by the documented body too; Fastify does so for the errors of its own server. */
export function answerMalformed(server: Server): void {
  server.on('clientError', answerUnreadable)
  refuseOtherProtocols(server)
}

function refuseOtherProtocols(server: Server): void {
  server.on('checkExpectation', refuseExpectation)
  server.on('connect', (_request, socket) => answerRaw(socket, 400))
}

/** Request lines carry method and path alone: no header and no query ever reaches the log. */
function logging({ level, stream = process.stderr }: LogOptions): FastifyServerOptions {
  if (level === 'silent') return { logger: false }
  return {
    logger: {
      level,
      stream,
      serializers: {
        req: ({ method, url }: { method: string; url: string }) => ({ method, path: url.split('?')[0] }),
      },
    },
  }
}

/** A path with malformed percent escapes stays text: it then fails validation like any other malformed id. */
function decodableUrl(url: string): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  if (!path.includes('%')) return url
  try {
    decodeURIComponent(path)
    return url
  } catch {
    return path.replaceAll('%', '%25') + (query === -1 ? '' : url.slice(query))
  }
}

const PARSER_STATUSES: Readonly<Record<string, number>> = {
  HPE_HEADER_OVERFLOW: 431,
  HPE_CHUNK_EXTENSIONS_OVERFLOW: 413,
}

function statusOf(error: Error & { code?: string }): number {
  return PARSER_STATUSES[error.code ?? ''] ?? 400
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, body } = transportErrorAnswer(417, 'expect')
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  })
  response.end(text)
}

const REASONS: Readonly<Record<number, string>> = {
  400: 'Bad Request',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}

/**
 * Browsers connect before they have anything to ask. Whoever has said nothing in time is asked no more, and told nothing: it would
 * be taken for the answer to what they ask next.
 */
function answerUnreadable(error: Error & { code?: string }, socket: Duplex & { bytesRead?: number }): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0) socket.destroy()
  else answerRaw(socket, statusOf(error))
}

/** For what never became a request. */
function answerRaw(socket: Duplex, status: number): void {
  if (!socket.writable) return void socket.destroy()
  const body = JSON.stringify(transportErrorAnswer(status, 'request').body)
  socket.end(
    `HTTP/1.1 ${status} ${REASONS[status]}\r\nContent-Type: ${JSON_TYPE}\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}
