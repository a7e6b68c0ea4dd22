/** Patterns of candles as indicators: which side each speaks for at each bar. */
import type { Calculation } from '../../strategy/indicator.ts'
import { areEnough, type PatternDefinition } from './definition.ts'
import { MORE_BARS } from './moreBars.ts'
import { ONE_BAR } from './oneBar.ts'
import { type CandlePrices, CandleShapes, USUAL_BARS } from './shape.ts'
import { THREE_BARS } from './threeBars.ts'
import { TWO_BARS } from './twoBars.ts'

/** By how many bars they are of. */
export const CANDLE_PATTERNS = [...ONE_BAR, ...TWO_BARS, ...THREE_BARS, ...MORE_BARS]

/** A pattern of candles by its usual name: `engulfing`, `morningStar`. */
export type CandlePatternName = (typeof CANDLE_PATTERNS)[number]['name']

/** Every name that {@link candlePattern} knows. */
export const CANDLE_PATTERN_NAMES: readonly CandlePatternName[] = CANDLE_PATTERNS.flatMap(
  ({ name, mirror }) => (mirror === undefined ? [name] : [name, mirror]),
)

/** So many bars the least known of them look at. */
const LEAST_KEPT = 5

/**
 * An indicator of whole bars, asked for with `{ of: 'bar' }`: 1 at a bar that ends the pattern and is taken to speak for higher prices, −1 for
 * lower ones, 0 at any other; null while there have been too few to say what is usual. A mirror image counts with the other sign; what is its
 * own mirror image, such as a doji, counts as 1, and bars that are both as 0. Prices are compared as they are, without rounding.
 *
 * ```ts
 * const star = candlePattern('morningStar')
 * const bar = (open: bigint, close: bigint) => ({ open, close, high: open > close ? open : close, low: open < close ? open : close })
 * const usual = Array.from({ length: 12 }, () => bar(100n, 104n))
 * const values = [...usual, bar(100n, 90n), bar(88n, 87n), bar(89n, 97n)].map((one) => star.add(one))
 * values.at(-1) // → 1
 * ```
 *
 * @param name as {@link CANDLE_PATTERN_NAMES} has it; docs/indicators.md says what each is.
 * @throws RangeError for a name that is none.
 */
export function candlePattern(name: CandlePatternName): Calculation<CandlePrices, number> {
  const definition = CANDLE_PATTERNS.find((one) => one.name === name || one.mirror === name)
  if (definition === undefined)
    throw new RangeError(`${name} is no pattern of candles; they are ${CANDLE_PATTERN_NAMES.join(', ')}`)
  const kept = Math.max(definition.bars, LEAST_KEPT)
  const shapes = new CandleShapes(kept)
  const needed = kept + USUAL_BARS
  let told = 0
  return {
    add(bar) {
      shapes.add(bar)
      told = Math.min(told + 1, needed)
      return told < needed ? null : sideOf(definition, name, shapes)
    },
    getRequiredInputs: () => needed,
  }
}

function sideOf(
  definition: PatternDefinition,
  name: string,
  { upright, turned }: CandleShapes,
): number | null {
  if (!areEnough(upright) || !areEnough(turned)) return null
  const { says, mirror } = definition
  if (says === 'neither') return definition.is(upright) ? 1 : 0
  const isOwn = name !== mirror && definition.is(upright)
  const isMirror = (mirror === undefined || name === mirror) && definition.is(turned)
  // A bar with hardly a shadow on either side can be both.
  if (isOwn === isMirror) return 0
  return isOwn === (says === 'up') ? 1 : -1
}
