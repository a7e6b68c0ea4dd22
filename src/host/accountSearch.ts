/**
 * Finds, sorts and pages the accounts of a venue as they were at one commit, in pieces: between any two of them the loop may
 * have its turn, and what happens there changes nothing of the answer.
 */
import { sortPart } from '../collections/sortedPart.ts'
import { type AccountSummary, accountSummary, equityThen, headroomOf } from '../projections/accountSummary.ts'
import type { AccountsImage, AccountThen } from '../projections/accountsImage.ts'
import type { EquityColumns } from '../projections/equityColumns.ts'
import type { Paging } from '../projections/history.ts'
import type { AccountPhase, AccountStatus } from '../terms/accountStatus.ts'

/**
 * - `headroom`: the least first, those that cannot break a rule last
 * - `equity`, `pnl`: the most first
 * - `created`: the newest first
 */
export const ACCOUNT_SORTS = ['headroom', 'equity', 'pnl', 'created'] as const
type AccountSort = (typeof ACCOUNT_SORTS)[number]

export interface AccountSearch extends Paging {
  /** In the id of the account or of its user, in lower case; empty finds all. */
  readonly search: string
  readonly status?: AccountStatus | undefined
  readonly phase?: AccountPhase | undefined
  readonly sort: AccountSort
}

/** One page, and how many were found. */
export interface FoundAccounts {
  readonly data: readonly AccountSummary[]
  readonly totalCount: number
}

/**
 * Gives undefined wherever the loop may have its turn, after `patienceMs` at most of its own time, and in the end the answer.
 * `stride`: accounts, or comparisons of two, between two looks at the clock.
 */
export function* searchAccounts(
  image: AccountsImage,
  { search, status, phase, sort, limit, offset }: AccountSearch,
  patienceMs = 1,
  stride = 64,
): Generator<undefined, FoundAccounts> {
  let began = performance.now()
  const isOver = () => performance.now() - began >= patienceMs
  const { columns, size } = image
  for (const _ of columns.broughtUp(stride))
    if (isOver()) {
      yield
      began = performance.now()
    }
  const isWanted = ({ id, userId, status: has, phase: isIn }: AccountThen) =>
    (status === undefined || has === status) &&
    (phase === undefined || isIn === phase) &&
    (search === '' || id.includes(search) || userId.toLowerCase().includes(search))
  const wantsAll = status === undefined && phase === undefined && search === ''
  const ranks = new NearRanks(image, columns, sort)
  const found = new Uint32Array(size)
  let totalCount = 0
  for (let row = 0; row < size; row++) {
    if (row % stride === 0 && isOver()) {
      yield
      began = performance.now()
    }
    if (!wantsAll && !isWanted(image.asItWas(columns.account(row)))) continue
    found[totalCount++] = row
    ranks.look(row)
  }
  const rows = found.subarray(0, totalCount)
  for (const _ of sortPart(rows, offset, offset + limit, (a, b) => ranks.inOrder(a, b), stride))
    if (isOver()) {
      yield
      began = performance.now()
    }
  const data: AccountSummary[] = []
  for (const row of rows.subarray(offset, offset + limit)) {
    if (isOver()) {
      yield
      began = performance.now()
    }
    data.push(accountSummary(image, image.asItWas(columns.account(row))))
  }
  return { data, totalCount }
}

/** What accounts are sorted by, the least first; null comes last. */
type Rank = bigint | null

type RankOf = (image: AccountsImage, account: AccountThen, row: number) => Rank

const RANKS: { readonly [Sort in AccountSort]: RankOf } = {
  headroom: (image, account) => headroomOf(account, equityThen(image, account)),
  equity: (image, account) => -equityThen(image, account),
  pnl: (image, account) => account.initialBalance - equityThen(image, account),
  created: (_image, _account, row) => BigInt(-row),
}

/**
 * Ranks by their nearest doubles, which are in the order of the ranks: only where two share one that is not exact are the
 * ranks themselves asked for. Mostly columns of doubles say a rank exactly.
 */
class NearRanks {
  readonly #image: AccountsImage
  readonly #sort: AccountSort
  readonly #columns: EquityColumns
  readonly #prices: Float64Array
  /** By row. */
  readonly #near: Float64Array

  constructor(image: AccountsImage, columns: EquityColumns, sort: AccountSort) {
    this.#image = image
    this.#columns = columns
    this.#sort = sort
    this.#prices = columns.pricesOf(image.markets)
    this.#near = new Float64Array(image.size)
  }

  look(row: number): void {
    const near = this.#image.hasChanged(this.#columns.account(row)) ? Number.NaN : this.#inDoubles(row)
    this.#near[row] = Number.isNaN(near) ? nearest(this.#exactly(row)) : near
  }

  /** By rank, then in the order of their creation. */
  inOrder(a: number, b: number): number {
    const [near, other] = [this.#near[a] as number, this.#near[b] as number]
    if (near !== other) return near < other ? -1 : 1
    return (Number.isSafeInteger(near) || near === Infinity ? 0 : this.#compared(a, b)) || a - b
  }

  #compared(a: number, b: number): number {
    const [rank, other] = [this.#exactly(a) as bigint, this.#exactly(b) as bigint]
    return rank < other ? -1 : Number(rank > other)
  }

  #exactly(row: number): Rank {
    return RANKS[this.#sort](this.#image, this.#image.asItWas(this.#columns.account(row)), row)
  }

  /** NaN where they do not say it exactly. */
  #inDoubles(row: number): number {
    if (this.#sort === 'created') return -row
    const { at, rules } = this.#image
    const equity = this.#columns.equity(row, this.#prices, at, rules.profitWindowMs)
    if (this.#sort === 'equity') return -equity
    if (this.#sort === 'headroom') return headroomInDoubles(equity, this.#columns.lossFloor(row))
    const pnl = equity - this.#columns.initialBalance(row)
    return Number.isSafeInteger(pnl) ? -pnl : Number.NaN
  }
}

const nearest = (rank: Rank) => (rank === null ? Infinity : Number(rank))

/** Three roundings of a quotient below 2^31 are off by less. */
const OFF = 1e-6

/** {@link headroomOf}, whose floor is known where the quotient is not next to a whole number; Infinity for null. */
function headroomInDoubles(equity: number, lossFloor: number): number {
  if (lossFloor === Infinity || equity <= 0) return Infinity
  const quotient = ((equity - lossFloor) / equity) * 1e9
  const below = Math.floor(quotient)
  const over = quotient - below
  return Math.abs(quotient) < 2 ** 31 && over > OFF && over < 1 - OFF ? below : Number.NaN
}
