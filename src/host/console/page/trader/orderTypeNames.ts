// What the order types are called on the page.
import type { OrderType } from '../../../../terms/orderTypes.ts'

const NAMES: { readonly [Type in OrderType]: string } = {
  market: 'Market',
  limit: 'Limit',
  stop_market: 'Stop market',
  stop_limit: 'Stop limit',
  stop: 'Stop-loss',
  take: 'Take-profit',
  trailing_stop: 'Trailing stop',
  liquidation: 'Liquidation',
}

export const orderTypeName = (type: OrderType): string => NAMES[type]
