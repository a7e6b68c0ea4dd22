/** How requests and answers pass through a node: read whole, sent on, answered here after all. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { LightMyRequestResponse } from 'fastify'
import { JSON_TYPE } from '../context.ts'
import { OPERATORS_HEADER, type Sent } from './forward.ts'
import type { NodeAddress } from './shardHost.ts'
import { WholeEvents } from './wholeEvents.ts'

/** A body that is longer than whoever sends it may send. */
export class LongBody extends Error {}

export interface Target {
  /** As routes are matched: decoded, without a host before it. */
  readonly path: string
  /** As it was written, without the host. */
  readonly written: string
  /** Null = there is none. */
  readonly query: URLSearchParams | null
}

export function targetOf({ url = '/' }: IncomingMessage): Target {
  const [written = '', ...query] = url.replace(/^https?:\/\/[^/?]*/i, '').split('?')
  return {
    path: decoded(written),
    written,
    query: query.length === 0 ? null : new URLSearchParams(query.join('?')),
  }
}

/** The same at another node. Only the path is the client's: what it writes may name another host. */
export function socketUrlAt(node: string, request: IncomingMessage): string {
  const { written, query } = targetOf(request)
  const at = new URL(node.replace(/^http/, 'ws'))
  at.pathname = written
  at.search = query === null ? '' : String(query)
  return at.href
}

function decoded(path: string): string {
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}

export function sentAs(
  { method = 'GET', url = '/', headers }: IncomingMessage,
  body: Buffer,
  address: NodeAddress,
): Sent {
  return { method, url, headers: { ...headers, ...toldOf(address) }, body }
}

export function toldOf(address: NodeAddress): Record<string, string> {
  return address === 'operators' ? { [OPERATORS_HEADER]: '1' } : {}
}

/** The answer to a request whose body was read for another node, and that was answered here after all. */
export function relayInjected(answer: LightMyRequestResponse, response: ServerResponse): void {
  response.writeHead(answer.statusCode, answer.headers as Record<string, string>)
  response.end(answer.rawPayload)
}

export function relay(answer: IncomingMessage, response: ServerResponse): void {
  // Who has gone meanwhile reads nothing: the answer would keep its connection until its owner gives it up.
  if (response.destroyed) return void answer.destroy()
  response.writeHead(answer.statusCode as number, answer.headers)
  response.on('close', () => answer.destroy())
  if (answer.headers['content-type']?.startsWith('text/event-stream')) {
    response.flushHeaders()
    const events = new WholeEvents()
    answer.on('error', () => events.endOfOwner())
    answer.pipe(events).pipe(response)
  } else {
    answer.on('error', () => response.destroy())
    answer.pipe(response)
  }
}

/** @throws LongBody where it is longer than `most`; the connection stays, for an answer. */
export async function bodyOf(message: IncomingMessage, most = Number.POSITIVE_INFINITY): Promise<Buffer> {
  if (Number(message.headers['content-length'] ?? 0) > most) throw new LongBody()
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of message.iterator({ destroyOnReturn: false })) {
    chunks.push(chunk)
    length += chunk.length
    if (length > most) throw new LongBody()
  }
  return Buffer.concat(chunks)
}

export function tell(response: ServerResponse, status: number, body: object, headers: object = {}): void {
  if (response.headersSent) return void response.destroy()
  const text = JSON.stringify(body)
  response.writeHead(status, {
    'content-type': JSON_TYPE,
    'content-length': Buffer.byteLength(text),
    ...headers,
  })
  response.end(text)
}
