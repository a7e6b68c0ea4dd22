/** Positions: their lists and histories, margin changes, and flattening an account. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import type { PositionRecord } from '../../domain/state/position.ts'
import { versionOf } from '../../engine/internals.ts'
import type { CloseAllValue } from '../../engine/outcome.ts'
import { AccountPath, MarketPath, PageQuery, PositionPath, pageOf } from '../../resources/fields.ts'
import {
  CloseAllResource,
  changeMarginBody,
  PositionEventResource,
  PositionResource,
} from '../../resources/position.ts'
import { type ErrorCode, type Rejection, rejection } from '../../terms/errors.ts'
import {
  answer,
  answerList,
  answerListRead,
  ask,
  askPast,
  callerOf,
  type HostContext,
  refuse,
  send,
} from '../context.ts'
import {
  eachJson,
  ordersJson,
  positionEventsJson,
  positionEventsJsonRead,
  positionPageJson,
} from '../json.ts'
import { operation } from '../operation.ts'
import { pagingOf } from '../paging.ts'
import { positionJson } from '../positionJson.ts'

const OWNED: readonly ErrorCode[] = ['account_access_denied', 'api_trading_not_enabled']
const LISTED: readonly ErrorCode[] = ['account_not_found', ...OWNED]

const activePositions = operation({
  id: 'activePositions',
  summary: 'Open positions of an account, on all markets',
  tag: 'positions',
  access: 'trader',
  params: AccountPath,
  response: Type.Array(PositionResource),
  errors: LISTED,
})

const activePositionsOfMarket = operation({
  id: 'activePositionsOfMarket',
  summary: 'Open positions of an account on one market',
  tag: 'positions',
  access: 'trader',
  params: MarketPath,
  response: Type.Array(PositionResource),
  errors: [...LISTED, 'market_not_found'],
})

const positionHistory = operation({
  id: 'positionHistory',
  summary: 'Closed and liquidated positions of an account on one market, newest first',
  tag: 'positions',
  access: 'trader',
  params: MarketPath,
  query: PageQuery,
  response: pageOf(PositionResource, 'PositionPage'),
  errors: [...LISTED, 'market_not_found'],
})

const portfolio = operation({
  id: 'portfolio',
  summary: 'Every position of an account, open and closed, newest first',
  tag: 'positions',
  access: 'trader',
  params: AccountPath,
  query: PageQuery,
  response: pageOf(PositionResource, 'PositionPage'),
  errors: LISTED,
})

const positionEvents = operation({
  id: 'positionEvents',
  summary: 'Events of a position, newest first, funding left out',
  tag: 'positions',
  access: 'trader',
  params: PositionPath,
  response: Type.Array(PositionEventResource),
  errors: ['position_not_found', ...OWNED],
})

const changeMargin = operation({
  id: 'changeMargin',
  summary: 'Move quote balance in or out of the margin of an open position',
  tag: 'positions',
  access: 'trader',
  params: PositionPath,
  body: changeMarginBody.schema,
  response: PositionResource,
  conditional: true,
  errors: [
    'position_not_found',
    ...OWNED,
    'account_not_loaded',
    'position_changed',
    'position_not_available',
    'challenge_closed',
    'account_phase_not_allowed',
    'funded_limit_trading_locked',
    'market_paused',
    'market_close_only',
    'insufficient_balance',
    'market_price_unavailable',
    'market_price_stale',
    'non_positive_margin',
  ],
})

const closeAll = operation({
  id: 'closeAll',
  summary: 'Flatten an account: cancel its entries, close its positions',
  tag: 'positions',
  access: 'trader',
  extension: true,
  params: AccountPath,
  response: CloseAllResource,
  errors: [...LISTED, 'account_not_loaded', 'challenge_closed', 'account_phase_not_allowed'],
})

export function positionRoutes(instance: FastifyInstance, context: HostContext): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/positions/:accountId/active', activePositions, async (request, reply) => {
    const accountId = request.params.accountId.toLowerCase()
    const found = ask(context, request, { type: 'activePositions', accountId })
    return found.ok ? answerPositions(reply, found.value) : refuse(context, reply, found.error)
  })

  app.get('/positions/:accountId/:asset/active', activePositionsOfMarket, async (request, reply) => {
    const { accountId, asset } = request.params
    const query = { type: 'activePositions', accountId: accountId.toLowerCase(), asset } as const
    const found = ask(context, request, query)
    return found.ok ? answerPositions(reply, found.value) : refuse(context, reply, found.error)
  })

  app.get('/positions/:accountId/:asset/history', positionHistory, async (request, reply) => {
    const { accountId, asset } = request.params
    const found = await askPast(context, request, {
      type: 'positionHistory',
      accountId: accountId.toLowerCase(),
      asset,
      ...pagingOf(request.query),
    })
    return found.ok ? answer(reply, positionPageJson(found.value)) : refuse(context, reply, found.error)
  })

  app.get('/positions/:accountId/portfolio/history', portfolio, async (request, reply) => {
    const accountId = request.params.accountId.toLowerCase()
    const query = { type: 'portfolio', accountId, ...pagingOf(request.query) } as const
    const found = await askPast(context, request, query)
    return found.ok ? answer(reply, positionPageJson(found.value)) : refuse(context, reply, found.error)
  })

  app.get('/positions/:positionId/history', positionEvents, async (request, reply) => {
    const positionId = request.params.positionId.toLowerCase()
    const found = await askPast(context, request, { type: 'positionEventRuns', positionId })
    if (!found.ok) return refuse(context, reply, found.error)
    return Symbol.iterator in found.value
      ? answerList(reply, positionEventsJson(found.value))
      : answerListRead(reply, positionEventsJsonRead(found.value))
  })

  app.patch('/positions/:positionId/margin', changeMargin, async (request, reply) => {
    const known = { type: 'changeMargin', positionId: request.params.positionId.toLowerCase() } as const
    const command = changeMarginBody.addTo(known, request.body)
    const isOfVersion = () => ofVersion(context, request, known.positionId)
    const outcome = await send(context, request, command, isOfVersion)
    return outcome.ok ? answer(reply, positionJson(outcome.value)) : refuse(context, reply, outcome.error)
  })

  app.post('/positions/:accountId/close-all', closeAll, async (request, reply) => {
    const accountId = request.params.accountId.toLowerCase()
    const outcome = await send(context, request, { type: 'closeAll', accountId })
    return outcome.ok ? answer(reply, closeAllJson(outcome.value)) : refuse(context, reply, outcome.error)
  })
}

/** Why it is refused, where it is for another version of the position; whose it is, and whether it is there, the engine says. */
function ofVersion({ engine }: HostContext, request: FastifyRequest, positionId: string): Rejection | null {
  const wanted = request.headers['if-match']
  if (wanted === undefined) return null
  const version = versionOf(engine, callerOf(request).userId, positionId)
  return version === null || wanted === `"${version}"` ? null : rejection('position_changed')
}

function answerPositions(reply: FastifyReply, positions: readonly PositionRecord[]): FastifyReply {
  return answerList(reply, eachJson(positions, positionJson), positions.length)
}

/** Per-position failures carry their code (I9). */
function closeAllJson({ orders, failed }: CloseAllValue): string {
  const kept = failed.map(({ positionId, error }) => ({ positionId, error: error.code }))
  return `{"orders":${ordersJson(orders)},"failed":${JSON.stringify(kept)}}`
}
