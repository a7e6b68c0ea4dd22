/** Whether a cluster comes to what it was asked for. */
import type { ClusterClock } from './clock.ts'
import type { ClusterView, Membership } from './membership.ts'

/** Between two looks, ms. */
const PAUSE_MS = 100

/**
 * Looks until it is so, for as long as is said; false where it has not come to that. A look that fails is no answer: a failover may be what
 * the hand-over waits for.
 *
 * @throws what the last look failed with, where it was the last for which there was time.
 */
export async function comesTo(
  membership: Pick<Membership, 'look'>,
  clock: ClusterClock,
  isSo: (view: ClusterView) => boolean,
  patienceMs: number,
): Promise<boolean> {
  for (const until = clock.monotonic() + patienceMs; ; await clock.sleep(PAUSE_MS)) {
    const isLast = clock.monotonic() >= until
    try {
      if (isSo(await membership.look())) return true
    } catch (error) {
      if (isLast) throw error
    }
    if (isLast) return false
  }
}

/** The shards that a node of that name owns. */
export function ownedBy({ nodes, shards }: ClusterView, name: string): number[] {
  const lives = nodes.filter((node) => node.name === name).map(({ life }) => life)
  return shards.filter(({ owner }) => owner !== null && lives.includes(owner)).map(({ shard }) => shard)
}
