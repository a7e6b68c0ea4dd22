// Two nodes of a cluster in one process: one owns the only shard, the other is attacked, and sends on whatever it is asked. What
// both take of the processor, and hold in memory, is told as that of one host.

import { serveNode } from '../../src/host/cluster/serveNode.ts'
import type { Engine } from '../../src/index.ts'
import { CONFIGURATION } from './venue.ts'

/** Longer than the loop is held while the venue is prepared, ms. */
const LEASE_MS = 10_000

export async function serveFront(
  postgres: string,
): Promise<{ readonly url: string; readonly engine: Engine }> {
  const configuration = { ...CONFIGURATION, cluster: { shards: 1, secret: 'between the two' } }
  const terms = { configuration, postgres, port: 0, leaseMs: LEASE_MS }
  const { node: owner } = await serveNode({ ...terms, name: 'owner' })
  while (owner.where(0).at !== 'here') await owner.changed(LEASE_MS)
  const { url, node } = await serveNode({ ...terms, name: 'front' })
  while (node.where(0).at !== 'there') await node.changed(LEASE_MS)
  const { engine } = owner.open.get(0) as { engine: Engine }
  return { url, engine }
}
