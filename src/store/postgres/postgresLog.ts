/** The log of a shard, read beside whoever writes it: nothing is changed, nobody is fenced off, and a standby does as well. */
import type pg from 'pg'
import type { Commit } from '../../events/commit.ts'
import type { Snapshot } from '../store.ts'
import { type OnGroup, readGroups } from './groupReading.ts'
import { primaryPool } from './primary.ts'
import { SnapshotTable } from './snapshotTable.ts'
import { checkVersion } from './tables.ts'

export interface PostgresLog {
  read(from: number, onGroup?: OnGroup): AsyncIterable<readonly Commit[]>
  /** Newest first. */
  snapshots(): AsyncIterable<Snapshot>
  close(): Promise<void>
}

/** @throws RangeError where there is no such shard, or its tables are of another release; what `pg` throws. */
export async function openPostgresLog(url: string, schema: string, shard: number): Promise<PostgresLog> {
  const pool = primaryPool(url, {
    max: 2,
    connectionTimeoutMillis: 10_000,
    options: '-c default_transaction_read_only=on',
  })
  pool.on('error', () => {})
  try {
    await checkVersion(pool, schema)
    await mustHave(pool, schema, shard)
  } catch (error) {
    await pool.end()
    throw error
  }
  return {
    read: (from, onGroup) => readGroups({ pool, schema, shard }, from, onGroup),
    snapshots: () => new SnapshotTable(pool, schema, shard, '').snapshots(),
    close: () => pool.end(),
  }
}

async function mustHave(pool: pg.Pool, schema: string, shard: number): Promise<void> {
  const { rows } = await pool.query(`SELECT shard FROM ${schema}.shard ORDER BY shard`)
  const shards = rows.map((row) => Number(row.shard))
  if (!shards.includes(shard))
    throw new RangeError(`no shard ${shard} in the schema ${schema}, only ${shards.join(', ') || 'none'}`)
}
