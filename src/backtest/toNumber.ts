/** A price as a double, for indicators. Never on the way back into an order. */
import type { Price } from '../quantity/units.ts'

export function toNumber(price: Price): number {
  return Number(price) / 1e9
}
