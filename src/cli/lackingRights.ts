/** Which rights a role lacks for what it was asked to do, said as the statements that give them. */
import { primaryPool } from '../store/postgres/primary.ts'
import { UsageError } from './failure.ts'

/** What has to be allowed of each table of the venue. */
export type Rights = Readonly<Record<string, readonly ('SELECT' | 'INSERT' | 'UPDATE' | 'DELETE')[]>>

/** Of PostgreSQL: insufficient_privilege. */
const DENIED = '42501'

/** Works with a database. @throws UsageError with what is lacking, where it is refused for want of `rights`. */
export async function withRights<T>(
  url: string,
  schema: string,
  rights: Rights,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if ((error as { readonly code?: string }).code !== DENIED) throw error
    const { role, grants } = await lacking(url, schema, rights).catch(() => NOTHING)
    if (grants.length === 0) throw error
    throw new UsageError(`the role ${role} has not the right to do that: ${grants.join('; ')}`)
  }
}

interface Lacking {
  readonly role: string
  readonly grants: readonly string[]
}

const NOTHING: Lacking = { role: '', grants: [] }

async function lacking(url: string, schema: string, rights: Rights): Promise<Lacking> {
  const wanted = Object.entries(rights).flatMap(([table, all]) => all.map((right) => ({ table, right })))
  const pool = primaryPool(url, { max: 1, connectionTimeoutMillis: 10_000 })
  pool.on('error', () => {})
  try {
    const { rows } = await pool.query(
      `SELECT quote_ident(current_user) AS role, 'USAGE ON SCHEMA ' || nspname AS right
       FROM pg_namespace WHERE nspname = $1 AND NOT has_schema_privilege(oid, 'USAGE')
       UNION ALL
       SELECT quote_ident(current_user), string_agg(wanted.right, ', ' ORDER BY wanted.right) || ' ON ' || nspname || '.' || relname
       FROM unnest($2::text[], $3::text[]) AS wanted (table_name, "right"), pg_class, pg_namespace
       WHERE nspname = $1 AND relnamespace = pg_namespace.oid AND relname = wanted.table_name
         AND NOT has_table_privilege(pg_class.oid, wanted.right)
       GROUP BY nspname, relname`,
      [schema, wanted.map(({ table }) => table), wanted.map(({ right }) => right)],
    )
    const { role = '' } = rows[0] ?? {}
    return { role, grants: rows.map((row) => `GRANT ${row.right} TO ${role}`) }
  } finally {
    await pool.end()
  }
}
