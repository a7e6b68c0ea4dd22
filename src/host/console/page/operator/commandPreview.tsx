// What a command would do, as the venue decides it on a copy: nothing of it has happened.
import { useEffect, useState } from 'preact/hooks'
import { moneyBeside, percent, quantity } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { shortId, words } from '../shared/names.ts'
import { sentenceOf } from '../shared/sentences.ts'
import { Table } from '../shared/table.tsx'
import { gist } from './eventGist.ts'
import type { AccountSummary, OperatorClient, CommandPreview as Shown } from './operatorClient.ts'
import { PostingsTable } from './postings.tsx'
import { Record } from './record.tsx'

interface Props {
  /** Keeps its identity for as long as it is the same. */
  readonly command: object
  readonly client: OperatorClient
}

export function CommandPreview({ command, client }: Props) {
  const [shown, setShown] = useState<Shown | null>(null)
  const [fault, setFault] = useState<string | null>(null)
  useEffect(() => {
    let isGone = false
    client.preview(command).then(
      (answer) => isGone || setShown(answer),
      (error: unknown) => isGone || setFault(sentenceOf(error)),
    )
    return () => {
      isGone = true
    }
  }, [client, command])
  return (
    <section class="would" aria-label="What it would do" aria-live="polite">
      {fault !== null && <p class="refusal">What it would do cannot be shown: {fault}</p>}
      {shown === null && fault === null && <p class="nothing">Trying it on a copy…</p>}
      {shown !== null && <Effects shown={shown} />}
    </section>
  )
}

function Effects({ shown }: { readonly shown: Shown }) {
  const { result, message, seq, at, events, postings, accounts } = shown
  if (result !== 'accepted')
    return (
      <p class={result === 'refused' ? 'refusal' : 'hint'}>
        {result === 'refused' && 'It would be refused: '}
        {message}
      </p>
    )
  const rows = accounts.flatMap(changesOf)
  return (
    <>
      <p class="hint">
        Tried on a copy as of commit {seq}, for {moment(at)} UTC. Nothing has happened yet.
      </p>
      {events.length === 0 && <p class="nothing">Nothing would come of it.</p>}
      {rows.length > 0 && (
        <Table
          rows={rows}
          keyOf={({ accountId, name }) => `${accountId} ${name}`}
          none=""
          columns={[
            { name: 'Account', of: ({ accountId }) => shortId(accountId) },
            { name: 'What changes', of: ({ name }) => name },
            { name: 'Now', isNumber: true, of: ({ was }) => was },
            { name: 'Then', isNumber: true, of: ({ would }) => would },
          ]}
        />
      )}
      {postings.length > 0 && (
        <details>
          <summary>
            {postings.length === 1 ? '1 posting' : `${postings.length} postings`} between ledgers
          </summary>
          <PostingsTable postings={postings} />
        </details>
      )}
      {events.length > 0 && (
        <ol class="log">
          {events.slice(0, MOST_SHOWN).map((event, place) => (
            <li key={place}>
              <details>
                <summary>
                  <b>{words(event.type)}</b> <span class="muted">{gist(event)}</span>
                </summary>
                <Record of={event} />
              </details>
            </li>
          ))}
        </ol>
      )}
      {events.length > MOST_SHOWN && <p class="hint">And {events.length - MOST_SHOWN} more events.</p>}
    </>
  )
}

const MOST_SHOWN = 100

interface Change {
  readonly accountId: string
  readonly name: string
  readonly was: string
  readonly would: string
}

/** The fields that would be otherwise; of an account that would be opened the first few. */
function changesOf({ accountId, was, would }: Shown['accounts'][number]): Change[] {
  return SHOWN_FIELDS.filter(([field]) =>
    was === null ? IN_NEW.has(field) : was[field] !== would[field],
  ).map(([field, name, text]) => ({
    accountId,
    name,
    was: was === null ? '–' : text(was[field], would[field]),
    would: text(would[field], was?.[field] ?? null),
  }))
}

type Field = keyof AccountSummary

/** As it stands beside what it is compared with. */
type Text = (value: AccountSummary[Field], beside: AccountSummary[Field]) => string

const amount: Text = (value, beside) =>
  value === null ? '–' : moneyBeside(quantity(String(value)), quantity(String(beside ?? value)))
const share: Text = (value) => (value === null ? '–' : percent(quantity(String(value))))
const word: Text = (value) =>
  typeof value === 'boolean' ? (value ? 'yes' : 'no') : words(String(value ?? 'none'))

const SHOWN_FIELDS: readonly (readonly [Field, string, Text])[] = [
  ['status', 'Status', word],
  ['currentPhase', 'Phase', word],
  ['apiTrading', 'May be used with keys', word],
  ['loaded', 'Loaded', word],
  ['locked', 'Locked', word],
  ['balance', 'Balance', amount],
  ['equity', 'Equity', amount],
  ['headroom', 'Headroom', share],
  ['initialBalance', 'Initial balance', amount],
  ['dailyLossFloor', 'Daily floor', amount],
  ['totalLossFloor', 'Total floor', amount],
  ['openPositions', 'Open positions', word],
  ['openNotional', 'Open notional', amount],
  ['activeOrders', 'Active orders', word],
  ['profitableDays', 'Profitable days', word],
]

const IN_NEW: ReadonlySet<Field> = new Set<Field>(['status', 'currentPhase', 'balance'])
