/** The indicators of this package, beside those of `trading-signals`. */
import * as averages from './averages.ts'
import * as filters from './filters.ts'

/**
 * Averages and filters that `trading-signals` has not; docs/indicators.md lists them. A new one for each indicator of a strategy.
 *
 * ```ts
 * const average = indicators.symmetricAverage(3)
 * const values = [4, 8, 12, 12].map((close) => average.add(close))
 * JSON.stringify(values) // → [null,null,8,11]
 * ```
 */
export const indicators = { ...averages, ...filters } as const
