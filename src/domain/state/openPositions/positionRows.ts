/**
 * The rows of open positions: numbers in their places (`positionLayout.ts`), which the collector never looks at. A position is an object
 * where rows cannot say it, and while it is at hand (`positionsAtHand.ts`).
 */
import { hashOf } from '../../../collections/idMap.ts'
import type { Base, Quote } from '../../../quantity/units.ts'
import type { Position } from '../position.ts'
import type { Linked } from '../rows/rowChain.ts'
import { HASH } from '../rows/rowIds.ts'
import { type Chunk, RowMemory } from '../rows/rowMemory.ts'
import {
  fitsRows,
  hasRoom,
  isOnlyOpened,
  readRows,
  writeFirst,
  writeFunding,
  writeOpened,
  writeSecond,
} from './positionForm.ts'
import {
  ACCOUNT,
  AT_HAND,
  COMING,
  DUE,
  FLAGS,
  LAST_INCREASE_AT,
  LEAF,
  MARGIN,
  MARKET,
  NOTIONAL,
  OPENED_AT,
  PROFIT_REFERENCE,
  SECOND_WORDS,
  SEQUENCE,
  SHORT,
  SINCE,
  SIZE,
  SLOT,
  WHOLE,
  WORDS,
} from './positionLayout.ts'
import { PositionsAtHand } from './positionsAtHand.ts'

/** Whose the lists are, by their numbers. */
export interface Owners {
  accountId(list: number): string
  marketId(list: number): string
}

/** What its liquidation and its funding depend on. */
export type PositionTerms = Pick<Position, 'direction' | 'size' | 'notional' | 'margin'>

/** What its part of an account's equity depends on. */
export type PositionWorth = Pick<
  Position,
  'sequence' | 'marketId' | 'direction' | 'size' | 'notional' | 'lastIncreaseAt' | 'profitReference'
>

const NONE = -1

export class PositionRows implements Linked {
  readonly first = new RowMemory(WORDS)
  readonly #since = new RowMemory(SECOND_WORDS)
  readonly #owners: Owners
  /** By row, ids: the history has the same texts, and what is said of a position by its id is mostly said with these. */
  readonly #texts: (string | null)[] = []
  /** By row, positions that are kept as objects. */
  readonly #whole = new Map<number, Position>()
  readonly #atHand = new PositionsAtHand(this.first)
  readonly #most: number
  readonly #stay: number

  /** Once more than `most` are at hand, all are written but those that came last, `stay` of them. */
  constructor(owners: Owners, most = 512, stay = 256) {
    this.#owners = owners
    this.#most = most
    this.#stay = stay
  }

