/** Which way a position goes, and what that makes of a trade. */

/** Which way a position gains: `long` when the price rises, `short` when it falls. */
export type Direction = 'long' | 'short'

/** Whether a price is beyond another where the direction gains. */
export function isBetter(direction: Direction, price: bigint, than: bigint): boolean {
  return direction === 'long' ? price > than : price < than
}

/** A size is bought or sold; the position's direction and whether it grows decide which (B1). */
export type BookSide = 'buy' | 'sell'

export function increaseSide(direction: Direction): BookSide {
  return direction === 'long' ? 'buy' : 'sell'
}

export function closeSide(direction: Direction): BookSide {
  return direction === 'long' ? 'sell' : 'buy'
}
