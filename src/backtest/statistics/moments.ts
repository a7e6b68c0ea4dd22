/** The shape of a distribution: its third and fourth standardised moments, of the sample as it is (divided by n). */

/** E[(x − mean)³] / deviation³; 0 where all values are equal. */
export function skewness(values: readonly number[]): number {
  return standardisedMoment(values, 3) ?? 0
}

/** E[(x − mean)⁴] / deviation⁴, 3 for a normal distribution; 3 where all values are equal. */
export function kurtosis(values: readonly number[]): number {
  return standardisedMoment(values, 4) ?? 3
}

function standardisedMoment(values: readonly number[], power: number): number | null {
  if (values.every((value) => value === values[0])) return null
  const centre = mean(values)
  const moment = (of: number) => mean(values.map((value) => (value - centre) ** of))
  return moment(power) / moment(2) ** (power / 2)
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
