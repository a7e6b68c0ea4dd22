/** Every case, in the order of the rules. */
import type { Case } from '../case.ts'
import { CORNERS } from './corners.ts'
import { FILLS } from './fills.ts'
import { INTERFACE } from './interface.ts'
import { NUMBERS } from './numbers.ts'
import { PLATFORM } from './platform.ts'
import { PRICES } from './prices.ts'
import { PROFIT_WINDOW } from './profitWindow.ts'
import { SOLVENCY } from './solvency.ts'
import { TRIGGERS } from './triggers.ts'

/**
 * What is asked of a host beside random programs, each under the rule it decides.
 *
 * ```ts
 * const about = CASES.filter(({ rule }) => rule === 'D1')
 * about.length > 0 // → true
 * about.every(({ name, script }) => name !== '' && typeof script === 'function') // → true
 * ```
 */
export const CASES: readonly Case[] = [
  ...NUMBERS,
  ...PRICES,
  ...FILLS,
  ...PROFIT_WINDOW,
  ...SOLVENCY,
  ...TRIGGERS,
  ...PLATFORM,
  ...INTERFACE,
  ...CORNERS,
]
