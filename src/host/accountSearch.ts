/**
 * Finds, sorts and pages the accounts of a venue as they were at one commit, in pieces: between any two of them the loop may
 * have its turn, and what happens there changes nothing of the answer.
 */
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

/** Accounts that are sorted in one go: few for a page near the beginning, and more for others, which merge them all. */
const [SHORT_RUN, LONG_RUN] = [1_024, 4_096]
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
  const runLength = wanted <= SHORT_RUN ? SHORT_RUN : LONG_RUN
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
    const found: Ranked = { rank: rankOf(image, account), account }
    if (last !== null && inOrder(last, found) <= 0) continue
    run.push(found)
    if (run.length < runLength) continue
    run.sort(inOrder)
    if (run.length >= wanted) last = run[wanted - 1] as Ranked
    runs.push(run.slice(0, wanted))
    run = []
  }
  runs.push(run.sort(inOrder))
  const data: AccountSummary[] = []
  let place = 0
  for (const { account } of merged(runs)) {
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

/** Sorted runs as one. */
function* merged(runs: readonly (readonly Ranked[])[]): Generator<Ranked, void> {
  const heads = runs.filter((run) => run.length > 0).map((run) => ({ run, at: 0 }))
  while (heads.length > 0) {
    let first = 0
    for (let other = 1; other < heads.length; other++)
      if (inOrder(headOf(heads[other] as Head), headOf(heads[first] as Head)) < 0) first = other
    const head = heads[first] as Head
    yield headOf(head)
    head.at += 1
    if (head.at === head.run.length) heads.splice(first, 1)
  }
}

interface Head {
  readonly run: readonly Ranked[]
  at: number
}

function headOf({ run, at }: Head): Ranked {
  return run[at] as Ranked
}
