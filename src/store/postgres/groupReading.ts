/** The groups of a shard's log as they are read: each by itself, and the chain from one to the next. */
import { createHash } from 'node:crypto'
import type { Pool } from 'pg'
import type { Commit } from '../../events/commit.ts'
import { StoreDamaged } from '../store.ts'
import { commitsOfGroup } from './commitGroup.ts'

/** The most groups that are read in one statement: a venue at rest has groups of one commit, and each statement is a way there and back. */
const GROUPS = 1_024
/** Bytes of commits after which a statement ends with the group that reached them. */
const BYTES = 1_048_576

/** Before the first group. */
export const GENESIS_CHAIN: Uint8Array = new Uint8Array(32)

/** SHA-256 over the chain before a group and its bytes, as `sha256(chain || commits)` computes it in the database. */
export function chainAfter(chain: Uint8Array, bytes: Uint8Array): Uint8Array {
  return createHash('sha256').update(chain).update(bytes).digest()
}

/** Is told the last commit of every group, and the chain up to it. */
export type OnGroup = (head: number, chain: Uint8Array) => void

/** What is known of a log already by whoever reads it. */
export interface KnownGroups {
  readonly head: number
  /** Those in which reading begins, in their order; empty: they have to be read. */
  readonly rows: readonly GroupRow[]
}

/** As many as are read at once, from that of a commit on. */
export async function groupsFrom(
  over: Pick<Pool, 'query'>,
  schema: string,
  [shard, from, upTo]: readonly [shard: number, from: number, upTo: number],
): Promise<readonly GroupRow[]> {
  const { rows } = await over.query(
    `SELECT first_seq, last_seq, crc, chain, commits FROM (
       SELECT *, sum(octet_length(commits)) OVER (ORDER BY last_seq) - octet_length(commits) AS before FROM (
         SELECT first_seq, last_seq, crc, chain, commits FROM ${schema}.commit_group
         WHERE shard = $1 AND last_seq >= $2 AND last_seq <= $3 ORDER BY last_seq LIMIT ${GROUPS}) AS most) AS counted
     WHERE before < ${BYTES} ORDER BY last_seq`,
    [shard, from, upTo],
  )
  return rows
}

/**
 * @throws StoreDamaged at the first commit that cannot be read, after every one before it.
 */
export async function* readGroups(
  { pool, schema, shard }: { readonly pool: Pool; readonly schema: string; readonly shard: number },
  from: number,
  onGroup: OnGroup = () => {},
  known: KnownGroups | null = null,
): AsyncGenerator<readonly Commit[], void> {
  const head = known?.head ?? (await headOf())
  const first = Math.max(from, 1)
  async function headOf(): Promise<number> {
    const { rows } = await pool.query(`SELECT head FROM ${schema}.shard WHERE shard = $1`, [shard])
    return Number(rows[0]?.head ?? 0)
  }
  const rowsFrom = (seq: number) => groupsFrom(pool, schema, [shard, seq, head])
  let next: number | null = null
  let chain: Uint8Array | null = first === 1 ? GENESIS_CHAIN : null
  const begun = known === null || known.rows.length === 0 ? null : Promise.resolve(known.rows)
  let coming = first <= head ? (begun ?? rowsFrom(first)) : null
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

/** A group as its table has it. */
export interface GroupRow {
  readonly first_seq: string
  readonly last_seq: string
  readonly crc: string
  readonly chain: Buffer
  readonly commits: Buffer
}
