/** A venue being served: the engine behind HTTP, with its feed and its schedule, until it is closed. */
import type { AddressInfo } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Engine } from '../engine/engine.ts'
import { closeAsItIs } from '../engine/internals.ts'
import type { Caller, Command } from '../events/command.ts'
import type { BeforeCarryingOut } from './beforeCarryingOut.ts'
import { readColumns } from './columnsAhead.ts'
import type { ListenAddress, VenueConfiguration } from './configuration.ts'
import { DueInstants } from './dueInstants.ts'
import type { EpochSpan } from './epochSpan.ts'
import { startFeed } from './feed/feed.ts'
import { type FedVenue, tick } from './feed/runningFeed.ts'
import { Metrics } from './metrics.ts'
import { runSchedule } from './schedule.ts'
import { createServer, type LogOptions } from './server.ts'
import { unattended } from './unattended.ts'
import { openVenue, type Venue, type VenueOptions } from './venue.ts'
import type { WebhookPace } from './webhooks/webhook.ts'
import { Webhooks } from './webhooks/webhooks.ts'

/** What has not been answered by then when a venue closes is cut off. */
const DRAIN_MS = 5_000

/** What {@link serveVenue} serves, and where. */
export interface ServeOptions extends VenueOptions {
  readonly configuration: VenueConfiguration
  readonly host?: string
  /** A port of TCP, 0 to 65535; 0 picks a free one. */
  readonly port?: number
  readonly log?: LogOptions
  /** Whether an answer may leave now; default: always. */
  readonly mayAnswer?: () => boolean
  /**
   * Which shard of a cluster it is, a count from 0; default: it is no shard. Its requests come by way of a node, which says from whom in
   * `X-Forwarded-For`, and its webhooks name it.
   */
  readonly shard?: number
  /** The epochs of commits from a sequence on, of a shard; default: there are none. */
  readonly epochs?: (from: number, limit: number) => Promise<readonly EpochSpan[]>
  /** What a trader's command has to wait for before it is decided; default: nothing. */
  readonly beforeDeciding?: (command: Command, caller: Caller) => Promise<void> | null
  /** What comes before a command of an operator is carried out, and how; default: nothing, and as it is. */
  readonly beforeCarryingOut?: BeforeCarryingOut
  /**
   * Of a shard: null where another runs the feed for all, else who is told of each price that it gives, fp9; default: nobody, the
   * feed is its own.
   */
  readonly onPrice?: ((marketId: string, indexPrice: bigint) => void) | null
  /** Draws a key for a user; default: one that says nothing of them. */
  readonly newApiKey?: (userId: string) => string
  /** How patient webhooks are; default: three days. */
  readonly webhookPace?: WebhookPace
}

/** A venue that is being served. */
export interface ServedVenue extends Venue {
  /** `http://host:port`, with the port that was picked. */
  readonly url: string
  /** The same of the operator surface, where that has an address of its own; null = it is at `url`, or off. */
  readonly operatorUrl: string | null
  /** Answers what is under way, makes the log durable, and lets go of everything. */
  close(): Promise<void>
}

/**
 * Opens a venue and serves it. Where that fails, everything is let go of, the store among it.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const venue = await serveVenue({ configuration, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: venue.url, token: apiKey })
 * const accounts = await client.accounts()
 * await venue.close()
 * accounts.length // → 1
 * ```
 *
 * @throws what {@link openVenue} throws, and what listening does where the address is taken.
 */
export function serveVenue(options: ServeOptions): Promise<ServedVenue> {
  return opened(options, served)
}

/** A venue on which something is begun; where that fails, everything is let go of. */
async function opened<T>(
  options: ServeOptions,
  begin: (venue: Venue, options: ServeOptions, parts: Parts) => Promise<T>,
): Promise<T> {
  const venue = await openVenue(options.configuration, options)
  const parts: Parts = { servers: [], running: [] }
  try {
    return await begin(venue, options, parts)
  } catch (error) {
    await closeAll(venue, parts).catch(() => {})
    throw error
  }
}

/** What there is to close, as far as it has come. */
interface Parts {
  readonly servers: FastifyInstance[]
  readonly running: { stop(): void | Promise<void> }[]
}

async function served(venue: Venue, options: ServeOptions, parts: Parts): Promise<ServedVenue> {
  const { configuration, host = '127.0.0.1', port = 8080 } = options
  const { app, operators } = await offered(venue, options, parts)
  if (configuration.operatorToken !== null || configuration.operatorTokens.length > 0)
    await readColumns(venue.engine)
  await operators?.listen(configuration.operatorListen as ListenAddress)
  await app.listen({ host, port })
  return {
    ...venue,
    url: urlOf(app),
    operatorUrl: operators && urlOf(operators),
    close: () => closeAll(venue, parts),
  }
}

