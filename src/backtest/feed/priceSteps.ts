/** The steps that a market's prices move in, found from them. */
import type { Feed } from './feed.ts'

/** What the prices of a feed have in common. */
export interface PriceSteps {
  /** The largest step that all of them are multiples of, fp9 of the price. */
  readonly step: bigint
  /** The lowest of them, fp9. */
  readonly lowest: bigint
}

/** Of all prices of a feed; null where it has none. */
export async function priceStepsOf(feed: Feed): Promise<PriceSteps | null> {
  let step = 0n
  let lowest: bigint | null = null
  const take = (prices: BigInt64Array) => {
    step = commonStep([prices], step)
    for (const price of prices) if (lowest === null || price < lowest) lowest = price
  }
  if (feed.kind === 'ticks') for await (const { price } of feed) take(price)
  else
    for await (const { open, high, low, close } of feed)
      for (const column of [open, high, low, close]) take(column)
  return lowest === null ? null : { step, lowest }
}

/** The largest step that all prices of some columns, and `known`, are multiples of; 0 of none. */
export function commonStep(columns: readonly BigInt64Array[], known = 0n): bigint {
  let step = known
  for (const column of columns)
    for (const price of column) if (step === 0n || price % step !== 0n) step = greatestDivisor(step, price)
  return step
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}
