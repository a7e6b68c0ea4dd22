/**
 * The durable store in a PostgreSQL database. A shard is a row with the head and the epoch of its log; an append is one
 * statement that moves the head and inserts the commits, and does neither unless head and epoch are as expected. So a
 * writer that was fenced off, or whose statement arrives late, changes nothing, whatever it believes.
 */
import type pg from 'pg'
import type { Commit } from '../../events/commit.ts'
import { LOOP_CLOCKS } from '../node/loopClocks.ts'
import type { RowStore } from '../rowStore.ts'
import {
  OwnedElsewhere,
  type Snapshot,
  type SnapshotInPieces,
  type SnapshotShelf,
  type Store,
  StoreConflict,
  StoreDamaged,
  type StoreSession,
} from '../store.ts'
import { AppendLane } from './appendLane.ts'
import { groupBytes } from './commitGroup.ts'
import { type Database, type DatabaseOptions, openDatabase } from './database.ts'
import { chainAfter, GENESIS_CHAIN, type GroupRow, groupsFrom, readGroups } from './groupReading.ts'
import { type HistorySession, historyTables, takeCursor } from './historyTables.ts'
import { type LogAhead, runsFrom } from './logAhead.ts'
import { SnapshotTable } from './snapshotTable.ts'

/** How {@link openPostgresStore} opens a database. */
export interface PostgresStoreOptions extends DatabaseOptions {
  /** The shard of the venue, counted from 0; default 0. */
  readonly shard?: number
}

/**
 * Opens the log of a shard in a database, and makes its tables where they are missing. Nobody is fenced off before
 * {@link Store.open}, which fails where a node of a cluster owns the shard.
 *
 * ```ts
 * const first = await openEngine({ store: await openPostgresStore(database), seed: 'mine' })
 * await first.send({ type: 'advanceTime' }, { at })
 * await first.close()
 * const again = await openEngine({ store: await openPostgresStore(database) })
 * await again.close()
 * again.stateHash() === first.stateHash() // → true
 * ```
 *
 * @throws RangeError for a schema or shard that cannot be, tables of a newer release, a standby, or a database that
 * acknowledges before it has flushed; what `pg` throws when the database cannot be reached.
 */
export async function openPostgresStore(url: string, options: PostgresStoreOptions = {}): Promise<Store> {
  const { shard = 0, ...terms } = options
  if (!Number.isInteger(shard) || shard < 0 || shard >= 2 ** 31)
    throw new RangeError(`${shard} cannot be a shard`)
  const database = await openDatabase(url, terms)
  try {
    return await storeIn(database, shard, { owner: null, endsPool: true })
  } catch (error) {
    await database.pool.end()
    throw error
  }
}

/** What an append was, once it is durable. */
export interface Appended {
  readonly commits: number
  /** As they are stored. */
  readonly bytes: number
  readonly seconds: number
}

/** Who keeps a log, and how. */
export interface Keeping {
  /** One life of a node that owns the shard; null = whoever opens it, while no node owns it. */
  readonly owner: string | null
  /** What was read of it before; default: nothing. */
  readonly ahead?: LogAhead | null
  /** Whether closing the store ends its connections; default: they are others' too. */
  readonly endsPool?: boolean
  readonly onAppended?: (append: Appended) => void
  /** The connections over which history is read; default: the tables are for others alone, and the lists are in memory. */
  readonly readers?: pg.Pool
}

/** The log of a shard. */
export async function storeIn({ pool, schema }: Database, shard: number, keeping: Keeping): Promise<Store> {
  // A shard of a cluster was made with it, and what is of no use there goes when it is opened: its requests wait for that.
  if (keeping.owner === null) {
    await pool.query(
      `INSERT INTO ${schema}.shard (shard, head, epoch) VALUES ($1, 0, 0) ON CONFLICT DO NOTHING`,
      [shard],
    )
    await dropBeyond(pool, schema, shard)
  }
  return new PostgresStore(pool, schema, shard, keeping)
}

