/** Queries of what has ended where the history lists may be in a database, and what has to be known of them before a decision. */
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { World } from '../domain/state/world.ts'
import type { Caller } from '../events/command.ts'
import type { AskedHistory, EndedIds, Page } from '../projections/history.ts'
import { FIRST_PAGE, type Reader } from '../projections/reader.ts'
import {
  answerFrom,
  type OrderHistoryQuery,
  type PastLists,
  type PortfolioQuery,
  type PositionEventRunsQuery,
  type PositionHistoryQuery,
  type QueryOutcome,
} from './queries.ts'

/** Queries of what has ended. */
export type PastQuery = OrderHistoryQuery | PositionHistoryQuery | PortfolioQuery | PositionEventRunsQuery

type Run = readonly PositionEventRecord[]

interface PastAnswers {
  orderHistory: Page<OrderRecord>
  positionHistory: Page<PositionRecord>
  portfolio: Page<PositionRecord>
  positionEventRuns: Iterable<Run> | AsyncIterable<Run>
}

/** What each of them answers with, wherever the lists are. */
export type PastAnswerOf<Q extends PastQuery> = PastAnswers[Q['type']]

/** Answers a query of what has ended, as of the engine's time at the call. */
export async function answerPast<Q extends PastQuery>(
  world: World,
  read: Reader,
  asked: AskedHistory | undefined,
  query: Q,
  caller: Caller | null,
): Promise<QueryOutcome<PastAnswerOf<Q>>> {
  if (asked !== undefined && query.type === 'positionEventRuns')
    await foreknow(world, asked, { orderId: null, positionId: query.positionId })
  const found = answerFrom(world, read, asked === undefined ? read : listsOf(asked), query, caller)
  return 'rejected' in found
    ? { ok: false, error: found.rejected }
    : { ok: true, value: (await found.value) as PastAnswerOf<Q> }
}

/** Loads what the rules may ask about ids that are not live, before a decision that cannot wait; null where it is loaded already. */
export function foreknow(
  world: World,
  asked: AskedHistory,
  { orderId, positionId }: EndedIds,
): Promise<void> | null {
  const orderLives = typeof orderId === 'string' && world.orders.get(orderId) !== undefined
  const positionLives = typeof positionId === 'string' && world.positions.read(positionId) !== undefined
  return asked.foreknow({
    orderId: orderLives ? null : orderId,
    positionId: positionLives ? null : positionId,
  })
}

function listsOf(asked: AskedHistory): PastLists {
  return {
    orderHistory: (accountId, marketId, paging = FIRST_PAGE) => asked.orders(accountId, marketId, paging),
    positionHistory: (accountId, marketId, paging = FIRST_PAGE) =>
      asked.closedPositions(accountId, marketId, paging),
    portfolio: (accountId, paging = FIRST_PAGE) => asked.portfolio(accountId, paging),
    positionEventRuns: (positionId) => asked.positionEvents(positionId),
  }
}
