// What an order spends, holds or closes, as people read it.
import type { ApiOrder } from '../../../../client/client.ts'
import { isIncreaseType } from '../../../../terms/orderTypes.ts'
import { exact, money, quantity, times } from '../shared/amounts.ts'

export function orderAmount(order: ApiOrder, baseAsset: string): string {
  const amount = quantity(order.amount)
  if (!isIncreaseType(order.type)) return `${exact(amount)} ${baseAsset}`
  const size =
    order.baseSize === null ? `${money(amount)} USD` : `${exact(quantity(order.baseSize))} ${baseAsset}`
  return order.leverage === null ? size : `${size} at ${times(quantity(order.leverage))}`
}
