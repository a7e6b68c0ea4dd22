/** A request that is sent on to the node that owns its shard, and the answer that comes back as it is. */
import { Agent, type IncomingMessage, request as send } from 'node:http'
import type { Duplex } from 'node:stream'
import type { Forwarded } from '../../cluster/routing.ts'
import { onSentAll } from '../portionedSocket.ts'

/** Tells a node that another sends: the secret of the cluster. */
export const NODE_HEADER = 'x-margin-core-node'
export const SHARD_HEADER = 'x-margin-core-shard'
/** It came to the address of the operators. */
export const OPERATORS_HEADER = 'x-margin-core-operators'
/** From whom it came to the first node, which alone writes it. */
export const CLIENT_HEADER = 'x-forwarded-for'
/** The shard is not served there: nothing was done. */
export const ELSEWHERE = 421

/** What is sent on, whole, so that it can be sent again where nothing was done. */
export interface Sent {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

/** An idle connection is closed from here before its owner does, after five seconds: what is sent over one that closes has no known outcome, ms. */
const IDLE_MS = 2_500
/** As many connections as there are requests: were they counted, those whose clients read no answer would keep all others waiting. */
const agent = new Agent({ keepAlive: true, timeout: IDLE_MS })
/** Of one connection alone, and of a body that is sent whole. */
const HOP_BY_HOP = ['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'content-length', 'expect']

/** When a request that has no answer is given up: once its owner has been gone at two looks, ms apart. */
export interface Watch {
  readonly isGone: () => boolean
  readonly everyMs: number
}

/**
 * `client`: the connection it came on. Where that one sends no more, its owner sees as much of the connection between the nodes: who may
 * have gone must not have carried out what waits behind what they ask next, who only ended their half is answered still.
 */
export function forward(
  address: string,
  secret: string,
  shard: number,
  { method, url, headers, body }: Sent,
  watch: Watch | null = null,
  client: Duplex | null = null,
): Promise<Forwarded<IncomingMessage>> {
  return new Promise((resolve) => {
    const kept = Object.entries(headers).filter(([name]) => !HOP_BY_HOP.includes(name))
    // Only the path is the client's: what it writes may name another host, which must not be told the secret.
    const outgoing = send(new URL(address), {
      agent,
      method,
      path: url,
      headers: {
        ...Object.fromEntries(kept),
        'content-length': body.length,
        [NODE_HEADER]: secret,
        [SHARD_HEADER]: shard,
      },
    })
    let connected = false
    outgoing.on('socket', (socket) => {
      if (!socket.connecting) connected = true
      else socket.once('connect', () => (connected = true))
    })
    const watching = watch === null ? undefined : whenGone(watch, () => outgoing.destroy())
    let letGo = () => {}
    outgoing.once('finish', () => {
      if (client !== null) letGo = onSentAll(client, () => void outgoing.socket?.end())
    })
    outgoing.on('error', () => resolve(connected ? 'unknown' : 'untouched'))
    outgoing.once('close', () => {
      clearInterval(watching)
      letGo()
    })
    outgoing.on('response', (answer) => {
      clearInterval(watching)
      // A stream has its connection for good: it must not be one of those that are shared.
      if (answer.headers['content-type']?.startsWith('text/event-stream')) answer.socket.emit('agentRemove')
      if (answer.statusCode !== ELSEWHERE) return resolve({ answer })
      answer.resume()
      resolve('untouched')
    })
    outgoing.end(body)
  })
}

/** One that hands over answers what is under way before others hear of it: its answer may be a moment behind. */
function whenGone({ isGone, everyMs }: Watch, giveUp: () => void): NodeJS.Timeout {
  let was = false
  return setInterval(() => {
    const is = isGone()
    if (is && was) giveUp()
    was = is
  }, everyMs)
}
