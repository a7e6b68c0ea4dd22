// Orders on the market in view that have ended, and why, newest first.
import { useCallback } from 'preact/hooks'
import type { ApiMarket, ApiOrder, PageOptions } from '../../../../client/client.ts'
import { quantity, signedMoney, toneOf } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import type { Column } from '../shared/table.tsx'
import { HistoryCard } from './historyCard.tsx'
import type { LiveVenue } from './liveVenue.ts'
import { orderAmount } from './orderAmount.ts'
import { orderEnd } from './orderEnd.ts'
import { orderTypeName } from './orderTypeNames.ts'
import { Side } from './positionsTable.tsx'

interface Props {
  readonly accountId: string
  readonly market: ApiMarket
  readonly live: LiveVenue
}

export function EndedOrders({ accountId, market, live }: Props) {
  const { baseAsset, ticker } = market.config
  const { client } = live
  const read = useCallback(
    (page: PageOptions) => client.orderHistory(accountId, baseAsset, page),
    [client, accountId, baseAsset],
  )
  return (
    <HistoryCard
      id="ended"
      title="Ended orders"
      ticker={ticker}
      columns={columnsFor(baseAsset)}
      keyOf={({ id }) => id}
      none="No order has ended here."
      read={read}
      version={live.ordersTold}
    />
  )
}

function columnsFor(baseAsset: string): readonly Column<ApiOrder>[] {
  return [
    {
      name: 'Placed (UTC)',
      of: ({ createdAt, direction }) => (
        <>
          {moment(createdAt)} <Side direction={direction} />
        </>
      ),
    },
    { name: 'Type', of: ({ type }) => orderTypeName(type) },
    { name: 'Amount', isNumber: true, of: (order) => orderAmount(order, baseAsset) },
    { name: 'What became of it', isWide: true, of: orderEnd },
    {
      name: 'Realized',
      isNumber: true,
      of: ({ realizedPnl }) => {
        if (realizedPnl === null) return '–'
        const pnl = quantity(realizedPnl)
        return <span class={toneOf(pnl)}>{signedMoney(pnl)}</span>
      },
    },
  ]
}