  /** First and second rows there is memory for, and what is an object for now or for good. */
  get room(): Record<'rows' | 'since' | 'atHand' | 'whole', number> {
    const [rows, since] = [this.first.room, this.#since.room]
    return { rows, since, atHand: this.#atHand.size, whole: this.#whole.size }
  }

  /** A row for a position that is these rows' from now on. It is in no list yet. */
  take(position: Position): number {
    const row = this.first.take()
    const { ints, doubles } = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    this.#keepText(row, position.id)
    ints[int + HASH] = hashOf(position.id)
    ints[int + FLAGS] = position.direction === 'short' ? SHORT : 0
    ints[int + SINCE] = NONE
    ints[int + LEAF] = NONE
    ints[int + SLOT] = 0
    ints[int + COMING] = 0
    doubles[(int >> 1) + SEQUENCE] = position.sequence
    this.#atHand.add(row, position)
    return row
  }

  giveBack(row: number): void {
    const { ints } = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    const flags = ints[int + FLAGS] as number
    if ((flags & AT_HAND) !== 0) this.#atHand.delete(row)
    if ((flags & WHOLE) !== 0) this.#whole.delete(row)
    const since = ints[int + SINCE] as number
    if (since !== NONE) this.#since.giveBack(since)
    this.first.giveBack(row)
    const texts = this.#texts
    texts[row] = null
    while (texts.length > 0 && texts[texts.length - 1] === null) texts.pop()
  }

  /** A command begins, and nobody holds what the one before it was about. */
  settle(): void {
    if (this.#atHand.size <= this.#most) return
    this.#atHand.leave(this.#stay, (row, position) => this.#write(row, position))
  }

  /** The position of a row that is taken, at hand from now on. */
  at(row: number): Position {
    const held = this.#held(row)
    if (held !== null) return held
    const position = this.#stored(row)
    this.#atHand.add(row, position)
    return position
  }

  /** The position of a row for whoever only reads, and keeps it until the next event at most: itself where it is at hand, else a copy. */
  asItStands(row: number): Position {
    return this.#held(row) ?? this.#stored(row)
  }

  /**
   * Funding has reached the margin of a position, whose event is the one after its last: what `positionRecipe` does of it, in its rows. It comes
   * to all positions of a market at once, and most of what they say it leaves alone. False, with nothing done, where these do not say it.
   */
  payFunding(row: number, amount: Quote, at: number): boolean {
    const first = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    if (((first.ints[int + FLAGS] as number) & (AT_HAND | WHOLE)) !== 0) return false
    const since = this.#writtenOut(first, int)
    const second = this.#since.chunkOf(since)
    const word = this.#since.intsAt(since) >> 1
    if (!hasRoom(first, int, second, word) || BigInt.asIntN(62, amount) !== amount) return false
    writeFunding(first, int, second, word, amount, at)
    return true
  }

  termsOf(row: number): PositionTerms {
    const held = this.#held(row)
    if (held !== null) return held
    const { ints, bigs } = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    const word = int >> 1
    return {
      direction: ((ints[int + FLAGS] as number) & SHORT) === 0 ? 'long' : 'short',
      size: bigs[word + SIZE] as bigint,
      notional: bigs[word + NOTIONAL] as bigint,
      margin: bigs[word + MARGIN] as bigint,
    }
  }

  worthOf(row: number): PositionWorth {
    const held = this.#held(row)
    if (held !== null) return held
    const { ints, bigs, doubles } = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    const word = int >> 1
    const since = ints[int + SINCE] as number
    const second = since === NONE ? null : this.#since.chunkOf(since)
    const at = since === NONE ? 0 : this.#since.intsAt(since) >> 1
    return {
      sequence: doubles[word + SEQUENCE] as number,
      marketId: this.#owners.marketId(ints[int + MARKET] as number),
      direction: ((ints[int + FLAGS] as number) & SHORT) === 0 ? 'long' : 'short',
      size: bigs[word + SIZE] as bigint,
      notional: bigs[word + NOTIONAL] as bigint,
      lastIncreaseAt: (second === null
        ? doubles[word + OPENED_AT]
        : second.doubles[at + LAST_INCREASE_AT]) as number,
      profitReference: second === null ? 0n : (second.bigs[at + PROFIT_REFERENCE] as bigint),
    }
  }

  /** A long one of which this holds is never liquidated (E1). */
  isAllMargin(row: number): boolean {
    const held = this.#held(row)
    if (held !== null) return held.margin >= held.notional
    const { bigs } = this.first.chunkOf(row)
    const word = this.first.intsAt(row) >> 1
    return (bigs[word + MARGIN] as bigint) >= (bigs[word + NOTIONAL] as bigint)
  }

  directionOf(row: number): Position['direction'] {
    return (this.read(row, FLAGS) & SHORT) === 0 ? 'long' : 'short'
  }

  wasOpenBefore(row: number, instant: number): boolean {
    const held = this.#held(row)
    if (held !== null) return held.openedAt < instant
    return (this.first.chunkOf(row).doubles[(this.first.intsAt(row) >> 1) + OPENED_AT] as number) < instant
  }

  sizeOf(row: number): Base {
    return this.#held(row)?.size ?? (this.#amount(row, SIZE) as Base)
  }

  marginOf(row: number): Quote {
    return this.#held(row)?.margin ?? (this.#amount(row, MARGIN) as Quote)
  }

  sequenceOf(row: number): number {
    return this.first.chunkOf(row).doubles[(this.first.intsAt(row) >> 1) + SEQUENCE] as number
  }

  idOf(row: number): string {
    return this.#texts[row] as string
  }

  accountIdOf(row: number): string {
    return this.#owners.accountId(this.read(row, ACCOUNT))
  }

  marketIdOf(row: number): string {
    return this.#owners.marketId(this.read(row, MARKET))
  }

  newer(row: number, links: number): number {
    return this.read(row, links + 1)
  }

  older(row: number, links: number): number {
    return this.read(row, links)
  }

  link(row: number, links: number, older: number, newer: number): void {
    const { ints } = this.first.chunkOf(row)
    const at = this.first.intsAt(row) + links
    ints[at] = older
    ints[at + 1] = newer
  }

  /** Where its level lies, as it was {@link place}d. */
  leafOf(row: number): number {
    return this.read(row, LEAF)
  }

  slotOf(row: number): number {
    return this.read(row, SLOT)
  }

  place(row: number, leaf: number, slot: number): void {
    this.link(row, LEAF, leaf, slot)
  }

  /** Its place among the levels that are on their way, from 1; 0 = it is not. */
  comingOf(row: number): number {
    return this.read(row, COMING)
  }

  setComing(row: number, place: number): void {
    this.write(row, COMING, place)
  }

  /** Whether its account is known to be due on its market. */
  isDue(row: number): boolean {
    return (this.read(row, FLAGS) & DUE) !== 0
  }

  setDue(row: number, isDue: boolean): void {
    const flags = this.read(row, FLAGS)
    this.write(row, FLAGS, isDue ? flags | DUE : flags & ~DUE)
  }

  /** The object that the position of a row is for now, or for good. */
  #held(row: number): Position | null {
    const { ints } = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    const flags = ints[int + FLAGS] as number
    if ((flags & (AT_HAND | WHOLE)) === 0) return null
    if ((flags & AT_HAND) !== 0) return this.#atHand.of(row)
    return this.#whole.get(row) as Position
  }

  #amount(row: number, field: number): bigint {
    return this.first.chunkOf(row).bigs[(this.first.intsAt(row) >> 1) + field] as bigint
  }

  #stored(row: number): Position {
    const first = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    const since = first.ints[int + SINCE] as number
    const second = since === NONE ? null : this.#since.chunkOf(since)
    return readRows(first, int, second, since === NONE ? 0 : this.#since.intsAt(since) >> 1, {
      id: this.idOf(row),
      accountId: this.#owners.accountId(first.ints[int + ACCOUNT] as number),
      marketId: this.#owners.marketId(first.ints[int + MARKET] as number),
    })
  }

  #keepText(row: number, id: string): void {
    while (this.#texts.length < row) this.#texts.push(null)
    this.#texts[row] = id
  }

  /** Its row says all of it from here on, or it is kept as an object. */
  #write(row: number, position: Position): void {
    const first = this.first.chunkOf(row)
    const int = this.first.intsAt(row)
    const { ints } = first
    const onlyOpened = (ints[int + SINCE] as number) === NONE && isOnlyOpened(position)
    if (!fitsRows(position, onlyOpened)) return this.#keepWhole(row, position)
    writeFirst(first, int, position)
    if (onlyOpened) return
    if (ints[int + SINCE] === NONE) ints[int + SINCE] = this.#since.take()
    const since = ints[int + SINCE] as number
    writeSecond(this.#since.chunkOf(since), this.#since.intsAt(since) >> 1, position)
  }

  /** Its second row, in which what has followed from the first until now stands by itself from here on. */
  #writtenOut({ ints, bigs, doubles }: Chunk, int: number): number {
    const written = ints[int + SINCE] as number
    if (written !== NONE) return written
    const since = this.#since.take()
    ints[int + SINCE] = since
    writeOpened(this.#since.chunkOf(since), this.#since.intsAt(since) >> 1, { bigs, doubles }, int >> 1)
    return since
  }

  #keepWhole(row: number, position: Position): void {
    this.write(row, FLAGS, (this.read(row, FLAGS) & (SHORT | DUE)) | WHOLE)
    this.#whole.set(row, position)
  }

  read(row: number, field: number): number {
    return this.first.chunkOf(row).ints[this.first.intsAt(row) + field] as number
  }

  write(row: number, field: number, value: number): void {
    this.first.chunkOf(row).ints[this.first.intsAt(row) + field] = value
  }
}
