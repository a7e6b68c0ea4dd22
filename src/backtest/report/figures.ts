/** The figures of a run under their usual names, each with its definition. */
import { change, count, money, NO_VALUE, ratio, share, span } from '../output/presentation.ts'
import type { BacktestResult } from '../run/run.ts'
import { LEAST_RETURNS } from '../statistics/statistics.ts'

const NEEDS_RETURNS = `A run of fewer than ${LEAST_RETURNS} daily returns has none.`

/** How a figure is coloured: a gain, a loss, or neither. */
export type Tone = 'gain' | 'loss' | 'plain'

export interface Figure {
  readonly name: string
  readonly value: string
  /** What the figure means and how it is computed. */
  readonly definition: string
  readonly tone?: Tone
  /** Where the middle 95% of redraws lie. */
  readonly interval?: string
}

export interface FigureGroup {
  readonly title: string
  readonly figures: readonly Figure[]
}

/** The figures a trader looks at first. */
export function headline(result: BacktestResult): Figure[] {
  const { statistics, costs } = result
  const { trades } = statistics
  const paid =
    costs.fees + costs.spread + costs.scalping + costs.funding + costs.liquidationPenalties + costs.profitCap
  return [
    {
      name: 'Net profit',
      value: change(statistics.netProfit),
      definition: 'Equity at the end minus equity at the start, open positions included, after all costs.',
      tone: toneOf(statistics.netProfit),
    },
    totalReturn(result),
    maxDrawdown(result),
    sharpe(result),
    profitFactor(result),
    {
      name: 'Win rate',
      value: share(trades.winRate, 1),
      definition: 'Winning trades over all closed trades.',
    },
    {
      name: 'Closed trades',
      value: count(trades.trades),
      definition: 'Positions opened and closed again, whatever the number of their fills.',
    },
    {
      name: 'All costs',
      value: money(paid),
      definition:
        'Fees, spread, scalping surcharge, funding, liquidation penalties and profit given up to the 60-second rule, together.',
    },
  ]
}

/** The full table. */
export function statisticGroups(result: BacktestResult): FigureGroup[] {
  return [
    { title: 'Return', figures: returnFigures(result) },
    { title: 'Risk', figures: riskFigures(result) },
    { title: 'Trades', figures: tradeFigures(result) },
    { title: 'Activity', figures: activityFigures(result) },
  ]
}

function returnFigures(result: BacktestResult): Figure[] {
  const { statistics } = result
  return [
    totalReturn(result),
    {
      name: 'Annual growth (CAGR)',
      value: share(statistics.annualGrowth),
      definition: `Compound growth per 365 days: (last equity / first equity)^(365 days / length of the run) − 1. ${NEEDS_RETURNS}`,
      tone: toneOf(statistics.annualGrowth),
    },
    {
      name: 'Volatility',
      value: share(statistics.annualVolatility),
      definition: `Sample standard deviation of daily returns, times the square root of 365. ${NEEDS_RETURNS}`,
    },
    sharpe(result),
    {
      name: 'Sortino ratio',
      value: ratio(statistics.sortinoRatio),
      definition: `Mean daily return over the downside deviation (all days in the denominator), annualised by the square root of 365. ${NEEDS_RETURNS}`,
    },
    {
      name: 'Calmar ratio',
      value: ratio(statistics.calmarRatio),
      definition: `Annual growth over the depth of the deepest drawdown. ${NEEDS_RETURNS}`,
    },
  ]
}

