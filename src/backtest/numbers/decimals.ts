/** Decimals of strategies as fp9. They ask for the same few again and again. */
import { fp9 } from '../../quantity/decimal.ts'

const READ = new Map<string, bigint>()
const MOST_KEPT = 1_000

/** The decimal as fp9. @throws RangeError for text that is no decimal. */
export function decimal(text: string): bigint {
  let value = READ.get(text)
  if (value === undefined) {
    value = fp9(text)
    if (READ.size === MOST_KEPT) READ.clear()
    READ.set(text, value)
  }
  return value
}
