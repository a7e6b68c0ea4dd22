// The log as it grows, newest first.
import { useEffect, useState } from 'preact/hooks'
import { TextField } from '../shared/fields.tsx'
import { moment } from '../shared/moments.ts'
import { shortId, words } from '../shared/names.ts'
import { sentenceOf } from '../shared/sentences.ts'
import type { OperatorClient, ShownCommit } from './operatorClient.ts'
import { Postings } from './postings.tsx'
import { Record } from './record.tsx'
import { View } from './view.tsx'

/** Commits that are kept, and how long it waits before it connects again, ms. */
const [MOST, PAUSE_MS] = [200, 2_000]
/** How many commits before the page was opened are shown too. */
const EARLIER = 100

export function LogView({ client }: { readonly client: OperatorClient }) {
  const [type, setType] = useState('')
  const [accountId, setAccountId] = useState('')
  const [hidesPrices, setHidesPrices] = useState(true)
  const { commits, refusal } = useLog(client, type, accountId)
  const shown = hidesPrices && type === '' ? commits.filter((commit) => !isPriceAlone(commit)) : commits
  const tools = (
    <label class="check">
      <input
        type="checkbox"
        checked={hidesPrices}
        onChange={(event) => setHidesPrices(event.currentTarget.checked)}
      />
      without prices that did nothing
    </label>
  )
  return (
    <View title="Log" tools={tools} refusal={refusal}>
      <div class="filters">
        <TextField label="Type of the command or an event" value={type} isAmount={false} onInput={setType} />
        <TextField label="Account id" value={accountId} isAmount={false} onInput={setAccountId} />
      </div>
      {shown.length === 0 && <p class="nothing">Nothing like that has happened lately.</p>}
      <ol class="log">
        {shown.map((commit) => (
          <li key={commit.seq}>
            <CommitLine commit={commit} client={client} />
          </li>
        ))}
      </ol>
    </View>
  )
}

interface LineProps {
  readonly commit: ShownCommit
  readonly client: OperatorClient
}

function CommitLine({ commit, client }: LineProps) {
  const [isOpen, setOpen] = useState(false)
  const { seq, at, by, command, events } = commit
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <span class="muted">
          {seq} · {moment(at)}
        </span>{' '}
        <b>{words(command.type)}</b>{' '}
        <span class="muted">
          {by === undefined ? '' : `by ${by.name ?? shortId(by.userId ?? '')} · `}
          {events.map((event) => words(event.type)).join(', ')}
        </span>
      </summary>
      <h3>Command</h3>
      <Record of={command} />
      {events.map((event, index) => (
        <div key={index}>
          <h3>{words(event.type)}</h3>
          <Record of={event} />
        </div>
      ))}
      {isOpen && <Postings seq={seq} client={client} />}
    </details>
  )
}

function isPriceAlone({ command, events }: ShownCommit): boolean {
  return command.type === 'updatePrice' && events.length <= 1
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

function useLog(client: OperatorClient, type: string, accountId: string) {
  const [commits, setCommits] = useState<readonly ShownCommit[]>([])
  const [refusal, setRefusal] = useState<string | null>(null)
  useEffect(() => {
    setCommits([])
    if (accountId !== '' && !UUID.test(accountId)) return
    const leaving = new AbortController()
    const query = { ...(type !== '' && { type }), ...(accountId !== '' && { accountId }) }
    let gathered: ShownCommit[] = []
    let isDue = false
    const show = () => {
      isDue = false
      const news = gathered.reverse()
      gathered = []
      setCommits((before) => [...news, ...before].slice(0, MOST))
    }
    const follow = async () => {
      let last: number | null = null
      while (!leaving.signal.aborted) {
        try {
          last ??= Math.max(0, (await client.health()).head - EARLIER)
          for await (const commit of client.commits(query, last, leaving.signal)) {
            last = commit.seq
            setRefusal(null)
            gathered.push(commit)
            if (!isDue) requestAnimationFrame(show)
            isDue = true
          }
        } catch (error) {
          if (leaving.signal.aborted) return
          setRefusal(sentenceOf(error))
        }
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
      }
    }
    void follow()
    return () => leaving.abort()
  }, [client, type, accountId])
  return { commits, refusal }
}
