/** A shard as a node serves it: a venue of its own, with the users that belong there, behind the node's one address. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { OpenShard } from '../../cluster/holdings.ts'
import { shardOf } from '../../cluster/shardOf.ts'
import type { Engine } from '../../engine/engine.ts'
import type { VenueConfiguration } from '../configuration.ts'
import type { OfferedVenue } from '../serveVenue.ts'
import type { Upgrade } from '../stream/upgrades.ts'
import type { Sent } from './forward.ts'
import { stepOf } from './handoverSteps.ts'
import type { ShardQuotas } from './shardQuotas.ts'

/** Where a node listens: for everybody, and where the configuration says so, for operators apart. */
export type NodeAddress = 'main' | 'operators'

/** How long requests under way keep a shard from being handed over, ms. */
const DRAIN_MS = 5_000

/** What of a configuration is about a shard. Engines draw their ids from their seed: each has another. */
export function configurationOf(
  configuration: VenueConfiguration,
  shard: number,
  shards: number,
): VenueConfiguration {
  const { seed, users, accounts } = configuration
  return {
    ...configuration,
    seed: seed === null ? null : `${seed}/${shard}`,
    users: users.filter(({ id }) => shardOf(id, shards) === shard),
    accounts: accounts.filter(({ userId }) => shardOf(userId, shards) === shard),
  }
}

export class ShardHost implements OpenShard {
  readonly epoch: number
  readonly engine: Engine
  readonly #app: FastifyInstance
  readonly #shard: number
  readonly quotas: ShardQuotas
  readonly #venue: OfferedVenue
  readonly #underWay = new Set<ServerResponse>()
  /** How many requests are under way that no connection came with. */
  #injected = 0

  constructor(shard: number, venue: OfferedVenue, epoch: number, quotas: ShardQuotas) {
    this.#shard = shard
    this.#venue = venue
    this.quotas = quotas
    this.epoch = epoch
    this.engine = venue.engine
    this.#app = venue.app
  }

  get failed(): boolean {
    return this.engine.failure !== null
  }

  /** What answers at an address: the operators' own one has none but their surface. */
  at(address: NodeAddress): FastifyInstance {
    return address === 'operators' ? (this.#venue.operators ?? this.#app) : this.#app
  }

  /** Has the server of the shard answer. */
  serve(request: IncomingMessage, response: ServerResponse, address: NodeAddress): void {
    this.#underWay.add(response)
    response.once('close', () => this.#underWay.delete(response))
    this.at(address).server.emit('request', request, response)
  }

  /** Has it answer what the node has read already, or asks itself. */
  async inject(
    { method, url, headers, body: payload }: Sent,
    address: NodeAddress,
  ): Promise<LightMyRequestResponse> {
    this.#injected += 1
    try {
      return await this.at(address).inject({ method: method as 'GET', url, headers, payload })
    } finally {
      this.#injected -= 1
    }
  }

  /** Has it take a handshake, which stands as it came. */
  upgrade(request: IncomingMessage, { socket, rest }: Upgrade, address: NodeAddress): void {
    this.at(address).server.emit('upgrade', request, socket, rest)
  }

  /** Of the feed that runs on another shard. */
  price(marketId: string, indexPrice: bigint): void {
    if (!this.failed) this.#venue.price(marketId, indexPrice)
  }

  /** Whoever opens it begins from there. */
  readyToLeave(): Promise<void> {
    return this.engine.saveSnapshot()
  }

  async close(): Promise<void> {
    stepOf(this.#shard, 'it stops')
    this.quotas.keeper.stop()
    const until = performance.now() + DRAIN_MS
    const isBusy = () => this.#injected > 0 || [...this.#underWay].some(isBrief)
    while (isBusy() && performance.now() < until && !this.failed)
      await new Promise((resolve) => setTimeout(resolve, 2))
    stepOf(this.#shard, 'what was under way is answered')
    await this.#venue.close()
    stepOf(this.#shard, 'its log is closed')
  }
}

function isBrief(response: ServerResponse): boolean {
  return !String(response.getHeader('content-type') ?? '').startsWith('text/event-stream')
}
