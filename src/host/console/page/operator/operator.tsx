// What an operator sees: one view at a time, named in the address, so that it can be kept and gone back to.
import { useEffect, useMemo, useState } from 'preact/hooks'
import { Frame } from '../shared/frame.tsx'
import type { SignedIn } from '../shared/session.ts'
import { AccountPage } from './accountPage.tsx'
import { AccountsView } from './accountsView.tsx'
import { CommandsView } from './commandsView.tsx'
import { ExposureView } from './exposureView.tsx'
import { HealthView } from './healthView.tsx'
import { LogView } from './logView.tsx'
import { MarketsView } from './marketsView.tsx'
import { type ClusterHealth, type Health, isCluster, OperatorClient } from './operatorClient.ts'

interface Props {
  readonly session: SignedIn
  readonly onLeave: (why: string | null) => void
}

const VIEWS = [
  ['accounts', 'Accounts', AccountsView],
  ['exposure', 'Exposure', ExposureView],
  ['markets', 'Markets', MarketsView],
  ['log', 'Log', LogView],
  ['commands', 'Commands', CommandsView],
  ['health', 'Health', HealthView],
] as const

export function Operator({ session, onLeave }: Props) {
  const { shards, shard, choose } = useShards(session)
  const client = useMemo(() => new OperatorClient(session, shard), [session, shard])
  const [place, setPlace] = useState(location.hash.slice(1))
  useEffect(() => {
    const follow = () => setPlace(location.hash.slice(1))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const [name, id] = place.split('/')
  const [shown, , View] = VIEWS.find(([view]) => view === name) ?? VIEWS[0]
  const views = (
    <>
      <nav aria-label="Views">
        {VIEWS.map(([view, title]) => (
          <a key={view} href={`#${view}`} aria-current={view === shown ? 'page' : undefined}>
            {title}
          </a>
        ))}
      </nav>
      {shards.length > 0 && (
        <select
          aria-label="Shard that is looked at"
          value={String(shard)}
          onChange={(event) => choose(Number(event.currentTarget.value))}
        >
          {shards.map((one) => (
            <option key={one} value={String(one)}>
              shard {one}
            </option>
          ))}
        </select>
      )}
    </>
  )
  return (
    <Frame bar={views} onLeave={() => onLeave(null)}>
      <main class="desk">
        <h1 class="unseen">Operating</h1>
        {shown === 'accounts' && id !== undefined ? (
          <AccountPage key={id} id={id} client={client} />
        ) : (
          <View client={client} />
        )}
      </main>
    </Frame>
  )
}

/** The shards of a cluster, and which of them is looked at; of a single host there are none. */
function useShards(session: SignedIn) {
  const [shards, setShards] = useState<readonly number[]>([])
  const [shard, choose] = useState<number | null>(null)
  useEffect(() => {
    const found = (health: Health | ClusterHealth) => {
      if (!isCluster(health)) return
      setShards(health.shards.map((one) => one.shard))
      choose((before) => before ?? health.shards[0]?.shard ?? null)
    }
    // Views say themselves where the venue does not answer.
    new OperatorClient(session).health().then(found, () => {})
  }, [session])
  return { shards, shard, choose }
}
