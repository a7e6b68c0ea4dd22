// What of an account's positions and orders stands at a price, to be drawn over the chart of a market.

import type { ApiMarket, ApiOrder, ApiPosition } from '../../../../client/client.ts'
import { entryPrice } from '../../../../domain/formulas/entryPrice.ts'
import { liquidationPrice } from '../../../../domain/formulas/liquidation.ts'
import { quantity } from '../shared/amounts.ts'
import { positionTerms } from './formulaTerms.ts'

export interface ChartLine {
  readonly id: string
  readonly price: bigint
  readonly title: string
  /** A colour of the style sheet. */
  readonly colour: 'accent' | 'liquidation' | 'loss' | 'gain' | 'muted'
  readonly isDashed: boolean
  /** Whose trigger price it is, where the reader may move it. */
  readonly order: ApiOrder | null
}

export function chartLines(
  market: ApiMarket,
  positions: Iterable<ApiPosition>,
  orders: Iterable<ApiOrder>,
): ChartLine[] {
  const lines: ChartLine[] = []
  for (const position of positions) {
    if (position.market !== market.id) continue
    const terms = positionTerms(position)
    const named = { isDashed: false, order: null }
    lines.push({
      ...named,
      id: `entry ${position.idx}`,
      price: entryPrice(terms),
      title: `${position.direction} entry`,
      colour: 'accent',
    })
    const level = liquidationPrice(terms, quantity(market.config.maintenanceMarginRate))
    if (level > 0n)
      lines.push({
        ...named,
        id: `liquidation ${position.idx}`,
        price: level,
        title: 'liquidation',
        colour: 'liquidation',
      })
  }
  for (const order of orders) {
    const level = quantity(order.triggerPrice)
    if (order.market !== market.id || level === 0n) continue
    lines.push({
      id: `order ${order.id}`,
      price: level,
      title: TITLES[order.type] ?? order.type,
      colour: COLOURS[order.type] ?? 'muted',
      isDashed: true,
      order: order.type === 'trailing_stop' ? null : order,
    })
  }
  return lines
}

const TITLES: Readonly<Record<string, string>> = {
  stop: 'stop',
  take: 'take',
  trailing_stop: 'trailing stop',
  limit: 'limit',
  stop_market: 'stop entry',
  stop_limit: 'stop limit',
}
const COLOURS: Readonly<Record<string, ChartLine['colour']>> = {
  stop: 'loss',
  trailing_stop: 'loss',
  take: 'gain',
}
