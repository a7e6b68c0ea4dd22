// A cluster of real processes: `margin-core serve --postgres …` under names, over a database that somebody else runs.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { shardOf } from '../../src/cluster/shardOf.ts'
import { openPostgresLog } from '../../src/store/postgres/postgresLog.ts'
import { primaryPool } from '../../src/store/postgres/primary.ts'
import { bundle } from '../bundle.ts'
import { LOADED_VENUE } from '../crash/hostLoad.ts'
import { HostProcess } from '../crash/hostProcess.ts'
import type { Limit } from './limitPromise.ts'
import type { Group, OpeningBalance } from './promises.ts'

export const OPERATOR = 'operator-of-the-cluster'
export const MARKET = LOADED_VENUE.markets[0] as { id: string }
const SCHEMA = 'margin_core'

export interface Trader {
  readonly key: string
  readonly accountId: string
  readonly shard: number
}

export interface ShardHealth {
  readonly shard: number
  readonly owner: string | null
  readonly epoch: number
  readonly head: number
}

export interface Shape {
  readonly shards: number
  readonly traders: number
  readonly leaseMs: number
  /** What longs may come to in all, quote, fp9; without it nobody opens any. */
  readonly maximum?: bigint
  /** What each node has in its environment besides. */
  readonly environment?: Readonly<Record<string, string>>
  /** The program of an earlier version, in one file, which nodes are started with until {@link RealCluster.upgrade}. */
  readonly earlier?: string
}

export class RealCluster {
  readonly nodes = new Map<string, HostProcess>()
  readonly traders: readonly Trader[]
  /** Every process there was, those that have ended too. */
  readonly #processes: HostProcess[] = []
  /** Nodes that nobody has ended, and what they said. */
  readonly #gone: string[] = []
  readonly #shape: Shape
  readonly #folder: string
  readonly program: string
  /** What nodes are started with. */
  #started: string

  private constructor(shape: Shape, folder: string, program: string) {
    this.#shape = shape
    this.#folder = folder
    this.program = program
    this.#started = shape.earlier ?? program
    this.traders = Array.from({ length: shape.traders }, (_, at) => ({
      key: `key-of-trader-${at}`,
      accountId: `00000000-0000-4000-8001-${String(at).padStart(12, '0')}`,
      shard: shardOf(userId(at), shape.shards),
    }))
  }

  static async make(shape: Shape): Promise<RealCluster> {
    const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-nodes-'))
    const cluster = new RealCluster(shape, folder, bundle('src/cli/main.ts', folder))
    await writeFile(cluster.configuration, JSON.stringify(cluster.#venue()))
    return cluster
  }

  /** Starts a node, and waits until it listens. */
  async start(name: string, database: string, ...options: readonly string[]): Promise<HostProcess> {
    const node = await HostProcess.startIn(
      this.#shape.environment ?? {},
      process.execPath,
      ...[this.#started, 'serve', '--config', this.configuration, '--port', '0', '--log-level', 'silent'],
      ...['--postgres', database, '--node', name, '--lease', String(this.#shape.leaseMs), ...options],
    )
    this.nodes.set(name, node)
    this.#processes.push(node)
    void node.ended.then((how) => {
      if (this.nodes.get(name) === node)
        this.#gone.push(`${name} ended by itself with ${how}: ${node.complaints}`)
    })
    return node
  }

  /** Whatever is started from now on is of this version. */
  upgrade(): void {
    this.#started = this.program
  }

  /** Ends a node, and gives its exit code or the signal. */
  async end(name: string, signal: NodeJS.Signals): Promise<number | NodeJS.Signals> {
    const node = this.nodes.get(name) as HostProcess
    this.nodes.delete(name)
    return node.end(signal)
  }

  /** @throws where a node has gone that nobody has ended: nothing that is waited for may ever come. */
  checkRunning(): void {
    if (this.#gone.length > 0) throw new Error(this.#gone.join('\n'))
  }

  /** What a node says of the shards; null where it says nothing. */
  async shards(name: string): Promise<readonly ShardHealth[] | null> {
    const headers = { authorization: `Bearer ${OPERATOR}` }
    const init = { headers, signal: AbortSignal.timeout(1_000) }
    const url = this.nodes.get(name)?.url
    if (url === undefined) return null
    const answer = await fetch(`${url}/operator/health`, init).catch(() => null)
    return answer === null ? null : ((await answer.json()) as { shards: ShardHealth[] }).shards
  }

  /** What all of its nodes have complained of so far. */
  get complaints(): readonly string[] {
    return this.#processes.flatMap(({ complaints }) => complaints.split('\n'))
  }

  get limit(): Limit | null {
    const { maximum } = this.#shape
    return maximum === undefined ? null : { marketId: MARKET.id, maximum }
  }

  get openings(): OpeningBalance[] {
    const balance = BigInt(LOADED_VENUE.accounts[0]?.balance as string)
    return this.traders.map(({ accountId, shard }) => ({ accountId, shard, balance }))
  }

  /** The logs of all shards as the database has them, their chains checked. */
  async logs(database: string): Promise<Group[][]> {
    const pool = primaryPool(database, { max: 1 })
    try {
      const logs: Group[][] = []
      for (let shard = 0; shard < this.#shape.shards; shard++) {
        const { rows } = await pool.query(
          `SELECT epoch FROM ${SCHEMA}.commit_group WHERE shard = $1 ORDER BY last_seq`,
          [shard],
        )
        const log = await openPostgresLog(database, SCHEMA, shard)
        const groups: Group[] = []
        for await (const commits of log.read(1))
          groups.push({ epoch: Number(rows[groups.length].epoch), commits })
        await log.close()
        logs.push(groups)
      }
      return logs
    } finally {
      await pool.end()
    }
  }

  async remove(): Promise<void> {
    for (const node of this.nodes.values()) {
      // One that is frozen hears of nothing else.
      await node.end('SIGKILL')
    }
    this.nodes.clear()
    await rm(this.#folder, { recursive: true, force: true })
  }

  /** The file that its nodes are started with. */
  get configuration(): string {
    return path.join(this.#folder, 'venue.json')
  }

  #venue(): object {
    return {
      ...LOADED_VENUE,
      markets: LOADED_VENUE.markets.map((market) => ({
        ...market,
        ...(this.limit !== null && { maxOpenNotionalLong: String(this.limit.maximum) }),
      })),
      operatorToken: OPERATOR,
      rateLimit: null,
      cluster: { shards: this.#shape.shards, secret: 'between nodes' },
      users: this.traders.map(({ key }, at) => ({
        id: userId(at),
        sessionToken: `session of ${key}`,
        apiKeys: [{ key, expiresAt: null }],
      })),
      accounts: this.traders.map(({ accountId }, at) => ({
        ...LOADED_VENUE.accounts[0],
        id: accountId,
        userId: userId(at),
      })),
    }
  }
}

const userId = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, '0')}`
