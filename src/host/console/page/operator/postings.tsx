// What events moved between the ledgers of accounts and the house.
import { useCallback } from 'preact/hooks'
import { exact, quantity, toneOf } from '../shared/amounts.ts'
import { shortId, words } from '../shared/names.ts'
import { type Column, Table } from '../shared/table.tsx'
import type { OperatorClient, Posting } from './operatorClient.ts'
import { usePolled } from './usePolled.ts'

/** What a commit moved stays as it is: this only asks again where an answer was lost. */
const PAUSE_MS = 30_000

type Numbered = Posting & { readonly place: number }

const LEDGERS = ['free', 'reserve', 'margin', 'house'] as const

const COLUMNS: readonly Column<Numbered>[] = [
  { name: 'Event', of: ({ event }) => words(event) },
  { name: 'Account', of: ({ accountId }) => shortId(accountId) },
  ...LEDGERS.map((ledger) => ({
    name: ledger.replace(/^./, (letter) => letter.toUpperCase()),
    isNumber: true,
    of: (posting: Numbered) => {
      const moved = quantity(posting[ledger])
      return <span class={toneOf(moved, 1n)}>{moved === 0n ? '–' : exact(moved)}</span>
    },
  })),
]

export function PostingsTable({ postings }: { readonly postings: readonly Posting[] }) {
  return (
    <Table
      columns={COLUMNS}
      rows={postings.map((posting, place) => ({ ...posting, place }))}
      keyOf={({ place }) => String(place)}
      none="It moves no money."
    />
  )
}

export function Postings({ seq, client }: { readonly seq: number; readonly client: OperatorClient }) {
  const read = useCallback(() => client.postings(seq), [client, seq])
  const { value, refusal } = usePolled(read, PAUSE_MS)
  return (
    <div>
      <h3>Postings</h3>
      {refusal !== null && <p class="refusal">{refusal}</p>}
      {value !== null && <PostingsTable postings={value} />}
    </div>
  )
}
