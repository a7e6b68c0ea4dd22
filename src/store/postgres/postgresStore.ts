/**
 * The durable store in a PostgreSQL database. A shard is a row with the head and the epoch of its log; an append is one
 * statement that moves the head and inserts the commits, and does neither unless head and epoch are as expected. So a
 * writer that was fenced off, or whose statement arrives late, changes nothing, whatever it believes.
 */
import pg from 'pg'
import type { Commit } from '../../events/commit.ts'
import {
  type Snapshot,
  type SnapshotInPieces,
  type SnapshotShelf,
  type Store,
  StoreConflict,
  StoreDamaged,
  type StoreSession,
} from '../store.ts'
import { commitsOfGroup, groupBytes } from './commitGroup.ts'
import { SnapshotTable } from './snapshotTable.ts'
import { migrate } from './tables.ts'

/** How {@link openPostgresStore} opens a database. */
export interface PostgresStoreOptions {
  /** The schema of the venue: lower-case letters, digits and underscores, a letter first; default `margin_core`. */
  readonly schema?: string
  /** The shard of the venue, counted from 0; default 0. */
  readonly shard?: number
  /** How long a statement or a connection may take, ms; default 10,000. */
  readonly timeout?: number
  /** Takes a database with `fsync` off, which loses commits with the power; default false. */
  readonly unsafeDatabase?: boolean
}

const SCHEMA = /^[a-z][a-z0-9_]{0,62}$/

/** Groups that are read in one statement. */
const GROUPS = 16
const CONNECTIONS = 4

/**
 * Opens the log of a shard in a database, and makes its tables where they are missing. Nobody is fenced off before
 * {@link Store.open}.
 *
 * @throws RangeError for a schema or shard that cannot be, tables of a newer release, a standby, or a database that
 * acknowledges before it has flushed; what `pg` throws when the database cannot be reached.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const { schema = 'margin_core', shard = 0, timeout = 10_000, unsafeDatabase = false } = options
  if (!SCHEMA.test(schema)) throw new RangeError(`${schema} cannot be the name of a schema`)
  if (!Number.isInteger(shard) || shard < 0 || shard >= 2 ** 31)
    throw new RangeError(`${shard} cannot be a shard`)
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    query_timeout: timeout,
    keepAlive: true,
  })
  // A connection that ends while nobody uses it is replaced at the next use.
  pool.on('error', () => {})
  try {
    await checkDatabase(pool, unsafeDatabase)
    await migrate(pool, schema)
    await pool.query(`INSERT INTO ${schema}.shard VALUES ($1, 0, 0) ON CONFLICT DO NOTHING`, [shard])
    await pool.query(
      `DELETE FROM ${schema}.snapshot_piece AS piece USING ${schema}.shard AS shard
       WHERE shard.shard = $1 AND piece.shard = $1 AND piece.seq > shard.head`,
      [shard],
    )
    return new PostgresStore(pool, schema, shard)
  } catch (error) {
    await pool.end()
    throw error
  }
}

/** @throws RangeError unless what is acknowledged is on its disk. */
async function checkDatabase(pool: pg.Pool, unsafe: boolean): Promise<void> {
  const { rows } = await pool.query(
    `SELECT pg_is_in_recovery() AS standby, current_setting('fsync') AS fsync,
       current_setting('synchronous_commit') AS synchronous_commit`,
  )
  const { standby, fsync, synchronous_commit: waits } = rows[0]
  if (standby) throw new RangeError('the database is a standby: nothing can be written there')
  if (fsync !== 'on' && !unsafe) throw new RangeError('the database has fsync off: commits would be lost')
  if (waits !== 'on' && waits !== 'remote_apply')
    throw new RangeError(`synchronous_commit is ${waits}: it must be on or remote_apply`)
}

class PostgresStore implements Store {
  readonly #pool: pg.Pool
  readonly #schema: string
  readonly #shard: number
  readonly #snapshots: SnapshotTable
  /** An append failed: it may be in the log or not, or come yet. */
  #unknown = false
  #closed = false

