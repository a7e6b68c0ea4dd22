/**
 * What a trader may read: every list of the API behind its access rules. Existence, ownership, the API switch, where
 * the live engine is needed whether the account is loaded, then the market (I1, H9, I14). Nothing here changes
 * anything; the host adds nothing to it.
 */
import { accessAccount, accessRejection } from '../domain/commands/access.ts'
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { World } from '../domain/state/world.ts'
import type { Caller } from '../events/command.ts'
import type { AccountRecord, RiskStatus } from '../projections/accountRecord.ts'
import type { Page, Paging } from '../projections/history.ts'
import type { MarketRecord } from '../projections/marketRecord.ts'
import type { Reader } from '../projections/reader.ts'
import { type Rejection, rejection } from '../terms/errors.ts'

interface OfAccount {
  readonly accountId: string
}

interface OfMarket extends OfAccount {
  /** Base asset ticker, exactly as configured (G5). */
  readonly asset: string
}

/** `GET /accounts/with-risk-status`. With an API key only accounts with `apiTrading` on. */
export interface AccountsQuery {
  readonly type: 'accounts'
}

/** `GET /v2/markets`, with the bounds that apply to the account. Needs the account loaded. */
export interface MarketsQuery extends OfAccount {
  readonly type: 'markets'
}

/** `GET /accounts/{accountId}/risk-status`. Needs the account loaded. */
export interface RiskStatusQuery extends OfAccount {
  readonly type: 'riskStatus'
}

/** `GET /orders/{accountId}/active`, and the same of one market. */
export interface ActiveOrdersQuery extends OfAccount {
  readonly type: 'activeOrders'
  readonly asset?: string
}

/** `GET /orders/{accountId}/{asset}/history` (I11). */
export interface OrderHistoryQuery extends OfMarket, Paging {
  readonly type: 'orderHistory'
}

/** `GET /positions/{accountId}/active`, and the same of one market. */
export interface ActivePositionsQuery extends OfAccount {
  readonly type: 'activePositions'
  readonly asset?: string
}

/** `GET /positions/{accountId}/{asset}/history`: closed and liquidated ones (I11). */
export interface PositionHistoryQuery extends OfMarket, Paging {
  readonly type: 'positionHistory'
}

/** `GET /positions/{accountId}/portfolio/history`: open and closed ones (I11). */
export interface PortfolioQuery extends OfAccount, Paging {
  readonly type: 'portfolio'
}

/** `GET /positions/{positionId}/history` (I13). */
export interface PositionEventsQuery {
  readonly type: 'positionEvents'
  readonly positionId: string
}

/** The same in runs, each made when it is asked for: what a long list is answered from (K15). */
export interface PositionEventRunsQuery {
  readonly type: 'positionEventRuns'
  readonly positionId: string
}

/** Everything a trader may read. */
export type Query =
  | AccountsQuery
  | MarketsQuery
  | RiskStatusQuery
  | ActiveOrdersQuery
  | OrderHistoryQuery
  | ActivePositionsQuery
  | PositionHistoryQuery
  | PortfolioQuery
  | PositionEventsQuery
  | PositionEventRunsQuery

interface Answers {
  accounts: readonly AccountRecord[]
  markets: readonly MarketRecord[]
  riskStatus: RiskStatus
  activeOrders: readonly OrderRecord[]
  orderHistory: Page<OrderRecord>
  activePositions: readonly PositionRecord[]
  positionHistory: Page<PositionRecord>
  portfolio: Page<PositionRecord>
  positionEvents: readonly PositionEventRecord[]
  positionEventRuns: Iterable<readonly PositionEventRecord[]>
}

/** What each query answers with. */
export type AnswerOf<Q extends Query> = Answers[Q['type']]

/** What a query answers. */
export type QueryOutcome<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: Rejection }

/** Where lists of what has ended are read, which may take its time. */
export type PastLists = {
  readonly [List in 'orderHistory' | 'positionHistory' | 'portfolio' | 'positionEventRuns']: (
    ...asked: Parameters<Reader[List]>
  ) => unknown
}

