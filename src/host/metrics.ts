/** What an operator watches, in Prometheus' format. Counted from the commits of the engine, not beside them. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { Commit } from '../events/commit.ts'
import type { Clock } from './clock.ts'

const LATENCY_BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]

export class Metrics {
  readonly registry = new Registry()
  readonly #commands = this.#tally('margin_core_commands_total', 'Commands committed, by type', 'type')
  readonly #rejections = this.#tally('margin_core_refusals_total', 'Requests refused, by code', 'code')
  #ticks = 0
  #triggers = 0
  #liquidations = 0
  readonly #latency = new Histogram({
    name: 'margin_core_commit_seconds',
    help: 'From a command arriving at the engine to its outcome being durable',
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  })

  constructor(engine: Engine, clock: Clock) {
    this.#count('margin_core_ticks_total', 'Index prices accepted', () => this.#ticks)
    this.#count('margin_core_triggers_fired_total', 'Resting orders fired by a tick', () => this.#triggers)
    this.#count('margin_core_liquidations_total', 'Positions liquidated', () => this.#liquidations)
    this.#gauge('margin_core_open_positions', 'Open positions', () => engine.read.openPositionCount)
    this.#gauge('margin_core_head', 'Sequence of the last commit', () => engine.head)
    this.#gauge('margin_core_durable_head', 'Sequence up to which all is durable', () => engine.durableHead)
    this.#gauge(
      'margin_core_clock_offset_seconds',
      'How far the wall clock is ahead of the time of the venue',
      () => clock.offset() / 1_000,
    )
    collectDefaultMetrics({ register: this.registry, prefix: 'margin_core_' })
    engine.subscribe((commit) => this.#see(commit), 'metrics')
  }

  refused(code: string): void {
    add(this.#rejections, code)
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
      if (ticked && (event.type === 'orderExecuted' || event.type === 'orderFailed')) this.#triggers += 1
    }
  }

  /** Counted in a plain map, because it happens with every order; handed over when somebody looks. */
  #tally<Label extends string>(name: string, help: string, label: Label): Map<string, number> {
    const tally = new Map<string, number>()
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
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
      registers: [this.registry],
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
      registers: [this.registry],
      collect() {
        this.set(value())
      },
    })
  }
}

function add(tally: Map<string, number>, key: string): void {
  tally.set(key, (tally.get(key) ?? 0) + 1)
}
