// Two nodes in one process over a real PostgreSQL, for what the tests of two files ask of them.
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { shardOf } from '../../src/cluster/shardOf.ts'
import { bodyOf } from '../../src/host/cluster/passing.ts'
import { readConfiguration, type ServedNode, serveNode } from '../../src/host/index.ts'
import { LOADED_VENUE } from '../crash/hostLoad.ts'
import { PostgresServer } from '../postgres/postgresServer.ts'

export const SHARDS = 4
export const OPERATOR = 'operator-of-the-cluster'
export const DESK = 'desk-of-the-cluster'
export const MARKET = LOADED_VENUE.markets[0] as { id: string }
/** One on each shard. */
export const TRADERS = Array.from({ length: SHARDS }, (_, shard) => {
  for (let number = 10; ; number++) {
    const id = `00000000-0000-4000-8000-0000000000${number}`
    const accountId = `00000000-0000-4000-8000-0000000001${number}`
    if (shardOf(id, SHARDS) === shard) return { id, accountId, key: `key-of-trader-${shard}`, shard }
  }
})
export const usd = (amount: number) => String(BigInt(amount) * 10n ** 9n)

export const configuration = readConfiguration(
  new TextEncoder().encode(
    JSON.stringify({
      ...LOADED_VENUE,
      operatorToken: OPERATOR,
      operatorTokens: [{ name: 'desk', token: DESK, role: 'desk' }],
      rateLimit: null,
      cluster: { shards: SHARDS, secret: 'between nodes' },
      markets: [{ ...LOADED_VENUE.markets[0], maxOpenNotionalLong: usd(10_000) }],
      users: TRADERS.map(({ id, key }) => ({ id, sessionToken: null, apiKeys: [{ key, expiresAt: null }] })),
      accounts: TRADERS.map(({ id, accountId }) => ({
        ...LOADED_VENUE.accounts[0],
        id: accountId,
        userId: id,
      })),
    }),
  ),
)

/** What a webhook was told, with the shard that its head named. */
interface Told {
  readonly shard: number
  readonly id: number
  readonly part: number
  readonly inHead: string | undefined
}

export class TwoNodes {
  readonly server: PostgresServer
  readonly nodes: ServedNode[] = []
  readonly told: Told[] = []
  readonly #receiver: Server

  private constructor(server: PostgresServer) {
    this.server = server
    this.#receiver = createServer((request, response) => {
      void bodyOf(request).then((body) => {
        this.told.push({ ...JSON.parse(String(body)), inHead: request.headers['margin-core-shard'] })
        response.end()
      })
    })
  }

  /** Resolves once each has half of the shards, and serves it. */
  static async start(): Promise<TwoNodes> {
    const cluster = new TwoNodes(await PostgresServer.start())
    try {
      await cluster.#begin()
    } catch (error) {
      await cluster.end()
      throw error
    }
    return cluster
  }

  async #begin(): Promise<void> {
    this.#receiver.listen(0, '127.0.0.1')
    await once(this.#receiver, 'listening')
    const url = `http://127.0.0.1:${(this.#receiver.address() as AddressInfo).port}`
    const webhooks = [{ url, secret: 'of the receiver', types: ['order.executed'] }] as const
    const venue = { ...configuration, webhooks }
    const postgres = this.server.url
    for (const name of ['a', 'b'])
      this.nodes.push(await serveNode({ configuration: venue, postgres, name, port: 0, leaseMs: 2_000 }))
    await until(async () => {
      const asked = TRADERS.map(({ key, accountId }) =>
        this.call(0, 'GET', `/orders/${accountId}/active`, key),
      )
      const areEven = this.nodes.every(({ node }) => node.open.size === SHARDS / this.nodes.length)
      return areEven && (await Promise.all(asked)).every(({ status }) => status === 200)
    })
  }

  async end(): Promise<void> {
    await Promise.all(this.nodes.map((node) => node.close()))
    this.#receiver.close()
    await this.server.stop()
  }

  call(node: number, ...terms: RequestTerms): ReturnType<typeof callAt> {
    return callAt(this.nodes[node] as ServedNode, ...terms)
  }

  /** An answer of the rules: on a machine that does much else a lease of a second may run out. */
  async served(node: number, ...terms: RequestTerms): ReturnType<typeof callAt> {
    for (;;) {
      const answer = await this.call(node, ...terms)
      if (answer.status !== 503) return answer
    }
  }

  command(body: object): ReturnType<typeof callAt> {
    return this.call(1, 'POST', '/operator/commands', OPERATOR, body)
  }

  /** The owner of a shard, and the other node. */
  ownerOf(shard: number): [ServedNode, ServedNode] {
    const [a, b] = this.nodes as [ServedNode, ServedNode]
    return a.node.open.has(shard) ? [a, b] : [b, a]
  }
}

type RequestTerms = Parameters<typeof callAt> extends [unknown, ...infer Rest] ? Rest : never

export async function callAt(
  { url }: Pick<ServedNode, 'url'>,
  method: string,
  path: string,
  token: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    body: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : null,
  }
}

/**
 * Of a target that `fetch` would write otherwise, or from an address that is not its own; asked again, as clients do, where the shard has
 * no owner for the moment: both nodes, the database's client and the test share one loop, and a lease of two seconds runs out where it stands.
 */
export async function statusOf(...terms: Parameters<typeof statusAtOnce>): Promise<number> {
  for (;;) {
    const status = await statusAtOnce(...terms)
    if (status !== 503) return status
  }
}

async function statusAtOnce(
  { url }: Pick<ServedNode, 'url'>,
  target: string,
  token = 'nobody',
  localAddress = '127.0.0.1',
  headers: Record<string, string> = {},
): Promise<number> {
  const { hostname, port } = new URL(url)
  const sent = request({
    ...{ hostname, port, path: target, localAddress },
    headers: { authorization: `Bearer ${token}`, ...headers },
  }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer.statusCode as number
}

/** On a machine that does much else shards are lost and taken again, which takes its time. */
const PATIENCE_MS = 60_000

export async function until(holds: () => Promise<boolean>): Promise<void> {
  for (const since = performance.now(); !(await holds()); ) {
    if (performance.now() - since > PATIENCE_MS) throw new Error('it does not come to that')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
