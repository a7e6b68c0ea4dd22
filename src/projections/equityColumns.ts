/**
 * What equity is made of, of every account of a venue, in columns of doubles: whoever sorts all accounts reads numbers in a row
 * rather than records. They are made when they are first asked for. From then on an account that is about to change is noted, and
 * read again when another is, while the processor has it at hand: without its positions where it has as many as before and none of
 * them was told of. Whoever asks finds one account to be read at most, and those that are new.
 */
import type { EquityTerms } from '../domain/formulas/equity.ts'
import type { Account } from '../domain/state/account.ts'
import { type BeforeChange, watchChanges } from '../domain/state/beforeChange.ts'
import type { Position } from '../domain/state/position.ts'
import type { World } from '../domain/state/world.ts'
import type { Event } from '../events/event.ts'
import { safeInteger, safeNotionalDown, safeNotionalUp } from '../quantity/safeIntegers.ts'
import { mayTrade } from '../terms/accountStatus.ts'

const NONE = -1

/** What of a row may be out of date: its account, or its positions too. */
const [ACCOUNT, POSITIONS] = [0, 1]

const COLUMNS = new WeakMap<World, EquityColumns>()

/** The columns of a venue. */
export function equityColumnsOf(world: World): EquityColumns {
  const kept = COLUMNS.get(world)
  if (kept !== undefined) return kept
  const columns = new EquityColumns(world)
  watchChanges(world, columns)
  COLUMNS.set(world, columns)
  return columns
}

export class EquityColumns implements BeforeChange {
  readonly #world: World
  /** How many of the accounts, in the order of their creation, have a row. */
  #rows = 0
  /**
   * The one row that may be out of date, and what of it: an event has been applied before the next is told of, but those of a
   * funding instant, of which none is noted.
   */
  #stale = NONE
  #staleIn = ACCOUNT
  /** The row that was looked for last. */
  #lastRow = 0

  /** Ascending; zero, which none has, where there is no row yet. */
  #sequence: Float64Array
  #balance: Float64Array
  #initialBalance: Float64Array
  /** Infinity where the account cannot break a rule. */
  #lossFloor: Float64Array
  /** Where the first of its positions is. */
  #first: Int32Array

  /** Positions of an account lie anywhere: each knows where the next is. */
  #next: Int32Array
  #market: Int32Array
  /** Below zero of a short. */
  #size: Float64Array
  #notional: Float64Array
  #lastIncreaseAt: Float64Array
  #profitReference: Float64Array
  /** How many places there are for positions, and the first of those that were left. */
  #places = 0
  #left = NONE

  readonly #markets = new Map<string, number>()

  constructor(world: World) {
    this.#world = world
    const [rows, places] = [roomFor(world.accounts.size), roomFor(world.positions.size)]
    this.#sequence = new Float64Array(rows)
    this.#balance = new Float64Array(rows)
    this.#initialBalance = new Float64Array(rows)
    this.#lossFloor = new Float64Array(rows)
    this.#first = new Int32Array(rows).fill(NONE)
    this.#next = new Int32Array(places)
    this.#market = new Int32Array(places)
    this.#size = new Float64Array(places)
    this.#notional = new Float64Array(places)
    this.#lastIncreaseAt = new Float64Array(places)
    this.#profitReference = new Float64Array(places)
  }

  /** How many accounts there are. */
  get size(): number {
    return this.#world.accounts.size
  }

  /** How many accounts have to be read before all rows are up to date. */
  get behind(): number {
    return this.#world.accounts.size - this.#rows + (this.#stale === NONE ? 0 : 1)
  }

  /** Reads what is new, and again what has changed last; gives undefined after every `stride` accounts. */
  *broughtUp(stride: number): Generator<undefined, void> {
    let read = 0
    // More may come while the loop has its turn.
    while (this.#rows < this.#world.accounts.size) {
      this.#write(this.#newRow(), POSITIONS)
      if (++read % stride === 0) yield
    }
    this.#settle()
  }

  account(row: number): Account {
    return this.#world.accounts.inOrder[row] as Account
  }

