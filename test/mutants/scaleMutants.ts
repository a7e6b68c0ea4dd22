// Mistakes about what a large venue costs: room that is not given back, walks over everything, days and snapshots.

import type { Mutant } from './mutants.ts'

const ID_MAP = 'unit/domain/idMap.test.ts'
const WINDOW = 'unit/engine/idempotencyWindow.test.ts'

function mutant(breaks: string, file: string, find: string, replace: string, ...tests: string[]): Mutant {
  return { breaks, file: `src/${file}`, edits: [[find, replace]], tests }
}

export const SCALE_MUTANTS: readonly Mutant[] = [
  mutant(
    'the id index keeps the places of what left',
    'domain/idMap.ts',
    'holes > this.#size + SMALLEST ||',
    'holes < 0 ||',
    ID_MAP,
  ),
  mutant(
    'the id index keeps the largest table it ever had',
    'domain/idMap.ts',
    'this.#table.length > 16 * Math.max(this.#size, SMALLEST)',
    'this.#table.length < 0',
    ID_MAP,
  ),
  mutant(
    'closing the holes of the id index turns the order of creation around',
    'domain/idMap.ts',
    'this.#items[kept] = this.#items[place] as T',
    'this.#items[this.#size - 1 - kept] = this.#items[place] as T',
    ID_MAP,
  ),
  mutant(
    'the triggers keep the room of the most there ever was',
    'domain/triggers/sequenceMap.ts',
    'this.#table.length > 16 * Math.max(this.#size, SMALLEST)',
    'this.#table.length < 0',
    'unit/domain/triggers/sequenceMap.test.ts',
  ),
  mutant(
    'the weekly close cancels the orders of every market (G3)',
    'domain/position/platformClose.ts',
    'for (const order of [...market.orders])',
    'for (const order of [...step.world.orders.values()])',
    'unit/domain/position/platformClose.test.ts',
  ),
  mutant(
    'an order that has left still rests on its market',
    'domain/order/resting.ts',
    'marketOf(world, order).orders.delete(order)',
    'marketOf(world, order)',
    'unit/domain/position/platformClose.test.ts',
  ),
  mutant(
    'outcomes of past hours are never forgotten',
    'engine/idempotency.ts',
    'const EXPIRED_AT_A_TIME = 16',
    'const EXPIRED_AT_A_TIME = 0',
    WINDOW,
  ),
  mutant(
    'an outcome that expires takes the newer one under its key with it (I4)',
    'engine/idempotency.ts',
    'if (this.#byKey.get(id) === oldest) this.#byKey.delete(id)',
    'this.#byKey.delete(id)',
    WINDOW,
  ),
  mutant(
    'one outcome too few is within its hour',
    'engine/idempotency.ts',
    'else first = middle + 1',
    'else first = middle + 2',
    WINDOW,
  ),
]
