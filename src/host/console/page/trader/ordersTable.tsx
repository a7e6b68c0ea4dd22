// Orders that rest, and what ends them.

import { useState } from 'preact/hooks'
import type { ApiMarket, ApiOrder, MarginTradingClient } from '../../../../client/client.ts'
import { price, quantity } from '../shared/amounts.ts'
import { announce } from '../shared/announcements.tsx'
import { moment } from '../shared/moments.ts'
import { Refusal } from '../shared/refusal.tsx'
import { sentenceOf } from '../shared/sentences.ts'
import { useFocusBeyond } from '../shared/useFocusBeyond.ts'
import { ROOM_FOR_MANY, useStacked } from '../shared/useStacked.ts'
import { orderAmount } from './orderAmount.ts'
import { orderTypeName } from './orderTypeNames.ts'
import { Side } from './positionsTable.tsx'

interface Props {
  readonly orders: readonly ApiOrder[]
  readonly markets: ReadonlyMap<string, ApiMarket>
  readonly client: MarginTradingClient
  readonly onEdit: (order: ApiOrder) => void
}

export function OrdersTable({ orders, markets, client, onEdit }: Props) {
  const isStacked = useStacked(ROOM_FOR_MANY)
  return (
    <section class="card" aria-labelledby="orders-title">
      <div class="head">
        <h2 id="orders-title" tabIndex={-1}>
          Orders
        </h2>
        <span class="hint">{orders.length} resting</span>
      </div>
      {orders.length === 0 ? (
        <p class="nothing">No order waits.</p>
      ) : (
        <div class="scroll">
          <table class={isStacked ? 'stacked' : ''}>
            <thead>
              <tr>
                <th scope="col">Market</th>
                <th scope="col">Type</th>
                <th scope="col" class="number">
                  Amount
                </th>
                <th scope="col" class="number">
                  Trigger
                </th>
                <th scope="col" class="number">
                  Stop / take
                </th>
                <th scope="col">Placed (UTC)</th>
                <th scope="col">
                  <span class="unseen">What to do</span>
                </th>
              </tr>
            </thead>
            <tbody>
              {orders.map((order) => {
                const market = markets.get(order.market)
                return market === undefined ? null : (
                  <OrderRow key={order.id} order={order} market={market} client={client} onEdit={onEdit} />
                )
              })}
            </tbody>
          </table>
        </div>
      )}
    </section>
  )
}

interface RowProps {
  readonly order: ApiOrder
  readonly market: ApiMarket
  readonly client: MarginTradingClient
  readonly onEdit: (order: ApiOrder) => void
}

function OrderRow({ order, market, client, onEdit }: RowProps) {
  const [isUnderWay, setUnderWay] = useState(false)
  const [refusal, setRefusal] = useState<string | null>(null)
  const name = orderTypeName(order.type)
  const row = useFocusBeyond('orders-title')
  const cancel = async () => {
    if (isUnderWay) return
    setUnderWay(true)
    setRefusal(null)
    try {
      await client.cancelOrder(order.id)
      announce(`${name} order on ${market.config.ticker} canceled.`)
    } catch (error) {
      setRefusal(sentenceOf(error))
      setUnderWay(false)
    }
  }
  return (
    <tr ref={row}>
      <td>
        {market.config.ticker} <Side direction={order.direction} />
      </td>
      <td data-label="Type">{name}</td>
      <td class="number" data-label="Amount">
        {orderAmount(order, market.config.baseAsset)}
      </td>
      <td class="number" data-label="Trigger">
        {priceOrNone(order.triggerPrice)}
      </td>
      <td class="number" data-label="Stop / take">
        {priceOrNone(order.stopTriggerPrice)} / {priceOrNone(order.takeTriggerPrice)}
      </td>
      <td class="wide" data-label="Placed (UTC)">
        {moment(order.createdAt)}
      </td>
      <td class="actions">
        <button
          type="button"
          onClick={() => onEdit(order)}
          aria-label={`Change the ${name} order on ${market.config.ticker}`}
        >
          Change
        </button>
        <button
          type="button"
          onClick={cancel}
          // One that is disabled would lose the focus of whoever pressed it.
          aria-disabled={isUnderWay}
          aria-label={`Cancel the ${name} order on ${market.config.ticker}`}
        >
          Cancel
        </button>
        <Refusal said={refusal} />
      </td>
    </tr>
  )
}

function priceOrNone(text: string): string {
  const value = quantity(text)
  return value === 0n ? '–' : price(value)
}
