/** A venue's database: connections to it, its tables as this release knows them, and what it must be set to. */
import type pg from 'pg'
import { primaryPool } from './primary.ts'
import { checkSchema, checkServer, checkVersion, migrate } from './tables.ts'

/** How a database is opened. */
export interface DatabaseOptions {
  /** The schema of the venue: lower-case letters, digits and underscores, a letter first; default `margin_core`. */
  readonly schema?: string
  /** How long a statement or a connection may take, ms; default 10,000. */
  readonly timeout?: number
  /** Takes a database with `fsync` off, which loses commits with the power; default false. */
  readonly unsafeDatabase?: boolean
}

export interface Database {
  readonly pool: pg.Pool
  readonly schema: string
}

const CONNECTIONS = 4

/**
 * Connects, checks the settings, as of each connection from then on, and makes the tables where they are missing. `ready`
 * connections are there from then on, so that nobody waits for them to be made; default: as many as have been used lately.
 *
 * @throws RangeError for a schema that cannot be, tables of a newer release, a standby, or a database that acknowledges
 * before it has flushed; what `pg` throws when the database cannot be reached.
 */
export async function openDatabase(
  url: string,
  options: DatabaseOptions & { readonly connections?: number; readonly ready?: number } = {},
): Promise<Database> {
  const database = await connected(url, options, migrate)
  await makeReady(database.pool, options.ready ?? 0)
  return database
}

/** What cannot be made now is made when it is needed. */
async function makeReady(pool: pg.Pool, count: number): Promise<void> {
  const made = await Promise.allSettled(Array.from({ length: count }, () => pool.connect()))
  for (const one of made) if (one.status === 'fulfilled') one.value.release()
}

/**
 * The same for a venue that is there: nothing is made.
 *
 * @throws RangeError besides where the schema holds no venue, or tables of another release.
 */
export function openExistingDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  return connected(url, options, checkVersion)
}

async function connected(
  url: string,
  options: DatabaseOptions & { readonly connections?: number; readonly ready?: number },
  prepare: (pool: pg.Pool, schema: string) => Promise<void>,
): Promise<Database> {
  const {
    schema = 'margin_core',
    timeout = 10_000,
    unsafeDatabase = false,
    connections = CONNECTIONS,
    ready = 0,
  } = options
  checkSchema(schema)
  const pool = primaryPool(url, {
    max: connections,
    min: ready,
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    query_timeout: timeout,
    keepAlive: true,
    // A statement is sent while the one before it is carried out.
    pipeline: true,
    // Of each, because after a failover it is of another server, with settings of its own.
    verify: (client: pg.PoolClient, done: (error?: Error) => void) => {
      checkSettings(client, unsafeDatabase).then(() => done(), done)
    },
  } as pg.PoolConfig)
  // A connection that ends while nobody uses it is replaced at the next use.
  pool.on('error', () => {})
  try {
    await prepare(pool, schema)
    return { pool, schema }
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** @throws RangeError unless what is acknowledged over this connection is on the disk of its server. */
async function checkSettings(client: pg.PoolClient, unsafe: boolean): Promise<void> {
  // One that is lost meanwhile fails its statement; told to nobody besides, it would end the process.
  client.on('error', ignored)
  const { rows } = await client
    .query(
      `SELECT pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync,
         current_setting('synchronous_commit') AS synchronous_commit,
         current_setting('server_version_num')::integer AS server`,
    )
    .finally(() => client.off('error', ignored))
  const { standby, fsync, synchronous_commit: waits, server } = rows[0]
  checkServer(server)
  if (standby) throw new RangeError('the database is a standby: nothing can be written there')
  if (fsync !== 'on' && !unsafe) throw new RangeError('the database has fsync off: commits would be lost')
  if (waits !== 'on' && waits !== 'remote_apply')
    throw new RangeError(`synchronous_commit is ${waits}: it must be on or remote_apply`)
}

function ignored(): void {}
