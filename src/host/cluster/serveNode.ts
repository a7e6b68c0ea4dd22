/** A node of a cluster: one address for all shards, those it owns served here, the others by their owners, one hop away. */
import { randomUUID } from 'node:crypto'
import { createServer as createHttpServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ClusterNode } from '../../cluster/node.ts'
import { makeCluster, PostgresMembership } from '../../cluster/postgresMembership.ts'
import { PostgresQuotaLedger } from '../../cluster/postgresQuotaLedger.ts'
import { openDatabase } from '../../store/postgres/database.ts'
import { epochsFrom } from '../../store/postgres/epochs.ts'
import { readAhead } from '../../store/postgres/logAhead.ts'
import { storeIn } from '../../store/postgres/postgresStore.ts'
import { ConfigurationError, type VenueConfiguration } from '../configuration.ts'
import { ConnectionBound } from '../connectionBound.ts'
import { boundByDescriptors } from '../descriptors.ts'
import { readInPortions } from '../portionedSocket.ts'
import { newClusterKey } from '../secret.ts'
import { answerMalformed, CONNECTIONS_PER_ADDRESS, type LogOptions, PATIENCE } from '../server.ts'
import { offerVenue } from '../serveVenue.ts'
import { onHandshake } from '../stream/upgrades.ts'
import { Addressing } from './addressing.ts'
import { stepOf } from './handoverSteps.ts'
import { LogsAhead } from './logsAhead.ts'
import { NodeFront } from './nodeFront.ts'
import { NodeMetrics } from './nodeMetrics.ts'
import { NodeSockets } from './nodeSockets.ts'
import { FEEDING } from './priceSpread.ts'
import { serveNobody } from './serveNobody.ts'
import { configurationOf, ShardHost } from './shardHost.ts'
import { ShardQuotas } from './shardQuotas.ts'
import { TokenShards } from './tokenShards.ts'

/** What {@link serveNode} serves, and as whom. */
export interface NodeServeOptions {
  readonly configuration: VenueConfiguration
  /** The database of the cluster. */
  readonly postgres: string
  /** Default: host name and port of `advertise`. */
  readonly name?: string
  /** Where other nodes reach this one; default: where it listens. */
  readonly advertise?: string
  /** How long a lease lasts that is not renewed, ms. Default 3,000. */
  readonly leaseMs?: number
  /** Takes a database with `fsync` off, which loses commits with the power; default false. */
  readonly unsafeDatabase?: boolean
  readonly host?: string
  /** A port of TCP, 0 to 65535; 0 picks a free one. */
  readonly port?: number
  readonly acceptGap?: boolean
  readonly log?: LogOptions
  readonly onNotice?: (notice: string) => void
}

/** A node that is being served. */
export interface ServedNode {
  /** `http://host:port`, with the port that was picked. */
  readonly url: string
  /** The same of the operator surface, where that has an address of its own; null = it is at `url`, or off. */
  readonly operatorUrl: string | null
  readonly node: ClusterNode<ShardHost>
  /** Hands everything over, answers what is under way, and leaves. */
  close(): Promise<void>
}

/** Commits that a takeover folds at most, mostly: a second's work or less. Snapshots of a shard are without its history, and small. */
export const NODE_SNAPSHOT_EVERY = 25_000
/** Others have seen that a node has left after that, ms: it has told each of them. */
const SEEN_MS = 2_000
/** Connections for logs and snapshots, beside those for leases and for pages of history. */
const CONNECTIONS = 12
const LEASE_CONNECTIONS = 4
const READERS = 4
/** A shard that changes hands waits for none to be made: opening a few at once, and their first appends. */
const READY_CONNECTIONS = 6

/**
 * Serves a node, and lets go of everything where that fails.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const cluster = { shards: 2, secret: 'between nodes' }
 * const served = await serveNode({ configuration: { ...configuration, cluster }, postgres: database, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: served.url, token: apiKey })
 * const accounts = await client.accounts()
 * await served.close()
 * accounts.length // → 1
 * ```
 *
 * @throws ConfigurationError where the configuration is none of a cluster; RangeError for what no schema of the database can be called, and
 * where the cluster has another number of shards; TypeError for an `advertise` that is no URL; what the database throws that cannot be
 * reached, and listening where the address is taken.
 */
export async function serveNode(options: NodeServeOptions): Promise<ServedNode> {
  const begun: End[] = []
  try {
    return await beginNode(options, begun)
  } catch (error) {
    await Promise.all(begun.map((end) => end()))
    throw error
  }
}

/** Lets go of something that a node has begun with. */
type End = () => Promise<unknown>

