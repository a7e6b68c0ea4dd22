/** Whether the same parameters are chosen again and again, or others each time, as by chance. */
import type { ParameterValue, StrategyParameters } from '../strategies/parameterValue.ts'
import type { ParameterGrid } from '../sweep/grid.ts'

/** How one parameter moved from fold to fold. */
export interface ParameterStability {
  readonly name: string
  /** What was chosen in each fold in which something was. */
  readonly chosen: readonly ParameterValue[]
  /** Mean distance between one choice and the next, where the first and the last of the values are 1 apart. */
  readonly step: number
  /** What `step` would be on average, a share of the range, if each choice were random: (n + 1)/3n for n values. */
  readonly stepByChance: number
}

/** Of every parameter with two values or more; of fewer than two choices nothing can be told. */
export function stabilityOf(
  choices: readonly StrategyParameters[],
  grid: ParameterGrid,
): ParameterStability[] {
  if (choices.length < 2) return []
  return Object.entries(grid).flatMap(([name, values]) => {
    if (values.length < 2) return []
    const chosen = choices.map((parameters) => parameters[name] as ParameterValue)
    const places = chosen.map((value) => values.indexOf(value) / (values.length - 1))
    const steps = places.slice(1).map((place, index) => Math.abs(place - (places[index] as number)))
    return [
      {
        name,
        chosen,
        step: steps.reduce((sum, value) => sum + value, 0) / steps.length,
        stepByChance: (values.length + 1) / (3 * values.length),
      },
    ]
  })
}
