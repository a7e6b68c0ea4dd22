// Mistakes in what a run is told to be against its markets.

import { type Mutant, mutant } from './mutant.ts'

const LINK = 'unit/backtest/statistics/marketLink.test.ts'
const MOVES = 'unit/backtest/statistics/moves.test.ts'
const AGAINST = 'unit/backtest/beside/againstMarkets.test.ts'

export const MARKET_MUTANTS: readonly Mutant[] = [
  mutant(
    'beta is what the market moves by where the account moves by one',
    'backtest/statistics/marketLink.ts',
    ['const beta = crossed / spread', 'const beta = crossed / ownSpread'],
    LINK,
  ),
  mutant(
    'the error of beta knows of one figure that was found, not of two',
    'backtest/statistics/marketLink.ts',
    ['/ (count - 2) : 0', '/ (count - 1) : 0'],
    LINK,
  ),
  mutant(
    'alpha has what the market brought',
    'backtest/statistics/marketLink.ts',
    ['(own - (varies ? beta : 0) * its)', 'own'],
    LINK,
  ),
  mutant(
    'a fall is found over one that was found before',
    'backtest/statistics/moves.ts',
    ['searched(prices, best.move.to, best.to, size)', 'searched(prices, best.move.from, best.to, size)'],
    MOVES,
  ),
  mutant(
    'a fall begins at the first of several moments at its peak',
    'backtest/statistics/moves.ts',
    ['if (grown <= 1) turn = at', 'if (grown < 1) turn = at'],
    MOVES,
  ),
  mutant(
    'thirty days know the day after them',
    'backtest/beside/againstMarkets.ts',
    ['over(index, index + ROLLING_DAYS)', 'over(index + 1, index + ROLLING_DAYS + 1)'],
    AGAINST,
  ),
  mutant(
    'all markets are the first of them',
    'backtest/beside/againstMarkets.ts',
    [
      'meanOf(columns.map((column) => column.returns[day] ?? null))',
      'meanOf(columns.slice(0, 1).map((column) => column.returns[day] ?? null))',
    ],
    AGAINST,
  ),
  mutant(
    'the part of a day with which a market begins is held against a whole day of the account',
    'backtest/beside/againstMarkets.ts',
    ['if (first > 0) byDay.delete(own.days[0] ?? 0)', ''],
    AGAINST,
  ),
  mutant(
    'the moment at which a period ends belongs to it and to the next',
    'backtest/beside/againstMarkets.ts',
    ['lastBy(time, to - 1)]', 'lastBy(time, to + 3_600_000)]'],
    AGAINST,
  ),
  mutant(
    'a trade counts where it was opened in a period',
    'backtest/beside/againstMarkets.ts',
    ['openedAt < to && closedAt > from', 'openedAt < to && openedAt >= from'],
    AGAINST,
  ),
  mutant(
    'a market has begun with the close of its first bar',
    'backtest/recording/marketPrices.ts',
    ['price[0] = this.begin', 'price[0] = price[0] ?? 0n'],
    AGAINST,
  ),
]
