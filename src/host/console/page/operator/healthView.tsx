// Whether the venue is well, and whether those who are told of it are reached.
import { useCallback } from 'preact/hooks'
import { moment } from '../shared/moments.ts'
import { Table } from '../shared/table.tsx'
import { Row } from '../trader/ticket/preview.tsx'
import { ClusterMap } from './clusterMap.tsx'
import { type ClusterHealth, type Health, isCluster, type OperatorClient } from './operatorClient.ts'
import { usePolled } from './usePolled.ts'
import { View } from './view.tsx'

const PAUSE_MS = 2_000

const SAID = {
  ok: 'All is well',
  reading: 'Nothing can be written: commands are refused',
  failed: 'The engine has stopped',
} as const satisfies { readonly [Status in Health['status']]: string }

export function HealthView({ client }: { readonly client: OperatorClient }) {
  const readHealth = useCallback(() => client.health(), [client])
  const readWebhooks = useCallback(() => client.webhooks(), [client])
  const { value: health, refusal } = usePolled(readHealth, PAUSE_MS)
  const webhooks = usePolled(readWebhooks, PAUSE_MS)
  const standing = health === null ? '' : standingOf(health)
  return (
    <>
      <View title="Health" refusal={refusal} isLoading={health === null}>
        {health !== null && (
          <dl class="figures">
            <Row name="Standing" value={standing} tone={standing === SAID.ok ? '' : 'loss'} />
            {health.reason !== null && <Row name="Why" value={health.reason} />}
            {!isCluster(health) && (
              <>
                <Row name="Commits" value={String(health.head)} />
                <Row name="Not durable yet" value={String(health.head - health.durableHead)} />
                <Row name="Time of the venue (UTC)" value={moment(health.at)} />
                <Row name="The wall clock is ahead by" value={`${health.clockOffsetMs} ms`} />
              </>
            )}
          </dl>
        )}
      </View>
      {health !== null && isCluster(health) && <ClusterMap cluster={health} />}
      <View title="Webhooks" refusal={webhooks.refusal} isLoading={webhooks.value === null}>
        <Table
          rows={webhooks.value ?? []}
          keyOf={({ url }) => url}
          none="None is configured."
          columns={[
            { name: 'Receiver', of: ({ url }) => url },
            { name: 'Backlog', isNumber: true, of: ({ backlog }) => backlog },
            { name: 'Delivered', isNumber: true, of: ({ delivered }) => delivered },
            { name: 'Given up', isNumber: true, of: ({ givenUp }) => givenUp },
            { name: 'Last error', of: ({ lastError }) => lastError ?? '–' },
          ]}
        />
      </View>
    </>
  )
}

/** A node may be well while others of its cluster are not. */
function standingOf(health: Health | ClusterHealth): string {
  const silent = isCluster(health) ? health.shards.filter(({ at }) => at === null) : []
  if (health.status !== 'ok' || silent.length === 0) return SAID[health.status]
  const numbers = silent.map(({ shard }) => shard).join(', ')
  return silent.length === 1 ? `Shard ${numbers} does not answer` : `Shards ${numbers} do not answer`
}
