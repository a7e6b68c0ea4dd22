/**
 * The resting orders of a venue. V8 has to mark every object that stays, and a million orders are millions of them; so each is a row
 * of numbers (`rowLayout.ts`), in the lists of its account, its market and the position that it closes, and an object is made of it
 * for whoever asks. Such an object is the order as it stands and not the order itself: what is assigned to it stays there. One that
 * cannot be said in a row is kept as an object (`rowForm.ts`), and is itself.
 */
import { knownUuid, knownWords, textOf } from '../../../events/codec/uuidWords.ts'
import type { Direction } from '../../../terms/direction.ts'
import type { OrderType } from '../../../terms/orderTypes.ts'
import { NO_ROW, type Order } from '../order.ts'
import { append, cut, type Linked } from '../rows/rowChain.ts'
import { RowIds } from '../rows/rowIds.ts'
import { type Chunk, RowMemory } from '../rows/rowMemory.ts'
import { ClosingLists } from './closingLists.ts'
import { type Chained, OrderList } from './orderList.ts'
import {
  copyWords,
  fitsRow,
  hashOfText,
  type RowNames,
  readRow,
  typeFlags,
  typeOf,
  writeRow,
} from './rowForm.ts'
import {
  ACCOUNT,
  CLOSES,
  FLAGS,
  ID,
  IN_ALL,
  IN_POSITION,
  intsAt,
  LEAF,
  MARKET,
  OWN_TEXT,
  POSITION,
  RESERVES,
  SEQUENCE,
  SHORT,
  SLOT,
  WHOLE,
  WORDS,
  wordsAt,
} from './rowLayout.ts'

/** The lists a new order belongs to. */
export interface ListsOfOrder {
  readonly ofAccount: OrderList
  readonly ofMarket: OrderList
}

const NO_ORDERS: readonly Order[] = []

const NONE = -1

export class RestingOrders implements Chained, Linked {
  readonly #memory = new RowMemory(WORDS)
  readonly #ids = new RowIds(this.#memory)
  readonly #all = new OrderList('', IN_ALL)
  /** By their numbers: those that have any orders. */
  readonly #lists: (OrderList | null)[] = []
  readonly #freeNumbers: number[] = []
  readonly #closing = new ClosingLists()
  /** By row, orders that are kept as objects. */
  readonly #whole = new Map<number, Order>()
  /** The rows at which walks over all of them go on. */
  readonly #walks = new Set<{ next: number }>()
  /** The object that was made last: one command asks for the same few again and again. */
  #last: Order | null = null

  constructor() {
    this.#all.chained = this
  }

  get size(): number {
    return this.#all.size
  }

  /**
   * Rows and lists of positions there is memory for, words of the tables of ids, and what is kept as objects and texts. Chunks that are all
   * empty are given back, but one of each.
   */
  get room(): Record<'rows' | 'lists' | 'words' | 'objects', number> {
    const { rows: lists, words, texts } = this.#closing.room
    return {
      rows: this.#memory.room,
      lists,
      words: this.#ids.room + words,
      objects: this.#whole.size + texts,
    }
  }

  get(id: string): Order | undefined {
    const last = this.#last
    if (last !== null && last.id === id) return last
    const row = this.#find(id)
    return row === NONE ? undefined : this.#made(row, id)
  }

  /**
   * The one that has to be here.
   *
   * @throws ReferenceError where it is not.
   */
  known(id: string): Order {
    const found = this.get(id)
    if (found === undefined) throw new ReferenceError(`nothing known has the id ${id}`)
    return found
  }

  /** The order of a row, unless that has gone to another one since. */
  at(row: number, sequence: number): Order | undefined {
    return this.sequenceOf(row) === sequence ? this.order(row) : undefined
  }

