/** Where every request of a node comes in: answered here, or sent on once to the owner of its shard. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'
import type { ClusterNode } from '../../cluster/node.ts'
import type { Given } from '../../cluster/quotaKeeper.ts'
import { type Routed, route } from '../../cluster/routing.ts'
import type { VenueConfiguration } from '../configuration.ts'
import { internalError, shardUnavailable, transportErrorAnswer } from '../errorAnswer.ts'
import { ClientGone, refuseGone, stillThere } from '../stillThere.ts'
import type { Addressing } from './addressing.ts'
import { ELSEWHERE, forward, type Sent, type Watch } from './forward.ts'
import type { NodeMetrics } from './nodeMetrics.ts'
import type { NodePatience } from './nodeSockets.ts'
import { OperatorFront, type ShardStanding, whyNotReady } from './operatorFront.ts'
import { bodyOf, LongBody, relay, relayInjected, sentAs, tell, toldOf } from './passing.ts'
import { FEEDING, PriceSpread } from './priceSpread.ts'
import type { NodeAddress, ShardHost } from './shardHost.ts'
import { VENUE_HEADER, venueMark } from './venueMark.ts'

/** The path at which the node with the feed tells its prices. */
const PRICES = '/cluster/prices'
/** The path at which shards ask each other for quotas. */
const QUOTA = '/cluster/quota'
/** The path at which other nodes say that there is something to be seen in the database. */
const LOOK = '/cluster/look'
/** The path at which other nodes say that they are about to give a shard to this one; answered once it is ready. */
const EXPECT = '/cluster/expect'
/** The path at which they say that they have. */
const GIVEN = '/cluster/given'
/** The path at which other nodes ask how the shards of this one stand, and how long they wait, ms. */
const STANDING = '/cluster/standing'
const STANDING_MS = 500
/** What was so a moment ago is of no use. */
const NOT_KEPT = { 'cache-control': 'no-store' }
/** What a node sends of itself, but for where and what. */
const TOLD: Sent = { method: 'POST', url: LOOK, headers: {}, body: Buffer.alloc(0) }

const TAKES_NOTHING =
  'takes nothing that this one tells it: it has another cluster.secret, or is of an earlier release'
const OTHER_VENUE =
  'has other markets, users or accounts in its configuration: it is of another venue, which needs a database of its own, or not changed yet as this one is'

export class NodeFront {
  readonly #node: ClusterNode<ShardHost>
  readonly #metrics: NodeMetrics
  readonly #addressing: Addressing
  readonly #secret: string
  readonly #terms: NodePatience
  readonly #operators: OperatorFront
  readonly prices: PriceSpread
  readonly #onNotice: (notice: string) => void
  readonly #mark: string
  /** What is the matter with nodes at other addresses, as has been told. */
  readonly #strange = new Map<string, string>()
  /** When the last answer of each connection is given. */
  readonly #answers = new WeakMap<IncomingMessage['socket'], Promise<void>>()

