// The log as it grows, newest first.
import { useCallback, useId, useMemo, useState } from 'preact/hooks'
import { EVENT_TYPES } from '../../../../events/eventTable.ts'
import { TextField } from '../shared/fields.tsx'
import { moment } from '../shared/moments.ts'
import { shortId, words } from '../shared/names.ts'
import { COMMAND_TYPES } from './commandForm.ts'
import { useLog } from './logFollower.ts'
import type { OperatorClient, ShownCommit } from './operatorClient.ts'
import { Postings } from './postings.tsx'
import { Record } from './record.tsx'
import { usePolled } from './usePolled.ts'
import { View } from './view.tsx'

/** Commits that are kept, and how far back those begin that are looked through when the page is opened. */
const [MOST, EARLIER] = [200, 5_000]
/** Markets are seldom listed. */
const PAUSE_MS = 30_000

export function LogView({ client }: { readonly client: OperatorClient }) {
  const [type, setType] = useState('')
  const [accountId, setAccountId] = useState('')
  const [marketId, setMarketId] = useState('')
  const [hidesPrices, setHidesPrices] = useState(true)
  const readMarkets = useCallback(() => client.markets(), [client])
  const { value: markets } = usePolled(readMarkets, PAUSE_MS)
  const isId = accountId === '' || UUID.test(accountId)
  const terms = useMemo(() => {
    if (!isId) return null
    return {
      ...(type !== '' && { type }),
      ...(accountId !== '' && { accountId }),
      ...(marketId !== '' && { marketId }),
      ...(hidesPrices && type === '' && ({ quietPrices: 'false' } as const)),
    }
  }, [type, accountId, marketId, isId, hidesPrices])
  const after = useCallback(async () => Math.max(0, (await client.head()) - EARLIER), [client])
  const { commits, refusal } = useLog(client, terms, after, MOST)
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
        <Selection label="Type of the command or an event" value={type} options={TYPES} onChange={setType} />
        <Selection
          label="Market"
          value={marketId}
          options={(markets?.markets ?? []).map(({ marketId: id, asset }) => [id, asset])}
          onChange={setMarketId}
        />
        <TextField
          label="Account id"
          value={accountId}
          isAmount={false}
          fault={isId ? null : 'A whole id: 36 characters.'}
          onInput={(text) => setAccountId(text.trim())}
        />
      </div>
      {commits.length === 0 ? (
        <p class="nothing">Nothing like that has happened lately.</p>
      ) : (
        <ol class="log">
          {commits.map((commit) => (
            <li key={commit.seq}>
              <CommitLine commit={commit} client={client} />
            </li>
          ))}
        </ol>
      )}
    </View>
  )
}

const TYPES = [
  ...new Set<string>([
    ...COMMAND_TYPES,
    'placeOrder',
    'editOrder',
    'cancelOrder',
    'changeMargin',
    'closeAll',
    ...EVENT_TYPES,
  ]),
]
  .sort()
  .map((type) => [type, words(type)] as const)

interface SelectionProps {
  readonly label: string
  readonly value: string
  readonly options: readonly (readonly [value: string, name: string])[]
  readonly onChange: (value: string) => void
}

function Selection({ label, value, options, onChange }: SelectionProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <select id={id} value={value} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">any</option>
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </div>
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
          {[
            ...(by === undefined ? [] : [`by ${by.name ?? shortId(by.userId ?? '')}`]),
            ...(events.length === 0 ? [] : [events.map((event) => words(event.type)).join(', ')]),
          ].join(' · ')}
        </span>
      </summary>
      {isOpen && (
        <div class="unfolded">
          <h3>Command</h3>
          <Record of={command} />
          {events.map((event, index) => (
            <div key={index}>
              <h3>{words(event.type)}</h3>
              <Record of={event} />
            </div>
          ))}
          <Postings seq={seq} client={client} />
        </div>
      )}
    </details>
  )
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
