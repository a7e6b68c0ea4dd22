/** Sets of parameters as a terminal shows them and as a table: what sweeps, searches and walk-forwards print alike. */
import { writeFile } from 'node:fs/promises'
import { InvalidArgumentError } from 'commander'
import type { LoadedObjective } from '../backtest/objective/loadObjective.ts'
import { ownFigure } from '../backtest/output/presentation.ts'
import type { StrategyParameters } from '../backtest/strategies/parameterValue.ts'
import type { OrderedRow } from '../backtest/sweep/order.ts'
import { OWN_FIGURES, RANKINGS, type Ranking } from '../backtest/sweep/ranking.ts'
import type { VariantFigures } from '../backtest/sweep/variantFigures.ts'
import { figure, percent, tableLines } from './table.ts'

/** @throws InvalidArgumentError for a figure that nothing is ranked by. */
export function rankings(text: string): readonly Ranking[] {
  const figures = text.split(',')
  for (const figure of figures)
    if (!(RANKINGS as readonly string[]).includes(figure))
      throw new InvalidArgumentError(`Allowed choices are ${RANKINGS.join(', ')}.`)
  return figures as Ranking[]
}

export async function writeTable(file: string, rows: readonly OrderedRow[]): Promise<void> {
  const [{ stringify }, { sweepLine }] = await Promise.all([
    import('csv-stringify/sync'),
    import('../backtest/sweep/table.ts'),
  ])
  await writeFile(file, stringify(rows.map(sweepLine), { header: true }))
  process.stderr.write(`table: ${file}\n`)
}

/** "fast=5 slow=60". */
export function parameterText(parameters: StrategyParameters): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ')
}

/** `hasPlateaus` where the sets have neighbours. */
export function rowLines(
  rows: readonly OrderedRow[],
  top: number,
  by: Ranking,
  hasPlateaus: boolean,
  own: Pick<LoadedObjective, 'name' | 'figure'> | null = null,
): string[] {
  const hasFronts = rows[0]?.front !== null
  const head = [
    'parameters',
    ...(own === null ? [] : [own.name]),
    'return',
    'drawdown',
    'Sharpe',
    'profit factor',
    'win rate',
    'trades',
    'evaluation',
    ...(hasPlateaus ? ['plateau'] : []),
    ...(hasFronts ? ['front'] : []),
  ]
  const cells = rows
    .slice(0, top)
    .map(({ parameters, figures, plateau, front }) => [
      parameterText(parameters),
      ...(own === null ? [] : [ownFigure(figures[own.figure] ?? null)]),
      percent(figures.totalReturn),
      percent(figures.maxDrawdown),
      figure(figures.sharpeRatio),
      figure(figures.profitFactor),
      percent(figures.winRate),
      String(figures.trades),
      outcomeText(figures),
      ...(hasPlateaus ? [plateauText(plateau, by)] : []),
      ...(hasFronts ? [String(front)] : []),
    ])
  return tableLines([head, ...cells])
}

/** "passed after 9.2 days", "failed after 3.1 days (daily loss)", "undecided". */
function outcomeText({ outcome, daysToVerdict, failedBy }: VariantFigures): string {
  if (daysToVerdict === null) return outcome
  const why = failedBy === null ? '' : ` (${failedBy.replace('_', ' ')})`
  return `${outcome} after ${daysToVerdict.toFixed(1)} days${why}`
}

function plateauText(plateau: number | null, by: Ranking): string {
  if (by === 'evaluation') return percent(plateau, 0)
  if ((OWN_FIGURES as readonly string[]).includes(by)) return ownFigure(plateau)
  const isShare = ['totalReturn', 'maxDrawdown', 'winRate', 'probabilityOfPassing'].includes(by)
  return isShare ? percent(plateau) : figure(plateau)
}

/** Where there is no evidence. */
export const UNTOLD = 'How likely the best is luck is not told: that needs two sets, 20 days, and trades.'
