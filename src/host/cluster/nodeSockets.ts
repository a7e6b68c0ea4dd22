/** Streams over WebSockets at a node: taken by the owner of their shard, here or one hop away. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { ClusterNode } from '../../cluster/node.ts'
import { type Forwarded, type Routed, route } from '../../cluster/routing.ts'
import { internalError, shardUnavailable } from '../errorAnswer.ts'
import { end, type Upgrade } from '../stream/upgrades.ts'
import { parseStrictJson } from '../strictJson.ts'
import type { Addressing } from './addressing.ts'
import { CLIENT_HEADER, ELSEWHERE, NODE_HEADER, SHARD_HEADER } from './forward.ts'
import type { NodeMetrics } from './nodeMetrics.ts'
import { bodyOf, relay, socketUrlAt, tell, toldOf } from './passing.ts'
import type { NodeAddress, ShardHost } from './shardHost.ts'
import { type Dialed, dial, end as endSocket, join, SocketRelays } from './socketRelay.ts'

/** How long a request waits for an owner of its shard. */
export interface NodePatience {
  readonly clock: { monotonic(): number; sleep(ms: number): Promise<void> }
  readonly patienceMs: number
}

export interface NodeSocketOptions {
  readonly node: ClusterNode<ShardHost>
  readonly metrics: NodeMetrics
  readonly addressing: Addressing
  readonly secret: string
  /** Where this node reaches itself. */
  readonly own: string
  readonly patience: NodePatience
}

export class NodeSockets {
  readonly #options: NodeSocketOptions
  readonly relays = new SocketRelays()

  constructor(options: NodeSocketOptions) {
    this.#options = options
  }

  async upgrade(
    request: IncomingMessage,
    response: ServerResponse,
    upgrade: Upgrade,
    came: NodeAddress,
  ): Promise<void> {
    response.shouldKeepAlive = false
    response.once('finish', () => end(upgrade.socket))
    try {
      await this.#upgrade(request, response, upgrade, came)
    } catch {
      tell(response, 500, internalError().body)
    }
  }

  async #upgrade(
    request: IncomingMessage,
    response: ServerResponse,
    upgrade: Upgrade,
    came: NodeAddress,
  ): Promise<void> {
    const { wasForwarded, named: forwardedTo, address } = this.#options.addressing.taken(request, came)
    if (wasForwarded) {
      const found = this.#options.node.where(forwardedTo)
      if (found.at !== 'here') return tell(response, ELSEWHERE, {})
      response.detachSocket(upgrade.socket as Socket)
      return found.shard.upgrade(request, upgrade, address)
    }
    const named = this.#options.addressing.shardNamed(request)
    if (named === null && request.headers.authorization === undefined)
      return this.#hearFirst(request, response, upgrade, address)
    const shard = named ?? this.#options.addressing.shardOf(request)
    const routed = await this.#dialed(shard, request, address)
    if (typeof routed === 'string') {
      const { status, headers, body } = shardUnavailable(this.#options.patience.patienceMs)
      return tell(response, status, body, headers)
    }
    const { answer } = routed
    if (answer === null) {
      const found = this.#options.node.where(shard)
      if (found.at !== 'here')
        return tell(response, 503, shardUnavailable(this.#options.patience.patienceMs).body)
      response.detachSocket(upgrade.socket as Socket)
      return found.shard.upgrade(request, upgrade, address)
    }
    if ('answer' in answer) return relay(answer.answer, response)
    response.detachSocket(upgrade.socket as Socket)
    const client = this.relays.open(request, upgrade)
    if (client === null) answer.socket.terminate()
    else join(client, answer.socket)
  }

  /** Browsers give a WebSocket no headers: its client says first who it is, and is then taken where it belongs. */
  async #hearFirst(
    request: IncomingMessage,
    response: ServerResponse,
    upgrade: Upgrade,
    address: NodeAddress,
  ): Promise<void> {
    response.detachSocket(upgrade.socket as Socket)
    const client = this.relays.open(request, upgrade)
    const first = client === null ? null : await this.relays.first(client)
    if (client === null || first === null) return
    const routed = await this.#dialed(
      this.#options.addressing.shardOfToken(tokenIn(first)),
      request,
      address,
      this.#options.own,
    )
    const refusal =
      typeof routed === 'string'
        ? shardUnavailable(this.#options.patience.patienceMs).body
        : routed.answer !== null && 'answer' in routed.answer
          ? JSON.parse((await bodyOf(routed.answer.answer)).toString())
          : null
    if (refusal !== null) {
      client.send(JSON.stringify(refusal))
      return endSocket(client, 4000 + refusal.statusCode, refusal.error)
    }
    const { socket } = (routed as { answer: { socket: WebSocket } }).answer
    socket.send(first.toString())
    join(client, socket)
  }

  /** Null: its shard is here, unless `own` says where this node reaches itself. */
  #dialed(
    shard: number,
    request: IncomingMessage,
    address: NodeAddress,
    own: string | null = null,
  ): Promise<Routed<Exclude<Dialed, 'untouched'> | null>> {
    const dialAt = async (owner: string): Promise<Forwarded<Exclude<Dialed, 'untouched'>>> => {
      this.#options.metrics.forwarded(shard)
      const kept = ['authorization', 'last-event-id', CLIENT_HEADER].flatMap((name) => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      })
      const told = {
        ...Object.fromEntries(kept),
        ...toldOf(address),
        [NODE_HEADER]: this.#options.secret,
        [SHARD_HEADER]: String(shard),
      }
      const dialed = await dial(
        socketUrlAt(owner, request),
        told,
        ELSEWHERE,
        this.#options.patience.patienceMs,
      )
      return dialed === 'untouched' ? dialed : { answer: dialed }
    }
    return route<ShardHost, Exclude<Dialed, 'untouched'> | null>(
      this.#options.node,
      shard,
      { ...this.#options.patience, wasForwarded: false, isRead: false },
      {
        serve: async () => {
          if (own === null) return null
          const dialed = await dialAt(own)
          if (typeof dialed === 'string') throw new Error('this node does not reach itself')
          return dialed.answer
        },
        forward: dialAt,
      },
    )
  }
}

/** Of the first message of a WebSocket; what is malformed any shard refuses. */
function tokenIn(first: Buffer): string {
  try {
    return String((parseStrictJson(first) as { token?: unknown } | null)?.token)
  } catch {
    return ''
  }
}
