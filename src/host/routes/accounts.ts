/** Accounts, their risk status, and the markets as an account sees them. */
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { Type } from 'typebox'
import { AccountResource, MarketResource, RiskStatusResource } from '../../resources/account.ts'
import { AccountPath, AccountQuery } from '../../resources/fields.ts'
import { answer, answerList, ask, type HostContext, refuse } from '../context.ts'
import { eachJson, toJson } from '../json.ts'
import { operation } from '../operation.ts'

const accounts = operation({
  id: 'accounts',
  summary: 'Accounts of the caller with their risk status',
  tag: 'accounts',
  access: 'trader',
  response: Type.Array(AccountResource),
  errors: [],
})

const markets = operation({
  id: 'markets',
  summary: 'Markets, with the prices and bounds that apply to an account',
  tag: 'markets',
  access: 'trader',
  query: AccountQuery,
  response: Type.Array(MarketResource),
  errors: ['account_not_found', 'account_access_denied', 'api_trading_not_enabled', 'account_not_loaded'],
})

const riskStatus = operation({
  id: 'riskStatus',
  summary: 'Equity and drawdown headroom of an account',
  tag: 'accounts',
  access: 'trader',
  extension: true,
  params: AccountPath,
  response: RiskStatusResource,
  errors: ['account_not_found', 'account_access_denied', 'api_trading_not_enabled', 'account_not_loaded'],
})

export function accountRoutes(instance: FastifyInstance, context: HostContext): void {
  const app = instance.withTypeProvider<TypeBoxTypeProvider>()

  app.get('/accounts/with-risk-status', accounts, async (request, reply) => {
    const found = ask(context, request, { type: 'accounts' })
    return found.ok ? answerRecords(reply, found.value) : refuse(context, reply, found.error)
  })

  app.get('/v2/markets', markets, async (request, reply) => {
    const accountId = request.query.accountId.toLowerCase()
    const found = ask(context, request, { type: 'markets', accountId })
    return found.ok ? answerRecords(reply, found.value) : refuse(context, reply, found.error)
  })

  app.get('/accounts/:accountId/risk-status', riskStatus, async (request, reply) => {
    const accountId = request.params.accountId.toLowerCase()
    const found = ask(context, request, { type: 'riskStatus', accountId })
    return found.ok
      ? answer(reply, toJson({ accountId, ...found.value }))
      : refuse(context, reply, found.error)
  })
}

function answerRecords(reply: FastifyReply, records: readonly object[]): FastifyReply {
  return answerList(reply, eachJson(records, toJson), records.length)
}
