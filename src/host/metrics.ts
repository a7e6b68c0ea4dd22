/** What an operator watches, in Prometheus' format. Counted from the commits of the engine, not beside them. */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { Engine } from '../engine/engine.ts'
import type { Commit } from '../events/commit.ts'

const LATENCY_BUCKETS = [0.0001, 0.0005, 0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1]

export class Metrics {
  readonly registry = new Registry()
  readonly #commands = this.#counter('margin_core_commands_total', 'Commands committed, by type', ['type'])
  readonly #refusals = this.#counter('margin_core_refusals_total', 'Requests refused, by code', ['code'])
  readonly #ticks = this.#counter('margin_core_ticks_total', 'Index prices accepted')
  readonly #triggers = this.#counter('margin_core_triggers_fired_total', 'Resting orders fired by a tick')
  readonly #liquidations = this.#counter('margin_core_liquidations_total', 'Positions liquidated')
  readonly #latency = new Histogram({
    name: 'margin_core_commit_seconds',
    help: 'From a command arriving at the engine to its outcome being durable',
    buckets: LATENCY_BUCKETS,
    registers: [this.registry],
  })

  constructor(engine: Engine) {
    this.#gauge('margin_core_open_positions', 'Open positions', () => engine.read.openPositionCount)
    this.#gauge('margin_core_head', 'Sequence of the last commit', () => engine.head)
    this.#gauge('margin_core_durable_head', 'Sequence up to which all is durable', () => engine.durableHead)
    collectDefaultMetrics({ register: this.registry, prefix: 'margin_core_' })
    engine.subscribe((commit) => this.#count(commit), 'metrics')
  }

  refused(code: string): void {
    this.#refusals.inc({ code })
  }

  /** Counts one command whose outcome took this long to become durable. */
  commandTook(seconds: number): void {
    this.#latency.observe(seconds)
  }

  #count({ command, events }: Commit): void {
    this.#commands.inc({ type: command.type })
    const ticked = command.type === 'updatePrice'
    if (ticked) this.#ticks.inc()
    for (const event of events) {
      if (event.type === 'liquidate') this.#liquidations.inc()
      if (ticked && (event.type === 'orderExecuted' || event.type === 'orderFailed')) this.#triggers.inc()
    }
  }

  #counter<Label extends string>(name: string, help: string, labelNames: Label[] = []): Counter<Label> {
    return new Counter({ name, help, labelNames, registers: [this.registry] })
  }

  #gauge(name: string, help: string, value: () => number): Gauge {
    return new Gauge({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.set(value())
      },
    })
  }
}