/** A venue that answers whatever is handed to its server, which listens to nobody. */
export interface OfferedVenue extends Venue {
  readonly app: FastifyInstance
  /** The operator surface, where that has an address of its own; null = it is in `app`, or off. */
  readonly operators: FastifyInstance | null
  /** Takes a price of a feed that runs elsewhere. */
  price(marketId: string, indexPrice: bigint): void
  /** Answers what is under way, makes the log durable, and lets go of everything; without a snapshot, which another owner would wait for. */
  close(): Promise<void>
}

/** A shard of a cluster: everything that {@link serveVenue} serves, but for the address. */
export function offerVenue(options: ServeOptions): Promise<OfferedVenue> {
  return opened(options, async (venue, _options, parts) => {
    const { app, operators, fed } = await offered(venue, options, parts)
    await Promise.all([app.ready(), operators?.ready()])
    const price = (marketId: string, indexPrice: bigint) =>
      unattended(venue.engine, () => tick(fed, marketId, indexPrice))()
    return { ...venue, app, operators, price, close: () => closeAll(venue, parts, closeAsItIs) }
  })
}

async function offered(
  venue: Venue,
  options: ServeOptions,
  parts: Parts,
): Promise<{ app: FastifyInstance; operators: FastifyInstance | null; fed: FedVenue }> {
  const { configuration, log, mayAnswer, shard, epochs, beforeDeciding, newApiKey, onPrice } = options
  const { beforeCarryingOut } = options
  const { engine, clock, sessions, unwrittenKeys } = venue
  const { operatorToken, operatorTokens, operatorListen, rateLimit, maxApiKeysPerUser, feed, webhooks } =
    configuration
  const due = new DueInstants(engine, clock)
  const metrics = new Metrics(engine, clock)
  // Where nothing can be written nothing happens, and no cursor can be kept.
  const receivers = engine.unwritable === null ? webhooks : []
  const told = await Webhooks.begin(engine, options.store ?? null, receivers, {
    shard,
    pace: options.webhookPace,
    onNotice: options.onNotice,
  })
  parts.running.push(told)
  metrics.webhooks = told
  const fed = { engine, clock, due, metrics, onNotice: options.onNotice }
  const running =
    feed === null || onPrice === null
      ? null
      : await startFeed(feed, { ...fed, ...(onPrice !== undefined && { onPrice }) })
  if (running !== null) parts.running.push(running)
  if (running?.standings !== undefined) metrics.sources = running.standings
  const terms = {
    engine,
    clock,
    due,
    sessions,
    unwrittenKeys,
    operatorToken,
    operatorTokens,
    rateLimit,
    maxApiKeysPerUser,
    feed,
    ...(running?.standings !== undefined && { sources: running.standings }),
    webhooks: told,
    metrics,
    ...(mayAnswer !== undefined && { mayAnswer }),
    isBehindNode: shard !== undefined,
    ...(epochs !== undefined && { epochs }),
    ...(beforeDeciding !== undefined && { beforeDeciding }),
    ...(beforeCarryingOut !== undefined && { beforeCarryingOut }),
    ...(newApiKey !== undefined && { newApiKey }),
    ...(log !== undefined && { log }),
  }
  const app = await createServer({ ...terms, surface: operatorListen === null ? 'whole' : 'traders' })
  parts.servers.push(app)
  const operators = operatorListen && (await createServer({ ...terms, surface: 'operators' }))
  if (operators !== null) parts.servers.push(operators)
  if (clock.mode === 'system') parts.running.push(runSchedule(engine, clock, due))
  return { app, operators, fed }
}

async function closeAll(
  { engine }: Venue,
  { servers, running }: Parts,
  closeEngine = (one: Engine) => one.close(),
): Promise<void> {
  const stopping = running.map((part) => part.stop())
  const impatience = setTimeout(() => {
    for (const { server } of servers) server.closeAllConnections()
  }, DRAIN_MS)
  await Promise.all(servers.map((server) => server.close()))
  clearTimeout(impatience)
  await Promise.all(stopping)
  await closeEngine(engine)
}

function urlOf({ server }: FastifyInstance): string {
  const { family, address, port } = server.address() as AddressInfo
  return `http://${family === 'IPv6' ? `[${address}]` : address}:${port}`
}