  constructor(
    node: ClusterNode<ShardHost>,
    metrics: NodeMetrics,
    addressing: Addressing,
    configuration: VenueConfiguration,
    patience: NodePatience,
    onNotice: (notice: string) => void = () => {},
  ) {
    this.#onNotice = onNotice
    this.#node = node
    this.#metrics = metrics
    this.#addressing = addressing
    this.#secret = configuration.cluster?.secret ?? ''
    this.#mark = venueMark(configuration)
    this.#terms = patience
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
      ask: (shard, sent, client) => this.#ask(shard, sent, client),
      standingsAt: (address) => this.#standingsAt(address),
      metrics: metrics.registry,
    })
  }

  async answer(request: IncomingMessage, response: ServerResponse, came: NodeAddress): Promise<void> {
    try {
      await this.#answer(request, response, came)
    } catch (error) {
      if (error instanceof ClientGone) return this.#tellUnavailable(response)
      if (!(error instanceof LongBody)) return tell(response, 500, internalError().body)
      const { status, body } = transportErrorAnswer(413, 'body')
      tell(response, status, body, { connection: 'close' })
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse, came: NodeAddress): Promise<void> {
    const cameAt = performance.now()
    const { wasForwarded, named, address } = this.#addressing.taken(request, came)
    if (wasForwarded && request.url === LOOK) {
      void this.#node.look()
      return this.#heard(response)
    }
    if (wasForwarded && request.url === GIVEN) {
      void this.#node.given(named)
      return this.#heard(response)
    }
    if (wasForwarded && request.url === EXPECT) {
      await this.#node.expect(named).catch(() => {})
      return this.#heard(response)
    }
    if (wasForwarded && request.url === QUOTA) return this.#giveQuota(named, request, response)
    if (wasForwarded && request.url === PRICES) {
      this.prices.hear(JSON.parse((await bodyOf(request)).toString()))
      return tell(response, 200, {})
    }
    if (wasForwarded && request.url === STANDING) return tell(response, 200, this.#operators.standings())
    if (request.url === '/live') return tell(response, 200, { status: 'ok' }, NOT_KEPT)
    if (request.url === '/ready') return this.#ready(response)
    const before = this.#answerBefore(request, response)
    const changesNothing = isRead(request.method)
    // Who has gone asks again, and what they asked before must not be carried out behind the answer to that.
    const looking = changesNothing ? null : stillThere(request.socket, cameAt)
    if (looking !== null) await looking
    const isTheirs = address === 'operators' || this.#operators.areAtMain
    if (!wasForwarded && isTheirs && (await this.#operators.answers(request, response))) return
    const shard = wasForwarded ? named : this.#addressing.shardOf(request)
    if (!wasForwarded && this.#node.where(shard).at !== 'here') await before
    let body: Buffer | null = null
    const routed: Routed<IncomingMessage | null> = await route<ShardHost, IncomingMessage | null>(
      this.#node,
      shard,
      { ...this.#terms, wasForwarded, isRead: changesNothing },
      {
        serve: async (here) => {
          if (response.destroyed) return null
          if (!changesNothing) refuseGone(request.socket, cameAt)
          // A read has no body that anybody would miss, and may be a stream, which is told as it comes.
          if (body === null || changesNothing) here.serve(request, response, address)
          else relayInjected(await here.inject(sentAs(request, body, address), address), response)
          return null
        },
        forward: async (url, isGone) => {
          body ??= await bodyOf(request, wasForwarded ? undefined : this.#operators.mostOf(request))
          if (response.destroyed) return { answer: null }
          if (!changesNothing) await stillThere(request.socket, cameAt)
          this.#metrics.forwarded(shard)
          return forward(
            url,
            this.#secret,
            shard,
            sentAs(request, body, address),
            this.#watch(isGone),
            request.socket,
          )
        },
      },
    )
    if (typeof routed === 'string')
      this.#tellUnavailable(response, routed === 'unknown', wasForwarded ? ELSEWHERE : undefined)
    else if (routed.answer !== null) relay(routed.answer, response)
  }

  #tellUnavailable(response: ServerResponse, isUnknown = false, as?: number): void {
    const { status, headers, body } = shardUnavailable(this.#terms.patienceMs, isUnknown)
    tell(response, as ?? status, body, headers)
  }

  /**
   * Resolves once whatever a connection was asked before is answered. What it asks without waiting for that is sent on one after the
   * other: each client's connection has one to another node at most, however little it reads.
   */
  #answerBefore({ socket }: IncomingMessage, response: ServerResponse): Promise<void> | undefined {
    const before = this.#answers.get(socket)
    this.#answers.set(socket, new Promise((resolve) => response.once('close', resolve)))
    return before
  }

  /** Says to another node that there is something to be seen in the database, of a shard that it was given. */
  nudge(address: string, given?: number): void {
    void this.#told(address, given === undefined ? LOOK : GIVEN, given ?? 0)
  }

  /** Says to another node that it is about to be given a shard, and resolves once that one has made ready. */
  foretell(address: string, shard: number): Promise<void> {
    return this.#told(address, EXPECT, shard)
  }

  async #told(address: string, url: string, shard: number): Promise<void> {
    const forwarded = await forward(address, this.#secret, shard, { ...TOLD, url })
    if (typeof forwarded === 'string') return
    const { answer } = forwarded
    answer.resume()
    const { [VENUE_HEADER]: mark = this.#mark } = answer.headers
    const strange = answer.statusCode !== 200 ? TAKES_NOTHING : mark === this.#mark ? null : OTHER_VENUE
    if (strange !== null && this.#strange.get(address) !== strange)
      this.#onNotice(`the node at ${address} ${strange}`)
    if (strange === null) this.#strange.delete(address)
    else this.#strange.set(address, strange)
  }

  #heard(response: ServerResponse): void {
    tell(response, 200, {}, { [VENUE_HEADER]: this.#mark })
  }

  /** A request of the node itself, answered whole; null where its shard cannot be reached or nobody knows what came of it. */
  async #ask(shard: number, sent: Sent, client: Duplex): Promise<{ status: number; body: string } | null> {
    const routed = await route<ShardHost, { status: number; body: string }>(
      this.#node,
      shard,
      { ...this.#terms, wasForwarded: false, isRead: isRead(sent.method) },
      {
        serve: async (here) => {
          const { statusCode, body } = await here.inject(sent, 'operators')
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
            client,
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
    const reason = whyNotReady(this.#node)
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
}

/** Whatever becomes of it, it has changed nothing. */
function isRead(method: string | undefined): boolean {
  return method === 'GET' || method === 'HEAD'
}
