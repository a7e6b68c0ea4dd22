/** The indicators of this package, beside those of `trading-signals`. */
import {
  adaptiveAverage,
  cubicAverage,
  distanceAverage,
  endPointAverage,
  exponentialAverage,
  fibonacciAverage,
  holtWintersAverage,
  jsaAverage,
  jurikAverage,
  pascalAverage,
  powerAverage,
  predictiveAverage,
  rootAverage,
  sineAverage,
  squareAverage,
  symmetricAverage,
  variableLengthAverage,
} from './averages.ts'
import {
  bandPass,
  correlationCycle,
  decycler,
  decyclerOscillator,
  gaussian,
  highPass,
  highPassOfTwo,
  instantaneousTrend,
  reflex,
  roofing,
  sineWave,
  superSmootherOfThree,
  trendflex,
  voss,
} from './filters.ts'

import {
  directionalTrend,
  forecastOscillator,
  heikinAshi,
  kaufmanStop,
  kurtosis,
  medianDeviation,
  polarizedEfficiency,
  regressionAngle,
  skewness,
  ttmTrend,
  volumeConfirmation,
} from './ofBars.ts'

/**
 * Averages, filters and others that `trading-signals` has not; docs/indicators.md lists them. A new one for each indicator of a strategy.
 *
 * ```ts
 * const average = indicators.symmetricAverage(3)
 * const values = [4, 8, 12, 12].map((close) => average.add(close))
 * JSON.stringify(values) // → [null,null,8,11]
 * ```
 */
export const indicators = {
  squareAverage,
  cubicAverage,
  rootAverage,
  sineAverage,
  symmetricAverage,
  fibonacciAverage,
  pascalAverage,
  powerAverage,
  endPointAverage,
  jsaAverage,
  distanceAverage,
  exponentialAverage,
  holtWintersAverage,
  jurikAverage,
  adaptiveAverage,
  variableLengthAverage,
  predictiveAverage,
  highPass,
  highPassOfTwo,
  decycler,
  decyclerOscillator,
  superSmootherOfThree,
  roofing,
  gaussian,
  bandPass,
  reflex,
  trendflex,
  instantaneousTrend,
  voss,
  correlationCycle,
  sineWave,
  heikinAshi,
  kaufmanStop,
  directionalTrend,
  forecastOscillator,
  polarizedEfficiency,
  ttmTrend,
  volumeConfirmation,
  regressionAngle,
  skewness,
  kurtosis,
  medianDeviation,
} as const
