/** Where every request of a node comes in: answered here, or sent on once to the owner of its shard. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { WebSocket } from 'ws'
import type { ClusterNode } from '../../cluster/node.ts'
import type { Given } from '../../cluster/quotaKeeper.ts'
import { type Forwarded, type Routed, route } from '../../cluster/routing.ts'
import type { VenueConfiguration } from '../configuration.ts'
import type { Remote } from '../connectionBound.ts'
import { internalError, shardUnavailable, transportErrorAnswer } from '../errorAnswer.ts'
import { hashOf, sameHash } from '../secret.ts'
import { end, type Upgrade } from '../stream/upgrades.ts'
import { parseStrictJson } from '../strictJson.ts'
import {
  CLIENT_HEADER,
  ELSEWHERE,
  forward,
  NODE_HEADER,
  OPERATORS_HEADER,
  type Sent,
  SHARD_HEADER,
  type Watch,
} from './forward.ts'
import type { NodeMetrics } from './nodeMetrics.ts'
import { LEASE_OVER, LEAVING, OperatorFront, type ShardStanding } from './operatorFront.ts'
import { bodyOf, injected, LongBody, relay, sentAs, socketUrlAt, targetOf, tell, toldOf } from './passing.ts'
import { FEEDING, PriceSpread } from './priceSpread.ts'
import type { NodeAddress, ShardHost } from './shardHost.ts'
import { type Dialed, dial, end as endSocket, join, SocketRelays } from './socketRelay.ts'
import type { TokenShards } from './tokenShards.ts'

/** The path at which the node with the feed tells its prices. */
const PRICES = '/cluster/prices'
/** The path at which shards ask each other for quotas. */
const QUOTA = '/cluster/quota'
/** The path at which other nodes say that there is something to be seen in the database. */
const LOOK = '/cluster/look'
/** The path at which other nodes ask how the shards of this one stand, and how long they wait, ms. */
const STANDING = '/cluster/standing'
const STANDING_MS = 500
/** What was so a moment ago is of no use. */
const NOT_KEPT = { 'cache-control': 'no-store' }
/** What is told of a client only by proxies, of which a node believes none. */
const OF_PROXIES = ['x-forwarded-host', 'x-forwarded-proto', 'forwarded']
/** What a node sends of itself, but for where and what. */
const TOLD: Sent = { method: 'POST', url: LOOK, headers: {}, body: Buffer.alloc(0) }

