/**
 * The history tables of a shard held against rows that were made anew from its log, and replaced by them where asked for.
 * Rows are written once and the writer adds only behind its cursor, so it goes on meanwhile: what is compared is what was
 * there up to the cursor.
 */
import { HISTORY_TABLE_NAMES } from '../../terms/historyTables.ts'
import type { RowStore } from '../rowStore.ts'
import type { Database } from './database.ts'
import { insertRows } from './historyTables.ts'
import { inTransaction } from './tables.ts'

export interface HistoryComparison {
  /** The commit up to which the tables are written; 0 = the shard has not been opened since there are tables. */
  readonly upTo: number
  /** Rows that follow from the log, those of them that are not there, and those that are there and do not follow. */
  readonly tables: readonly {
    readonly table: string
    readonly rows: number
    readonly missing: number
    readonly surplus: number
  }[]
}

/**
 * @param remake writes the rows of all commits up to `upTo`
 * @param replace puts right what differs, all of it or nothing
 */
export function compareHistory(
  { pool, schema }: Database,
  shard: number,
  remake: (tables: RowStore, upTo: number) => Promise<void>,
  replace: boolean,
): Promise<HistoryComparison> {
  return inTransaction(pool, async (client) => {
    const { rows: cursors } = await client.query(
      `SELECT seq FROM ${schema}.history_cursor WHERE shard = $1`,
      [shard],
    )
    const upTo = Number(cursors[0]?.seq ?? 0)
    for (const table of HISTORY_TABLE_NAMES)
      await client.query(`CREATE TEMP TABLE remade_${table} (LIKE ${schema}.${table}) ON COMMIT DROP`)
    const remade = {
      cursor: 0,
      async write(rows: Parameters<RowStore['write']>[0], to: number): Promise<void> {
        await insertRows(client, shard, rows, (table) => `remade_${table}`)
        remade.cursor = to
      },
    }
    await remake(remade, upTo)
    const tables: HistoryComparison['tables'][number][] = []
    for (const table of HISTORY_TABLE_NAMES) {
      const kept = `SELECT * FROM ${schema}.${table} WHERE shard = ${shard} AND seq <= ${upTo}`
      const made = `SELECT * FROM remade_${table}`
      const { rows } = await client.query(
        `SELECT (SELECT count(*) FROM remade_${table}) AS rows,
           (SELECT count(*) FROM (${made} EXCEPT ${kept}) AS missing) AS missing,
           (SELECT count(*) FROM (${kept} EXCEPT ${made}) AS surplus) AS surplus`,
      )
      const [count, missing, surplus] = [rows[0].rows, rows[0].missing, rows[0].surplus].map(Number) as [
        number,
        number,
        number,
      ]
      tables.push({ table, rows: count, missing, surplus })
      if (!replace || missing + surplus === 0) continue
      await client.query(`DELETE FROM ${schema}.${table} WHERE shard = $1 AND seq <= $2`, [shard, upTo])
      await client.query(`INSERT INTO ${schema}.${table} ${made}`)
    }
    return { upTo, tables }
  })
}
