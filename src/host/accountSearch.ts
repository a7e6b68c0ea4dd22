/**
 * Finds, sorts and pages the accounts of a venue as they were at one commit, in pieces: between any two of them the loop may
 * have its turn, and what happens there changes nothing of the answer.
 */
import { sortPart } from '../collections/sortedPart.ts'
import { type AccountSummary, accountSummary, equityThen, headroomOf } from '../projections/accountSummary.ts'
import type { AccountsImage, AccountThen } from '../projections/accountsImage.ts'
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

/** Accounts, or comparisons of two, between two looks at the clock. */
const STRIDE = 64

/**
 * Gives undefined wherever the loop may have its turn, after `patienceMs` at most of its own time, and in the end the answer.
 */
export function* searchAccounts(
  image: AccountsImage,
  { search, status, phase, sort, limit, offset }: AccountSearch,
  patienceMs = 1,
): Generator<undefined, FoundAccounts> {
  const rankOf = RANKS[sort]
  const found: AccountThen[] = []
  const ranks = new NearRanks((at) => rankOf(image, found[at] as AccountThen))
  let looked = 0
  let began = performance.now()
  const isOver = () => performance.now() - began >= patienceMs
  for (const account of image) {
    looked += 1
    if (looked % STRIDE === 0 && isOver()) {
      yield
      began = performance.now()
    }
    if (status !== undefined && account.status !== status) continue
    if (phase !== undefined && account.phase !== phase) continue
    if (search !== '' && !account.id.includes(search) && !account.userId.toLowerCase().includes(search))
      continue
    found.push(account)
    ranks.push(rankOf(image, account))
  }
  const places = new Uint32Array(found.length)
  for (let at = 0; at < places.length; at++) places[at] = at
  for (const _ of sortPart(places, offset, offset + limit, (a, b) => ranks.inOrder(a, b), STRIDE))
    if (isOver()) {
      yield
      began = performance.now()
    }
  const data: AccountSummary[] = []
  for (const place of places.subarray(offset, offset + limit)) {
    if (isOver()) {
      yield
      began = performance.now()
    }
    data.push(accountSummary(image, found[place] as AccountThen))
  }
  return { data, totalCount: found.length }
}

/** What accounts are sorted by, the least first; null comes last. */
type Rank = bigint | null

const RANKS: { readonly [Sort in AccountSort]: (image: AccountsImage, account: AccountThen) => Rank } = {
  headroom: (image, account) => headroomOf(account, equityThen(image, account)),
  equity: (image, account) => -equityThen(image, account),
  pnl: (image, account) => account.initialBalance - equityThen(image, account),
  created: (_image, { sequence }) => BigInt(-sequence),
}

/**
 * Ranks by their nearest doubles, which are in the order of the ranks: only where two share one that is not exact are the
 * ranks themselves asked for.
 */
class NearRanks {
  readonly #exactly: (at: number) => Rank
  #near = new Float64Array(1_024)
  #size = 0

  constructor(exactly: (at: number) => Rank) {
    this.#exactly = exactly
  }

  push(rank: Rank): void {
    if (this.#size === this.#near.length) {
      const more = new Float64Array(this.#size * 2)
      more.set(this.#near)
      this.#near = more
    }
    this.#near[this.#size++] = rank === null ? Infinity : Number(rank)
  }

  /** By rank, then in the order they came in. */
  inOrder(a: number, b: number): number {
    const [near, other] = [this.#near[a] as number, this.#near[b] as number]
    if (near !== other) return near < other ? -1 : 1
    return (Number.isSafeInteger(near) || near === Infinity ? 0 : this.#compared(a, b)) || a - b
  }

  #compared(a: number, b: number): number {
    const [rank, other] = [this.#exactly(a) as bigint, this.#exactly(b) as bigint]
    return rank < other ? -1 : Number(rank > other)
  }
}
