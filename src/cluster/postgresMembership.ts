/** Membership in PostgreSQL: each change is one statement, so that a lost answer leaves all of it or nothing. */
import type { Pool } from 'pg'
import type { Database } from '../store/postgres/database.ts'
import type { ClusterView, Membership, NodeRow, ShardRow } from './membership.ts'

/** @throws RangeError when the cluster was made with another number of shards; null = whatever it was made with. */
export async function makeCluster({ pool, schema }: Database, shards: number | null): Promise<number> {
  if (shards !== null) {
    await pool.query(`INSERT INTO ${schema}.cluster (shards) VALUES ($1) ON CONFLICT DO NOTHING`, [shards])
    await pool.query(
      `INSERT INTO ${schema}.shard (shard, head, epoch)
       SELECT generate_series(0, shards - 1), 0, 0 FROM ${schema}.cluster ON CONFLICT DO NOTHING`,
    )
  }
  const { rows } = await pool.query(`SELECT shards FROM ${schema}.cluster`)
  const made: number | undefined = rows[0]?.shards
  if (made === undefined) throw new RangeError(`there is no cluster in the schema ${schema}`)
  if (shards !== null && made !== shards)
    throw new RangeError(`the cluster was made with ${made} shards, which cannot become ${shards}`)
  return made
}

export class PostgresMembership implements Membership {
  readonly #pool: Pool
  readonly #schema: string

  constructor({ pool, schema }: Database) {
    this.#pool = pool
    this.#schema = schema
  }

  /** All of it as of one instant. */
  async look(): Promise<ClusterView> {
    const { rows } = await this.#pool.query(
      `SELECT
         (SELECT coalesce(json_agg(node), '[]') FROM ${this.#schema}.node) AS nodes,
         (SELECT coalesce(json_agg(owned ORDER BY owned.shard), '[]')
          FROM ${this.#schema}.shard AS owned, ${this.#schema}.cluster WHERE owned.shard < cluster.shards) AS shards,
         (SELECT coalesce(json_agg(trouble), '[]') FROM ${this.#schema}.shard_trouble AS trouble) AS troubles`,
    )
    const [{ nodes, shards, troubles }] = rows as [
      { nodes: NodeJson[]; shards: ShardRow[]; troubles: TroubleJson[] },
    ]
    const troubleOf = new Map(
      troubles.map(({ shard, reason, since }) => [shard, { reason, since: Date.parse(since) }]),
    )
    return {
      nodes: nodes.map(({ lease_ms: leaseMs, ...node }) => ({ ...node, leaseMs })),
      shards: shards.map((row) => {
        const trouble = troubleOf.get(row.shard)
        return trouble === undefined ? row : { ...row, trouble }
      }),
    }
  }

  join({
    name,
    life,
    address,
    leaseMs,
  }: Pick<NodeRow, 'name' | 'life' | 'address' | 'leaseMs'>): Promise<boolean> {
    return this.#changes(
      `INSERT INTO ${this.#schema}.node (name, life, address, lease_ms) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [name, life, address, leaseMs],
    )
  }

  renew(life: string, renewals: number): Promise<boolean> {
    return this.#changes(
      `UPDATE ${this.#schema}.node SET renewals = greatest(renewals, $2) WHERE life = $1`,
      [life, renewals],
    )
  }

  expel(life: string, renewals: number): Promise<boolean> {
    return this.#changes(`DELETE FROM ${this.#schema}.node WHERE life = $1 AND renewals = $2`, [
      life,
      renewals,
    ])
  }

  take(shard: number, life: string): Promise<boolean> {
    return this.#changes(
      `UPDATE ${this.#schema}.shard SET owner = $2 WHERE shard = $1 AND owner IS NULL AND ${this.#isThere('$2')}`,
      [shard, life],
    )
  }

  troubled(shard: number, life: string, reason: string | null): Promise<boolean> {
    const troubles = `${this.#schema}.shard_trouble`
    const owned = `${this.#schema}.shard AS owned WHERE owned.shard = $1 AND owned.owner = $2`
    return reason === null
      ? this.#changes(`DELETE FROM ${troubles} WHERE shard IN (SELECT owned.shard FROM ${owned})`, [
          shard,
          life,
        ])
      : this.#changes(
          `INSERT INTO ${troubles} (shard, reason) SELECT owned.shard, $3 FROM ${owned}
           ON CONFLICT (shard) DO UPDATE SET reason = excluded.reason`,
          [shard, life, reason],
        )
  }

  /**
   * Its flush is not waited for: that of the epoch which the next owner raises behind it carries it along, and before that nobody is
   * answered. A crash in between leaves the shard with whoever gave it.
   */
  give(shard: number, { life, epoch }: { life: string; epoch: number }, to: string | null): Promise<boolean> {
    return this.#changes(
      `UPDATE ${this.#schema}.shard SET owner = $4 FROM (SELECT set_config('synchronous_commit', 'off', true)) AS unhurried
       WHERE shard = $1 AND owner = $2 AND epoch = $3 AND ($4::text IS NULL OR ${this.#isThere('$4')})`,
      [shard, life, epoch, to],
    )
  }

  drain(life: string): Promise<boolean> {
    return this.#changes(`UPDATE ${this.#schema}.node SET draining = true WHERE life = $1`, [life])
  }

  /** By hand: the node takes no shard from now on and gives those it has. False where it is not there. */
  drainNamed(name: string): Promise<boolean> {
    return this.#changes(`UPDATE ${this.#schema}.node SET draining = true WHERE name = $1`, [name])
  }

  /** By hand: the shard is to be where that node is. False where there is no such shard or node. */
  move(shard: number, name: string): Promise<boolean> {
    return this.#changes(
      `UPDATE ${this.#schema}.shard SET wanted = $2
       WHERE shard = $1 AND EXISTS (SELECT FROM ${this.#schema}.node WHERE name = $2)`,
      [shard, name],
    )
  }

  #isThere(life: string): string {
    return `EXISTS (SELECT FROM ${this.#schema}.node WHERE life = ${life} FOR KEY SHARE)`
  }

  async #changes(text: string, values: readonly unknown[]): Promise<boolean> {
    return (await this.#pool.query(text, [...values])).rowCount === 1
  }
}

interface TroubleJson {
  readonly shard: number
  readonly reason: string
  readonly since: string
}
type NodeJson = Omit<NodeRow, 'leaseMs'> & { readonly lease_ms: number }
