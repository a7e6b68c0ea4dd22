/**
 * A set together with its neighbours: a peak among bad sets is luck more often than a place whose surroundings are good too.
 * Neighbours differ in one parameter, by one step among the values that the sweep has.
 */
import type { ParameterValue } from '../strategies/parameterValue.ts'
import { figureOf, type Ranking } from './ranking.ts'
import type { SweepRow } from './variantFigures.ts'

/**
 * Mean of a figure over each set and its neighbours; ranked by `evaluation`, the share of them that passed. Neighbours that
 * were not run, or that lack the figure, are left out; a set that lacks it has none.
 *
 * ```ts
 * const plan = { strategy: 'ema-cross', markets: [{ asset: 'BTC', days: 1 }] }
 * const { rows } = await runSweep({ plan, vary: { fast: [20, 60], slow: [240, 480] }, workers: 1 })
 * plateaus(rows, 'maxDrawdown').length // → 4
 * ```
 *
 * @returns in the order of the rows.
 */
export function plateaus(rows: readonly SweepRow[], by: Ranking): (number | null)[] {
  const names = Object.keys(rows[0]?.parameters ?? {})
  const steps = names.map((name) => stepsOf(rows, name))
  const places = rows.map(({ parameters }) =>
    names.map((name, axis) => steps[axis]?.get(parameters[name] as ParameterValue) ?? 0),
  )
  const scores = new Map(rows.map((row, index) => [String(places[index]), scoreOf(row, by)]))
  return rows.map((row, index) => {
    if (scoreOf(row, by) === null) return null
    const near = [places[index] as number[], ...neighboursOf(places[index] as number[])]
    const known = near.flatMap((place) => scores.get(String(place)) ?? [])
    return known.reduce((sum, score) => sum + score, 0) / known.length
  })
}

function scoreOf(row: SweepRow, by: Ranking): number | null {
  return by === 'evaluation' ? Number(row.figures.outcome === 'passed') : figureOf(row, by)
}

function neighboursOf(place: readonly number[]): number[][] {
  return place.flatMap((step, axis) => [step - 1, step + 1].map((next) => place.with(axis, next)))
}

/** The place of every value: numbers by size, texts in the order in which they come. */
function stepsOf(rows: readonly SweepRow[], name: string): Map<ParameterValue, number> {
  const values = [...new Set(rows.map(({ parameters }) => parameters[name] as ParameterValue))]
  if (values.every((value) => typeof value === 'number')) (values as number[]).sort((a, b) => a - b)
  return new Map(values.map((value, step) => [value, step]))
}