  constructor(pool: pg.Pool, schema: string, shard: number) {
    this.#pool = pool
    this.#schema = schema
    this.#shard = shard
    this.#snapshots = new SnapshotTable(pool, schema, shard, '')
  }

  /** Raising the epoch waits for an append that is under way, and refuses one that comes later. */
  async open(): Promise<StoreSession> {
    const { rows } = await this.#pool.query(
      `UPDATE ${this.#schema}.shard SET epoch = epoch + 1 WHERE shard = $1 RETURNING head, epoch`,
      [this.#shard],
    )
    const [head, epoch] = [Number(rows[0].head), Number(rows[0].epoch)]
    const last = await this.#pool.query(
      `SELECT coalesce(max(last_seq), 0) AS seq FROM ${this.#schema}.commit_group WHERE shard = $1`,
      [this.#shard],
    )
    const found = Number(last.rows[0].seq)
    if (found < head) throw new StoreDamaged(found + 1, `it is missing, the head is ${head}`)
    this.#unknown = false
    return { head, epoch, repaired: null, unwritable: null }
  }

  async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    if (this.#closed) throw new StoreConflict('the store is closed')
    if (this.#unknown) throw new StoreConflict('an append has failed: open the store to learn its outcome')
    let head = expectedHead
    for (const { seq } of commits)
      if (seq !== ++head) throw new StoreConflict(`commit ${seq} where ${head} was due`)
    if (commits.length === 0) return
    const { crc, bytes } = groupBytes(commits)
    const appended = await this.#pool
      .query({
        name: 'append',
        text: `WITH fence AS (
            UPDATE ${this.#schema}.shard SET head = $4 WHERE shard = $1 AND head = $2 AND epoch = $3 RETURNING shard)
          INSERT INTO ${this.#schema}.commit_group (shard, first_seq, last_seq, epoch, crc, commits)
          SELECT shard, $5, $4, $3, $6, $7 FROM fence`,
        values: [this.#shard, expectedHead, epoch, head, expectedHead + 1, crc, bytes],
      })
      .catch((error: unknown) => {
        this.#unknown = true
        throw error
      })
    if (appended.rowCount !== 1)
      throw new StoreConflict(`epoch ${epoch} was fenced off, or the head is not ${expectedHead}`)
  }

  async *read(from: number): AsyncIterable<readonly Commit[]> {
    const { rows } = await this.#pool.query(`SELECT head FROM ${this.#schema}.shard WHERE shard = $1`, [
      this.#shard,
    ])
    const head = Number(rows[0].head)
    const first = Math.max(from, 1)
    let next: number | null = null
    while ((next ?? first) <= head) {
      const groups: pg.QueryResult = await this.#pool.query(
        `SELECT first_seq, last_seq, crc, commits FROM ${this.#schema}.commit_group
         WHERE shard = $1 AND last_seq >= $2 AND last_seq <= $3 ORDER BY last_seq LIMIT ${GROUPS}`,
        [this.#shard, next ?? first, head],
      )
      if (groups.rows.length === 0)
        throw new StoreDamaged(next ?? first, `it is missing, the head is ${head}`)
      for (const row of groups.rows) {
        const [firstSeq, lastSeq] = [Number(row.first_seq), Number(row.last_seq)]
        // The group that reading begins in may begin earlier.
        const due: number = next ?? Math.min(firstSeq, first)
        const commits = commitsOfGroup({ firstSeq, lastSeq, crc: Number(row.crc), bytes: row.commits }, due)
        yield firstSeq < first ? commits.slice(first - firstSeq) : commits
        next = lastSeq + 1
      }
    }
  }

  saveSnapshot(snapshot: SnapshotInPieces): Promise<void> {
    return this.#snapshots.saveSnapshot(snapshot)
  }

  snapshots(): AsyncIterable<Snapshot> {
    return this.#snapshots.snapshots()
  }

  async shelf(name: string): Promise<SnapshotShelf> {
    return new SnapshotTable(this.#pool, this.#schema, this.#shard, name)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    await this.#pool.end()
  }
}