/** What was read of a log before it was opened, and what came since, as far as opening it has read that. */
interface ReadAhead extends LogAhead {
  readonly rest: readonly GroupRow[]
}

class PostgresStore implements Store {
  readonly #pool: pg.Pool
  readonly #schema: string
  readonly #shard: number
  readonly #keeping: Omit<Keeping, 'ahead'>
  readonly #snapshots: SnapshotTable
  /** An append failed: it may be in the log or not, or come yet. */
  #unknown = false
  /** Up to the head, as it was when this session opened or appended. */
  #chain: Uint8Array = GENESIS_CHAIN
  /** Up to the head that the last append to be sent will leave. */
  #ahead: { readonly head: number; readonly chain: Uint8Array } = { head: 0, chain: GENESIS_CHAIN }
  /** What was read before it was opened, as long as it is of use. */
  #readAhead: ReadAhead | null
  #history: HistorySession | null = null
  readonly #lane: AppendLane
  readonly appendsAtOnce = 2
  readonly clocks = LOOP_CLOCKS
  #closed = false

  constructor(pool: pg.Pool, schema: string, shard: number, { ahead = null, ...keeping }: Keeping) {
    this.#pool = pool
    this.#schema = schema
    this.#shard = shard
    this.#keeping = keeping
    this.#readAhead = ahead && { ...ahead, rest: [] }
    this.#snapshots = new SnapshotTable(pool, schema, shard, '')
    this.#lane = new AppendLane(pool)
  }

