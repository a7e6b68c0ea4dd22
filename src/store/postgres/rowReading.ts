/** Rows of the history tables as they are asked for: values in parameters, names checked against what there is. */
import type { Pool } from 'pg'
import { HISTORY_TABLE_NAMES, HISTORY_TABLES } from '../../terms/historyTables.ts'
import { type ReadRow, type RowQuery, RowsLost, RowsUnreadable } from '../rowStore.ts'
import { StoreConflict } from '../store.ts'

const COLUMN = /^[a-z_]+$/

export async function readRows(
  pool: Pool,
  schema: string,
  shard: number,
  query: RowQuery,
): Promise<readonly ReadRow[]> {
  const { rows } = await pool.query(statementOf(schema, shard, query)).catch((error: unknown) => {
    throw new RowsUnreadable(error)
  })
  const written = Number(rows[0]?.written ?? 0)
  if (written < query.upTo)
    throw new RowsLost(new StoreConflict(`they end at ${written}, not at ${query.upTo}`))
  return rows.filter(({ shard }) => shard !== null).map(({ written, ...row }) => read(row))
}

/**
 * The cursor comes with the rows, as of one instant: they are written without a flush of their own, so that one which crashes may take rows back
 * that were read.
 */
function statementOf(
  schema: string,
  shard: number,
  { table, where, whereNot = {}, by, below, skip = 0, limit, upTo }: RowQuery,
): { readonly name: string; readonly text: string; readonly values: unknown[] } {
  if (!HISTORY_TABLE_NAMES.includes(table)) throw new RangeError(`there is no history table ${table}`)
  const values: unknown[] = []
  const value = (one: unknown) => `$${values.push(one)}`
  const conditions = [`shard = ${value(shard)}`, `seq <= ${value(upTo)}`]
  for (const [column, is] of Object.entries(where))
    conditions.push(
      Array.isArray(is) ? `${named(column)} = ANY (${value(is)})` : `${named(column)} = ${value(is)}`,
    )
  for (const [column, is] of Object.entries(whereNot)) conditions.push(`${named(column)} <> ${value(is)}`)
  if (below !== undefined) conditions.push(`${by} < ${value(below)}`)
  const page = `SELECT * FROM ${schema}.${table} WHERE ${conditions.join(' AND ')}
    ORDER BY ${by} DESC OFFSET ${value(skip)} LIMIT ${value(limit)}`
  const text = `SELECT cursor.seq AS written, page.* FROM ${schema}.history_cursor AS cursor LEFT JOIN (${page}) AS page ON true
    WHERE cursor.shard = $1 ORDER BY page.${by} DESC`
  return { name: `${table} ${Object.keys(where)} ${below !== undefined}`, text, values }
}

function named(column: string): string {
  if (!COLUMN.test(column)) throw new RangeError(`${column} cannot be a column`)
  return column
}

function read(row: Readonly<Record<string, unknown>>): ReadRow {
  const found: Record<string, ReadRow[string]> = {}
  for (const [column, cell] of Object.entries(row))
    found[column] =
      cell instanceof Date ? cell.getTime() : COUNTS.has(column) ? countOf(cell) : (cell as ReadRow[string])
  return found
}

/** Columns that hold 64-bit counts, which `pg` gives as text. */
const COUNTS: ReadonlySet<string> = new Set(
  Object.values(HISTORY_TABLES).flatMap(({ columns }) =>
    columns.flatMap(([name, kind]) => (kind === 'count' || kind === 'count?' ? name : [])),
  ),
)

function countOf(cell: unknown): number | null {
  return cell === null ? null : Number(cell)
}
