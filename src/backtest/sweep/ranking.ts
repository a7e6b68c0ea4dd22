/** The best rows of a sweep, and a figure over two of its parameters. */
import type { ParameterValue } from '../strategies/parameterValue.ts'
import type { SweepRow } from './variant.ts'

/** The figures rows can be ranked by; `maxDrawdown` is better when it is less. */
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
] as const

/** The figures that runs can be ranked by. */
export type RankedFigure = (typeof RANKED_FIGURES)[number]

/**
 * What is best: a figure, or `evaluation`, for whoever came to pass one. Then the sets that passed come first, the soonest
 * before the others; then the undecided ones and at last those that failed, each by their return.
 */
export type Ranking = RankedFigure | 'evaluation'

/** Everything runs can be ranked by. */
export const RANKINGS: readonly Ranking[] = ['evaluation', ...RANKED_FIGURES]

/** A figure of a run as a number; null without meaning. */
export function figureOf({ figures }: SweepRow, figure: RankedFigure): number | null {
  return figure === 'netProfit' ? Number(figures.netProfit) : figures[figure]
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
  return figure === 'maxDrawdown' ? -value : value
}

/** Negative where `a` is better, positive where `b` is. */
export function compareRows(a: SweepRow, b: SweepRow, by: Ranking): number {
  return by === 'evaluation' ? byEvaluation(a, b) : scoreOf(b, by) - scoreOf(a, by)
}

/** A figure over two parameters; where others vary too, the best of them. */
export interface HeatMap {
  readonly figure: RankedFigure
  readonly x: { readonly name: string; readonly values: readonly ParameterValue[] }
  readonly y: { readonly name: string; readonly values: readonly ParameterValue[] }
  /** The figure, a ratio, share or count as it is, by y, then by x; null where there is no run, or none with the figure. */
  readonly cells: readonly (readonly (number | null)[])[]
}

/**
 * Ranked by `evaluation` it shows the return of the best.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * const { cells } = heatMap(rows, 'fast', 'slow', 'totalReturn')
 * cells.map((row) => row.length).join() // → 2,2
 * ```
 *
 * @throws RangeError for a parameter that the sweep does not vary.
 */
export function heatMap(rows: readonly SweepRow[], x: string, y: string, by: Ranking): HeatMap {
  const figure = by === 'evaluation' ? 'totalReturn' : by
  const best = ranked(rows, by)
  const [across, down] = [valuesOf(rows, x), valuesOf(rows, y)]
  const cells = down.map((yValue) =>
    across.map((xValue) => {
      const row = best.find(({ parameters }) => parameters[x] === xValue && parameters[y] === yValue)
      return row === undefined ? null : figureOf(row, figure)
    }),
  )
  return { figure, x: { name: x, values: across }, y: { name: y, values: down }, cells }
}

function valuesOf(rows: readonly SweepRow[], name: string): ParameterValue[] {
  const values = [...new Set<ParameterValue | undefined>(rows.map(({ parameters }) => parameters[name]))]
  if (values.length === 0 || values.includes(undefined))
    throw new RangeError(`the sweep does not vary ${name}`)
  const known = values as ParameterValue[]
  return known.every((value) => NUMERAL.test(String(value)))
    ? known.sort((a, b) => Number.parseFloat(String(a)) - Number.parseFloat(String(b)))
    : known
}

/** A number, or a share in percent; a search proposes them in no order. */
const NUMERAL = /^-?\d+(\.\d+)?%?$/
