/**
 * What a strategy says about its parameters: defaults, ranges and what holds between them. The help of a command, the refusal of
 * a value, the sets of a sweep and the space of a search all follow from it.
 */
import { fp9 } from '../../quantity/decimal.ts'
import { type Dimension, parseDimension } from '../search/space.ts'
import { type Constraint, parametersKeep } from './constraint.ts'
import type { ParameterValue, StrategyParameters } from './parameterValue.ts'

/**
 * One parameter. Bounds are decimals; one in percent ("100%") binds values in percent only, so that "10%" and an amount may both be
 * taken.
 */
export interface DeclaredParameter {
  /** A number where numbers are meant; a text such as "5" or "10%" where a decimal is. */
  readonly default: ParameterValue
  /** What it is, in a few words. */
  readonly about?: string
  /** Whether only whole numbers are taken. Default false. */
  readonly whole?: boolean
  /** The least value, included. */
  readonly from?: ParameterValue
  /** What the value lies above. */
  readonly above?: ParameterValue
  /** The largest value, included. */
  readonly to?: ParameterValue
  /** The only values there are. */
  readonly values?: readonly ParameterValue[]
  /** Where good values are looked for, as `--space` has it: `5:60`, `0.1%:2%`, `5:500:log`. */
  readonly search?: string
}

/** Every parameter of a strategy by name. */
export type DeclaredParameters = Readonly<Record<string, DeclaredParameter>>

const KEYS: ReadonlySet<string> = new Set<keyof DeclaredParameter>([
  'default',
  'about',
  'whole',
  'from',
  'above',
  'to',
  'values',
  'search',
])

/**
 * What a file exports as `parameters`: of each a default alone, or all that is to be said.
 *
 * @throws RangeError for what says nothing, and for a default or a search that lies outside of the bounds.
 */
export function declaredParameters(exported: unknown): DeclaredParameters {
  if (typeof exported !== 'object' || exported === null || Array.isArray(exported))
    throw new RangeError('parameters must be an object, such as { fast: { default: 20, from: 1 } }')
  return Object.fromEntries(
    Object.entries(exported).map(([name, said]) => {
      const declared = isValue(said) ? { default: said } : said
      mustBeDeclaration(name, declared)
      return [name, declared]
    }),
  )
}

function mustBeDeclaration(name: string, said: unknown): asserts said is DeclaredParameter {
  if (typeof said !== 'object' || said === null || !('default' in said) || !isValue(said.default))
    throw new RangeError(`the parameter ${name} needs a default, a number or a text`)
  for (const key of Object.keys(said))
    if (!KEYS.has(key))
      throw new RangeError(`the parameter ${name} says ${key}; known are ${[...KEYS].join(', ')}`)
  const declared = said as DeclaredParameter
  for (const bound of [declared.from, declared.above, declared.to])
    if (bound !== undefined && numberOf(bound) === null)
      throw new RangeError(`the parameter ${name} has the bound ${String(bound)}, which is no decimal`)
  takenValue(name, declared, declared.default)
  if (declared.search === undefined) return
  for (const end of endsOf(parseDimension(name, declared.search))) takenValue(name, declared, end)
}

function isValue(said: unknown): said is ParameterValue {
  return typeof said === 'string' || (typeof said === 'number' && Number.isFinite(said))
}

/** The first and the last value of a space, or every value of a choice. */
function endsOf(dimension: Dimension): readonly ParameterValue[] {
  if (dimension.kind === 'choice') return dimension.values
  const { low, high, unit } = dimension
  return unit === '' ? [low, high] : [`${low}${unit}`, `${high}${unit}`]
}

/** The defaults by name. */
export function defaultsOf(declared: DeclaredParameters): StrategyParameters {
  return Object.fromEntries(Object.entries(declared).map(([name, { default: usual }]) => [name, usual]))
}

/**
 * A value as the strategy is given it: a number where the default is one, else a text.
 *
 * @throws RangeError that names the parameter, for a value that it does not take.
 */
export function takenValue(name: string, declared: DeclaredParameter, value: ParameterValue): ParameterValue {
  const isNumber = typeof declared.default === 'number'
  const number = numberOf(value)
  if (isNumber && (number === null || isPercent(value)))
    throw new RangeError(`the parameter ${name} must be a number, not ${value}`)
  const taken = isNumber ? (number as number) : String(value)
  const fault = faultOf(declared, taken, number)
  if (fault !== null) throw new RangeError(`the parameter ${name} must be ${fault}, not ${value}`)
  return taken
}

function faultOf(
  { values, whole, from, above, to }: DeclaredParameter,
  taken: ParameterValue,
  number: number | null,
): string | null {
  if (values !== undefined && !values.some((value) => String(value) === String(taken)))
    return `one of ${values.join(', ')}`
  if (whole && !Number.isInteger(number)) return 'a whole number'
  const isBound = from !== undefined || above !== undefined || to !== undefined
  if (number === null) return isBound ? 'a decimal number' : null
  const binds = (bound: ParameterValue) => !isPercent(bound) || isPercent(taken)
  if (from !== undefined && binds(from) && number < boundOf(from)) return `at least ${from}`
  if (above !== undefined && binds(above) && number <= boundOf(above)) return `above ${above}`
  if (to !== undefined && binds(to) && number > boundOf(to)) return `at most ${to}`
  return null
}

function isPercent(value: ParameterValue): boolean {
  return typeof value === 'string' && value.trim().endsWith('%')
}

/** A decimal of people as a number; null for other text. */
function numberOf(value: ParameterValue): number | null {
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  try {
    return Number(fp9(value)) / 1e9
  } catch {
    return null
  }
}

function boundOf(bound: ParameterValue): number {
  return numberOf(bound) ?? Number.NaN
}

/** The first constraint that parameters break; null where they keep all. */
export function brokenConstraint(
  parameters: StrategyParameters,
  constraints: readonly Constraint[],
): Constraint | null {
  return constraints.find((constraint) => !parametersKeep(parameters, [constraint])) ?? null
}

/** Which values a parameter takes, in words: "a whole number, at least 1". */
export function rangeInWords({ default: usual, whole, from, above, to, values }: DeclaredParameter): string {
  if (values !== undefined) return `one of ${values.join(', ')}`
  const kind = whole
    ? 'a whole number'
    : typeof usual === 'number'
      ? 'a number'
      : numberOf(usual) === null
        ? 'a text'
        : 'a decimal'
  const bounds = [
    ...(from === undefined ? [] : [`at least ${from}`]),
    ...(above === undefined ? [] : [`above ${above}`]),
    ...(to === undefined ? [] : [`at most ${to}`]),
  ]
  return [kind, ...bounds].join(', ')
}
