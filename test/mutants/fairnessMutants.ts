// Mistakes about what one client may cost another.

import type { Edit, Mutant } from './mutants.ts'

function mutant(breaks: string, file: string, edit: Edit, ...tests: string[]): Mutant {
  return { breaks, file: `src/${file}`, edits: [edit], tests }
}

const PLACEMENT = 'unit/domain/order/placement.test.ts'

export const FAIRNESS_MUTANTS: readonly Mutant[] = [
  mutant(
    'one order more than the limit may rest (K2)',
    'domain/order/placement.ts',
    ['account.orders.size + more > maxActiveOrders', 'account.orders.size + more > maxActiveOrders + 1'],
    PLACEMENT,
  ),
  mutant(
    'the orders attached to an entry are not counted (K2)',
    'domain/order/placement.ts',
    ['if (!isIncreaseType(orderType)) return own', 'if (!isIncreaseType(orderType) || own > 0) return own'],
    PLACEMENT,
  ),
  mutant(
    'an account over its limit cannot open or close at market (K2)',
    'domain/order/placement.ts',
    ['return more > 0 && account.orders.size', 'return account.orders.size'],
    PLACEMENT,
  ),
  mutant(
    'an account opened without a limit gets the default when its log is read (K2)',
    'events/codec/eventSchemas.ts',
    ['maxActiveOrders: null } }', 'maxActiveOrders: 500 } }'],
    'golden/golden.test.ts',
  ),
  mutant(
    'no limit given on purpose is taken for none given (K2)',
    'domain/account/configuration.ts',
    ['maxActiveOrders === null ? { maxActiveOrders } : {}', '{}'],
    PLACEMENT,
  ),
]
