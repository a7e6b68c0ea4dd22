/** The tables of a venue in a database, as numbered migrations: each is applied once, under a lock, by whoever comes first. */
import type { Pool, PoolClient } from 'pg'
import { ADDED_INDEX } from '../../terms/historyTables.ts'
import { HISTORY_MIGRATION, indexOf } from './historyMigration.ts'

/** A group is what one append wrote, so that a row costs what a flush costs. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE shard (
     shard integer PRIMARY KEY,
     head bigint NOT NULL,
     epoch bigint NOT NULL
   );
   CREATE TABLE commit_group (
     shard integer NOT NULL REFERENCES shard,
     first_seq bigint NOT NULL,
     last_seq bigint NOT NULL,
     epoch bigint NOT NULL,
     crc bigint NOT NULL,
     commits bytea NOT NULL,
     PRIMARY KEY (shard, last_seq)
   );
   ALTER TABLE commit_group ALTER commits SET STORAGE EXTERNAL;
   CREATE TABLE snapshot_piece (
     shard integer NOT NULL REFERENCES shard,
     shelf text NOT NULL,
     seq bigint NOT NULL,
     piece integer NOT NULL,
     schema text NOT NULL,
     bytes bytea NOT NULL,
     PRIMARY KEY (shard, shelf, seq, piece)
   );
   ALTER TABLE snapshot_piece ALTER bytes SET STORAGE EXTERNAL;`,
  // Nobody is expelled by a clock of the database, which another may show after a failover: a row without its node is free.
  `CREATE TABLE cluster (
     one boolean PRIMARY KEY DEFAULT true CHECK (one),
     shards integer NOT NULL
   );
   CREATE TABLE node (
     life text PRIMARY KEY,
     name text NOT NULL UNIQUE,
     address text NOT NULL,
     renewals bigint NOT NULL DEFAULT 0,
     lease_ms integer NOT NULL,
     draining boolean NOT NULL DEFAULT false
   );
   ALTER TABLE shard
     ADD owner text REFERENCES node (life) ON DELETE SET NULL,
     ADD wanted text;`,
  // SHA-256 over the chain before a group, 32 zeros before the first, and its bytes.
  `ALTER TABLE commit_group ADD chain bytea;
   DO $$
   DECLARE found record; at integer; before bytea;
   BEGIN
     FOR found IN SELECT shard, last_seq, commits FROM commit_group ORDER BY shard, last_seq LOOP
       IF at IS DISTINCT FROM found.shard THEN
         at := found.shard;
         before := decode(repeat('00', 32), 'hex');
       END IF;
       before := sha256(before || found.commits);
       UPDATE commit_group SET chain = before WHERE shard = found.shard AND last_seq = found.last_seq;
     END LOOP;
   END $$;
   ALTER TABLE commit_group ALTER chain SET NOT NULL;`,
  // What each shard may have of what the venue allows, in units of 10⁻⁹: one row, so that one statement sees all shares.
  `CREATE TABLE notional_quota (
     line text PRIMARY KEY,
     turn bigint NOT NULL,
     maximum numeric,
     shares jsonb NOT NULL
   );`,
  HISTORY_MIGRATION,
  indexOf(ADDED_INDEX.table, ADDED_INDEX),
  // Why the owner of a shard cannot open it, and since when, for whoever asks without asking that node. A table of its own, and without
  // a reference: nodes of the release before are at their work, and would have to wait for the lock.
  `CREATE TABLE shard_trouble (
     shard integer PRIMARY KEY,
     reason text NOT NULL,
     since timestamptz NOT NULL DEFAULT now()
   );`,
]

/** The oldest version of the server that the tests have been seen to pass on. */
const OLDEST_SERVER = 13

/** @throws RangeError for a server that is too old; `number` as its `server_version_num` has it. */
export function checkServer(number: number): void {
  const version = Math.floor(number / 10_000)
  if (version < OLDEST_SERVER)
    throw new RangeError(
      `the database is PostgreSQL ${version}, which is too old: it has to be ${OLDEST_SERVER} or later`,
    )
}

const SCHEMA = /^[a-z][a-z0-9_]{0,62}$/

/** @throws RangeError for what cannot be the name of a schema. */
export function checkSchema(schema: string): void {
  if (!SCHEMA.test(schema)) throw new RangeError(`${schema} cannot be the name of a schema`)
}

/** Any number that is always the same: who migrates waits for whoever does. */
export const MIGRATION_LOCK = 7_231_904

/** Runs `work` on one connection: all of it is kept, or nothing. */
export async function inTransaction<T>(pool: Pool, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  // A connection that is lost fails its statements; told to nobody besides, it would end the process.
  const lost = () => {}
  client.on('error', lost)
  let failed: Error | undefined
  try {
    await client.query('BEGIN')
    const result = await work(client)
    await client.query('COMMIT')
    return result
  } catch (error) {
    failed = error as Error
    throw error
  } finally {
    // A connection that failed is closed, which rolls back what it had begun.
    client.release(failed)
    if (failed === undefined) client.off('error', lost)
  }
}

/** @throws RangeError when a newer release has changed the tables. */
export async function migrate(pool: Pool, schema: string): Promise<void> {
  // Where nothing has to be made, nobody needs the right to make it.
  if ((await appliedIn(pool, schema)) === MIGRATIONS.length) return
  await inTransaction(pool, async (client) => {
    await client.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    await client.query(`CREATE SCHEMA IF NOT EXISTS ${schema}`)
    await client.query(`SET LOCAL search_path TO ${schema}`)
    await client.query('CREATE TABLE IF NOT EXISTS migration (version integer PRIMARY KEY)')
    const { rows } = await client.query('SELECT coalesce(max(version), 0) AS version FROM migration')
    const applied: number = rows[0].version
    if (applied > MIGRATIONS.length)
      throw new RangeError(
        `the schema ${schema} has version ${applied}, this release knows ${MIGRATIONS.length}: use the newer release`,
      )
    for (let version = applied + 1; version <= MIGRATIONS.length; version++) {
      await client.query(MIGRATIONS[version - 1] as string)
      await client.query('INSERT INTO migration VALUES ($1)', [version])
    }
  })
}

/** The newest migration that has been applied; null where there is no venue. */
async function appliedIn(pool: Pool, schema: string): Promise<number | null> {
  const { rows } = await pool.query(
    `SELECT to_regclass($1) AS found, current_setting('server_version_num')::integer AS server`,
    [`${schema}.migration`],
  )
  checkServer(rows[0].server)
  if (rows[0].found === null) return null
  const { rows: versions } = await pool.query(
    `SELECT coalesce(max(version), 0) AS version FROM ${schema}.migration`,
  )
  return versions[0].version
}

/** @throws RangeError where the tables are not those of this release: they are read, and not changed. */
export async function checkVersion(pool: Pool, schema: string): Promise<void> {
  checkSchema(schema)
  const version = await appliedIn(pool, schema)
  if (version === null) throw new RangeError(`there is no venue in the schema ${schema}`)
  if (version !== MIGRATIONS.length)
    throw new RangeError(
      `the schema ${schema} has version ${version}, this release reads ${MIGRATIONS.length}: ${version < MIGRATIONS.length ? 'start the venue with this release first' : 'use the newer release'}`,
    )
}
