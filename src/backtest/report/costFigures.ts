/** What the rules of the venue cost, each apart. */
import { change, count, plural, share } from '../output/presentation.ts'
import type { BacktestResult } from '../run/run.ts'
import { type Figure, toneOf } from './figures.ts'

export interface CostFigure extends Figure {
  /** Share of the largest cost, 0 to 1, for a bar beside the figure; null for a line that is no cost. */
  readonly weight: number | null
  /** Share of the initial balance. */
  readonly ofBalance: string
}

const COSTS = [
  ['fees', 'Fees', 'Opening and closing fees at the fee rate of the market; liquidations aside.'],
  ['spread', 'Spread', 'Execution prices against the index price, at the base spread, opening and closing.'],
  [
    'scalping',
    'Scalping surcharge',
    'What the scalping coefficient added to the spread of trades closed inside the scalping window.',
  ],
  ['funding', 'Funding', 'Paid at the funding instants; negative where more was received than paid.'],
  ['liquidationPenalties', 'Liquidation penalties', 'Margin left at liquidations, which the house keeps.'],
  [
    'profitCap',
    '60-second rule',
    'Profit given up because a trade was closed within 60 seconds of an opening or increase.',
  ],
] as const

/** The lines of costs; what prices alone earned comes first and what was left comes last. */
export function costFigures({ costs, initialBalance, statistics }: BacktestResult): CostFigure[] {
  const largest = COSTS.reduce((most, [key]) => (costs[key] > most ? costs[key] : most), 0n)
  const line = (name: string, definition: string, amount: bigint): Omit<CostFigure, 'weight'> => ({
    name,
    definition,
    value: change(amount),
    ofBalance: share(Number(amount) / Number(initialBalance)),
    tone: toneOf(amount),
  })
  const total = (name: string, definition: string, amount: bigint) => ({
    ...line(name, definition, amount),
    weight: null,
  })
  return [
    total(
      'Prices alone',
      'What the index prices earned from entries to exits, before all costs.',
      costs.pricePnl,
    ),
    ...COSTS.map(([key, name, definition]) => ({
      ...line(name, definition, -costs[key]),
      weight: largest === 0n || costs[key] <= 0n ? 0 : Number(costs[key]) / Number(largest),
    })),
    ...OTHERS.filter(([key]) => costs[key] !== 0n).map(([key, name, definition]) =>
      total(name, definition, costs[key]),
    ),
    total('Change of equity', 'What is left; the lines above add up to it exactly.', statistics.netProfit),
  ]
}

/** Why the totals on the page differ: net profit by trades and by what of it is in the balance. */
export function totalsSentence({
  account,
  costs,
  initialBalance,
  openPositions,
  statistics,
}: BacktestResult): string {
  const { netProfit, trades } = statistics
  const realized = account.accountBalance - initialBalance
  const parts = [
    `${change(trades.netProfit)} of ${counted(trades.trades, 'closed trade')}`,
    `${change(netProfit - trades.netProfit - costs.transfers)} of ${counted(openPositions, 'position')} still open`,
    ...(costs.transfers === 0n ? [] : [`${change(costs.transfers)} of transfers`]),
  ]
  return `Net profit ${change(netProfit)} is ${parts.join(', ')}; ${change(realized)} of it is realized, in the balance, and ${change(netProfit - realized)} is not.`
}

const counted = (number: number, what: string): string => `${count(number)} ${plural(number, what)}`

const OTHERS = [
  ['lossesAbsorbed', 'Borne by the house', 'Losses beyond the margin of a position, which no account pays.'],
  ['transfers', 'Transfers', 'Deposits, withdrawals and the fresh balances of new phases.'],
] as const
