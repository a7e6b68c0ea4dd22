/** The groups of a shard's log as they are read: each by itself, and the chain from one to the next. */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Commit } from '../../events/commit.ts'
import { StoreDamaged } from '../store.ts'
import { commitsOfGroup } from './commitGroup.ts'

/** Groups that are read in one statement. */
const GROUPS = 16

/** Before the first group. */
export const GENESIS_CHAIN: Uint8Array = new Uint8Array(32)

/** SHA-256 over the chain before a group and its bytes, as `sha256(chain || commits)` computes it in the database. */
export function chainAfter(chain: Uint8Array, bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(chain).update(bytes).digest()
}

/** Is told the last commit of every group, and the chain up to it. */
export type OnGroup = (head: number, chain: Uint8Array) => void

/** @throws StoreDamaged at the first commit that cannot be read, after every one before it. */
export async function* readGroups(
  { pool, schema, shard }: { readonly pool: Pool; readonly schema: string; readonly shard: number },
  from: number,
  onGroup: OnGroup = () => {},
): AsyncGenerator<readonly Commit[], void> {
  const heads = await pool.query(`SELECT head FROM ${schema}.shard WHERE shard = $1`, [shard])
  const head = Number(heads.rows[0]?.head ?? 0)
  const first = Math.max(from, 1)
  const rowsFrom = async (seq: number): Promise<readonly GroupRow[]> => {
    const { rows } = await pool.query(
      `SELECT first_seq, last_seq, crc, chain, commits FROM ${schema}.commit_group
       WHERE shard = $1 AND last_seq >= $2 AND last_seq <= $3 ORDER BY last_seq LIMIT ${GROUPS}`,
      [shard, seq, head],
    )
    return rows
  }
  let next: number | null = null
  let chain: Uint8Array | null = first === 1 ? GENESIS_CHAIN : null
  let coming = first <= head ? rowsFrom(first) : null
  while (coming !== null) {
    const rows: readonly GroupRow[] = await coming
    const last = rows.at(-1)
    if (last === undefined) throw new StoreDamaged(next ?? first, `it is missing, the head is ${head}`)
    // The next are on their way while these are looked at; whoever stops reading does not hear that they failed.
    coming = Number(last.last_seq) < head ? rowsFrom(Number(last.last_seq) + 1) : null
    coming?.catch(() => {})
    for (const row of rows) {
      const [firstSeq, lastSeq] = [Number(row.first_seq), Number(row.last_seq)]
      // The group that reading begins in may begin earlier.
      const due: number = next ?? Math.min(firstSeq, first)
      const commits = commitsOfGroup({ firstSeq, lastSeq, crc: Number(row.crc), bytes: row.commits }, due)
      // Of what is before the first group that is read nothing is known.
      if (chain !== null && !row.chain.equals(chainAfter(chain, row.commits)))
        throw new StoreDamaged(firstSeq, 'it does not follow from what is before it: its chain is another')
      chain = row.chain
      onGroup(lastSeq, row.chain)
      yield firstSeq < first ? commits.slice(first - firstSeq) : commits
      next = lastSeq + 1
    }
  }
}

interface GroupRow {
  readonly first_seq: string
  readonly last_seq: string
  readonly crc: string
  readonly chain: Buffer
  readonly commits: Buffer
}
