// Positions on the market in view that have ended, newest first.
import { useCallback } from 'preact/hooks'
import type { ApiMarket, ApiPosition, MarginTradingClient, PageOptions } from '../../../../client/client.ts'
import { CLOSE_REASONS } from '../../../../terms/closeReason.ts'
import { money, quantity, signedMoney, toneOf } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { words } from '../shared/names.ts'
import type { Column } from '../shared/table.tsx'
import { HistoryCard } from './historyCard.tsx'
import { Side } from './positionsTable.tsx'

interface Props {
  readonly accountId: string
  readonly market: ApiMarket
  readonly client: MarginTradingClient
  /** The open positions on the market: once one of them is gone there is one more to show. */
  readonly held: readonly ApiPosition[]
}

export function ClosedPositions({ accountId, market, client, held }: Props) {
  const { baseAsset, ticker } = market.config
  const read = useCallback(
    (page: PageOptions) => client.positionHistory(accountId, baseAsset, page),
    [client, accountId, baseAsset],
  )
  return (
    <HistoryCard
      id="closed"
      title="Closed positions"
      ticker={ticker}
      columns={COLUMNS}
      keyOf={({ idx }) => idx ?? ''}
      none="No position has ended here."
      read={read}
      version={held.map(({ idx }) => idx).join()}
    />
  )
}

const COLUMNS: readonly Column<ApiPosition>[] = [
  {
    name: 'Closed (UTC)',
    of: ({ closedAt, direction }) => (
      <>
        {closedAt === null ? '–' : moment(closedAt)} <Side direction={direction} />
      </>
    ),
  },
  { name: 'Opened (UTC)', isWide: true, of: ({ openedAt }) => moment(openedAt) },
  { name: 'How', isWide: true, of: howItEnded },
  {
    name: 'Pnl',
    isNumber: true,
    of: ({ pnl }) => <span class={toneOf(quantity(pnl ?? '0'))}>{signedMoney(quantity(pnl ?? '0'))}</span>,
  },
  { name: 'Funding', isNumber: true, of: ({ funding }) => signedMoney(quantity(funding ?? '0')) },
  { name: 'Fees', isNumber: true, of: ({ fee }) => money(quantity(fee)) },
]

function howItEnded({ status, closeReason, profitAdjustmentApplied }: ApiPosition): string {
  const ended = closeReason === null ? words(status) : `${words(status)}: ${CLOSE_REASONS[closeReason]}`
  return profitAdjustmentApplied ? `${ended}, profit of the first minute capped` : ended
}
