/** What a request of a node says of itself: from whom it came, and which shard it belongs to. */
import type { IncomingMessage } from 'node:http'
import type { ClusterNode } from '../../cluster/node.ts'
import type { Remote } from '../connectionBound.ts'
import { hashOf, sameHash } from '../secret.ts'
import { CLIENT_HEADER, NODE_HEADER, OPERATORS_HEADER, SHARD_HEADER } from './forward.ts'
import { targetOf } from './passing.ts'
import type { NodeAddress, ShardHost } from './shardHost.ts'
import type { TokenShards } from './tokenShards.ts'

/** What is told of a client only by proxies, of which a node believes none. */
const OF_PROXIES = ['x-forwarded-host', 'x-forwarded-proto', 'forwarded']

export interface Taken {
  readonly wasForwarded: boolean
  /** The shard that another node names; otherwise no number. */
  readonly named: number
  readonly address: NodeAddress
}

export class Addressing {
  readonly #node: ClusterNode<ShardHost>
  readonly #tokens: TokenShards
  readonly #secret: string
  /** Is called with connections that another node has opened. */
  onNode: (connection: Remote) => void = () => {}

  constructor(node: ClusterNode<ShardHost>, tokens: TokenShards, secret: string) {
    this.#node = node
    this.#tokens = tokens
    this.#secret = secret
  }

  /** What other nodes say of a request, which nobody else may. */
  taken(request: IncomingMessage, came: NodeAddress): Taken {
    const { headers } = request
    const wasForwarded = this.#isFromNode(request)
    if (wasForwarded) this.onNode(request.socket)
    const named = Number(headers[SHARD_HEADER])
    const address = wasForwarded && headers[OPERATORS_HEADER] !== undefined ? 'operators' : came
    for (const header of [NODE_HEADER, SHARD_HEADER, OPERATORS_HEADER, ...OF_PROXIES]) delete headers[header]
    if (!wasForwarded) headers[CLIENT_HEADER] = request.socket.remoteAddress ?? ''
    return { wasForwarded, named, address }
  }

  /** By its token; an operator names one. What belongs to none any can answer, best one that is here. */
  shardOf(request: IncomingMessage): number {
    return this.shardNamed(request) ?? this.#tokens.of(request.headers.authorization) ?? this.anyHere
  }

  /** Takes the name of the shard out of the request; what names none is left for a shard to refuse. */
  shardNamed(request: IncomingMessage): number | null {
    const { path, written, query } = targetOf(request)
    const named = path.startsWith('/operator/') ? query?.get('shard') : null
    if (query === null || named == null || !/^\d{1,9}$/.test(named)) return null
    if (Number(named) >= this.#node.view.shards.length) return null
    query.delete('shard')
    request.url = query.size === 0 ? written : `${written}?${query}`
    return Number(named)
  }

  /** A shard that is here, where one is. */
  get anyHere(): number {
    return this.#node.open.keys().next().value ?? 0
  }

  /** By the token that the first message of a WebSocket names. */
  shardOfToken(token: string): number {
    return this.#tokens.of(`Bearer ${token}`) ?? this.anyHere
  }

  #isFromNode({ headers }: IncomingMessage): boolean {
    const secret = headers[NODE_HEADER]
    return typeof secret === 'string' && sameHash(hashOf(secret), hashOf(this.#secret))
  }
}
