/** The figures that runs are compared by: where `result.json` has each, and how it is read. */
import { change, count, money, NO_VALUE, ratio, share, span } from '../output/presentation.ts'

type Unit = 'amount' | 'share' | 'ratio' | 'count' | 'span'

interface ComparedFigure {
  readonly name: string
  /** Dotted path in result.json. */
  readonly at: string
  readonly unit: Unit
}

export const FIGURES = {
  netProfit: { name: 'Net profit', at: 'statistics.netProfit', unit: 'amount' },
  totalReturn: { name: 'Total return', at: 'statistics.totalReturn', unit: 'share' },
  maxDrawdown: { name: 'Max drawdown', at: 'statistics.maxDrawdown.depth', unit: 'share' },
  longestDrawdown: { name: 'Longest drawdown', at: 'statistics.longestDrawdownDurationMs', unit: 'span' },
  sharpeRatio: { name: 'Sharpe ratio', at: 'statistics.sharpeRatio', unit: 'ratio' },
  sortinoRatio: { name: 'Sortino ratio', at: 'statistics.sortinoRatio', unit: 'ratio' },
  calmarRatio: { name: 'Calmar ratio', at: 'statistics.calmarRatio', unit: 'ratio' },
  trades: { name: 'Closed trades', at: 'statistics.trades.trades', unit: 'count' },
  winRate: { name: 'Win rate', at: 'statistics.trades.winRate', unit: 'share' },
  profitFactor: { name: 'Profit factor', at: 'statistics.trades.profitFactor', unit: 'ratio' },
  expectancy: { name: 'Mean per trade', at: 'statistics.trades.expectancy', unit: 'amount' },
  exposure: { name: 'Time in the market', at: 'statistics.exposure', unit: 'share' },
  liquidations: { name: 'Liquidations', at: 'liquidations', unit: 'count' },
  pricePnl: { name: 'Earned by prices alone', at: 'costs.pricePnl', unit: 'amount' },
  fees: { name: 'Fees paid', at: 'costs.fees', unit: 'amount' },
  spread: { name: 'Spread paid', at: 'costs.spread', unit: 'amount' },
  scalping: { name: 'Scalping surcharge paid', at: 'costs.scalping', unit: 'amount' },
  funding: { name: 'Funding paid', at: 'costs.funding', unit: 'amount' },
  liquidationPenalties: {
    name: 'Liquidation penalties paid',
    at: 'costs.liquidationPenalties',
    unit: 'amount',
  },
  profitCap: { name: 'Given up to the 60-second rule', at: 'costs.profitCap', unit: 'amount' },
  lossesAbsorbed: { name: 'Borne by the house', at: 'costs.lossesAbsorbed', unit: 'amount' },
  transfers: { name: 'Transfers', at: 'costs.transfers', unit: 'amount' },
  leastDailyHeadroom: { name: 'Least daily headroom', at: 'leastDailyHeadroom', unit: 'amount' },
  leastTotalHeadroom: { name: 'Least total headroom', at: 'leastTotalHeadroom', unit: 'amount' },
} as const satisfies Readonly<Record<string, ComparedFigure>>

export type FigureName = keyof typeof FIGURES

/** A value as people read it. */
export function figureText(name: FigureName, value: bigint | number | null): string {
  if (value === null) return NO_VALUE
  return typeof value === 'bigint' ? money(value) : WORDING[FIGURES[name].unit](value)
}

/** How far a value lies from another, with its sign; nothing where one of them has no meaning or both are the same. */
export function differenceText(
  name: FigureName,
  value: bigint | number | null,
  from: bigint | number | null,
): string {
  if (value === null || from === null || value === from) return ''
  if (typeof value === 'bigint') return change(value - BigInt(from))
  const difference = value - Number(from)
  const text = WORDING[FIGURES[name].unit](Math.abs(difference))
  return `${difference < 0 ? '−' : '+'}${text}`
}

const WORDING = { amount: ratio, share, ratio, count, span } as const
