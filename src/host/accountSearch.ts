/**
 * Finds, sorts and pages the accounts of a venue as they were at one commit, in pieces: between any two of them the loop may
 * have its turn, and what happens there changes nothing of the answer.
 */
import { merged } from '../collections/merged.ts'
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

interface Ranked {
  /** The least first. */
  readonly rank: bigint
  readonly account: AccountThen
}

/** Accounts that are sorted in one go. */
const RUN = 1_024
/** Accounts, or places of the answer, between two looks at the clock. */
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
  const wanted = offset + limit
  const runs: Ranked[][] = []
  let run: Ranked[] = []
  /** What comes after this is on no page before the wanted one's end. */
  let last: Ranked | null = null
  let [totalCount, looked] = [0, 0]
  let began = performance.now()
  for (const account of image) {
    looked += 1
    if (looked % STRIDE === 0 && performance.now() - began >= patienceMs) {
      yield
      began = performance.now()
    }
    if (status !== undefined && account.status !== status) continue
    if (phase !== undefined && account.phase !== phase) continue
    if (search !== '' && !account.id.includes(search) && !account.userId.toLowerCase().includes(search))
      continue
    totalCount += 1
    const rank = rankOf(image, account)
    // Walked in creation order, one of the same rank comes after the last as well.
    if (last !== null && rank >= last.rank) continue
    run.push({ rank, account })
    if (run.length < RUN) continue
    run.sort(inOrder)
    if (run.length >= wanted) last = run[wanted - 1] as Ranked
    runs.push(run.slice(0, wanted))
    run = []
  }
  runs.push(run.sort(inOrder))
  const data: AccountSummary[] = []
  let place = 0
  for (const { account } of merged(runs, inOrder)) {
    if (place >= wanted) break
    place += 1
    if (place > offset) data.push(accountSummary(image, account))
    if (place % STRIDE === 0 && performance.now() - began >= patienceMs) {
      yield
      began = performance.now()
    }
  }
  return { data, totalCount }
}

/** More than any quantity that fits the log: fp9 integers have 40 digits at most. */
const LAST = 10n ** 50n

const RANKS: { readonly [Sort in AccountSort]: (image: AccountsImage, account: AccountThen) => bigint } = {
  headroom: (image, account) => headroomOf(account, equityThen(image, account)) ?? LAST,
  equity: (image, account) => -equityThen(image, account),
  pnl: (image, account) => account.initialBalance - equityThen(image, account),
  created: (_image, { sequence }) => BigInt(-sequence),
}

/** By rank, then in creation order. */
function inOrder(a: Ranked, b: Ranked): number {
  if (a.rank !== b.rank) return a.rank < b.rank ? -1 : 1
  return a.account.sequence - b.account.sequence
}