/** Answers a query as of the engine's time. Without a caller the embedding program itself asks, and is trusted. */
export function answerQuery<Q extends Query>(
  world: World,
  read: Reader,
  query: Q,
  caller: Caller | null,
): QueryOutcome<AnswerOf<Q>> {
  const found = answerFrom(world, read, read, query, caller)
  return (
    'rejected' in found ? { ok: false, error: found.rejected } : { ok: true, value: found.value }
  ) as QueryOutcome<AnswerOf<Q>>
}

/** What is found, or why it may not be had. */
export type Found = { readonly value: unknown } | { readonly rejected: Rejection }

/** Answers a query with what lists of what has ended give, as it comes. */
export function answerFrom(
  world: World,
  read: Reader,
  lists: PastLists,
  query: Query,
  caller: Caller | null,
): Found {
  switch (query.type) {
    case 'accounts':
      return { value: listedAccounts(read, caller) }
    case 'markets':
      return forAccount(world, query, caller, 'live', () => read.markets(query.accountId))
    case 'riskStatus':
      return forAccount(world, query, caller, 'live', () => read.riskStatus(query.accountId) as RiskStatus)
    case 'activeOrders':
      return forMarket(world, read, query, caller, (marketId) => read.activeOrders(query.accountId, marketId))
    case 'orderHistory':
      return forMarket(world, read, query, caller, (marketId) =>
        lists.orderHistory(query.accountId, marketId as string, query),
      )
    case 'activePositions':
      return forMarket(world, read, query, caller, (marketId) =>
        read.activePositions(query.accountId, marketId),
      )
    case 'positionHistory':
      return forMarket(world, read, query, caller, (marketId) =>
        lists.positionHistory(query.accountId, marketId as string, query),
      )
    case 'portfolio':
      return forAccount(world, query, caller, 'stored', () => lists.portfolio(query.accountId, query))
    case 'positionEvents':
      return ofPosition(world, query, caller, () => read.positionEvents(query.positionId) ?? [])
    case 'positionEventRuns':
      return ofPosition(world, query, caller, () => lists.positionEventRuns(query.positionId) ?? [])
  }
}

function listedAccounts(read: Reader, caller: Caller | null): readonly AccountRecord[] {
  const accounts = read.accounts(caller?.userId)
  return caller?.apiKey === true ? accounts.filter(({ apiTrading }) => apiTrading) : accounts
}

/** `live` answers need the account loaded; `stored` ones work without (H9). */
function forAccount(
  world: World,
  { accountId }: OfAccount,
  caller: Caller | null,
  needs: 'live' | 'stored',
  value: () => unknown,
): Found {
  const access = accessAccount(world, accountId, caller, needs === 'live')
  return access.rejected === null ? { value: value() } : access
}

/** The account first, then the market of the ticker; without a ticker all markets. */
function forMarket(
  world: World,
  read: Reader,
  query: OfAccount & { readonly asset?: string },
  caller: Caller | null,
  value: (marketId: string | undefined) => unknown,
): Found {
  const access = accessAccount(world, query.accountId, caller, false)
  if (access.rejected !== null) return access
  if (query.asset === undefined) return { value: value(undefined) }
  const marketId = read.marketIdOf(query.asset)
  return marketId === undefined ? { rejected: rejection('market_not_found') } : { value: value(marketId) }
}

/** A position of an earlier phase no longer exists for its owner (H3); one of another user is denied (I14). */
function ofPosition(
  world: World,
  { positionId }: { readonly positionId: string },
  caller: Caller | null,
  value: () => unknown,
): Found {
  const open = world.positions.read(positionId)
  const whereabouts =
    open === undefined
      ? world.archive.endedPosition(positionId)
      : { accountId: open.accountId, phaseOrdinal: open.phaseOrdinal }
  const account = whereabouts && world.accounts.known(whereabouts.accountId)
  if (whereabouts === undefined || account === undefined) return { rejected: rejection('position_not_found') }
  const denied = accessRejection(account, caller, false)
  if (denied?.code === 'account_access_denied') return { rejected: denied }
  if (whereabouts.phaseOrdinal !== account.phaseOrdinal) return { rejected: rejection('position_not_found') }
  return denied === null ? { value: value() } : { rejected: denied }
}
