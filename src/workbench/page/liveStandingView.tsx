// How a live run stands: the account, what is open, what rests, what has filled and what befell it.
import { exact, money, price, quantity, signedMoney, toneOf } from '../../host/console/page/shared/amounts.ts'
import { moment } from '../../host/console/page/shared/moments.ts'
import { type Column, Table } from '../../host/console/page/shared/table.tsx'
import { orderTypeName } from '../../host/console/page/trader/orderTypeNames.ts'
import type { OrderType } from '../../terms/orderTypes.ts'
import type { LiveStanding } from '../liveStanding.ts'

type Position = LiveStanding['positions'][number]
type Order = LiveStanding['orders'][number]
type Fill = LiveStanding['fills'][number]
type Incident = LiveStanding['incidents'][number]

interface Props {
  readonly standing: LiveStanding
  /** It is how the run stood at its end. */
  readonly isOver: boolean
}

export function LiveStandingView({ standing, isOver }: Props) {
  const { at, status, lostAt, markets, open, positions, resting, orders, fills, incidents } = standing
  return (
    <>
      {lostAt !== null && !isOver && (
        <p class="refusal" role="alert">
          The venue is not heard since {momentOf(lostAt)} UTC: what stands below is as it was told last.
        </p>
      )}
      {status !== 'active' && (
        <p class="refusal" role="alert">
          The account is {status.replaceAll('_', ' ')}: the venue takes no orders that open anything.
        </p>
      )}
      <Figures standing={standing} />
      <p class="hint">
        {isOver ? 'As it stood at its end' : 'As it stands'}, {momentOf(at)} UTC by the venue’s clock:{' '}
        {markets.map(marketWords).join(', ')}
      </p>
      <h3>Positions{open > positions.length && `, the newest ${positions.length} of ${open}`}</h3>
      <Table columns={POSITIONS} rows={positions} keyOf={({ id }) => id} none="Nothing is open." />
      <h3>Resting orders{resting > orders.length && `, the newest ${orders.length} of ${resting}`}</h3>
      <Table columns={ORDERS} rows={orders} keyOf={({ id }) => id} none="No order rests." />
      <h3>Last fills</h3>
      <Table
        columns={fills.some(({ part }) => part !== null) ? [...FILLS, PART] : FILLS}
        rows={fills}
        keyOf={(fill) => fills.indexOf(fill).toString()}
        none="Nothing has filled since it began."
      />
      <h3>What befell it</h3>
      <Table
        columns={INCIDENTS}
        rows={incidents}
        keyOf={(incident) => incidents.indexOf(incident).toString()}
        none="Nothing was refused, lost or late."
      />
    </>
  )
}

function Figures({ standing }: { readonly standing: LiveStanding }) {
  const { equity, balance, free, dailyLossLeft, totalLossLeft } = standing
  const unrealized = quantity(equity) - quantity(balance)
  return (
    <section class="figures-row" aria-label="Account">
      <Figure name="Equity" value={money(quantity(equity))} />
      <Figure name="Unrealized pnl" value={signedMoney(unrealized)} tone={toneOf(unrealized)} />
      <Figure name="Balance" value={money(quantity(balance))} />
      <Figure name="Free" value={money(quantity(free))} />
      {dailyLossLeft !== null && <Figure name="May be lost today" value={money(quantity(dailyLossLeft))} />}
      {totalLossLeft !== null && <Figure name="May be lost in all" value={money(quantity(totalLossLeft))} />}
    </section>
  )
}

function Figure({
  name,
  value,
  tone = '',
}: {
  readonly name: string
  readonly value: string
  readonly tone?: string
}) {
  return (
    <div class="figure">
      <span class="muted">{name}</span>
      <b class={tone}>{value}</b>
    </div>
  )
}

const POSITIONS: readonly Column<Position>[] = [
  { name: 'Market', of: ({ asset, side }) => `${asset} ${side}` },
  { name: 'Size', isNumber: true, of: ({ size }) => exact(quantity(size)) },
  { name: 'Entry', isNumber: true, of: ({ entry }) => price(quantity(entry)) },
  { name: 'Price', isNumber: true, of: ({ price: now }) => price(quantity(now)) },
  { name: 'Pnl', isNumber: true, of: ({ pnl }) => <Change amount={pnl} /> },
  { name: 'Margin', isNumber: true, of: ({ margin }) => money(quantity(margin)) },
  {
    name: 'Liquidation',
    isNumber: true,
    of: ({ liquidation }) => (liquidation === '0' ? 'never' : price(quantity(liquidation))),
  },
]

const ORDERS: readonly Column<Order>[] = [
  { name: 'Market', of: ({ asset, side }) => `${asset} ${side}` },
  { name: 'Type', of: ({ type }) => orderTypeName(type as OrderType) ?? type },
  {
    name: 'Fires at',
    isNumber: true,
    of: ({ trigger }) => (trigger === '0' ? '–' : price(quantity(trigger))),
  },
  {
    name: 'Amount',
    isNumber: true,
    of: ({ amount, closes, asset }) =>
      closes ? `${exact(quantity(amount))} ${asset}` : money(quantity(amount)),
  },
]

const FILLS: readonly Column<Fill>[] = [
  { name: 'Time, UTC', of: ({ at }) => momentOf(at) },
  { name: 'Market', of: ({ asset, side }) => `${asset} ${side}` },
  { name: 'What', of: ({ action, reason }) => `${action.replace('_', ' ')}, ${reason}` },
  { name: 'Size', isNumber: true, of: ({ size }) => exact(quantity(size)) },
  { name: 'Price', isNumber: true, of: (fill) => price(quantity(fill.price)) },
  { name: 'Pnl', isNumber: true, of: ({ pnl }) => (pnl === null ? '–' : <Change amount={pnl} />) },
  { name: 'Fee', isNumber: true, of: ({ fee }) => money(quantity(fee)) },
]
const PART: Column<Fill> = { name: 'Of', of: ({ part }) => part ?? '–' }

const INCIDENTS: readonly Column<Incident>[] = [
  { name: 'Time, UTC', of: ({ at }) => momentOf(at) },
  { name: 'Kind', of: ({ kind }) => kind },
  { name: 'Market', of: ({ asset }) => asset ?? 'all' },
  { name: 'What', isWide: true, of: ({ what }) => what },
]

function Change({ amount }: { readonly amount: string }) {
  const value = quantity(amount)
  return <span class={toneOf(value)}>{signedMoney(value)}</span>
}

function marketWords({ asset, price: now, status }: LiveStanding['markets'][number]): string {
  const shut = status === 'open' ? '' : status === 'paused' ? ' (paused)' : ' (closes alone)'
  return `${asset} ${price(quantity(now))}${shut}`
}

function momentOf(at: number): string {
  return moment(new Date(at).toISOString())
}