export class NodeFront {
  readonly #node: ClusterNode<ShardHost>
  readonly #metrics: NodeMetrics
  readonly #tokens: TokenShards
  readonly #secret: string
  /** Where this node reaches itself. */
  readonly #own: string
  readonly #terms: {
    readonly clock: { monotonic(): number; sleep(ms: number): Promise<void> }
    readonly patienceMs: number
  }
  readonly #operators: OperatorFront
  readonly relays = new SocketRelays()
  /** Is called with connections that another node has opened. */
  onNode: (connection: Remote) => void = () => {}
  readonly prices: PriceSpread

  constructor(
    node: ClusterNode<ShardHost>,
    metrics: NodeMetrics,
    tokens: TokenShards,
    configuration: VenueConfiguration,
    patienceMs: number,
    clock: { monotonic(): number; sleep(ms: number): Promise<void> },
    own: string,
  ) {
    this.#node = node
    this.#own = own
    this.#metrics = metrics
    this.#tokens = tokens
    this.#secret = configuration.cluster?.secret ?? ''
    this.#terms = { clock, patienceMs }
    this.prices = new PriceSpread({
      others: () => node.view.nodes.flatMap(({ name, address }) => (name === node.name ? [] : [address])),
      send: async (address, wave) => {
        const sent = { ...TOLD, url: PRICES, body: Buffer.from(JSON.stringify(wave)) }
        const forwarded = await forward(address, this.#secret, FEEDING, sent)
        if (typeof forwarded !== 'string') forwarded.answer.resume()
      },
      take: (marketId, indexPrice) => {
        for (const [shard, host] of node.open) if (shard !== FEEDING) host.price(marketId, indexPrice)
      },
    })
    this.#operators = new OperatorFront(node, configuration, configuration.cluster?.shards ?? 0, {
      ask: (shard, sent) => this.#ask(shard, sent),
      standingsAt: (address) => this.#standingsAt(address),
      metrics: metrics.registry,
    })
  }

  async answer(request: IncomingMessage, response: ServerResponse, came: NodeAddress): Promise<void> {
    try {
      await this.#answer(request, response, came)
    } catch (error) {
      if (!(error instanceof LongBody)) return tell(response, 500, internalError().body)
      const { status, body } = transportErrorAnswer(413, 'body')
      tell(response, status, body, { connection: 'close' })
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, came: NodeAddress): Promise<void> {
    const { wasForwarded, named, address } = this.#taken(request, came)
    if (wasForwarded && request.url === LOOK) {
      void this.#node.look()
      return tell(response, 200, {})
    }
    if (wasForwarded && request.url === QUOTA) return this.#giveQuota(named, request, response)
    if (wasForwarded && request.url === PRICES) {
      this.prices.hear(JSON.parse((await bodyOf(request)).toString()))
      return tell(response, 200, {})
    }
    if (wasForwarded && request.url === STANDING) return tell(response, 200, this.#operators.standings())
    if (request.url === '/live') return tell(response, 200, { status: 'ok' }, NOT_KEPT)
    if (request.url === '/ready') return this.#ready(response)
    const isTheirs = address === 'operators' || this.#operators.areAtMain
    if (!wasForwarded && isTheirs && (await this.#operators.answers(request, response))) return
    const shard = wasForwarded ? named : this.#shardOf(request)
    let body: Buffer | null = null
    const routed: Routed<IncomingMessage | null> = await route<ShardHost, IncomingMessage | null>(
      this.#node,
      shard,
      { ...this.#terms, wasForwarded },
      {
        serve: async (here) => {
          if (body === null) here.serve(request, response, address)
          else await injected(here.at(address), sentAs(request, body, address), response)
          return null
        },
        forward: async (url, isGone) => {
          body ??= await bodyOf(request, wasForwarded ? undefined : this.#operators.mostOf(request))
          this.#metrics.forwarded(shard)
          return forward(url, this.#secret, shard, sentAs(request, body, address), this.#watch(isGone))
        },
      },
    )
    if (typeof routed === 'string') {
      const { status, headers, body: told } = shardUnavailable(this.#terms.patienceMs, routed === 'unknown')
      return tell(response, wasForwarded ? ELSEWHERE : status, told, headers)
    }
    if (routed.answer !== null) relay(routed.answer, response)
  }

  /** Says to another node that there is something to be seen in the database. */
  nudge(address: string): void {
    void forward(address, this.#secret, 0, { ...TOLD, url: LOOK })
  }

  /** A stream over a WebSocket: taken by the owner of its shard, here or one hop away. */
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
    const { wasForwarded, named: forwardedTo, address } = this.#taken(request, came)
    if (wasForwarded) {
      const found = this.#node.where(forwardedTo)
      if (found.at !== 'here') return tell(response, ELSEWHERE, {})
      response.detachSocket(upgrade.socket as Socket)
      return found.shard.upgrade(request, upgrade, address)
    }
    const named = this.#shardNamed(request)
    if (named === null && request.headers.authorization === undefined)
      return this.#hearFirst(request, response, upgrade, address)
    const shard = named ?? this.#shardOf(request)
    const routed = await this.#dialed(shard, request, address)
    if (typeof routed === 'string') {
      const { status, headers, body } = shardUnavailable(this.#terms.patienceMs)
      return tell(response, status, body, headers)
    }
    const { answer } = routed
    if (answer === null) {
      const found = this.#node.where(shard)
      if (found.at !== 'here') return tell(response, 503, shardUnavailable(this.#terms.patienceMs).body)
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
      this.#tokens.of(`Bearer ${tokenIn(first)}`) ?? this.#anyHere,
      request,
      address,
      this.#own,
    )
    const refusal =
      typeof routed === 'string'
        ? shardUnavailable(this.#terms.patienceMs).body
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
      this.#metrics.forwarded(shard)
      const kept = ['authorization', 'last-event-id', CLIENT_HEADER].flatMap((name) => {
        const value = request.headers[name]
        return typeof value === 'string' ? [[name, value]] : []
      })
      const told = {
        ...Object.fromEntries(kept),
        ...toldOf(address),
        [NODE_HEADER]: this.#secret,
        [SHARD_HEADER]: String(shard),
      }
      const dialed = await dial(socketUrlAt(owner, request), told, ELSEWHERE, this.#terms.patienceMs)
      return dialed === 'untouched' ? dialed : { answer: dialed }
    }
    return route<ShardHost, Exclude<Dialed, 'untouched'> | null>(
      this.#node,
      shard,
      { ...this.#terms, wasForwarded: false },
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

  /** A request of the node itself, answered whole; null where its shard cannot be reached or nobody knows what came of it. */
  async #ask(shard: number, sent: Sent): Promise<{ status: number; body: string } | null> {
    const routed = await route<ShardHost, { status: number; body: string }>(
      this.#node,
      shard,
      { ...this.#terms, wasForwarded: false },
      {
        serve: async (here) => {
          const { method, url, headers, body: payload } = sent
          const { statusCode, body } = await here
            .at('operators')
            .inject({ method: method as 'POST', url, headers, payload })
          return { status: statusCode, body }
        },
        forward: async (address, isGone) => {
          this.#metrics.forwarded(shard)
          const headers = { ...sent.headers, ...toldOf('operators') }
          const forwarded = await forward(
            address,
            this.#secret,
            shard,
            { ...sent, headers },
            this.#watch(isGone),
          )
          if (typeof forwarded === 'string') return forwarded
          const body = (await bodyOf(forwarded.answer)).toString()
          return { answer: { status: forwarded.answer.statusCode as number, body } }
        },
      },
    ).catch(() => 'unknown' as const)
    return typeof routed === 'string' ? null : routed.answer
  }

  #watch(isGone: () => boolean): Watch {
    return { isGone, everyMs: this.#terms.patienceMs / 10 }
  }

  #ready(response: ServerResponse): void {
    const { leaseLeft, isLeaving } = this.#node
    const reason = leaseLeft > 0 ? (isLeaving ? LEAVING : null) : LEASE_OVER
    tell(
      response,
      reason === null ? 200 : 503,
      { status: reason === null ? 'ok' : 'failed', reason },
      NOT_KEPT,
    )
  }

  async #standingsAt(address: string): Promise<readonly ShardStanding[]> {
    const asked = forward(address, this.#secret, 0, { ...TOLD, url: STANDING }).then(async (forwarded) => {
      if (typeof forwarded === 'string') return []
      const text = (await bodyOf(forwarded.answer)).toString()
      return forwarded.answer.statusCode === 200 ? JSON.parse(text) : []
    })
    const late = this.#terms.clock.sleep(STANDING_MS).then(() => [])
    return Promise.race([asked.catch(() => []), late])
  }

  /** Asked at once, or not at all: who has no owner just now has nothing to give. */
  async askForQuota(shard: number, line: string, amount: bigint): Promise<Given | null> {
    const found = this.#node.where(shard)
    if (found.at === 'here') return found.shard.quotas.keeper.give(line, amount)
    if (found.at === 'nowhere') return null
    const body = Buffer.from(JSON.stringify({ line, amount: String(amount) }))
    const sent = { method: 'POST', url: QUOTA, headers: {}, body }
    const forwarded = await forward(found.address, this.#secret, shard, sent)
    if (typeof forwarded === 'string') return null
    const answered = (await bodyOf(forwarded.answer)).toString()
    if (forwarded.answer.statusCode !== 200) return null
    const { given, open } = JSON.parse(answered)
    return { given: BigInt(given), open: BigInt(open) }
  }

  async #giveQuota(shard: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { line, amount } = JSON.parse((await bodyOf(request)).toString())
    const found = this.#node.where(shard)
    if (found.at !== 'here') return tell(response, ELSEWHERE, {})
    const { given, open } = await found.shard.quotas.keeper.give(line, BigInt(amount))
    tell(response, 200, { given: String(given), open: String(open) })
  }

  /** By its token; an operator names one. What belongs to none any can answer, best one that is here. */
  #shardOf(request: IncomingMessage): number {
    return this.#shardNamed(request) ?? this.#tokens.of(request.headers.authorization) ?? this.#anyHere
  }

  /** Takes the name of the shard out of the request; what names none is left for a shard to refuse. */
  #shardNamed(request: IncomingMessage): number | null {
    const { path, written, query } = targetOf(request)
    const named = path.startsWith('/operator/') ? query?.get('shard') : null
    if (query === null || named == null || !/^\d{1,9}$/.test(named)) return null
    if (Number(named) >= this.#node.view.shards.length) return null
    query.delete('shard')
    request.url = query.size === 0 ? written : `${written}?${query}`
    return Number(named)
  }

  get #anyHere(): number {
    return this.#node.open.keys().next().value ?? 0
  }

  /** What other nodes say of a request, which nobody else may. */
  #taken(
    request: IncomingMessage,
    came: NodeAddress,
  ): { wasForwarded: boolean; named: number; address: NodeAddress } {
    const { headers } = request
    const wasForwarded = this.#isFromNode(request)
    if (wasForwarded) this.onNode(request.socket)
    const named = Number(headers[SHARD_HEADER])
    const address = wasForwarded && headers[OPERATORS_HEADER] !== undefined ? 'operators' : came
    for (const header of [NODE_HEADER, SHARD_HEADER, OPERATORS_HEADER, ...OF_PROXIES]) delete headers[header]
    if (!wasForwarded) headers[CLIENT_HEADER] = request.socket.remoteAddress ?? ''
    return { wasForwarded, named, address }
  }

  #isFromNode({ headers }: IncomingMessage): boolean {
    const secret = headers[NODE_HEADER]
    return typeof secret === 'string' && sameHash(hashOf(secret), hashOf(this.#secret))
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
