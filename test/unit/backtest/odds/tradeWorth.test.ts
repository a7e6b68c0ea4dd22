// What a move of the price was worth to a trade: by its own gross profit, or by its size and what a unit came to in the others.

import { expect, test } from 'vitest'
import type { OwnTrade, TradedAt } from '../../../../src/backtest/odds/ownTrade.ts'
import { knownTrades } from '../../../../src/backtest/odds/tradeWorth.ts'

const trade = (pnl: number, traded: TradedAt): OwnTrade => ({
  ...{ closedAt: 2, openedAt: 1, pnl, worst: null },
  traded: { symbol: 'ES', ...traded },
})
const worths = (...trades: readonly OwnTrade[]) => knownTrades(trades, null).map((known) => known?.worth)

test('where only the size is told, a unit is worth what it was in most trades', () => {
  // A point of the contract is worth 50.
  const telling = (size: number) =>
    trade(50 * size * 10, { side: 'long', size, entryPrice: 5_000, exitPrice: 5_010 })
  const flat = trade(-2, { side: 'long', size: 3, entryPrice: 5_000, exitPrice: 5_000, gross: 0 })
  expect(worths(telling(1), telling(2), telling(4), flat).at(-1)).toBe(150)
})

test('a trade that lacks a price tells nothing of a unit', () => {
  const flat = trade(-2, { side: 'long', size: 3, entryPrice: 5_000, exitPrice: 5_000, gross: 0 })
  const half = [
    trade(500, { size: 1, exitPrice: 5_010 }),
    trade(500, { size: 1, entryPrice: 5_010 }),
    trade(500, { side: 'long', size: 1, exitPrice: 5_010 }),
    trade(500, { side: 'short', size: 1, entryPrice: 5_010 }),
    trade(-20_000, { side: 'long', size: 1, entryPrice: 5_000, exitPrice: 0 }),
  ]
  expect(worths(...half, flat)).toEqual([undefined, undefined, undefined, undefined, undefined, 3])
})
