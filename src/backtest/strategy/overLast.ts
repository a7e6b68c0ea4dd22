/** An indicator of any function of the last inputs: those alone are kept, so that a bar costs the same however many were before it. */
import type { Calculation } from './indicator.ts'

/**
 * The function is told the last `count` inputs, oldest first, and nothing before there are so many. It may be of any library that
 * computes whole lists; what it sees ends with the bar that is told.
 *
 * ```ts
 * const range = overLast(3, (closes: number[]) => Math.max(...closes) - Math.min(...closes))
 * const values = [5, 9, 6, 7].map((close) => range.add(close))
 * JSON.stringify(values) // → [null,null,4,3]
 * ```
 *
 * @param count whole, 1 or more.
 * @throws RangeError for another count.
 */
export function overLast<Result, Input = number>(
  count: number,
  of: (last: Input[]) => Result | null,
): Calculation<Input, Result> {
  if (!Number.isSafeInteger(count) || count < 1) throw new RangeError(`${count} is no number of inputs`)
  const last: Input[] = []
  return {
    add(input) {
      last.push(input)
      if (last.length > count) last.shift()
      // A copy, which the function may sort.
      return last.length < count ? null : of([...last])
    },
    getRequiredInputs: () => count,
  }
}
