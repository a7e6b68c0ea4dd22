/**
 * A figure over two parameters. Sets of a grid have a cell for each pair of values; those of a search share hardly any value, so that
 * a report puts their values into ranges.
 */
import type { ParameterValue } from '../strategies/parameterValue.ts'
import { figureOf, type RankedFigure, type Ranking, ranked } from './ranking.ts'
import type { SweepRow } from './variantFigures.ts'

/** A figure over two parameters; where others vary too, the best of them. */
export interface HeatMap {
  readonly figure: RankedFigure
  readonly x: { readonly name: string; readonly values: readonly ParameterValue[] }
  readonly y: { readonly name: string; readonly values: readonly ParameterValue[] }
  /** The figure, a ratio, share or count as it is, by y, then by x; null where there is no run, or none with the figure. */
  readonly cells: readonly (readonly (number | null)[])[]
}

/** One side of the map: what stands at it, and where along it each value of the parameter belongs. */
interface Axis {
  readonly name: string
  readonly values: readonly ParameterValue[]
  readonly placeOf: ReadonlyMap<ParameterValue, number>
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
  return mapOver(rows, axisOf(rows, x), axisOf(rows, y), by)
}

/** Fewer ranges than this tell nothing. */
const LEAST_RANGES = 3
/** More do not fit a page. */
const MOST_RANGES = 12

/**
 * The same with ranges in the place of values where the sets do not lie on a grid: numbers of which there are many, in a map that would
 * be empty for more than half. Ranges hold about as many sets each, some two for a cell, whatever scale the parameter was searched on;
 * a range is named by the least and the greatest value in it.
 *
 * @throws RangeError for a parameter that the sweep does not vary.
 */
export function readableHeatMap(
  rows: readonly SweepRow[],
  x: string,
  y: string,
  by: Ranking,
): HeatMap & { readonly isRanged: boolean } {
  const axes = [axisOf(rows, x), axisOf(rows, y)] as const
  const isLine = x === y
  const cells = isLine ? axes[0].values.length : axes[0].values.length * axes[1].values.length
  const filled = new Set(rows.map(({ parameters }) => `${parameters[x]} ${parameters[y]}`)).size
  const most = isLine ? MOST_RANGES : Math.floor(Math.sqrt(rows.length / 2))
  const ranges = Math.min(Math.max(most, LEAST_RANGES), MOST_RANGES)
  const isSparse = isLine ? cells > LONGEST_LINE : filled * 2 < cells
  const [across, down] = axes.map((axis) => (isSparse ? inRanges(rows, axis, ranges) : axis)) as [Axis, Axis]
  const isRanged = across !== axes[0] || down !== axes[1]
  return { ...mapOver(rows, across, down, by), isRanged }
}

/** So many values of one parameter still stand beside each other. */
const LONGEST_LINE = 24

function mapOver(rows: readonly SweepRow[], across: Axis, down: Axis, by: Ranking): HeatMap {
  const figure = by === 'evaluation' ? 'totalReturn' : by
  const bestAt = new Map<number, SweepRow>()
  for (const row of ranked(rows, by)) {
    const place = placeIn(down, row) * across.values.length + placeIn(across, row)
    if (!bestAt.has(place)) bestAt.set(place, row)
  }
  const cells = down.values.map((_, y) =>
    across.values.map((_, x) => {
      const row = bestAt.get(y * across.values.length + x)
      return row === undefined ? null : figureOf(row, figure)
    }),
  )
  const side = ({ name, values }: Axis) => ({ name, values })
  return { figure, x: side(across), y: side(down), cells }
}

function placeIn({ name, placeOf }: Axis, { parameters }: SweepRow): number {
  return placeOf.get(parameters[name] as ParameterValue) as number
}

function axisOf(rows: readonly SweepRow[], name: string): Axis {
  const found = [...new Set<ParameterValue | undefined>(rows.map(({ parameters }) => parameters[name]))]
  if (found.length === 0 || found.includes(undefined)) throw new RangeError(`the sweep does not vary ${name}`)
  const known = found as ParameterValue[]
  const values = known.every(isNumeral) ? known.sort((a, b) => numberOf(a) - numberOf(b)) : known
  return { name, values, placeOf: new Map(values.map((value, place) => [value, place])) }
}

/** As it is where there are no more values than ranges, or they are no numbers. */
function inRanges(rows: readonly SweepRow[], axis: Axis, ranges: number): Axis {
  const { name, values } = axis
  if (values.length <= ranges || !values.every(isNumeral)) return axis
  const setsAt = new Array<number>(values.length).fill(0)
  for (const row of rows) setsAt[placeIn(axis, row)] = (setsAt[placeIn(axis, row)] as number) + 1
  const members: ParameterValue[][] = []
  let before = 0
  let last = -1
  for (const [place, value] of values.entries()) {
    // The range in which the middle one of its sets lies, so that a value with many is not told twice.
    const range = Math.floor(((before + (setsAt[place] as number) / 2) * ranges) / rows.length)
    if (range !== last) members.push([])
    members.at(-1)?.push(value)
    last = range
    before += setsAt[place] as number
  }
  const rangeOf = members.flatMap((own, range) => own.map((value) => [value, range] as const))
  return {
    name,
    values: members.map((own) => rangeText(own[0] as ParameterValue, own.at(-1) as ParameterValue)),
    placeOf: new Map(rangeOf),
  }
}

function rangeText(least: ParameterValue, most: ParameterValue): string {
  return least === most ? valueText(least) : `${valueText(least)} – ${valueText(most)}`
}

/** Whole numbers as they are, others to three digits. */
function valueText(value: ParameterValue): string {
  const number = numberOf(value)
  const text = Number.isInteger(number) ? number : Number(number.toPrecision(3))
  return `${text}${String(value).endsWith('%') ? '%' : ''}`
}

function numberOf(value: ParameterValue): number {
  return Number.parseFloat(String(value))
}

/** A number, or a share in percent; a search proposes them in no order. */
function isNumeral(value: ParameterValue): boolean {
  return /^-?\d+(\.\d+)?%?$/.test(String(value))
}
