// What a commit moved between the ledgers of accounts and the house.
import { useCallback } from 'preact/hooks'
import { exact, quantity } from '../shared/amounts.ts'
import { shortId, words } from '../shared/names.ts'
import type { OperatorClient, Posting } from './operatorClient.ts'
import { type Column, Table } from './table.tsx'
import { usePolled } from './usePolled.ts'

/** What a commit moved stays as it is: this only asks again where an answer was lost. */
const PAUSE_MS = 30_000

type Numbered = Posting & { readonly place: number }

const COLUMNS: readonly Column<Numbered>[] = [
  { name: 'event', of: ({ event }) => words(event) },
  { name: 'account', of: ({ accountId }) => shortId(accountId) },
  ...(['free', 'reserve', 'margin', 'house'] as const).map((ledger) => ({
    name: ledger,
    isNumber: true,
    of: (posting: Numbered) => exact(quantity(posting[ledger])),
  })),
]

export function Postings({ seq, client }: { readonly seq: number; readonly client: OperatorClient }) {
  const read = useCallback(() => client.postings(seq), [client, seq])
  const { value, refusal } = usePolled(read, PAUSE_MS)
  return (
    <div>
      <h3>Postings</h3>
      {refusal !== null && <p class="refusal">{refusal}</p>}
      {value !== null && (
        <Table
          columns={COLUMNS}
          rows={value.map((posting, place) => ({ ...posting, place }))}
          keyOf={({ place }) => String(place)}
          none="It moved no money."
        />
      )}
    </div>
  )
}
