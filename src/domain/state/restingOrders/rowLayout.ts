/** What stands where in the row of a resting order: 20 words of eight bytes, of which the first ten are pairs of integers. */
import { HASH } from '../rows/rowIds.ts'
import { CHUNK } from '../rows/rowMemory.ts'

/** Words of a row. */
export const WORDS = 20
export const INTS = 2 * WORDS

/** Where in its chunk's integers the row of an order begins. */
export function intsAt(row: number): number {
  return (row & (CHUNK - 1)) * INTS
}

/** Where in its chunk's bigints and doubles it does. */
export function wordsAt(row: number): number {
  return (row & (CHUNK - 1)) * WORDS
}

/** Integers. The id and that of the parent are four each; the first of the id is its hash. */
export const ID = HASH
export const PARENT = 4
export const FLAGS = 8
export const PHASE = 9
/** Where its level lies: written by whoever keeps levels. */
export const LEAF = 10
export const SLOT = 11
export const ACCOUNT = 12
export const MARKET = 13

/** In each of the lists an order is in: the row before it, and behind that the row after it. */
export const IN_ACCOUNT = 14
export const IN_MARKET = 16
export const IN_ALL = 18

/** Doubles. */
export const CREATED_AT = 10
export const SEQUENCE = 11

/** Bigints. */
export const TRIGGER = 12
export const LIMIT = 13
export const AMOUNT = 14
/** The attached stop-loss of one that opens, the trigger price as requested of one that closes. */
export const STOP = 15
export const TAKE = 16
export const LEVERAGE = 17
export const BASE = 18
export const EXPECTED = 19

/** Integers of an order that closes, which has no take-profit and no leverage: they stand in their place. */
export const POSITION = 2 * TAKE
export const IN_POSITION = POSITION + 1

/** Of the flags. The last four bits are the order type. */
export const TYPE_MASK = 15
export const SHORT = 1 << 4
export const OF_BASE = 1 << 5
export const HAS_PARENT = 1 << 6
export const HAS_REQUESTED = 1 << 7
export const HAS_LEVERAGE = 1 << 8
export const HAS_BASE = 1 << 9
/** Its limit price is not its trigger price. */
export const OWN_LIMIT = 1 << 10
/** It reserves its amount. */
export const RESERVES = 1 << 11
/** Its amount is what it reserved at first, too. */
export const SHOWS_RESERVE = 1 << 12
export const HAS_STOP = 1 << 13
export const HAS_TAKE = 1 << 14
export const HAS_EXPECTED = 1 << 15
/** Its trigger price is a stop price. */
export const STOP_ENTRY = 1 << 16
/** It closes a position. */
export const CLOSES = 1 << 17
/** It is kept as an object, because it has what a row cannot say. */
export const WHOLE = 1 << 18
/** Its id is no uuid: the object has it. */
export const OWN_TEXT = 1 << 19
