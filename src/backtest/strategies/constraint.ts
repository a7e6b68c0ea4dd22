/** What holds between the parameters of a strategy, and what a set must keep otherwise: `fast<slow`, `trades>=30`. */
import { fp9 } from '../../quantity/decimal.ts'
import { toNumber } from '../numbers/toNumber.ts'
import type { StrategyParameters } from './parameterValue.ts'

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

/** Whether parameters keep all constraints on them; a text such as "5%" counts as its number. */
export function parametersKeep(parameters: StrategyParameters, constraints: readonly Constraint[]): boolean {
  return constraints.every(({ holds }) => holds((name) => parameterOf(parameters, name)))
}

/** The value of a parameter as a number; null where it is none. */
export function parameterOf(parameters: StrategyParameters, name: string): number | null {
  const value = parameters[name]
  if (typeof value !== 'string') return value ?? null
  const side = sideOf(value)
  return typeof side === 'string' ? null : side
}
