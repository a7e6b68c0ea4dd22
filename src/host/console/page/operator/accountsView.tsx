// The accounts of all users, those first that are nearest to a floor.
import { useCallback, useState } from 'preact/hooks'
import { CLOSED_SETS } from '../../../../terms/closedSets.ts'
import { money, percent, quantity, signedMoney, toneOf } from '../shared/amounts.ts'
import { shortId, words } from '../shared/names.ts'
import { type Column, Table } from '../shared/table.tsx'
import type { AccountSummary, OperatorClient } from './operatorClient.ts'
import { usePolled } from './usePolled.ts'
import { View } from './view.tsx'

const [PAGE, PAUSE_MS] = [20, 3_000]
const SORTS = ['headroom', 'equity', 'pnl', 'created']

export function AccountsView({ client }: { readonly client: OperatorClient }) {
  const [search, setSearch] = useState('')
  const [status, setStatus] = useState('')
  const [sort, setSort] = useState('headroom')
  const [offset, setOffset] = useState(0)
  const read = useCallback(
    () =>
      client.accounts({
        sort,
        limit: String(PAGE),
        offset: String(offset),
        ...(search !== '' && { search }),
        ...(status !== '' && { status }),
      }),
    [client, sort, offset, search, status],
  )
  const { value, refusal } = usePolled(read, PAUSE_MS)
  const total = value?.totalCount ?? 0
  const tools = (
    <>
      <label class="check">
        Part of an id
        <input
          type="search"
          placeholder="Account or user"
          value={search}
          onInput={(event) => {
            setSearch(event.currentTarget.value)
            setOffset(0)
          }}
        />
      </label>
      <select
        aria-label="Status"
        value={status}
        onChange={(event) => {
          setStatus(event.currentTarget.value)
          setOffset(0)
        }}
      >
        <option value="">any status</option>
        {CLOSED_SETS.accountStatus.map((one) => (
          <option key={one} value={one}>
            {words(one)}
          </option>
        ))}
      </select>
      <select aria-label="Sorted by" value={sort} onChange={(event) => setSort(event.currentTarget.value)}>
        {SORTS.map((one) => (
          <option key={one} value={one}>
            by {one}
          </option>
        ))}
      </select>
    </>
  )
  return (
    <View title="Accounts" tools={tools} refusal={refusal} isLoading={value === null}>
      <Table
        columns={COLUMNS}
        rows={value?.data ?? []}
        keyOf={({ accountId }) => accountId}
        none="No account is like that."
      />
      <div class="pager">
        <span>{total === 0 ? 'none' : `${offset + 1}–${Math.min(offset + PAGE, total)} of ${total}`}</span>
        <button type="button" disabled={offset === 0} onClick={() => setOffset(Math.max(0, offset - PAGE))}>
          Previous
        </button>
        <button type="button" disabled={offset + PAGE >= total} onClick={() => setOffset(offset + PAGE)}>
          Next
        </button>
      </div>
    </View>
  )
}

const COLUMNS: readonly Column<AccountSummary>[] = [
  { name: 'Account', of: ({ accountId }) => <a href={`#accounts/${accountId}`}>{shortId(accountId)}</a> },
  { name: 'User', of: ({ userId }) => shortId(userId) },
  {
    name: 'Status',
    of: ({ status, currentPhase }) => words(status === 'active' ? (currentPhase ?? status) : status),
  },
  {
    name: 'Headroom',
    isNumber: true,
    of: ({ headroom }) => (headroom === null ? '–' : percent(quantity(headroom))),
  },
  { name: 'Equity', isNumber: true, of: ({ equity }) => money(quantity(equity)) },
  {
    name: 'Pnl',
    isNumber: true,
    of: ({ pnl }) => <span class={toneOf(quantity(pnl))}>{signedMoney(quantity(pnl))}</span>,
  },
  { name: 'Open notional', isNumber: true, of: ({ openNotional }) => money(quantity(openNotional)) },
  { name: 'Positions', isNumber: true, of: ({ openPositions }) => openPositions },
  { name: 'Orders', isNumber: true, of: ({ activeOrders }) => activeOrders },
]
