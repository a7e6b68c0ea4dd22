/** What a set must keep to be considered: of its parameters before it runs (`fast<slow`), of its figures afterwards. */
import { fp9 } from '../../quantity/decimal.ts'
import { toNumber } from '../numbers/toNumber.ts'
import type { StrategyParameters } from '../strategies/catalogue.ts'
import { figureOf, RANKINGS, type RankedFigure } from './ranking.ts'
import type { SweepRow } from './variant.ts'

/** A comparison of two sides, each a name or a number. */
export interface Constraint {
  readonly text: string
  /** Names among the parameters or the figures. */
  readonly names: readonly string[]
  holds(numberOf: (name: string) => number | null): boolean
}

const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
}

/**
 * Reads `fast<slow`, `trades>=30`, `maxDrawdown<5%`. A side without a value keeps nothing.
 *
 * ```ts
 * parseConstraint('fast<slow').names.join() // → fast,slow
 * ```
 *
 * @throws RangeError for what is no comparison.
 */
export function parseConstraint(text: string): Constraint {
  const [, left, comparison = '', right] = /^\s*([^<>=\s]+)\s*(<=|>=|<|>)\s*([^<>=\s]+)\s*$/.exec(text) ?? []
  const compare = COMPARISONS[comparison]
  if (left === undefined || right === undefined || compare === undefined)
    throw new RangeError(`${text} is no condition; write trades>=30, maxDrawdown<5% or fast<slow`)
  const sides = [sideOf(left), sideOf(right)] as const
  return {
    text,
    names: sides.filter((side) => typeof side === 'string'),
    holds(numberOf) {
      const [a, b] = sides.map((side) => (typeof side === 'string' ? numberOf(side) : side))
      return typeof a === 'number' && typeof b === 'number' && compare(a, b)
    },
  }
}

/** A number, also as "5%"; or a name. */
function sideOf(text: string): number | string {
  return /^[A-Za-z]/.test(text) ? text : decimalOf(text)
}

function decimalOf(text: string): number {
  try {
    return toNumber(fp9(text))
  } catch (cause) {
    throw new RangeError(`${text} is no number`, { cause })
  }
}

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

/** Whether parameters keep all constraints on them; a text such as "5%" counts as its number. */
export function parametersKeep(parameters: StrategyParameters, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ holds }) => holds((name) => parameterOf(parameters, name)))
}

/** Whether a run keeps all constraints. */
export function rowKeeps(row: SweepRow, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ holds }) =>
    holds((name) =>
      name in row.parameters ? parameterOf(row.parameters, name) : figureOf(row, name as RankedFigure),
    ),
  )
}

function parameterOf(parameters: StrategyParameters, name: string): number | null {
  const value = parameters[name]
  if (typeof value !== 'string') return value ?? null
  const side = sideOf(value)
  return typeof side === 'string' ? null : side
}
