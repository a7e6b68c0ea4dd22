/** The best rows of a sweep. */
import type { SweepRow } from './variantFigures.ts'

/** The figures rows can be ranked by. */
const RANKED_FIGURES = [
  'totalReturn',
  'netProfit',
  'sharpeRatio',
  'sortinoRatio',
  'calmarRatio',
  'profitFactor',
  'winRate',
  'maxDrawdown',
  'trades',
  'probabilityOfPassing',
  'expectedDaysToPass',
  'objective',
  'loss',
] as const

/** Those that are better when they are less. */
const LESS_IS_BETTER: readonly Ranking[] = ['maxDrawdown', 'expectedDaysToPass', 'loss']

/** What the objective of a plan makes: `objective` where more is better, `loss` where less is. */
export const OWN_FIGURES: readonly Ranking[] = ['objective', 'loss']

/** The figures that need paths beside the run. */
const OF_PATHS: readonly Ranking[] = ['probabilityOfPassing', 'expectedDaysToPass']

/** The figures that runs can be ranked by. */
export type RankedFigure = (typeof RANKED_FIGURES)[number]

/**
 * What is best: a figure, or `evaluation`, for whoever came to pass one. Then the sets that passed come first, the soonest
 * before the others; then the undecided ones and at last those that failed, each by their return.
 */
export type Ranking = RankedFigure | 'evaluation'

/** Everything runs can be ranked by. */
export const RANKINGS: readonly Ranking[] = ['evaluation', ...RANKED_FIGURES]

/** Everything that one run of a set can be ranked by. */
export const RANKINGS_OF_RUNS = RANKINGS.filter((ranking) => !OF_PATHS.includes(ranking))

/** 1 where more is better, -1 where less is. */
export function directionOf(ranking: Ranking): 1 | -1 {
  return LESS_IS_BETTER.includes(ranking) ? -1 : 1
}

/** The first one that needs paths beside the run. */
export function needsPaths(by: readonly Ranking[]): Ranking | undefined {
  return by.find((ranking) => OF_PATHS.includes(ranking))
}

/** A figure of a run as a number; null without meaning. */
export function figureOf({ figures }: SweepRow, figure: RankedFigure): number | null {
  return figure === 'netProfit' ? Number(figures.netProfit) : (figures[figure] ?? null)
}

/**
 * Best first; rows without the figure come last, equal ones stay in the order of the grid.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * const [best] = ranked(rows, 'totalReturn')
 * JSON.stringify(best.parameters) // → {"fast":60,"slow":240}
 * ```
 */
export function ranked<Row extends SweepRow>(rows: readonly Row[], by: Ranking): Row[] {
  return [...rows].sort((a, b) => compareRows(a, b, by))
}

const OUTCOMES = ['passed', 'undecided', 'failed'] as const

function byEvaluation(a: SweepRow, b: SweepRow): number {
  const apart = OUTCOMES.indexOf(a.figures.outcome) - OUTCOMES.indexOf(b.figures.outcome)
  if (apart !== 0) return apart
  const sooner = a.figures.outcome === 'passed' ? daysOf(a) - daysOf(b) : 0
  return sooner || scoreOf(b, 'totalReturn') - scoreOf(a, 'totalReturn') || 0
}

function daysOf({ figures }: SweepRow): number {
  return figures.daysToVerdict ?? Number.MAX_VALUE
}

/** More is better. */
function scoreOf(row: SweepRow, figure: RankedFigure): number {
  const value = figureOf(row, figure)
  if (value === null) return -Number.MAX_VALUE
  return directionOf(figure) * value
}

/** Negative where `a` is better, positive where `b` is. */
export function compareRows(a: SweepRow, b: SweepRow, by: Ranking): number {
  return by === 'evaluation' ? byEvaluation(a, b) : scoreOf(b, by) - scoreOf(a, by)
}

/** By row a number for each objective, less of which is better; infinite where a row lacks the figure. */
export function costsOf(rows: readonly SweepRow[], objectives: readonly Ranking[]): number[][] {
  const columns = objectives.map((by) => (by === 'evaluation' ? placesByEvaluation(rows) : lackOf(rows, by)))
  return rows.map((_, index) => columns.map((column) => column[index] as number))
}

function lackOf(rows: readonly SweepRow[], by: RankedFigure): number[] {
  return rows.map((row) => {
    const value = figureOf(row, by)
    return value === null ? Number.POSITIVE_INFINITY : -directionOf(by) * value
  })
}

/** From 0, the best; rows that are equal share a place. */
function placesByEvaluation(rows: readonly SweepRow[]): number[] {
  const order = [...rows.keys()].sort((a, b) => byEvaluation(rows[a] as SweepRow, rows[b] as SweepRow))
  const places = new Array<number>(rows.length)
  let place = 0
  for (const [at, index] of order.entries()) {
    const before = rows[order[at - 1] ?? index] as SweepRow
    if (byEvaluation(before, rows[index] as SweepRow) !== 0) place += 1
    places[index] = place
  }
  return places
}