  /** Index prices by the numbers that markets have here. */
  pricesOf(markets: EquityTerms['markets']): Float64Array {
    return Float64Array.from(this.#markets.keys(), (id) => safeInteger(markets.get(id)?.indexPrice ?? 0n))
  }

  /** What the account is worth at these prices (C11, D7); NaN where doubles do not say it exactly. */
  equity(row: number, prices: Float64Array, at: number, profitWindowMs: number): number {
    let equity = this.#balance[row] as number
    for (let place = this.#first[row] as number; place !== NONE; place = this.#next[place] as number) {
      const [size, notional] = [this.#size[place] as number, this.#notional[place] as number]
      const price = prices[this.#market[place] as number] as number
      const raw =
        size > 0 ? safeNotionalDown(size, price) - notional : notional - safeNotionalUp(-size, price)
      const isInside = at - (this.#lastIncreaseAt[place] as number) < profitWindowMs
      equity += isInside ? Math.min(raw, this.#profitReference[place] as number) : raw
      // A sum that is no safe integer may have been rounded, whatever comes on top of it.
      if (!Number.isSafeInteger(equity)) return Number.NaN
    }
    return equity
  }

  /** NaN where no double says it exactly. */
  initialBalance(row: number): number {
    return this.#initialBalance[row] as number
  }

  /** Infinity where the account cannot break a rule, NaN where no double says it exactly. */
  lossFloor(row: number): number {
    return this.#lossFloor[row] as number
  }

  accountChanging(account: Account, event: Event): void {
    const row = this.#rowOf(account)
    if (row === NONE) return
    // Funding moves the margin and nothing else that is here.
    if (event.type === 'payFunding') this.#balance[row] = safeSum(this.#balance[row] as number, event.amount)
    else this.#note(row, ACCOUNT)
  }

  positionChanging({ accountId }: Position, { type }: Event): void {
    if (type === 'payFunding') return
    const row = this.#rowOf(this.#world.accounts.known(accountId))
    if (row !== NONE) this.#note(row, POSITIONS)
  }

  orderChanging(): void {}

  apiKeyChanging(): void {}

  peakChanging(): void {}

  #note(row: number, what: number): void {
    if (row !== this.#stale) {
      this.#settle()
      this.#stale = row
      this.#staleIn = what
    } else if (what === POSITIONS) this.#staleIn = POSITIONS
  }

  #settle(): void {
    if (this.#stale !== NONE) this.#write(this.#stale, this.#staleIn)
    this.#stale = NONE
  }

  /** Mostly it is that of the event before, or at a midnight the next; NONE where it has not been read yet. */
  #rowOf({ sequence }: Account): number {
    let row = this.#lastRow
    if (this.#sequence[row] !== sequence)
      row = this.#sequence[row + 1] === sequence ? row + 1 : this.#bisect(sequence)
    this.#lastRow = row
    return this.#sequence[row] === sequence ? row : NONE
  }

  #bisect(sequence: number): number {
    let [low, high] = [0, this.#rows - 1]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#sequence[middle] as number) < sequence) low = middle + 1
      else high = middle
    }
    return low
  }

  #newRow(): number {
    if (this.#rows === this.#first.length) {
      this.#sequence = doubled(this.#sequence)
      this.#balance = doubled(this.#balance)
      this.#initialBalance = doubled(this.#initialBalance)
      this.#lossFloor = doubled(this.#lossFloor)
      this.#first = doubled(this.#first).fill(NONE, this.#rows)
    }
    const row = this.#rows++
    this.#sequence[row] = this.account(row).sequence
    return row
  }

  #write(row: number, what: number): void {
    const account = this.account(row)
    const { lossFloor } = account
    this.#balance[row] = safeBalance(account)
    this.#initialBalance[row] = safeInteger(account.initialBalance)
    this.#lossFloor[row] = lossFloor === null || !mayTrade(account) ? Infinity : safeInteger(lossFloor)
    // A new position is nobody's business before it is there, and is told by how many there are.
    if (what === ACCOUNT && account.positions.size === this.#positionsOf(row)) return
    this.#leave(this.#first[row] as number)
    let first = NONE
    for (const position of account.positions) first = this.#put(position, first)
    this.#first[row] = first
  }

  #positionsOf(row: number): number {
    let positions = 0
    for (let place = this.#first[row] as number; place !== NONE; place = this.#next[place] as number)
      positions += 1
    return positions
  }

  #leave(first: number): void {
    for (let place = first; place !== NONE; ) {
      const next = this.#next[place] as number
      this.#next[place] = this.#left
      this.#left = place
      place = next
    }
  }

  /** The place of the position, which has `next` after it. */
  #put({ marketId, direction, size, notional, lastIncreaseAt, profitReference }: Position, next: number) {
    const place = this.#left === NONE ? this.#newPlace() : this.#left
    if (place === this.#left) this.#left = this.#next[place] as number
    this.#next[place] = next
    this.#market[place] = this.#numberOf(marketId)
    this.#size[place] = direction === 'long' ? safeInteger(size) : -safeInteger(size)
    this.#notional[place] = safeInteger(notional)
    this.#lastIncreaseAt[place] = lastIncreaseAt
    this.#profitReference[place] = safeInteger(profitReference)
    return place
  }

  #newPlace(): number {
    const place = this.#places++
    if (place === this.#next.length) {
      this.#next = doubled(this.#next)
      this.#market = doubled(this.#market)
      this.#size = doubled(this.#size)
      this.#notional = doubled(this.#notional)
      this.#lastIncreaseAt = doubled(this.#lastIncreaseAt)
      this.#profitReference = doubled(this.#profitReference)
    }
    return place
  }

  #numberOf(marketId: string): number {
    const known = this.#markets.get(marketId) ?? this.#markets.size
    if (known === this.#markets.size) this.#markets.set(marketId, known)
    return known
  }
}

/** Some more may come before columns have to grow. */
const roomFor = (many: number) => 64 + many + (many >> 2)

function doubled<T extends Float64Array | Int32Array>(column: T): T {
  const more = new (column.constructor as new (length: number) => T)(column.length * 2)
  more.set(column)
  return more
}

/** `balanceOf`; NaN where doubles do not say it exactly. */
function safeBalance({ free, reserve, margin }: Account): number {
  const held = safeInteger(free) + safeInteger(reserve)
  const balance = held + safeInteger(margin)
  return Number.isSafeInteger(held) && Number.isSafeInteger(balance) ? balance : Number.NaN
}

/** NaN where one of them is, or no double says the sum exactly. */
function safeSum(value: number, amount: bigint): number {
  const sum = value + safeInteger(amount)
  return Number.isSafeInteger(sum) ? sum : Number.NaN
}
