// Which node has which shards, and how far each of them is.
import { moment } from '../shared/moments.ts'
import { Table } from '../shared/table.tsx'
import type { ClusterHealth, ShardHealth } from './operatorClient.ts'
import { View } from './view.tsx'

export function ClusterMap({ cluster }: { readonly cluster: ClusterHealth }) {
  const { node, shards } = cluster
  const owners = [...new Set(shards.map(({ owner }) => owner))].sort(byName)
  return (
    <View title="Cluster" tools={<span class="hint">as node {node} sees it</span>}>
      {owners.map((owner) => (
        <div key={owner} class="node">
          <h3>
            {owner ?? 'Without a node'}
            {owner === node && <span class="muted"> (this one)</span>}
          </h3>
          <Table
            rows={shards.filter((shard) => shard.owner === owner)}
            keyOf={({ shard }) => String(shard)}
            none=""
            columns={[
              { name: 'Shard', isNamed: true, of: ({ shard }: ShardHealth) => <b>{shard}</b> },
              { name: 'Epoch', isNumber: true, of: ({ epoch }) => epoch },
              { name: 'Commits', isNumber: true, of: ({ head }) => head },
              { name: 'Not durable yet', isNumber: true, of: ({ head, durableHead }) => head - durableHead },
              {
                name: 'Time (UTC)',
                of: ({ at }) => (at === null ? <span class="loss">does not answer</span> : moment(at)),
              },
            ]}
          />
        </div>
      ))}
    </View>
  )
}

/** Shards that nobody has stand first. */
function byName(a: string | null, b: string | null): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? -1 : 1
  return a < b ? -1 : 1
}
