/** Opening an account, with the defaults of an ordinary evaluation plan. */

import { frozen } from '../../collections/frozen.ts'
import type { AccountConfiguration, OpenAccount } from '../../events/command.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { AccountParameters } from '../../terms/accountParameters.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import { NULLABLE_ACCOUNT_PARAMETERS } from '../../terms/parameterFields.ts'
import type { Decision } from '../flows/decision.ts'

/** The plan of an account that is configured with id, user and balance alone (docs/commands.md). */
export const ACCOUNT_DEFAULTS: Omit<AccountParameters, 'id' | 'userId' | 'balance'> = frozen({
  type: 'demo',
  maxLeverage: 10_000_000_000n,
  maxActiveOrders: 500,
  allowedCategories: ['crypto', 'rwa'],
  maxDailyLoss: 50_000_000n,
  dailyLossBase: 'equity',
  dailyLossOf: 'base',
  dailyBreach: 'fail',
  maxTotalLoss: 100_000_000n,
  drawdownMode: 'static',
  profitTarget: 50_000_000n,
  minProfitableDays: 3,
  profitableDayShare: 5_000_000n,
  autoPromote: false,
})

export function openAccount(decision: Decision, { account: configuration }: OpenAccount): Rejection | null {
  if (decision.world.accounts.has(configuration.id)) return invalid('account.id')
  const parameters = parametersOf(configuration)
  const fault = parameterFault(parameters)
  if (fault !== null) return invalid(`account.${fault}`)
  decision.emit({
    type: 'accountOpened',
    accountId: configuration.id,
    parameters,
    status: configuration.status ?? 'active',
    phase: configuration.phase === undefined ? 'active_evaluation' : configuration.phase,
    apiTrading: configuration.apiTrading ?? true,
    loaded: configuration.loaded ?? true,
    locked: configuration.locked ?? false,
  })
  return null
}

function parametersOf(configuration: AccountConfiguration): AccountParameters {
  const { id, userId, balance } = configuration
  const given: Record<string, unknown> = {}
  for (const field in ACCOUNT_DEFAULTS) {
    const value = configuration[field as keyof AccountParameters]
    if (value == null && (value === undefined || !NULLABLE_ACCOUNT_PARAMETERS.has(field))) continue
    given[field] = Array.isArray(value) ? [...value] : value
  }
  return { id, userId, balance, ...ACCOUNT_DEFAULTS, ...(given as Partial<AccountParameters>) }
}

function parameterFault(parameters: AccountParameters): keyof AccountParameters | null {
  if (parameters.maxDailyLoss > ONE) return 'maxDailyLoss'
  if (parameters.maxTotalLoss > ONE) return 'maxTotalLoss'
  return null
}
