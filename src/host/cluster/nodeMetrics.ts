/** What an operator watches of a node, in Prometheus' format: what each of its shards costs the database, and who else is asked. */
import { Counter, Gauge, Histogram, Registry } from 'prom-client'
import type { ClusterNode } from '../../cluster/node.ts'
import type { Appended } from '../../store/postgres/postgresStore.ts'
import type { ShardHost } from './shardHost.ts'

const APPEND_BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5]

export class NodeMetrics {
  readonly registry = new Registry()
  readonly #seconds = new Histogram({
    name: 'margin_core_shard_append_seconds',
    help: 'From a group of commits being sent to the database to its being durable; counts the appends',
    labelNames: ['shard'],
    buckets: APPEND_BUCKETS,
    registers: [this.registry],
  })
  readonly #bytes = this.#counter('margin_core_shard_append_bytes_total', 'Bytes of the groups appended')
  readonly #commits = this.#counter('margin_core_shard_commits_total', 'Commits appended')
  readonly #forwarded = this.#counter(
    'margin_core_forwarded_requests_total',
    'Requests sent on to the owner of their shard, streams among them',
  )

  constructor(node: ClusterNode<ShardHost>) {
    this.#counted(
      'margin_core_shard_takeovers_total',
      'How often this node took the shard from nobody',
      () => node.takeoversOf,
    )
    new Gauge({
      name: 'margin_core_shard_open_failures',
      help: 'How often this node has failed to open the shard, which it owns, since it was open; absent where it is',
      labelNames: ['shard'],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const [shard, failures] of node.failuresOf) this.labels(String(shard)).set(failures)
      },
    })
    this.#gauge(
      'margin_core_shard_epoch',
      'The epoch under which this node has the shard',
      ({ epoch }) => epoch,
      node,
    )
    this.#gauge('margin_core_shard_head', 'Sequence of the last commit', ({ engine }) => engine.head, node)
    this.#gauge(
      'margin_core_shard_durable_head',
      'Sequence up to which all is durable',
      ({ engine }) => engine.durableHead,
      node,
    )
    this.#gauge(
      'margin_core_shard_quota_moves',
      'How often the shard has taken or given a quota since this node opened it',
      ({ quotas: { keeper } }) => keeper.moves.taken + keeper.moves.given,
      node,
    )
    new Gauge({
      name: 'margin_core_lease_margin_seconds',
      help: 'For how long this node may still serve without hearing from the database',
      registers: [this.registry],
      collect() {
        this.set(Math.max(node.leaseLeft, 0) / 1_000)
      },
    })
  }

  appended(shard: number, { commits, bytes, seconds }: Appended): void {
    this.#seconds.labels(String(shard)).observe(seconds)
    this.#bytes.labels(String(shard)).inc(bytes)
    this.#commits.labels(String(shard)).inc(commits)
  }

  forwarded(shard: number): void {
    this.#forwarded.labels(String(shard)).inc()
  }

  #counter(name: string, help: string): Counter<'shard'> {
    return new Counter({ name, help, labelNames: ['shard'], registers: [this.registry] })
  }

  #counted(name: string, help: string, counts: () => ReadonlyMap<number, number>): void {
    new Counter({
      name,
      help,
      labelNames: ['shard'],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const [shard, count] of counts()) this.labels(String(shard)).inc(count)
      },
    })
  }

  /** Of the shards that the node has. */
  #gauge(
    name: string,
    help: string,
    value: (shard: ShardHost) => number,
    node: ClusterNode<ShardHost>,
  ): void {
    new Gauge({
      name,
      help,
      labelNames: ['shard'],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const [shard, host] of node.open) this.labels(String(shard)).set(value(host))
      },
    })
  }
}