  /** Raising the epoch waits for an append that is under way, and refuses one that comes later. What depends on it is sent behind it. */
  async open(): Promise<StoreSession> {
    const { owner } = this.#keeping
    const client = await this.#pool.connect()
    let broken: Error | undefined
    const ahead = this.#readAhead
    client.on('error', lost)
    try {
      const [raised, last, known] = await Promise.all([
        client.query(
          `WITH raised AS (
             UPDATE ${this.#schema}.shard SET epoch = epoch + 1
             WHERE shard = $1 AND owner IS NOT DISTINCT FROM $2 RETURNING shard, head, epoch),
           taken AS (${takeCursor(this.#schema, 'raised')})
           SELECT head, epoch, (SELECT seq FROM taken) AS written FROM raised`,
          [this.#shard, owner],
        ),
        client.query(
          `SELECT last_seq, chain FROM ${this.#schema}.commit_group WHERE shard = $1 ORDER BY last_seq DESC LIMIT 1`,
          [this.#shard],
        ),
        ahead === null
          ? []
          : groupsFrom(client, this.#schema, [this.#shard, ahead.head, Number.MAX_SAFE_INTEGER]),
        dropBeyond(client, this.#schema, this.#shard),
      ]).catch((error: Error) => {
        broken = error
        throw error
      })
      if (raised.rows.length === 0) throw new OwnedElsewhere(`another node owns shard ${this.#shard}`)
      const [{ written }] = raised.rows
      const [head, epoch] = [Number(raised.rows[0].head), Number(raised.rows[0].epoch)]
      if (written === null) throw new StoreConflict(`epoch ${epoch} was fenced off from the history tables`)
      const found = Number(last.rows[0]?.last_seq ?? 0)
      if (found < head) throw new StoreDamaged(found + 1, `it is missing, the head is ${head}`)
      this.#chain = last.rows[0]?.chain ?? GENESIS_CHAIN
      this.#ahead = { head, chain: this.#chain }
      const [same, ...rest] = known
      this.#readAhead = isSame(ahead, same?.chain) ? { ...ahead, rest } : null
      this.#unknown = false
      this.#history = { epoch, cursor: Number(written) }
      return { head, epoch, repaired: null, unwritable: null }
    } finally {
      client.off('error', lost)
      client.release(broken)
    }
  }

  async append(commits: readonly Commit[], expectedHead: number, epoch: number): Promise<void> {
    if (this.#closed) throw new StoreConflict('the store is closed')
    if (this.#unknown) throw new StoreConflict('an append has failed: open the store to learn its outcome')
    let head = expectedHead
    for (const { seq } of commits)
      if (seq !== ++head) throw new StoreConflict(`commit ${seq} where ${head} was due`)
    if (commits.length === 0) return
    const { crc, bytes } = groupBytes(commits)
    const begun = performance.now()
    const chain = chainAfter(this.#ahead.head === expectedHead ? this.#ahead.chain : this.#chain, bytes)
    this.#ahead = { head, chain }
    const appended = await this.#lane
      .send({
        name: 'append',
        text: `WITH fence AS (
            UPDATE ${this.#schema}.shard SET head = $4 WHERE shard = $1 AND head = $2 AND epoch = $3 RETURNING shard)
          INSERT INTO ${this.#schema}.commit_group (shard, first_seq, last_seq, epoch, crc, chain, commits)
          SELECT shard, $5, $4, $3, $6, $7, $8 FROM fence`,
        values: [this.#shard, expectedHead, epoch, head, expectedHead + 1, crc, chain, bytes],
      })
      .catch((error: unknown) => {
        this.#unknown = true
        throw error
      })
    if (appended.rowCount !== 1)
      throw new StoreConflict(`epoch ${epoch} was fenced off, or the head is not ${expectedHead}`)
    this.#chain = chain
    const seconds = (performance.now() - begun) / 1_000
    this.#keeping.onAppended?.({ commits: commits.length, bytes: bytes.length, seconds })
  }

  async *read(from: number): AsyncGenerator<readonly Commit[], void> {
    const log = { pool: this.#pool, schema: this.#schema, shard: this.#shard }
    const ahead = this.#readAhead
    const { head } = this.#ahead
    this.#readAhead = null
    if (ahead === null || from < (ahead.runs[0]?.[0]?.seq ?? 0)) return yield* readGroups(log, from)
    yield* runsFrom(ahead, from)
    if (ahead.head === head) return
    const next = Math.max(from, ahead.head + 1)
    const rows = ahead.rest.filter(({ last_seq: last }) => Number(last) >= next && Number(last) <= head)
    yield* readGroups(log, next, undefined, { head, rows })
  }

  saveSnapshot(snapshot: SnapshotInPieces): Promise<void> {
    return this.#snapshots.saveSnapshot(snapshot)
  }

  async rows(epoch: number): Promise<RowStore> {
    const { readers = null } = this.#keeping
    if (this.#history?.epoch !== epoch)
      throw new StoreConflict(`epoch ${epoch} was fenced off from the history tables`)
    return historyTables(this.#pool, this.#schema, this.#shard, this.#history, readers)
  }

  async *snapshots(): AsyncGenerator<Snapshot, void> {
    const newest = this.#readAhead?.snapshot ?? null
    if (newest !== null) yield newest
    for await (const snapshot of this.#snapshots.snapshots()) if (snapshot.seq !== newest?.seq) yield snapshot
  }

  async shelf(name: string): Promise<SnapshotShelf> {
    return new SnapshotTable(this.#pool, this.#schema, this.#shard, name)
  }

  async close(): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    if (this.#keeping.endsPool === true) await this.#pool.end()
  }
}

/** A connection that is lost fails its statements; told to nobody besides, it would end the process. */
function lost(): void {}

/** Snapshots that were saved ahead of a log that was then cut off. */
async function dropBeyond(over: Pick<pg.Pool, 'query'>, schema: string, shard: number): Promise<void> {
  await over.query(
    `DELETE FROM ${schema}.snapshot_piece AS piece USING ${schema}.shard AS shard
     WHERE shard.shard = $1 AND piece.shard = $1 AND piece.seq > shard.head`,
    [shard],
  )
}

/** Whether what was read before is what the log has up to there. */
function isSame(ahead: LogAhead | null, chain: Buffer | undefined): ahead is LogAhead {
  return ahead !== null && chain?.equals(ahead.chain) === true
}
