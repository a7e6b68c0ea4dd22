// Where the price of a market comes from, and what its orders and positions are held to.
import { MARKET_PARAMETERS } from '../../../../terms/parameterFields.ts'
import { price, quantity } from '../shared/amounts.ts'
import { moment } from '../shared/moments.ts'
import { words } from '../shared/names.ts'
import { Table } from '../shared/table.tsx'
import type { OperatorMarket } from './operatorClient.ts'
import { Record } from './record.tsx'
import { View } from './view.tsx'

export function MarketDetails({ market }: { readonly market: OperatorMarket }) {
  const { asset, marketId, priceSource, sources, nextFundingAt, parameters } = market
  return (
    <>
      <View title={`${asset}: where its price comes from`}>
        <Table
          rows={sources}
          keyOf={({ name }) => name}
          none={
            priceSource === 'operator'
              ? 'Operators: by update price, under Commands.'
              : `The venue's own feed: ${priceSource}.`
          }
          columns={[
            { name: 'Source', of: ({ name }) => <b>{name}</b> },
            { name: 'Connected', of: ({ isConnected }) => (isConnected ? 'yes' : 'no') },
            {
              name: 'Price',
              isNumber: true,
              of: ({ price: said }) => (said === null ? '–' : price(quantity(said))),
            },
            {
              name: 'Age',
              isNumber: true,
              of: ({ ageMs }) => (ageMs === null ? 'never' : `${(ageMs / 1000).toFixed(1)} s`),
            },
            { name: 'Clock ahead', isNumber: true, of: ({ clockAheadMs }) => clockAhead(clockAheadMs) },
            { name: 'A minute', isNumber: true, of: ({ perMinute }) => perMinute },
            {
              name: 'Counts',
              of: ({ excluded }) =>
                excluded === null ? 'yes' : <span class="loss">no: {words(excluded)}</span>,
            },
            { name: 'Reconnected', isNumber: true, of: ({ reconnections }) => reconnections },
            { name: 'Unreadable', isNumber: true, of: ({ unreadable }) => unreadable },
            { name: 'Last error', of: ({ lastError }) => lastError ?? '–' },
          ]}
        />
      </View>
      <View title={`${asset}: parameters`} tools={<a href="#commands">Change them with configure market</a>}>
        <p class="hint">
          {marketId} · next funding {moment(nextFundingAt)} UTC
        </p>
        <Record of={parameters} kinds={MARKET_PARAMETERS} />
      </View>
    </>
  )
}

function clockAhead(ms: number | null): string {
  if (ms === null) return '–'
  return `${ms < 0 ? '−' : '+'}${(Math.abs(ms) / 1000).toFixed(1)} s`
}
