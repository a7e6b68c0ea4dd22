/** Under which epochs the commits of a shard were appended. */
import type { Database } from './database.ts'

/** Of the first `limit` groups from a sequence on, oldest first: each epoch with the first sequence that is known of it. */
export async function epochsFrom(
  { pool, schema }: Database,
  shard: number,
  from: number,
  limit: number,
): Promise<{ readonly first: number; readonly epoch: number }[]> {
  const { rows } = await pool.query(
    `SELECT epoch, min(first_seq) AS first FROM (
       SELECT epoch, first_seq FROM ${schema}.commit_group WHERE shard = $1 AND last_seq >= $2 ORDER BY last_seq LIMIT $3
     ) AS groups GROUP BY epoch ORDER BY epoch`,
    [shard, from, limit],
  )
  return rows.map(({ epoch, first }) => ({ epoch: Number(epoch), first: Number(first) }))
}
