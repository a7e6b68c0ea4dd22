// Mistakes for which the exhaustive search has to find the shortest way there.

import type { Edit, Mutant } from './mutant.ts'

const SEARCH = 'exhaustive/exhaustive.test.ts'

function mutant(breaks: string, file: string, edit: Edit): Mutant {
  return { breaks, file: `src/${file}`, edits: [edit], tests: [SEARCH] }
}

export const EXHAUSTIVE_MUTANTS: readonly Mutant[] = [
  mutant('the 60-second window ends a millisecond early (D1)', 'domain/formulas/profitWindow.ts', [
    'at - position.lastIncreaseAt < windowMs',
    'at - position.lastIncreaseAt < windowMs - 1',
  ]),
  mutant('a long is spared at its liquidation price (E1)', 'domain/formulas/liquidation.ts', [
    'isAtMostPriceOfShareUp(indexPrice, notional',
    'isAtMostPriceOfShareUp(indexPrice + 1n, notional',
  ]),
  mutant('a cancelled order gives its reserve back twice (C2)', 'domain/flows/endOrder.ts', [
    'released: order.reserve,\n    status',
    'released: 2n * order.reserve,\n    status',
  ]),
  mutant('a withdrawal that is refused is taken all the same (E6)', 'domain/commands/changeMargin.ts', [
    'const margin = position.margin + change\n',
    'const margin = (position.margin += change)\n',
  ]),
  mutant('what a closed short held counts as open for ever (C5)', 'domain/evolve/applyPositionEvent.ts', [
    'market.openNotionalShort -= event.cost',
    'market.openNotionalShort -= 0n',
  ]),
  mutant('an order that was edited keeps the trigger it had (I3)', 'domain/commands/editOrder.ts', [
    'setTrigger(placed, trigger)',
    'setTrigger(placed, order)',
  ]),
  mutant('an entry on a stop waits for no price (F3)', 'domain/triggers/levelTriggers.ts', [
    'addOrder(order: Order): void {\n    if (!canFire(order)) return',
    "addOrder(order: Order): void {\n    if (!canFire(order) || order.orderType === 'stop_market') return",
  ]),
]
