/** What a pattern of candles is, in a line and as a predicate over the last bars. */
import type { CandleShape } from './shape.ts'

/** Newest first: as many as the pattern says, and more. */
export type LastShapes = readonly [
  CandleShape,
  CandleShape,
  CandleShape,
  CandleShape,
  CandleShape,
  ...CandleShape[],
]

/** Whether there are as many as every pattern may look at. */
export function areEnough(shapes: readonly CandleShape[]): shapes is LastShapes {
  return shapes.length >= 5
}

export interface PatternDefinition<Name extends string = string> {
  /** As its usual name has it. */
  readonly name: Name
  /** The name of its mirror image, where that has one of its own. */
  readonly mirror?: Name
  /** What the pattern is taken for as it is written; its mirror image for the other. `neither` is its own mirror image. */
  readonly says: 'up' | 'down' | 'neither'
  /** How many bars it looks at. */
  readonly bars: number
  readonly words: string
  is(last: LastShapes): boolean
}

/** The names stay known to the compiler. */
export function definitions<const Name extends string>(
  list: readonly PatternDefinition<Name>[],
): readonly PatternDefinition<Name>[] {
  return list
}
