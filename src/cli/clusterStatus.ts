/** What `margin-core cluster` says of a cluster: a line a node, what nobody owns, and what there is in all. */
import { ownedBy } from '../cluster/comesTo.ts'
import type { ClusterView } from '../cluster/membership.ts'

export function statusText(view: ClusterView): string {
  const { nodes, shards } = view
  const lives = new Set(nodes.map(({ life }) => life))
  const lines = [...nodes]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, address, draining }) =>
        `${name}  ${address}  ${draining ? 'draining' : 'serving'}  shards ${ownedBy(view, name).join(' ') || 'none'}`,
    )
  const free = shards.filter(({ owner }) => owner === null || !lives.has(owner)).map(({ shard }) => shard)
  const commits = shards.reduce((sum, { head }) => sum + head, 0)
  return [
    ...lines,
    ...(free.length === 0 ? [] : [`nobody's: ${free.join(' ')}`]),
    `${shards.length} shards, ${commits} commits\n`,
  ].join('\n')
}
