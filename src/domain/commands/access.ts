/** Who may touch an account, and whether it may trade (I1 stage 7 and 10, H1, H9, H10). */

import type { Caller } from '../../events/command.ts'
import { ACCOUNT_STATUSES } from '../../terms/accountStatus.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import type { Account } from '../state/account.ts'
import type { World } from '../state/world.ts'

/** An account, or why the caller cannot have it. */
export type Access = { readonly account: Account; readonly rejected: null } | { readonly rejected: Rejection }

/**
 * Existence, ownership, the API switch, then whether the engine has the account loaded. Without a caller the embedding
 * program itself asks, and only existence and loading count. The switch is for keys, not for sessions (J29).
 */
export function accessAccount(
  world: World,
  accountId: string,
  caller: Caller | null,
  loaded: boolean,
): Access {
  const account = world.accounts.get(accountId)
  if (account === undefined) return { rejected: rejection('account_not_found') }
  const rejected = accessRejection(account, caller, loaded)
  return rejected === null ? { account, rejected } : { rejected }
}

export function accessRejection(account: Account, caller: Caller | null, loaded: boolean): Rejection | null {
  if (caller !== null) {
    if (account.userId !== caller.userId) return rejection('account_access_denied')
    if (caller.apiKey && !account.apiTrading) return rejection('api_trading_not_enabled')
  }
  return loaded && !account.loaded ? rejection('account_not_loaded') : null
}

/** The status has to be one that trades, and there has to be a phase (H1). */
export function tradingRejection(account: Account): Rejection | null {
  if (!ACCOUNT_STATUSES[account.status].trades) return rejection('challenge_closed')
  return account.phase === null ? rejection('account_phase_not_allowed') : null
}

/** An account for a platform command: it must exist and be loaded (J16). */
export function platformAccount(world: World, accountId: string): Access {
  return accessAccount(world, accountId, null, true)
}