/** @param begun told of everything that has to be let go of where this fails. */
async function beginNode(options: NodeServeOptions, begun: End[]): Promise<ServedNode> {
  const { configuration, host = '127.0.0.1', port = 8080, leaseMs = 3_000, onNotice = () => {} } = options
  const { cluster } = configuration
  if (cluster === null)
    throw new ConfigurationError('configuration: cluster is missing: a node needs its secret')
  const opened = async (connections: number, ready: number) => {
    const { postgres, unsafeDatabase = false } = options
    const database = await openDatabase(postgres, { unsafeDatabase, connections, ready })
    begun.push(() => database.pool.end())
    return database
  }
  // Long pages of history keep neither an append nor a renewal waiting: each has connections of its own.
  const [database, leases, readers] = [
    await opened(CONNECTIONS, READY_CONNECTIONS),
    await opened(LEASE_CONNECTIONS, LEASE_CONNECTIONS),
    await opened(READERS, 0),
  ]
  const shards = await makeCluster(database, cluster.shards)
  await serveNobody(configuration)
  const connections = new ConnectionBound(CONNECTIONS_PER_ADDRESS)
  const listening = async (at: { readonly host: string; readonly port: number }) => {
    const server = bareServer(connections)
    await listens(server, at)
    begun.push(() => closed(server))
    return server
  }
  const server = await listening({ host, port })
  const { operatorListen } = configuration
  const operatorServer = operatorListen === null ? null : await listening(operatorListen)
  const url = urlOf(server)
  const { advertise = url } = options
  const clock = {
    monotonic: () => performance.now(),
    sleep: (ms: number) => new Promise<void>((resolve) => void setTimeout(resolve, ms)),
  }
  const ledger = new PostgresQuotaLedger(database)
  const ahead = new LogsAhead((shard) => readAhead(database, shard).catch(() => null), clock, 2 * leaseMs)
  const node = new ClusterNode<ShardHost>({
    name: options.name ?? new URL(advertise).host,
    address: advertise,
    leaseMs,
    membership: new PostgresMembership(leases),
    clock,
    wall: () => Date.now(),
    newLife: randomUUID,
    nudge: (address, given) => {
      if (given !== undefined) stepOf(given, 'it is given')
      front.nudge(address, given)
    },
    foretell: (address, shard) => {
      stepOf(shard, 'the next owner is told')
      return front.foretell(address, shard)
    },
    makeReady: async (shard) => {
      await ahead.read(shard)
      stepOf(shard, 'what is there of it has been read')
    },
    onNotice,
    open: async (shard, life, isOwned) => {
      stepOf(shard, 'it is opened')
      const store = await storeIn(database, shard, {
        owner: life,
        ahead: ahead.take(shard),
        onAppended: (appended) => metrics.appended(shard, appended),
        readers: readers.pool,
      })
      const open = store.open.bind(store)
      let epoch = 0
      const spread = (marketId: string, indexPrice: bigint) => {
        if (isOwned()) front.prices.spread(epoch, marketId, indexPrice)
      }
      store.open = async () => {
        const session = await open()
        epoch = session.epoch
        stepOf(shard, 'its epoch is raised')
        return session
      }
      let quotas: ShardQuotas | null = null
      const venue = await offerVenue({
        configuration: configurationOf(configuration, shard, shards),
        store,
        acceptGap: options.acceptGap === true,
        snapshotEvery: NODE_SNAPSHOT_EVERY,
        mayAnswer: isOwned,
        shard,
        onPrice: shard === FEEDING ? spread : null,
        epochs: (from, limit) => epochsFrom(database, shard, from, limit),
        beforeDeciding: (command, caller) => quotas?.before(command, caller) ?? null,
        beforeCarryingOut: (command) => quotas?.beforeMaximum(command) ?? null,
        newApiKey: newClusterKey,
        onNotice,
        onRecovery: ({ folded, total }) => {
          if (folded === total) stepOf(shard, 'its log is folded')
        },
        ...(options.log !== undefined && { log: options.log }),
      })
      stepOf(shard, 'its server is there')
      quotas = await ShardQuotas.begin(venue.engine, {
        ...{ shard, shards, epoch, ledger, clock },
        ask: (other, line, amount) => front.askForQuota(other, line, amount),
      })
      stepOf(shard, 'it is served')
      return new ShardHost(shard, venue, epoch, quotas)
    },
  })
  const metrics: NodeMetrics = new NodeMetrics(node)
  const addressing = new Addressing(node, new TokenShards(configuration.users, shards), cluster.secret)
  addressing.onNode = (connection) => connections.trust(connection)
  const patience = { clock, patienceMs: leaseMs }
  const front = new NodeFront(node, metrics, addressing, configuration, patience, onNotice)
  const { secret } = cluster
  const sockets = new NodeSockets({ node, metrics, addressing, secret, own: url, patience })
  const servers = [server, ...(operatorServer === null ? [] : [operatorServer])]
  for (const one of servers) {
    const address = one === operatorServer ? 'operators' : 'main'
    one.on('request', (request, response) => void front.answer(request, response, address))
    onHandshake(
      one,
      (request, response, upgrade) => void sockets.upgrade(request, response, upgrade, address),
    )
  }
  const running = node.run()
  return {
    url,
    operatorUrl: operatorServer === null ? null : urlOf(operatorServer),
    node,
    close: async () => {
      await node.stop()
      // Whoever has not seen it go still sends here, and would not know what came of it if its connection were closed.
      if (node.view.nodes.some(({ name }) => name !== node.name))
        await clock.sleep(Math.min(leaseMs / 2, SEEN_MS))
      sockets.relays.close()
      await Promise.all(servers.map(closed))
      await running
      await Promise.all([database, leases, readers].map(({ pool }) => pool.end()))
    },
  }
}

function bareServer(connections: ConnectionBound): Server {
  const server = createHttpServer(PATIENCE)
  server.on('connection', (socket) => connections.take(socket))
  // What another node serves is passed over a connection to it.
  boundByDescriptors(server, 1)
  readInPortions(server)
  answerMalformed(server)
  return server
}

async function closed(server: Server): Promise<void> {
  // Those that are idle as well.
  server.close()
  const impatience = setTimeout(() => server.closeAllConnections(), 1_000)
  await new Promise((resolve) => server.once('close', resolve))
  clearTimeout(impatience)
}

function listens(
  server: Server,
  { host, port }: { readonly host: string; readonly port: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function urlOf(server: Server): string {
  const { family, address, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
