/** What `margin-core cluster` says of a cluster: a line a node, what nobody owns or can be opened, and what there is in all. */
import { ownedBy } from '../cluster/comesTo.ts'
import type { ClusterView } from '../cluster/membership.ts'
import { instant, json } from './logText.ts'

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
  const troubles = shards.flatMap(({ shard, trouble }) =>
    trouble === undefined
      ? []
      : [`shard ${shard} cannot be opened, since ${instant(trouble.since)}: ${trouble.reason}`],
  )
  const commits = shards.reduce((sum, { head }) => sum + head, 0)
  return [
    ...lines,
    ...(free.length === 0 ? [] : [`nobody's: ${free.join(' ')}`]),
    ...troubles,
    `${shards.length} shards, ${commits} commits\n`,
  ].join('\n')
}

/** The same for programs. */
export function statusJson(view: ClusterView): string {
  const names = new Map(view.nodes.map(({ life, name }) => [life, name]))
  const nodes = [...view.nodes]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, address, draining }) => ({ name, address, draining }))
  const shards = view.shards.map(({ shard, owner, epoch, head, trouble }) => ({
    ...{ shard, owner: names.get(owner ?? '') ?? null, epoch, head },
    trouble: trouble === undefined ? null : { reason: trouble.reason, since: instant(trouble.since) },
  }))
  return `${json({ nodes, shards })}\n`
}
