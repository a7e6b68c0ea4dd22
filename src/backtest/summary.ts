/** A run for people: the figures in the order a trader asks for them. */

import { formatInstant } from '../projections/wire.ts'
import { formatDecimal, formatPercent } from '../quantity/decimal.ts'
import type { BacktestResult } from './run.ts'
import type { Verdict } from './verdict.ts'

/** The lines of the summary, ready to print. */
export function summaryLines(result: BacktestResult): string[] {
  const { statistics, costs } = result
  const { trades, maxDrawdown } = statistics
  const equity = result.account.riskStatus.currentEquity
  const rows: (readonly [string, string] | null)[] = [
    ['strategy', result.strategy],
    [
      'period',
      `${formatInstant(result.from)} to ${formatInstant(result.to)}, ${result.rows.toLocaleString('en-US')} rows`,
    ],
    ['path inside bars', result.path],
    null,
    ['return', ratio(statistics.totalReturn)],
    ['equity', `${usd(equity)} from ${usd(result.initialBalance)}`],
    [
      'max drawdown',
      maxDrawdown === null
        ? 'none'
        : `${ratio(maxDrawdown.depth)} (${usd(maxDrawdown.amount)}), lasting ${duration(statistics.longestDrawdownDurationMs)} at the longest`,
    ],
    [
      'Sharpe, Sortino',
      `${figure(statistics.sharpeRatio)}, ${figure(statistics.sortinoRatio)} (daily, annualised)`,
    ],
    null,
    [
      'trades',
      `${trades.trades} closed (${trades.wins} won, ${trades.losses} lost), ${result.fills} fills, ${result.openPositions} open`,
    ],
    ['win rate', ratio(trades.winRate)],
    ['profit factor', figure(trades.profitFactor)],
    ['liquidations', String(result.liquidations)],
    [
      'closest to liquidation',
      result.closestToLiquidation === null ? 'never in reach' : ratio(result.closestToLiquidation),
    ],
    null,
    ['fees', usd(costs.fees)],
    ['spread', usd(costs.spread)],
    ['scalping surcharge', usd(costs.scalping)],
    ['funding', `${usd(costs.funding)}${costs.funding < 0n ? ' (received)' : ''}`],
    ['liquidation penalties', usd(costs.liquidationPenalties)],
    ['given up to the 60-second rule', usd(costs.profitCap)],
    null,
    ['evaluation', verdictText(result.verdict)],
    ['least daily headroom', result.leastDailyHeadroom === null ? '–' : usd(result.leastDailyHeadroom)],
    ['least total headroom', result.leastTotalHeadroom === null ? '–' : usd(result.leastTotalHeadroom)],
    ['state hash', result.stateHash],
  ]
  const width = Math.max(...rows.map((row) => row?.[0].length ?? 0))
  const lines = rows.map((row) => (row === null ? '' : `${row[0].padEnd(width)}  ${row[1]}`))
  const refusals = Object.entries(result.refusals).map(([code, count]) => `${code} ×${count}`)
  if (refusals.length > 0) lines.push('', `refused actions: ${refusals.join(', ')}`)
  for (const note of result.notes) lines.push(`note: ${note}`)
  return lines
}

/** The verdict in a sentence. */
export function verdictText(verdict: Verdict): string {
  switch (verdict.outcome) {
    case 'passed':
      return `PASSED at ${formatInstant(verdict.at)}`
    case 'failed': {
      const { rule, floor, equity } = verdict.breach
      const name = rule === 'total_loss' ? 'total loss' : 'daily loss'
      return `FAILED at ${formatInstant(verdict.at)}: ${name}, equity ${usd(equity)} below the floor ${usd(floor)}`
    }
    case 'undecided':
      return 'UNDECIDED: neither the target nor a loss limit was reached'
  }
}

function usd(value: bigint): string {
  return formatDecimal(value, 2)
}

function ratio(value: number | null): string {
  return value === null ? '–' : formatPercent(BigInt(Math.round(value * 1e9)))
}

function figure(value: number | null): string {
  return value === null ? '–' : value.toFixed(2)
}

function duration(ms: number): string {
  const days = ms / 86_400_000
  return days >= 1 ? `${days.toFixed(1)} days` : `${(ms / 3_600_000).toFixed(1)} hours`
}
