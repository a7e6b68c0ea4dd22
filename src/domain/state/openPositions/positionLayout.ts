/**
 * What stands where in the rows of an open position, in words of eight bytes. Most positions have only been opened: one row says all of
 * them. What happened since is in a second, which a position has once anything has.
 */
/** Words of the first row, of which eight are pairs of integers. */
export const WORDS = 15

/** Integers. The first is the hash of the id (`rowIds.ts`). */
export const FLAGS = 1
export const PHASE = 2
/** Its second row; −1 = it has only been opened. */
export const SINCE = 3
/** Numbers of the lists it is in. */
export const ACCOUNT = 4
export const MARKET = 5
/** In each of these lists the row before it, and behind that the row after it. */
export const IN_ACCOUNT = 6
export const IN_MARKET = 8
export const IN_ALL = 10
/** Where its liquidation level lies, and its place among those that are on their way: written by whoever keeps levels. */
export const LEAF = 12
export const SLOT = 13
export const COMING = 14
/** Its place among those at hand. */
export const PLACE = 15

/** Doubles. */
export const OPENED_AT = 8
export const SEQUENCE = 9

/** Bigints. */
export const SIZE = 10
export const NOTIONAL = 11
export const MARGIN = 12
export const FEE = 13
export const FEE_RATE = 14

/** Words of the second row: doubles. */
export const VERSION = 0
export const LAST_UPDATED_AT = 1
export const LAST_INCREASE_AT = 2
/** NaN = null, as of the next. */
export const HOLDING_TIME = 3
export const CLOSED_AT = 4

/** Its bigints. */
export const PNL = 5
export const FUNDING = 6
export const EXCHANGED_QUOTE = 7
export const EXCHANGED_BASE = 8
export const PNL_IN_EVENT = 9
export const RAW_PNL_IN_EVENT = 10
export const FEE_IN_EVENT = 11
export const FUNDING_IN_EVENT = 12
export const ROE = 13
export const SCALPING_COEFFICIENT = 14
export const PROFIT_REFERENCE = 15
export const CONTRIBUTED_MARGIN = 16

export const SECOND_WORDS = 17

/** Of the flags, from the lowest on: two bits of the status, three of the event's name, four of the reason + 1. */
export const STATUS_BITS = 0
export const STATUS_MASK = 3
export const EVENT_BITS = 2
export const EVENT_MASK = 7
export const REASON_BITS = 5
export const REASON_MASK = 15
export const SHORT = 1 << 9
export const ADJUSTED = 1 << 10
/** It is an object for now, and its amounts stand there. */
export const AT_HAND = 1 << 11
/** It is an object for good: some amount is beyond 63 bits. */
export const WHOLE = 1 << 12
/** Its account is due on its market: written by whoever watches drawdowns. */
export const DUE = 1 << 13
