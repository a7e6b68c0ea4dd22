// Mistakes about resting orders and open positions as rows, and where their levels lie.

import { type Mutant, mutant } from './mutant.ts'

const ORDERS = 'unit/domain/state/restingOrders/restingOrders.test.ts'
const IDS = 'unit/domain/state/rows/rowIds.test.ts'
const MEMORY = 'unit/domain/state/rows/rowMemory.test.ts'
const BOOK = 'unit/collections/rowLevelBook.test.ts'
const OPEN_POSITIONS = 'unit/domain/state/openPositions/openPositions.test.ts'
const POSITIONS = 'unit/domain/triggers/positionLevels.test.ts'
const ROOM = 'domain/state/restingOrders'

export const ROW_MUTANTS: readonly Mutant[] = [
  mutant(
    'a row that was given back is given to two orders',
    'domain/state/rows/rowMemory.ts',
    ['else chunk.freed = chunk.ints[this.intsAt(local)] as number', 'else chunk.used += 0'],
    MEMORY,
  ),
  mutant(
    'the first chunk grows without what is in it',
    'domain/state/rows/rowMemory.ts',
    ['    ints.set(this.ints.subarray(0, 2 * words * Math.min(capacity, this.capacity)))\n', ''],
    MEMORY,
  ),
  mutant(
    'the memory of every row there ever was is kept',
    'domain/state/rows/rowMemory.ts',
    ['idle === undefined || idle === chunk || idle.used > 0', 'idle === undefined || idle.used >= 0'],
    MEMORY,
  ),
  mutant(
    'an order that comes and goes makes a chunk and drops it',
    'domain/state/rows/rowMemory.ts',
    ['idle === undefined || idle === chunk || idle.used > 0', 'false'],
    MEMORY,
  ),
  mutant(
    'a number beyond 63 bits is cut to a row',
    `${ROOM}/rowForm.ts`,
    ['return BigInt.asIntN(64, value) === value', 'return BigInt.asUintN(64, value) === value'],
    ORDERS,
  ),
  mutant(
    'an order kept as an object stays when it has ended',
    `${ROOM}/restingOrders.ts`,
    ['if ((flags & WHOLE) !== 0) this.#whole.delete(row)', ''],
    ORDERS,
  ),
  mutant(
    'the chain of a list is not mended at its end',
    'domain/state/rows/rowChain.ts',
    ['if (newer === NONE) chain.newest = older', 'if (newer === NONE) chain.size += 0'],
    ORDERS,
  ),
  mutant(
    'the chain of a list is not mended at its beginning',
    'domain/state/rows/rowChain.ts',
    ['if (older === NONE) chain.oldest = newer', 'if (older === NONE) chain.size += 0'],
    ORDERS,
  ),
  mutant(
    'the number of an empty list goes to another while it is used',
    `${ROOM}/restingOrders.ts`,
    ['if (list.size > 0) return\n', ''],
    ORDERS,
  ),
  mutant(
    'a row of another order is taken for that of an earlier one',
    `${ROOM}/restingOrders.ts`,
    ['return this.sequenceOf(row) === sequence ? this.order(row) : undefined', 'return this.order(row)'],
    ORDERS,
  ),
  mutant(
    'the object made last is given for an order that has another row',
    `${ROOM}/restingOrders.ts`,
    ['if (this.#last !== null && this.#last.row === row) this.#last = null', ''],
    ORDERS,
  ),
  mutant(
    'a reserve that another order has taken is still reserved',
    `${ROOM}/restingOrders.ts`,
    ['(ints[flags] as number) & ~RESERVES', 'ints[flags] as number'],
    ORDERS,
  ),
  mutant(
    'a walk goes on at a row that has left',
    `${ROOM}/restingOrders.ts`,
    ['if (walk.next === row) walk.next = this.newer(row, IN_ALL)', 'if (walk.next === NONE) return'],
    ORDERS,
  ),
  mutant(
    'the list of a position from which all have left stays',
    `${ROOM}/restingOrders.ts`,
    ['if (list.size === 0) this.#closing.end(number)', 'if (list.size < 0) this.#closing.end(number)'],
    ORDERS,
  ),
  mutant(
    'the list of a position that has one is begun anew',
    `${ROOM}/restingOrders.ts`,
    ['list === NONE ? this.#closing.begin(order.positionId) : list', 'this.#closing.begin(order.positionId)'],
    ORDERS,
  ),
  mutant(
    'a list is begun with what was in another one',
    `${ROOM}/closingLists.ts`,
    ['    list.newest = NONE\n', ''],
    ORDERS,
  ),
  mutant(
    'of two positions whose ids begin alike one has the orders of both',
    `${ROOM}/closingLists.ts`,
    ['ints[at + 1] === b && ints[at + 2] === c && ints[at + 3] === d', 'row !== NONE'],
    ORDERS,
  ),
  mutant(
    'the id of a position is forgotten when nothing closes it, and its row is taken for another one’s',
    `${ROOM}/closingLists.ts`,
    ['    this.#texts.delete(row)\n', ''],
    ORDERS,
  ),
  mutant(
    'a gap in the table of ids hides what stands behind it',
    'domain/state/rows/rowIds.ts',
    ['if (at !== NONE) this.#closeGap(at)', 'if (at !== NONE) this.#table[at] = 0'],
    IDS,
  ),
  mutant(
    'a row leaves while the table is taken over, and stays in the one that is left',
    'domain/state/rows/rowIds.ts',
    ['if (before !== NONE) this.#before[before] = LEFT', 'if (before === NONE) this.#taken += 0'],
    IDS,
  ),
  mutant(
    'what is not taken over yet is not found',
    'domain/state/rows/rowIds.ts',
    ['this.#in === this.#before || this.#before.length === 0', 'this.#before.length >= 0'],
    IDS,
  ),
  mutant(
    'what was taken over hides what stands behind it',
    'domain/state/rows/rowIds.ts',
    [
      '      if (entry > 0) this.#enter(entry - 1)\n',
      '      before[this.#taken] = 0\n      if (entry > 0) this.#enter(entry - 1)\n',
    ],
    IDS,
  ),
  mutant(
    'two ids that begin alike are one',
    `${ROOM}/restingOrders.ts`,
    ['ints[at + ID + 1] !== b || ints[at + ID + 2] !== c || ints[at + ID + 3] !== d', 'row === NONE'],
    ORDERS,
  ),
  mutant(
    'an id that ends like one before it is spelt as that',
    'events/codec/uuidWords.ts',
    ["if (isKnown && known !== '') return known", "if (known !== '') return known"],
    ORDERS,
  ),
  mutant(
    'a row that is moved up in its leaf is still looked for where it was',
    'collections/rowLevelBook.ts',
    ['      this.#rows.place(moved, leaf.number, slot)\n', ''],
    BOOK,
  ),
  mutant(
    'rows that moved past those of the next leaf stay where they lay',
    'collections/rowLevelBook.ts',
    ['      if (nearest <= furthestBefore) return false\n', ''],
    BOOK,
  ),
  mutant(
    'leaves are looked for where they began before their rows moved',
    'collections/rowLevelBook.ts',
    ['      if (at > 0) this.#bounds[at] = nearest\n', ''],
    BOOK,
  ),
  mutant(
    'the nearest is where it was before it moved',
    'collections/rowLevelBook.ts',
    ['    this.#nearestCount = 0\n    return true', '    return true'],
    BOOK,
  ),
  mutant(
    'a position that is not liquidated any more stays among the levels',
    'domain/triggers/positionLevels.ts',
    ['this.leafOf(row) >= 0 && this.#isEverLiquidated(row)', 'this.leafOf(row) >= 0'],
    POSITIONS,
  ),
  mutant(
    'what is new among much that moves is in no book',
    'domain/triggers/positionLevels.ts',
    ['this.leafOf(row) >= 0 && this.#isEverLiquidated(row)', 'this.#isEverLiquidated(row)'],
    POSITIONS,
  ),
  mutant(
    'what stays is left out of books that are made anew',
    'domain/triggers/positionLevels.ts',
    ['...this.#above.rows(), ...this.#coming', '...this.#coming'],
    POSITIONS,
  ),
  mutant(
    'what has left while levels were gathered is placed all the same',
    'domain/triggers/positionLevels.ts',
    ['    this.#comesNoMore(row)\n', ''],
    POSITIONS,
  ),
  mutant(
    'what comes in the place of one that left does not know where',
    'domain/triggers/positionLevels.ts',
    ['    this.#positions.setComing(last, at)\n', ''],
    POSITIONS,
  ),
  mutant(
    'a position that was reached and has changed waits where it was reached as well',
    'domain/triggers/positionLevels.ts',
    ['this.leafOf(row) === REACHED && this.slotOf(row) === at', 'at >= 0'],
    POSITIONS,
  ),
  mutant(
    'the level of a position that has ended stays',
    'domain/triggers/positionLevels.ts',
    ['    this.#comesNoMore(row)\n    this.#leaveBook(row)', '    this.#comesNoMore(row)'],
    POSITIONS,
  ),
  mutant(
    'a position at hand is looked for where it was',
    'domain/state/openPositions/positionsAtHand.ts',
    ['    if (place < this.#positions.length) this.#put(place, lastRow, last)\n', ''],
    OPEN_POSITIONS,
  ),
  mutant(
    'funding leaves 63 bits',
    'domain/state/openPositions/positionRows.ts',
    ['!hasRoom(first, int, second, word) || ', ''],
    OPEN_POSITIONS,
  ),
  mutant(
    'the second row of a position that has ended is lost',
    'domain/state/openPositions/positionRows.ts',
    ['if (since !== NONE) this.#since.giveBack(since)', ''],
    OPEN_POSITIONS,
  ),
  mutant(
    'what is beyond 63 bits is cut off',
    'domain/state/openPositions/positionRows.ts',
    ['if (!fitsRows(position, onlyOpened)) return this.#keepWhole(row, position)', ''],
    OPEN_POSITIONS,
  ),
  mutant(
    'an account that was looked at is never due again',
    'domain/triggers/drawdownWatch.ts',
    ['      this.#world.positions.rows.setDue(row, false)\n', ''],
    'properties/triggers.test.ts',
  ),
  mutant(
    'of a position that is written its row forgets that its account is due',
    'domain/state/openPositions/positionForm.ts',
    ['((ints[int + FLAGS] as number) & DUE) |', '0 |'],
    OPEN_POSITIONS,
  ),
  mutant(
    'a product beyond 64 bits is cut off',
    'quantity/scaled.ts',
    [
      'return BigInt.asIntN(64, x / ONE) <= BigInt.asIntN(64, MOST / BigInt.asIntN(64, y + 1n))',
      'return true',
    ],
    'unit/quantity/scaled.test.ts',
  ),
  mutant(
    'the nearest is still the nearest when it has left',
    'collections/rowLevelBook.ts',
    ['if (key === this.#nearestKey && this.#nearestCount > 0) this.#nearestCount -= 1', ''],
    BOOK,
  ),
  mutant(
    'what differs beyond a double is reached with the other',
    'collections/rowLevelBook.ts',
    ['(own === key && this.#precedes(level, ownLevel))', 'own > key'],
    BOOK,
  ),
  mutant(
    'what was reached and waits on is put back where its row has gone to another',
    'domain/triggers/restingLevels.ts',
    [
      'this.#orders.sequenceOf(row) === this.#reachedSequences[at]',
      'this.#orders.sequenceOf(row) >= (this.#reachedSequences[at] as number)',
    ],
    'unit/domain/triggers/restingLevels.test.ts',
  ),
  mutant(
    'an order that leaves while it is on its way is placed after all',
    'domain/triggers/restingLevels.ts',
    ['else if (leaf === COMING) this.#comesNoMore(this.#orders.slotOf(row))', ''],
    'unit/domain/triggers/restingLevels.test.ts',
  ),
  mutant(
    'of two on their way that which takes the other’s place is lost',
    'domain/triggers/restingLevels.ts',
    ['    this.#coming[at] = row\n', ''],
    'unit/domain/triggers/restingLevels.test.ts',
  ),
]
