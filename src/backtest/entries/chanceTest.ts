/** How often chance does as well: a test by drawing, of which only the order of what is compared counts. */

/** What entries of which chance decided something came to, beside those that were. */
export interface ChanceTest {
  /** How often chance decided: as asked, or less where there are not as many different shifts. */
  readonly draws: number
  /** What an entry brought over all draws, as a fraction of its value. */
  readonly mean: number
  /** How many draws came to as much as the entries, or more. */
  readonly asGood: number
  /** (1 + `asGood`) / (1 + `draws`): how often chance is as good (Phipson, Smyth 2010). */
  readonly p: number
  /** What each draw came to, as a fraction of an entry's value; in the order in which they were drawn. */
  readonly drawn: readonly number[]
}

/** @param meanOf what a sum is told as; it keeps the order. @param others at least one. */
export function chanceTest(
  own: bigint,
  others: readonly bigint[],
  meanOf: (worth: bigint) => number,
): ChanceTest {
  const asGood = others.filter((worth) => worth >= own).length
  return {
    draws: others.length,
    mean: meanOf(others.reduce((sum, worth) => sum + worth, 0n)) / others.length,
    asGood,
    p: (1 + asGood) / (1 + others.length),
    drawn: others.map(meanOf),
  }
}
