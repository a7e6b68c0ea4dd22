/** Opening an account. */

import type { AccountConfiguration, OpenAccount } from '../../events/command.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { AccountParameters } from '../../terms/accountParameters.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import { ACCOUNT_DEFAULTS, NULLABLE_ACCOUNT_PARAMETERS } from '../../terms/parameterFields.ts'
import type { Decision } from '../flows/decision.ts'

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
