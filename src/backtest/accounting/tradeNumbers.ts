/** The numbers of trades: the same on a page and in its tables. */
import type { Trade } from './tradeLog.ts'

/** By position, 1 for the first that was opened. */
export function tradeNumbers(trades: readonly Trade[]): ReadonlyMap<string, number> {
  const byOpening = [...trades].sort((one, other) => one.openedAt - other.openedAt)
  return new Map(byOpening.map(({ positionId }, index) => [positionId, index + 1]))
}
