/**
 * The history of a shard in tables: rows, and a cursor that moves with them. The cursor carries the epoch of the session
 * that may write, so that a former owner, or a statement of theirs that comes late, changes nothing.
 */
import type { Pool, PoolClient } from 'pg'
import { HISTORY_TABLE_NAMES } from '../../terms/historyTables.ts'
import type { ReadRow, Row, RowQuery, RowStore, Rows } from '../rowStore.ts'
import { StoreConflict } from '../store.ts'
import { readRows } from './rowReading.ts'
import { inTransaction } from './tables.ts'

/** Rows of one statement. */
const CHUNK = 1_000

/**
 * Of the statement that raises the epoch of a shard: the cursor is the new session's with it, and whoever is writing is waited for. `raised`
 * names what was raised, by its `shard` and `epoch`; gives `seq`.
 */
export function takeCursor(schema: string, raised: string): string {
  return `INSERT INTO ${schema}.history_cursor AS cursor (shard, seq, epoch) SELECT shard, 0, epoch FROM ${raised}
     ON CONFLICT (shard) DO UPDATE SET epoch = excluded.epoch WHERE cursor.epoch < excluded.epoch RETURNING seq`
}

/** A session that may write, and where it found the cursor. */
export interface HistorySession {
  readonly epoch: number
  readonly cursor: number
}

/** @param readers connections for pages, which do not take those of appends; null: nobody reads here */
export function historyTables(
  pool: Pool,
  schema: string,
  shard: number,
  { epoch, cursor }: HistorySession,
  readers: Pool | null,
): RowStore {
  const tables = new HistoryTables(pool, schema, shard, epoch, cursor)
  return readers === null
    ? tables
    : Object.assign(tables, {
        read: (query: RowQuery): Promise<readonly ReadRow[]> => readRows(readers, schema, shard, query),
      })
}

class HistoryTables implements RowStore {
  readonly #pool: Pool
  readonly #schema: string
  readonly #shard: number
  readonly #epoch: number
  cursor: number

  constructor(pool: Pool, schema: string, shard: number, epoch: number, cursor: number) {
    this.#pool = pool
    this.#schema = schema
    this.#shard = shard
    this.#epoch = epoch
    this.cursor = cursor
  }

  async write(rows: Rows, upTo: number): Promise<void> {
    await inTransaction(this.#pool, async (client) => {
      // What a crash takes, it takes with the cursor: it is written again. The log is on the disk before.
      await client.query('SET LOCAL synchronous_commit TO off')
      // A database that was set back, or failed over to a standby that nobody had waited for, has not all that was durable.
      const moved = await client.query(
        `UPDATE ${this.#schema}.history_cursor SET seq = $4 WHERE shard = $1 AND seq = $2 AND epoch = $3
         AND EXISTS (SELECT FROM ${this.#schema}.shard WHERE shard = $1 AND head >= $4)`,
        [this.#shard, this.cursor, this.#epoch, upTo],
      )
      if (moved.rowCount !== 1)
        throw new StoreConflict(
          `epoch ${this.#epoch} was fenced off from the history tables, or the log has no commit ${upTo}`,
        )
      await insertRows(client, this.#shard, rows, (table) => `${this.#schema}.${table}`)
    })
    this.cursor = upTo
  }
}

/** @param nameOf of the table that has the columns of a history table */
export async function insertRows(
  client: PoolClient,
  shard: number,
  rows: Rows,
  nameOf: (table: string) => string,
): Promise<void> {
  for (const table of HISTORY_TABLE_NAMES)
    for (let from = 0; from < rows[table].length; from += CHUNK) {
      const chunk: Row[] = rows[table].slice(from, from + CHUNK).map((row) => ({ shard, ...row }))
      const name = nameOf(table)
      await client.query(
        `INSERT INTO ${name} SELECT * FROM json_populate_recordset(NULL::${name}, $1::json)`,
        [JSON.stringify(chunk)],
      )
    }
}
