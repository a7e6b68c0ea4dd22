/** The prices of bars as 32-bit halves, to be read and written as doubles. */
import { wordsOf } from '../numbers/int64Words.ts'
import type { BarColumns } from './columns.ts'

export interface BarWords {
  readonly open: Int32Array
  readonly high: Int32Array
  readonly low: Int32Array
  readonly close: Int32Array
}

/** Over the same memory. */
export function barWordsOf({ open, high, low, close }: BarColumns): BarWords {
  return { open: wordsOf(open), high: wordsOf(high), low: wordsOf(low), close: wordsOf(close) }
}
