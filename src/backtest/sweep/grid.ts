/** The parameter sets of a sweep: every combination of the values given, or a random sample of them. */
import { Random } from '../simulated/random.ts'
import type { ParameterValue, StrategyParameters } from '../strategies/parameterValue.ts'

/** Values by parameter, in the order in which they vary: the last one fastest. */
export type ParameterGrid = Readonly<Record<string, readonly ParameterValue[]>>

/** How many combinations a grid has. @throws RangeError for more than 2^32. */
export function gridSize(grid: ParameterGrid): number {
  const size = Object.values(grid).reduce((product, values) => product * values.length, 1)
  if (size > 2 ** 32) throw new RangeError('a sweep of more than 4 billion combinations')
  return size
}

/** The combination at an index, 0 ≤ index < size. */
export function combinationAt(grid: ParameterGrid, index: number): StrategyParameters {
  const parameters: [string, ParameterValue][] = []
  let rest = index
  for (const [name, values] of Object.entries(grid).reverse()) {
    parameters.push([name, values[rest % values.length] as ParameterValue])
    rest = Math.floor(rest / values.length)
  }
  return Object.fromEntries(parameters.reverse())
}

/**
 * Every combination, or by chance as many different ones as `count` of the sample says; always in the order of the grid.
 *
 * ```ts
 * combinations({ fast: [5, 10], slow: [50] }).length // → 2
 * ```
 *
 * @throws RangeError for a grid of more than 2^32.
 */
export function combinations(
  grid: ParameterGrid,
  sample?: { readonly count: number; readonly seed: string },
): StrategyParameters[] {
  const size = gridSize(grid)
  if (sample === undefined || sample.count >= size)
    return Array.from({ length: size }, (_, index) => combinationAt(grid, index))
  const random = new Random(sample.seed)
  const chosen = new Set<number>()
  while (chosen.size < sample.count) chosen.add(random.below(size))
  return [...chosen].sort((a, b) => a - b).map((index) => combinationAt(grid, index))
}

/**
 * Reads `10,20,50` or `100:300:50` (from, to and step; the end is included where a step meets it).
 *
 * ```ts
 * parseValues('100:300:50').join() // → 100,150,200,250,300
 * ```
 *
 * @throws RangeError for a range that is none or has more than 10,000 values.
 */
export function parseValues(text: string): ParameterValue[] {
  const range = /^(-?[0-9.]+):(-?[0-9.]+):([0-9.]+)$/.exec(text)
  if (range === null) return text.split(',').map(plainValue)
  const [from, to, step] = range.slice(1).map(Number) as [number, number, number]
  const count = Math.floor((to - from) / step + 1e-9) + 1
  if (!(count >= 1 && count <= 10_000)) throw new RangeError(`${text} is no range of 1 to 10,000 values`)
  return Array.from({ length: count }, (_, index) => Number((from + index * step).toPrecision(12)))
}

/** Plain numbers are numbers; "10%" is a text. */
function plainValue(text: string): ParameterValue {
  return /^-?[0-9]+(\.[0-9]+)?$/.test(text) ? Number(text) : text
}
