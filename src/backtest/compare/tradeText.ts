/** What became of a trade, in a few words. */
import { change, NO_VALUE, span } from '../output/presentation.ts'
import type { SavedTrade } from './savedRun.ts'

export function tradeText(trade: SavedTrade | null): string {
  if (trade === null) return NO_VALUE
  return `${change(trade.pnl)}, ${trade.endedBy} after ${span(trade.closedAt - trade.openedAt)}`
}
