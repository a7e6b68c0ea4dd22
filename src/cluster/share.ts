/** Who should own what: a function of what the database knows, the same on every node. */
import type { ClusterView, NodeRow, ShardRow } from './membership.ts'

/** A shard that should change hands. */
export interface Move {
  readonly shard: number
  /** A life; null = nobody has it. */
  readonly from: string | null
  readonly to: string
}

/**
 * The fewest moves after which every shard is where it was moved to by hand, nodes that drain have none, and of the
 * others none has two more than another; shards moved by hand count, and stay.
 */
export function movesOf({ nodes, shards }: ClusterView): Move[] {
  const takers = nodes.filter(({ draining }) => !draining)
  if (takers.length === 0) return []
  const held = new Map<string, ShardRow[]>(takers.map(({ life }) => [life, []]))
  const named = new Map(takers.map(({ name, life }) => [name, life]))
  const moves: Move[] = []
  const homeless: ShardRow[] = []
  for (const row of [...shards].sort((a, b) => a.shard - b.shard)) {
    const wanted = row.wanted === null ? undefined : named.get(row.wanted)
    const place = wanted ?? (row.owner !== null && held.has(row.owner) ? row.owner : undefined)
    if (place === undefined) homeless.push(row)
    else {
      held.get(place)?.push(row)
      if (place !== row.owner) moves.push({ shard: row.shard, from: row.owner, to: place })
    }
  }
  const least = () => extreme(takers, (life) => -(held.get(life) as ShardRow[]).length)
  const most = () => extreme(takers, (life) => (held.get(life) as ShardRow[]).length)
  for (const row of homeless) {
    const to = least()
    held.get(to)?.push(row)
    moves.push({ shard: row.shard, from: row.owner, to })
  }
  for (;;) {
    const [from, to] = [most(), least()]
    const [many, few] = [held.get(from) as ShardRow[], held.get(to) as ShardRow[]]
    if (many.length - few.length < 2) return moves
    const at = many.findLastIndex(({ wanted, owner }) => owner === from && named.get(wanted ?? '') !== from)
    if (at === -1) return moves
    const [row] = many.splice(at, 1) as [ShardRow]
    few.push(row)
    moves.push({ shard: row.shard, from, to })
  }
}

/** The life of whom `count` is largest for; of several the first by name. */
function extreme(nodes: readonly NodeRow[], count: (life: string) => number): string {
  const byName = [...nodes].sort((a, b) => (a.name < b.name ? -1 : 1))
  let [found] = byName as [NodeRow]
  for (const node of byName) if (count(node.life) > count(found.life)) found = node
  return found.life
}
