/** Snapshots of a shard in a table: the newest two of each shelf, in rows of bounded size. */
import type { Pool } from 'pg'
import { joined, type Snapshot, type SnapshotInPieces, type SnapshotShelf } from '../store.ts'
import { inTransaction } from './tables.ts'

/** Bytes of one row, about. */
const ROW_BYTES = 1 << 20
const KEPT = 2

export class SnapshotTable implements SnapshotShelf {
  readonly #pool: Pool
  readonly #schema: string
  readonly #key: readonly [shard: number, shelf: string]

  /** `shelf` empty: the snapshots of the store itself. */
  constructor(pool: Pool, schema: string, shard: number, shelf: string) {
    this.#pool = pool
    this.#schema = schema
    this.#key = [shard, shelf]
  }

  /** It is seen once all of it is there. */
  saveSnapshot({ seq, schema, pieces }: SnapshotInPieces): Promise<void> {
    const table = `${this.#schema}.snapshot_piece`
    return inTransaction(this.#pool, async (client) => {
      await client.query(`DELETE FROM ${table} WHERE shard = $1 AND shelf = $2 AND seq = $3`, [
        ...this.#key,
        seq,
      ])
      let piece = 0
      for (const bytes of inRows(pieces))
        await client.query(`INSERT INTO ${table} VALUES ($1, $2, $3, $4, $5, $6)`, [
          ...this.#key,
          seq,
          piece++,
          schema,
          bytes,
        ])
      await client.query(
        `DELETE FROM ${table} WHERE shard = $1 AND shelf = $2 AND seq NOT IN (
           SELECT DISTINCT seq FROM ${table} WHERE shard = $1 AND shelf = $2 ORDER BY seq DESC LIMIT ${KEPT})`,
        [...this.#key],
      )
    })
  }

  async *snapshots(): AsyncIterable<Snapshot> {
    const table = `${this.#schema}.snapshot_piece`
    const found = await this.#pool.query(
      `SELECT DISTINCT seq FROM ${table} WHERE shard = $1 AND shelf = $2 ORDER BY seq DESC`,
      [...this.#key],
    )
    for (const { seq } of found.rows) {
      const { rows } = await this.#pool.query(
        `SELECT schema, bytes FROM ${table} WHERE shard = $1 AND shelf = $2 AND seq = $3 ORDER BY piece`,
        [...this.#key, seq],
      )
      // Another owner may have replaced it meanwhile.
      if (rows.length === 0) continue
      yield { seq: Number(seq), schema: rows[0].schema, bytes: joined(rows.map(({ bytes }) => bytes)) }
    }
  }
}

/** Pieces put together to rows; at least one. */
function* inRows(pieces: Iterable<Uint8Array>): Generator<Uint8Array, void> {
  let row: Uint8Array[] = []
  let length = 0
  for (const piece of pieces) {
    row.push(piece)
    length += piece.length
    if (length < ROW_BYTES) continue
    yield joined(row)
    row = []
    length = 0
  }
  yield joined(row)
}
