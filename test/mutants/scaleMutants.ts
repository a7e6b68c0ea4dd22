// Mistakes about what a large venue costs: room that is not given back, walks over everything, days and snapshots.

import type { Mutant } from './mutants.ts'

const ID_MAP = 'unit/domain/idMap.test.ts'
const DAYS = 'properties/days.test.ts'
const PIECES = 'properties/snapshotPieces.test.ts'
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
    'this.#items.push(items[place] as T)',
    'this.#items.unshift(items[place] as T)',
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
  mutant(
    'a frozen account does not thaw at midnight if nothing else happened to it',
    'domain/account/days.ts',
    'if (frozenUntil !== null && frozenUntil <= at) return true',
    'if (frozenUntil !== null && frozenUntil < at) return true',
    DAYS,
  ),
  mutant(
    'a midnight forgets what was realized without moving the balance of the day',
    'domain/account/days.ts',
    'if (account.realizedToday !== 0n) return true',
    'if (account.realizedToday > 0n) return true',
    DAYS,
  ),
  mutant(
    'an account that a withdrawal put below its floor is not judged at midnight (J7)',
    'domain/account/days.ts',
    'if (lossFloor !== null && balance < lossFloor) return true',
    'if (lossFloor === null && balance < 0n) return true',
    DAYS,
  ),
  mutant(
    'days that only pass are never enough for a promotion (J13)',
    'domain/account/days.ts',
    'else if (this.#mayBePromotedForDays(account)) this.#promise(account)',
    '',
    DAYS,
  ),
  mutant(
    'the promotion for days comes a day late',
    'domain/account/days.ts',
    'const day = this.#begun + missing',
    'const day = this.#begun + missing + 1',
    DAYS,
  ),
  mutant(
    'the day of an account that was judged is counted twice',
    'domain/account/days.ts',
    'account.daysSeen = this.#begun + 1',
    'account.daysSeen = this.#begun + 0',
    DAYS,
  ),
  mutant(
    'idle days are counted for a plan that wants profit (J13)',
    'domain/account/days.ts',
    'account.parameters.profitableDayShare) <= 0n',
    'account.parameters.profitableDayShare) >= 0n',
    DAYS,
  ),
  mutant(
    'days that passed are counted after the deposit that changes what counts',
    'domain/account/applyAccountEvent.ts',
    '  world.days.count(account)\n',
    '',
    DAYS,
  ),
  mutant(
    'an account that is flat again by midnight is not looked at',
    'domain/position/applyPositionEvent.ts',
    '  world.days.watch(account)\n',
    '',
    DAYS,
  ),
  mutant(
    'after a restart midnight looks at nobody',
    'engine/snapshot.ts',
    '    world.days.consider(account)\n',
    '',
    DAYS,
  ),
  mutant(
    'a snapshot in pieces shows an account as it is when its turn comes',
    'domain/beforeChange.ts',
    '    if (account !== undefined) listener.accountChanging(account)',
    '',
    PIECES,
  ),
  mutant(
    'a snapshot in pieces shows an order as it ended meanwhile',
    'domain/beforeChange.ts',
    '    if (order !== undefined) listener.orderChanging(order)',
    '',
    PIECES,
  ),
  mutant(
    'a snapshot in pieces shows a position as it became meanwhile',
    'domain/beforeChange.ts',
    '    if (position !== undefined) listener.positionChanging(position)',
    '',
    PIECES,
  ),
  mutant(
    'a snapshot in pieces shows trailing stops where they are when their turn comes',
    'engine/worldImage.ts',
    'watermark: watermarks.of(order) }',
    'watermark: world.triggers.watermarkOf(order) }',
    PIECES,
  ),
  mutant(
    'a record that changes twice is kept as it was in between',
    'engine/worldImage.ts',
    ' || this.#copies.has(record)',
    '',
    PIECES,
  ),
  mutant(
    'a snapshot in pieces counts the days that begin meanwhile',
    'engine/worldImage.ts',
    'profitableDaysOf(account, begun)',
    'profitableDaysOf(account)',
    PIECES,
  ),
  mutant(
    'a peak that moves while a snapshot is written is remembered where it is last',
    'domain/triggers/peakMemory.ts',
    'if (this.#keeps && !this.#segments.has(segment)) this',
    'if (this.#keeps) this',
    'unit/engine/peaksInPieces.test.ts',
  ),
  mutant(
    'a trailing stop that begins while a snapshot is written had begun before',
    'domain/triggers/trailingStops.ts',
    '      this.#memory.leaving(nearest.stop)\n',
    '',
    'unit/engine/peaksInPieces.test.ts',
  ),
  mutant(
    'trailing stops that are merged while a snapshot is written forget the peak they had',
    'domain/triggers/trailingStops.ts',
    '    this.#memory.dissolving(smaller)\n',
    '',
    'unit/engine/peaksInPieces.test.ts',
  ),
  mutant(
    'what ends before its turn comes is not in the snapshot',
    'engine/worldImage.ts',
    '    yield* this.#copies.values()\n',
    '',
    PIECES,
  ),
  mutant(
    'what was met and ends later is in the snapshot twice',
    'engine/worldImage.ts',
    'sequence <= this.#met || ',
    '',
    PIECES,
  ),
  mutant(
    'closing the holes of the id index moves what a walk has before it',
    'domain/idMap.ts',
    '    const [ids, items] = [this.#ids, this.#items]\n    this.#ids = []\n    this.#items = []\n',
    '    const [ids, items] = [[...this.#ids], [...this.#items]]\n    this.#ids.length = 0\n    this.#items.length = 0\n',
    ID_MAP,
  ),
  mutant(
    'a snapshot in pieces shows history lists as they are when their turn comes',
    'store/lmdb/lmdbHistory.ts',
    'return lists === undefined ? null : copyOf(lists)',
    'return lists ?? null',
    PIECES,
  ),
]
