/**
 * What an operator watches, in Prometheus' format. What happens to the venue is counted from the commits of the engine, not
 * beside them. docs/operating.md lists every metric as it is defined here.
 */
import type { FastifyInstance } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import { readCommits } from '../engine/internals.ts'
import type { Commit } from '../events/commit.ts'
import type { Clock } from './clock.ts'
import type { SourceStanding } from './feed/sourceStanding.ts'
import type { WebhookStanding } from './webhooks/webhook.ts'
import type { Webhooks } from './webhooks/webhooks.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Its answer goes on for as long as somebody listens: how long that was says nothing. */
    readonly isStream?: boolean
  }
}

const LATENCY_BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]

/** The route of requests that no route was found for: a metric has as many rows as there are routes, whatever is asked. */
const NO_ROUTE = 'none'

let ofProcess: Registry | null = null

/** What the process comes to, whatever it serves: what watches it is there for good, so there is one of it. */
function processMetrics(): Registry {
  if (ofProcess === null) {
    ofProcess = new Registry()
    collectDefaultMetrics({ register: ofProcess, prefix: 'margin_core_' })
  }
  return ofProcess
}

export class Metrics {
  /** What is about the venue alone. */
  readonly #own = new Registry()
  readonly #commands = this.#tally('margin_core_commands_total', 'Commands committed, by type', 'type')
  readonly #rejections = this.#tally('margin_core_refusals_total', 'Requests refused, by code', 'code')
  readonly #feedRefusals = this.#tally(
    'margin_core_feed_refusals_total',
    'Prices of the feed that the engine refused, by the code it gave as the reason',
    'code',
  )
  #ticks = 0
  #triggers = 0
  #liquidations = 0
  readonly #latency = new Histogram({
    name: 'margin_core_commit_seconds',
    help: 'From a command arriving at the engine to its outcome being durable',
    buckets: LATENCY_BUCKETS,
    registers: [this.#own],
  })

  readonly #requests = new Histogram({
    name: 'margin_core_http_request_seconds',
    help: 'From a request being read to its answer being handed over, by the route that matched and the status; streams left out',
    labelNames: ['method', 'route', 'status'],
    buckets: LATENCY_BUCKETS,
    registers: [this.#own],
  })

  /** Whose backlog is shown. */
  webhooks: Pick<Webhooks, 'standings'> | null = null
  /** What the sources of prices say. */
  sources: () => readonly SourceStanding[] = () => []

  constructor(engine: Engine, clock: Clock) {
    this.#count('margin_core_ticks_total', 'Index prices accepted', () => this.#ticks)
    this.#count(
      'margin_core_triggers_fired_total',
      'Resting orders that a tick fired, whether or not they could be executed; liquidations are not among them',
      () => this.#triggers,
    )
    this.#count('margin_core_liquidations_total', 'Positions liquidated', () => this.#liquidations)
    this.#gauge('margin_core_open_positions', 'Open positions', () => engine.read.openPositionCount)
    this.#gauge('margin_core_head', 'Sequence of the last commit', () => engine.head)
    this.#gauge('margin_core_durable_head', 'Sequence up to which all is durable', () => engine.durableHead)
    this.#gauge(
      'margin_core_clock_offset_seconds',
      'How far the wall clock is ahead of the time of the venue',
      () => clock.offset() / 1_000,
    )
    this.#gauge('margin_core_writable', '1 while commands are taken, 0 while nothing can be written', () =>
      engine.unwritable === null ? 1 : 0,
    )
    this.#gauge(
      'margin_core_blocked_readers',
      'Subscriptions and projections that threw, and are told nothing any more',
      () => engine.blockedSubscriptions.length + engine.blockedProjections.length,
    )
    this.#priceAges(engine, clock)
    this.#webhookGauge(
      'margin_core_webhook_backlog',
      'Durable commits that a webhook has not come to yet',
      (standing) => standing.backlog,
    )
    this.#webhookGauge(
      'margin_core_webhook_given_up',
      'Deliveries to a webhook given up since the process began',
      ({ givenUp }) => givenUp,
    )
    this.#webhookGauge(
      'margin_core_webhook_attempts',
      'Failed attempts at the delivery that is due',
      (standing) => standing.attempts,
    )
    this.#sourceGauge(
      'margin_core_feed_source_age_seconds',
      'How old the newest price of a source is; sources that have said nothing are left out',
      ({ ageMs }) => (ageMs === null ? null : ageMs / 1_000),
    )
    this.#sourceGauge(
      'margin_core_feed_source_excluded',
      '1 while a source does not count: silent, old, or far from the others',
      ({ excluded }) => (excluded === null ? 0 : 1),
    )
    this.#sourceGauge(
      'margin_core_feed_source_clock_ahead_seconds',
      'How far the clock of a source is ahead of this machine; sources that tell no times are left out',
      ({ clockAheadMs }) => (clockAheadMs === null ? null : clockAheadMs / 1_000),
    )
    this.#sourceGauge(
      'margin_core_feed_source_prices_per_minute',
      'Prices of a source within the last minute, of all its markets',
      ({ perMinute }) => perMinute,
    )
    this.#sourceGauge(
      'margin_core_feed_source_connected',
      '1 while the connection of a source stands',
      ({ isConnected }) => (isConnected ? 1 : 0),
    )
    this.#sourceGauge(
      'margin_core_feed_source_reconnections',
      'How often a source has been connected anew',
      ({ reconnections }) => reconnections,
    )
    this.#sourceGauge(
      'margin_core_feed_source_unreadable',
      'Frames of a source that could not be read',
      ({ unreadable }) => unreadable,
    )
    processMetrics()
    readCommits(engine, (commit) => this.#see(commit), 'metrics')
  }

  /** All of them, as they are now known. */
  get registry(): Registry {
    return Registry.merge([this.#own, processMetrics()])
  }

  refused(code: string): void {
    add(this.#rejections, code)
  }

  /** A price of the feed was refused with this code. */
  feedRefused(code: string): void {
    add(this.#feedRefusals, code)
  }

  /** Times every answer of a server from here on. */
  observe(app: FastifyInstance): void {
    app.addHook('onResponse', ({ is404, method, routeOptions }, reply, done) => {
      const { config, url } = routeOptions
      if (config.isStream !== true) {
        const route = is404 || url === undefined ? NO_ROUTE : url
        this.#requests.observe({ method, route, status: reply.statusCode }, reply.elapsedTime / 1_000)
      }
      done()
    })
  }

  /** Counts one command whose outcome took this long to become durable. */
  commandTook(seconds: number): void {
    this.#latency.observe(seconds)
  }

  #see({ command, events }: Commit): void {
    add(this.#commands, command.type)
    const ticked = command.type === 'updatePrice'
    if (ticked) this.#ticks += 1
    for (const event of events) {
      if (event.type === 'liquidate') this.#liquidations += 1
      if (!ticked) continue
      if (event.type === 'orderExecuted' || event.type === 'orderFailed') this.#triggers += 1
      // A liquidation executes an order of its own, which rested nowhere (E3).
      if (event.type === 'liquidate') this.#triggers -= 1
    }
  }

  #webhookGauge(name: string, help: string, value: (standing: WebhookStanding) => number): void {
    const standings = () => this.webhooks?.standings ?? []
    new Gauge({
      name,
      help,
      labelNames: ['url'],
      registers: [this.#own],
      collect() {
        this.reset()
        for (const standing of standings()) this.labels(standing.url).set(value(standing))
      },
    })
  }

  #sourceGauge(name: string, help: string, value: (standing: SourceStanding) => number | null): void {
    const standings = () => this.sources()
    new Gauge({
      name,
      help,
      labelNames: ['source', 'market'],
      registers: [this.#own],
      collect() {
        this.reset()
        for (const standing of standings()) {
          const number = value(standing)
          if (number !== null) this.labels(standing.name, standing.marketId).set(number)
        }
      },
    })
  }

  #priceAges(engine: Engine, clock: Clock): void {
    new Gauge({
      name: 'margin_core_price_age_seconds',
      help: 'How old the index price is, by base asset; markets that were never priced are left out',
      labelNames: ['asset'],
      registers: [this.#own],
      collect() {
        this.reset()
        for (const { config, state } of engine.read.markets())
          if (state.updatedAt !== null)
            this.labels(config.baseAsset).set((clock.now() - state.updatedAt) / 1_000)
      },
    })
  }

  /** Counted in a plain map, because it happens with every order; handed over when somebody looks. */
  #tally<Label extends string>(name: string, help: string, label: Label): Map<string, number> {
    const tally = new Map<string, number>()
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.#own],
      collect() {
        this.reset()
        for (const [value, count] of tally) this.labels(value).inc(count)
      },
    })
    return tally
  }

  #count(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.#own],
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  }

  #gauge(name: string, help: string, value: () => number): void {
    new Gauge({
      name,
      help,
      registers: [this.#own],
      collect() {
        this.set(value())
      },
    })
  }
}

function add(tally: Map<string, number>, key: string): void {
  tally.set(key, (tally.get(key) ?? 0) + 1)
}
