/** The space that is searched: every parameter with its range, reached through numbers from 0 to 1. */
import { exp, ln } from '../simulated/exponential.ts'
import type { ParameterValue, StrategyParameters } from '../strategies/parameterValue.ts'

/** One parameter of a space. */
export type Dimension =
  /** Whole numbers, both ends included, or reals; `unit` ("%" or nothing) is put behind them. */
  | {
      readonly name: string
      readonly kind: 'whole' | 'real'
      readonly low: number
      readonly high: number
      /** Whether equal ratios are equally far apart, instead of equal differences. */
      readonly isLog: boolean
      readonly unit: '' | '%'
    }
  | { readonly name: string; readonly kind: 'choice'; readonly values: readonly ParameterValue[] }

/** Digits of a real parameter: enough to tell sets apart, few enough to be typed again. */
const DIGITS = 6

/**
 * Reads `5:60` (whole numbers), `0.5:3` (reals), `0.1%:2%`, `5:500:log`, or `10,20,50` (a choice).
 *
 * ```ts
 * parseDimension('fast', '5:60').kind // → whole
 * ```
 *
 * @throws RangeError for a range that is empty, and a logarithmic one that does not lie above 0.
 */
export function parseDimension(name: string, text: string): Dimension {
  const range = /^(-?[0-9.]+)(%?):(-?[0-9.]+)(%?)(:log)?$/.exec(text)
  if (range === null) {
    const values = text
      .split(',')
      .map((value) => (/^-?[0-9]+(\.[0-9]+)?$/.test(value) ? Number(value) : value))
    return { name, kind: 'choice', values }
  }
  const [, from = '', unit = '', to = '', unitOfEnd = '', log] = range
  const [low, high, isLog] = [Number(from), Number(to), log !== undefined]
  if (!(low < high) || unit !== unitOfEnd || (isLog && low <= 0))
    throw new RangeError(`${name}=${text} is no range; write 5:60, 0.5:3, 0.1%:2% or, above 0, 5:500:log`)
  const isWhole = unit === '' && !`${from}${to}`.includes('.')
  return { name, kind: isWhole ? 'whole' : 'real', low, high, isLog, unit: unit as '' | '%' }
}

/** Whether nearer coordinates are nearer values: of ranges, and of choices of numbers by their size. */
export function hasOrder(dimension: Dimension): boolean {
  if (dimension.kind !== 'choice') return true
  const numbers = dimension.values.map((value) => Number(String(value).replace(/%$/, '')))
  if (numbers.some(Number.isNaN)) return false
  const steps = numbers.slice(1).map((value, index) => value - (numbers[index] as number))
  return steps.every((step) => step > 0) || steps.every((step) => step < 0)
}

/**
 * The coordinate that stands for all that come to the same value: a model of the costs knows by it where nothing differs (E. C.
 * Garrido-Merchán, D. Hernández-Lobato, Neurocomputing 380, 2020).
 */
export function middleAt(dimension: Dimension, u: number): number {
  if (dimension.kind === 'real') return u
  if (dimension.kind === 'choice')
    return middleOf(Math.floor(u * dimension.values.length), dimension.values.length)
  const { low, high, isLog } = dimension
  const value = Number(valueAt(dimension, u))
  if (!isLog) return middleOf(value - low, high + 1 - low)
  return (ln(value / low) + ln((value + 1) / low)) / 2 / ln((high + 1) / low)
}

function middleOf(part: number, parts: number): number {
  return (part + 0.5) / parts
}

/** The parameters at a point whose coordinates are 0 <= u < 1, one for each dimension. */
export function parametersAt(space: readonly Dimension[], point: readonly number[]): StrategyParameters {
  return Object.fromEntries(
    space.map((dimension, axis) => [dimension.name, valueAt(dimension, point[axis] as number)]),
  )
}

function valueAt(dimension: Dimension, u: number): ParameterValue {
  if (dimension.kind === 'choice')
    return dimension.values[Math.floor(u * dimension.values.length)] as ParameterValue
  const { low, high, isLog, kind, unit } = dimension
  const top = kind === 'whole' ? high + 1 : high
  const value = isLog ? low * exp(u * ln(top / low)) : low + u * (top - low)
  if (kind === 'whole') return Math.min(high, Math.floor(value))
  const number = Number(value.toPrecision(DIGITS))
  return unit === '' ? number : `${number}${unit}`
}
