/** The trader's limit on the size of an increase. */
import type { Base } from '../../quantity/units.ts'
import type { Direction } from '../../terms/direction.ts'

/** A floor for a long, a ceiling for a short (C3); 0 = none. */
export function isOutsideTolerance(
  { direction, expectedAmount }: { readonly direction: Direction; readonly expectedAmount: Base },
  { size }: { readonly size: Base },
): boolean {
  if (expectedAmount === 0n) return false
  return direction === 'long' ? size < expectedAmount : size > expectedAmount
}
