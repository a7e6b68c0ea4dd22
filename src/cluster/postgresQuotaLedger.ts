/** The ledger of quotas in PostgreSQL: one row a line, so that one statement sees all shares and changes one. */
import type { Pool } from 'pg'
import type { Database } from '../store/postgres/database.ts'
import type { QuotaLedger, ShareChange, SharedOut } from './quotaLedger.ts'

export class PostgresQuotaLedger implements QuotaLedger {
  readonly #pool: Pool
  readonly #schema: string

  constructor({ pool, schema }: Database) {
    this.#pool = pool
    this.#schema = schema
  }

  async look(line: string): Promise<SharedOut> {
    const { rows } = await this.#pool.query(
      `SELECT turn, maximum, shares FROM ${this.#schema}.notional_quota WHERE line = $1`,
      [line],
    )
    const [row] = rows as { turn: string; maximum: string | null; shares: Record<string, string> }[]
    if (row === undefined) return { turn: 0, maximum: null, shares: new Map() }
    const shares = Object.entries(row.shares).map(
      ([shard, amount]) => [Number(shard), BigInt(amount)] as const,
    )
    return {
      turn: Number(row.turn),
      maximum: row.maximum === null ? null : BigInt(row.maximum),
      shares: new Map(shares),
    }
  }

  /** Whoever waited for the row finds it changed, and changes nothing. */
  async change(line: string, seen: SharedOut, change: ShareChange): Promise<boolean> {
    const { shard, epoch, amount, maximum } = change
    const { turn } = seen
    const isOwner = `EXISTS (SELECT FROM ${this.#schema}.shard WHERE shard = $3 AND epoch = $4)`
    const share = 'jsonb_build_object($3::integer::text, $5::text)'
    const { rowCount } = await this.#pool.query(
      turn === 0
        ? `INSERT INTO ${this.#schema}.notional_quota (line, turn, maximum, shares)
           SELECT $1, $2::bigint + 1, $6::numeric, ${share} WHERE ${isOwner} ON CONFLICT DO NOTHING`
        : `UPDATE ${this.#schema}.notional_quota
           SET turn = turn + 1, maximum = coalesce($6::numeric, maximum), shares = shares || ${share}
           WHERE line = $1 AND turn = $2::bigint AND shares = $7::jsonb AND maximum IS NOT DISTINCT FROM $8::numeric
             AND ${isOwner}`,
      [line, turn, shard, epoch, String(amount), numeric(maximum), ...(turn === 0 ? [] : asSeen(seen))],
    )
    return rowCount === 1
  }
}

const numeric = (amount: bigint | null) => (amount === null ? null : String(amount))

function asSeen({ shares, maximum }: SharedOut): (string | null)[] {
  const texts = [...shares].map(([shard, amount]) => [shard, String(amount)] as const)
  return [JSON.stringify(Object.fromEntries(texts)), numeric(maximum)]
}
