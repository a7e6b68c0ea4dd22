/** What the closed trades of a run say. */
import { divideDown } from '../../quantity/rounding.ts'

/** A trade from opening to closing. */
export interface ClosedTrade {
  readonly side: 'long' | 'short'
  /** UTC ms. */
  readonly openedAt: number
  /** UTC ms, at or after `openedAt`. */
  readonly closedAt: number
  /** What the trade earned after fees and funding, fp9. */
  readonly pnl: bigint
  /** Value traded when opening and closing together, fp9. */
  readonly traded: bigint
}

/** Sums over trades. A trade that earned exactly nothing counts as a trade, but neither as a win nor as a loss. */
export interface TradeStatistics {
  readonly trades: number
  readonly wins: number
  readonly losses: number
  /** Σ of the winning trades' pnl, fp9. */
  readonly grossProfit: bigint
  /** Σ of the losing trades' pnl, fp9, as a number from zero up. */
  readonly grossLoss: bigint
  /** Gross profit − gross loss, fp9. */
  readonly netProfit: bigint
  /** Wins / trades; `null` without trades. */
  readonly winRate: number | null
  /** Gross profit / gross loss; `null` without losses. */
  readonly profitFactor: number | null
  /** Net profit per trade, fp9, rounded down; `null` without trades. */
  readonly expectancy: bigint | null
  /** Mean win / mean loss; `null` without wins or without losses. */
  readonly payoffRatio: number | null
  /** The most wins, and the most losses, in a row in the order given. A trade that earned nothing ends both. */
  readonly longestWinStreak: number
  readonly longestLossStreak: number
  /** The largest single win and loss, fp9, both from zero up; 0 without any. */
  readonly largestWin: bigint
  readonly largestLoss: bigint
}

/** @param trades in the order of their closing. */
export function tradeStatistics(trades: readonly ClosedTrade[]): TradeStatistics {
  const profits = trades.map(({ pnl }) => pnl).filter((pnl) => pnl > 0n)
  const losses = trades.map(({ pnl }) => -pnl).filter((loss) => loss > 0n)
  const grossProfit = sum(profits)
  const grossLoss = sum(losses)
  const netProfit = grossProfit - grossLoss
  const meanWin = Number(grossProfit) / profits.length
  const meanLoss = Number(grossLoss) / losses.length
  return {
    trades: trades.length,
    wins: profits.length,
    losses: losses.length,
    grossProfit,
    grossLoss,
    netProfit,
    winRate: trades.length === 0 ? null : profits.length / trades.length,
    profitFactor: grossLoss === 0n ? null : Number(grossProfit) / Number(grossLoss),
    expectancy: trades.length === 0 ? null : divideDown(netProfit, BigInt(trades.length)),
    payoffRatio: profits.length === 0 || losses.length === 0 ? null : meanWin / meanLoss,
    longestWinStreak: longestStreak(trades, (pnl) => pnl > 0n),
    longestLossStreak: longestStreak(trades, (pnl) => pnl < 0n),
    largestWin: largest(profits),
    largestLoss: largest(losses),
  }
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n)
}

function largest(values: readonly bigint[]): bigint {
  return values.reduce((most, value) => (value > most ? value : most), 0n)
}

function longestStreak(trades: readonly ClosedTrade[], belongs: (pnl: bigint) => boolean): number {
  let longest = 0
  let current = 0
  for (const { pnl } of trades) {
    current = belongs(pnl) ? current + 1 : 0
    longest = Math.max(longest, current)
  }
  return longest
}
