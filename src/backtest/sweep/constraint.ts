/** What a set must keep to be considered: of its parameters before it runs (`fast<slow`), of its figures afterwards. */
import { type Constraint, parameterOf } from '../strategies/constraint.ts'
import { figureOf, RANKINGS, type RankedFigure } from './ranking.ts'
import type { SweepRow } from './variantFigures.ts'

/** The constraints that only need the parameters, and those that need the figures of a run. */
export interface DividedConstraints {
  readonly ofParameters: readonly Constraint[]
  readonly ofFigures: readonly Constraint[]
}

/**
 * ```ts
 * const constraints = ['fast<slow', 'trades>=30'].map(parseConstraint)
 * const { ofParameters, ofFigures } = dividedConstraints(constraints, ['fast', 'slow'])
 * [ofParameters.length, ofFigures.length].join() // → 1,1
 * ```
 *
 * @throws RangeError for a name that is no parameter that varies and no figure.
 */
export function dividedConstraints(
  constraints: readonly Constraint[],
  parameters: readonly string[],
): DividedConstraints {
  const figures = RANKINGS.filter((figure) => figure !== 'evaluation') as readonly string[]
  for (const { text, names } of constraints)
    for (const name of names)
      if (!parameters.includes(name) && !figures.includes(name))
        throw new RangeError(
          `${text}: ${name} is neither a parameter that varies nor one of ${figures.join(', ')}`,
        )
  const needsRun = ({ names }: Constraint) => names.some((name) => !parameters.includes(name))
  return {
    ofParameters: constraints.filter((constraint) => !needsRun(constraint)),
    ofFigures: constraints.filter(needsRun),
  }
}

/** Whether a run keeps all constraints. */
export function rowKeeps(row: SweepRow, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ holds }) =>
    holds((name) =>
      name in row.parameters ? parameterOf(row.parameters, name) : figureOf(row, name as RankedFigure),
    ),
  )
}