  /** What closes a position, oldest first. */
  closing(positionId: string): readonly Order[] {
    const list = this.#closing.find(positionId)
    if (list === NONE) return NO_ORDERS
    const orders: Order[] = []
    for (let row = this.#closing.at(list).oldest; row !== NONE; row = this.newer(row, IN_POSITION))
      orders.push(this.order(row))
    return orders
  }

  /** `order` is newer than everything that was ever here; it is given its row. */
  add(order: Order, { ofAccount, ofMarket }: ListsOfOrder): void {
    const row = this.#memory.take()
    const chunk = this.#memory.chunkOf(row)
    const int = intsAt(row)
    const isWhole = !fitsRow(order)
    let flags = isWhole ? typeFlags(order) | WHOLE : writeRow(chunk, int, wordsAt(row), order)
    if (isWhole) {
      chunk.doubles[wordsAt(row) + SEQUENCE] = order.sequence
      this.#whole.set(row, order)
    }
    flags |= this.#writeId(chunk, int, row, order)
    chunk.ints[int + LEAF] = NONE
    order.row = row
    chunk.ints[int + ACCOUNT] = this.#enlist(ofAccount, row)
    chunk.ints[int + MARKET] = this.#enlist(ofMarket, row)
    if (order.positionId !== null) {
      flags |= CLOSES
      const list = this.#closing.find(order.positionId)
      chunk.ints[int + POSITION] = list === NONE ? this.#closing.begin(order.positionId) : list
      append(this, this.#closing.at(chunk.ints[int + POSITION] as number), row)
    }
    append(this, this.#all, row)
    chunk.ints[int + FLAGS] = flags
    this.#ids.add(row)
    this.#last = order
  }

  /**
   * Takes an order out, which then has no row any more.
   *
   * @throws ReferenceError where it does not rest.
   */
  remove(order: Order): void {
    const { row } = order
    if (row === NO_ROW || this.sequenceOf(row) !== order.sequence)
      throw new ReferenceError(`order ${order.id} does not rest`)
    const chunk = this.#memory.chunkOf(row)
    const int = intsAt(row)
    const { ints } = chunk
    for (const walk of this.#walks) if (walk.next === row) walk.next = this.newer(row, IN_ALL)
    this.#ids.remove(row)
    const flags = ints[int + FLAGS] as number
    this.#unlist(ints[int + ACCOUNT] as number, row)
    this.#unlist(ints[int + MARKET] as number, row)
    if ((flags & CLOSES) !== 0) this.#closesNoMore(ints[int + POSITION] as number, row)
    cut(this, this.#all, row)
    if ((flags & WHOLE) !== 0) this.#whole.delete(row)
    chunk.doubles[wordsAt(row) + SEQUENCE] = 0
    this.#memory.giveBack(row)
    if (this.#last !== null && this.#last.row === row) this.#last = null
    order.row = NO_ROW
  }

  /** The reserve of an order has gone to another one. */
  reserveTaken(id: string): void {
    const order = this.known(id)
    order.reserve = 0n
    const { ints } = this.#memory.chunkOf(order.row)
    const flags = intsAt(order.row) + FLAGS
    ints[flags] = (ints[flags] as number) & ~RESERVES
  }

  /** Oldest first. What is added or removed on the way may be met or not; everything else is. */
  *values(): Generator<Order, void> {
    const walk = { next: this.#all.oldest }
    this.#walks.add(walk)
    try {
      while (walk.next !== NONE) {
        const row = walk.next
        walk.next = this.newer(row, IN_ALL)
        yield this.order(row)
      }
    } finally {
      this.#walks.delete(walk)
    }
  }

  /** The order of a row that is taken. */
  order(row: number): Order {
    const last = this.#last
    return last !== null && last.row === row ? last : this.#made(row, null)
  }

  newer(row: number, links: number): number {
    return this.#memory.chunkOf(row).ints[intsAt(row) + links + 1] as number
  }

  older(row: number, links: number): number {
    return this.#memory.chunkOf(row).ints[intsAt(row) + links] as number
  }

  link(row: number, links: number, older: number, newer: number): void {
    const { ints } = this.#memory.chunkOf(row)
    const at = intsAt(row) + links
    ints[at] = older
    ints[at + 1] = newer
  }

  typeOf(row: number): OrderType {
    return typeOf(this.#flagsOf(row))
  }

  directionOf(row: number): Direction {
    return (this.#flagsOf(row) & SHORT) === 0 ? 'long' : 'short'
  }

  /** Of the order whose row it is; of a row that nothing has, none that an order has. */
  sequenceOf(row: number): number {
    return this.#memory.chunkOf(row).doubles[wordsAt(row) + SEQUENCE] as number
  }

  /** Where its level lies, as it was {@link place}d. */
  leafOf(row: number): number {
    return this.#memory.chunkOf(row).ints[intsAt(row) + LEAF] as number
  }

  slotOf(row: number): number {
    return this.#memory.chunkOf(row).ints[intsAt(row) + SLOT] as number
  }

  place(row: number, leaf: number, slot: number): void {
    const { ints } = this.#memory.chunkOf(row)
    const at = intsAt(row)
    ints[at + LEAF] = leaf
    ints[at + SLOT] = slot
  }

  #flagsOf(row: number): number {
    return this.#memory.chunkOf(row).ints[intsAt(row) + FLAGS] as number
  }

  /** What may be here under an id; −1 = nothing. */
  #find(id: string): number {
    const known = knownUuid(id)
    const ids = this.#ids
    if (known < 0) {
      const hash = hashOfText(id)
      let row = ids.first(hash)
      while (row !== NONE && this.#whole.get(row)?.id !== id) row = ids.next(hash)
      return row
    }
    const [a, b] = [knownWords[known] as number, knownWords[known + 1] as number]
    const [c, d] = [knownWords[known + 2] as number, knownWords[known + 3] as number]
    for (let row = ids.first(a); row !== NONE; row = ids.next(a)) {
      const { ints } = this.#memory.chunkOf(row)
      const at = intsAt(row)
      if (ints[at + ID + 1] !== b || ints[at + ID + 2] !== c || ints[at + ID + 3] !== d) continue
      if (((ints[at + FLAGS] as number) & OWN_TEXT) === 0) return row
    }
    return NONE
  }

  /** `id`: where it is at hand. */
  #made(row: number, id: string | null): Order {
    const chunk = this.#memory.chunkOf(row)
    const { ints } = chunk
    const int = intsAt(row)
    const flags = ints[int + FLAGS] as number
    const whole = (flags & WHOLE) === 0 ? undefined : this.#whole.get(row)
    const names: RowNames | undefined = whole ?? {
      id: id ?? textOf(ints, int + ID),
      accountId: this.#ownerOf(ints[int + ACCOUNT] as number),
      marketId: this.#ownerOf(ints[int + MARKET] as number),
      positionId: (flags & CLOSES) === 0 ? null : this.#closing.positionId(ints[int + POSITION] as number),
    }
    const order = whole ?? readRow(chunk, int, wordsAt(row), row, names)
    this.#last = order
    return order
  }

  #ownerOf(list: number): string {
    return (this.#lists[list] as OrderList).ownerId
  }

  #writeId({ ints }: Chunk, int: number, row: number, order: Order): number {
    const known = knownUuid(order.id)
    if (known >= 0) {
      copyWords(ints, int + ID, known)
      return 0
    }
    ints[int + ID] = hashOfText(order.id)
    this.#whole.set(row, order)
    return OWN_TEXT | WHOLE
  }

  /** Gives the number of the list. */
  #enlist(list: OrderList, row: number): number {
    if (list.number === NONE) {
      list.chained = this
      list.number = this.#freeNumbers.pop() ?? this.#lists.length
      this.#lists[list.number] = list
    }
    append(this, list, row)
    return list.number
  }

  #unlist(number: number, row: number): void {
    const list = this.#lists[number] as OrderList
    cut(this, list, row)
    if (list.size > 0) return
    this.#lists[number] = null
    this.#freeNumbers.push(number)
    list.number = NONE
  }

  #closesNoMore(number: number, row: number): void {
    const list = this.#closing.at(number)
    cut(this, list, row)
    if (list.size === 0) this.#closing.end(number)
  }
}