function riskFigures(result: BacktestResult): Figure[] {
  const { statistics } = result
  const { tailRisk } = statistics
  return [
    maxDrawdown(result),
    {
      name: 'Average drawdown',
      value: share(statistics.averageDrawdown),
      definition: 'Mean depth of all drawdowns, each counted once.',
    },
    {
      name: 'Longest drawdown',
      value:
        statistics.longestDrawdownDurationMs === 0 ? NO_VALUE : span(statistics.longestDrawdownDurationMs),
      definition: 'The longest time from a peak of equity until it was reached again, or until the end.',
    },
    {
      name: 'Value at risk (95%, daily)',
      value: share(tailRisk?.valueAtRisk ?? null),
      definition: `Historical simulation: the smallest loss among the worst 5% of daily returns. ${NEEDS_RETURNS}`,
    },
    {
      name: 'Expected shortfall (95%, daily)',
      value: share(tailRisk?.expectedShortfall ?? null),
      definition: `The mean of the worst 5% of daily returns, as a loss. ${NEEDS_RETURNS}`,
    },
    {
      name: 'Closest to liquidation',
      value: result.closestToLiquidation === null ? NO_VALUE : share(result.closestToLiquidation),
      definition: 'The smallest distance between the price and the liquidation price of an open position.',
    },
    {
      name: 'Liquidations',
      value: count(result.liquidations),
      definition: 'Positions closed because their margin fell to the maintenance margin.',
      ...(result.liquidations > 0 ? { tone: 'loss' as const } : {}),
    },
  ]
}

function tradeFigures(result: BacktestResult): Figure[] {
  const { trades } = result.statistics
  return [
    {
      name: 'Won / lost',
      value: `${count(trades.wins)} / ${count(trades.losses)}`,
      definition: 'Trades that earned and that lost money after fees and funding.',
    },
    profitFactor(result),
    {
      name: 'Expectancy',
      value: trades.expectancy === null ? NO_VALUE : change(trades.expectancy),
      definition: 'Net profit per closed trade.',
      ...(trades.expectancy === null ? {} : { tone: toneOf(trades.expectancy) }),
    },
    {
      name: 'Payoff ratio',
      value: ratio(trades.payoffRatio),
      definition: 'Mean win over mean loss.',
    },
    {
      name: 'Largest win / loss',
      value: `${money(trades.largestWin)} / ${money(trades.largestLoss)}`,
      definition: 'The best and the worst single trade, after fees and funding.',
    },
    {
      name: 'Longest streak won / lost',
      value: `${trades.longestWinStreak} / ${trades.longestLossStreak}`,
      definition: 'The most wins, and the most losses, in a row.',
    },
  ]
}

function activityFigures(result: BacktestResult): Figure[] {
  const { statistics } = result
  return [
    {
      name: 'Time in the market',
      value: share(statistics.exposure, 1),
      definition: 'Share of the time in which at least one trade was open.',
    },
    {
      name: 'Turnover',
      value: statistics.turnover === null ? NO_VALUE : `${ratio(statistics.turnover)}×`,
      definition: 'Value traded, openings and closings, over the mean equity.',
    },
    {
      name: 'Fills',
      value: count(result.fills),
      definition: 'Executions, opening and closing.',
    },
    {
      name: 'Open at the end',
      value: count(result.openPositions),
      definition: 'Positions still open when the data ended, valued at the index price.',
    },
  ]
}

function totalReturn({ statistics }: BacktestResult): Figure {
  return {
    name: 'Total return',
    value: share(statistics.totalReturn),
    definition: 'Last equity over first equity, minus one.',
    tone: toneOf(statistics.totalReturn),
  }
}

function maxDrawdown({ statistics }: BacktestResult): Figure {
  const deepest = statistics.maxDrawdown
  return {
    name: 'Max drawdown',
    value: deepest === null ? NO_VALUE : share(deepest.depth),
    definition: `The largest fall of equity from a peak, as a share of that peak${deepest === null ? '' : `: ${money(deepest.amount)}`}. Measured on every bar.`,
    ...(deepest === null ? {} : { tone: 'loss' as const }),
  }
}

function sharpe({ statistics }: BacktestResult): Figure {
  return {
    name: 'Sharpe ratio',
    value: ratio(statistics.sharpeRatio),
    definition: `Mean daily return over its sample standard deviation, annualised by the square root of 365; no risk-free return. ${NEEDS_RETURNS}`,
  }
}

function profitFactor({ statistics }: BacktestResult): Figure {
  return {
    name: 'Profit factor',
    value: ratio(statistics.trades.profitFactor),
    definition: 'Gross profit of the winning trades over gross loss of the losing ones; above 1 makes money.',
  }
}

export function toneOf(value: bigint | number | null): Tone {
  if (value === null || value === 0n || value === 0) return 'plain'
  return value > 0 ? 'gain' : 'loss'
}
