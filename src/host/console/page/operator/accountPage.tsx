// Everything there is to see of one account, and why its positions and orders are what they are.
import { useCallback, useState } from 'preact/hooks'
import { money, percent, price, quantity, signedMoney } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { shortId, words } from '../shared/names.ts'
import { Table } from '../shared/table.tsx'
import { orderTypeName } from '../trader/orderTypeNames.ts'
import { Row } from '../trader/ticket/preview.tsx'
import { CausesCard } from './causesCard.tsx'
import type { AccountDetail, OperatorClient } from './operatorClient.ts'
import { Timeline } from './timeline.tsx'
import { usePolled } from './usePolled.ts'
import { View } from './view.tsx'

const PAUSE_MS = 2_000
/** Markets are seldom listed. */
const MARKETS_PAUSE_MS = 30_000

export function AccountPage({ id, client }: { readonly id: string; readonly client: OperatorClient }) {
  const read = useCallback(() => client.account(id), [client, id])
  const { value: account, refusal } = usePolled(read, PAUSE_MS)
  const readMarkets = useCallback(() => client.markets(), [client])
  const { value: markets } = usePolled(readMarkets, MARKETS_PAUSE_MS)
  const assetOf = (marketId: string) =>
    markets?.markets.find((market) => market.marketId === marketId)?.asset ?? shortId(marketId)
  const [asked, setAsked] = useState<string | null>(null)
  const why = (of: string, about: string) => (
    <button type="button" onClick={() => setAsked(of)} aria-label={`Why this ${about}`}>
      Why
    </button>
  )
  return (
    <>
      <p>
        <a href="#accounts">← All accounts</a>
      </p>
      <View title={`Account ${shortId(id)}`} refusal={refusal} isLoading={account === null}>
        {account !== null && <Figures account={account} />}
      </View>
      {account !== null && (
        <>
          <View title="Positions">
            <Table
              rows={account.positions}
              keyOf={({ idx }) => idx ?? ''}
              none="No open position."
              columns={[
                { name: 'Position', of: ({ idx }) => shortId(idx ?? '') },
                { name: 'Market', of: ({ market }) => assetOf(market) },
                { name: 'Side', of: ({ direction }) => direction },
                { name: 'Notional', isNumber: true, of: ({ notional }) => money(quantity(notional)) },
                { name: 'Margin', isNumber: true, of: ({ margin }) => money(quantity(margin)) },
                { name: 'Opened (UTC)', of: ({ openedAt }) => moment(openedAt) },
                { name: 'Causes', of: ({ idx }) => why(idx ?? '', 'position') },
              ]}
            />
          </View>
          <View title="Orders">
            <Table
              rows={account.orders}
              keyOf={({ id: orderId }) => orderId}
              none="No order waits."
              columns={[
                { name: 'Order', of: ({ id: orderId }) => shortId(orderId) },
                { name: 'Market', of: ({ market }) => assetOf(market) },
                { name: 'Type', of: ({ type, direction }) => `${orderTypeName(type)}, ${direction}` },
                { name: 'Trigger', isNumber: true, of: ({ triggerPrice }) => price(quantity(triggerPrice)) },
                { name: 'Placed (UTC)', of: ({ createdAt }) => moment(createdAt) },
                { name: 'Causes', of: ({ id: orderId }) => why(orderId, 'order') },
              ]}
            />
          </View>
        </>
      )}
      {asked !== null && <CausesCard key={asked} id={asked} client={client} />}
      <Timeline accountId={id} client={client} />
    </>
  )
}

function Figures({ account }: { readonly account: AccountDetail }) {
  const { ledger, charges } = account
  const amounts: readonly (readonly [string, string])[] = [
    ['User', account.userId],
    ['Status', words(account.status)],
    ['Phase', words(account.currentPhase ?? 'none')],
    ['Equity', money(quantity(account.equity))],
    ['Pnl of the phase', signedMoney(quantity(account.pnl))],
    ['Headroom', account.headroom === null ? '–' : percent(quantity(account.headroom))],
    ['Free', money(quantity(ledger.free))],
    ['Reserved', money(quantity(ledger.reserve))],
    ['In margins', money(quantity(ledger.margin))],
    ['Fees', money(quantity(charges.fees))],
    ['Kept by liquidations', money(quantity(charges.liquidation))],
    ['Funding paid', money(quantity(charges.fundingPaid))],
    ['Funding received', money(quantity(charges.fundingReceived))],
    ['Spread', charges.spread === null ? '–' : money(quantity(charges.spread))],
    ["Kept by the first minute's rule", charges.window === null ? '–' : money(quantity(charges.window))],
    ['Target balance', money(quantity(account.targetBalance))],
    ['Profitable days', `${account.profitableDays} of ${account.minTradingDays}`],
    ['May be used with keys', account.apiTrading ? 'yes' : 'no'],
    ['Locked', account.locked ? 'yes' : 'no'],
  ]
  return (
    <dl class="figures in-columns">
      {amounts.map(([name, value]) => (
        <Row key={name} name={name} value={value} />
      ))}
    </dl>
  )
}
