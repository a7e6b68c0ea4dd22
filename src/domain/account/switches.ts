/** The operator's switches and balance adjustments (H4, H9, H10, J8, J16). */
import type { AdjustBalance, SetAccountLoaded, SetAccountLock, SetApiTrading } from '../command.ts'
import { type Refusal, refusal } from '../errors.ts'
import type { Step } from '../step.ts'
import type { World } from '../world.ts'
import { type Access, accessAccount } from './access.ts'

/** An account for a platform command: it must exist and be loaded (J16). */
export function platformAccount(world: World, accountId: string): Access {
  return accessAccount(world, accountId, null, true)
}

/** A deposit or withdrawal against the house. It moves the floors along and neither fails nor promotes (J8). */
export function adjustBalance(step: Step, { accountId, amount }: AdjustBalance): Refusal | null {
  const access = platformAccount(step.world, accountId)
  if (access.refused !== null) return access.refused
  if (access.account.free + amount < 0n) return refusal('insufficient_balance')
  step.emit({ type: 'balanceAdjusted', accountId, amount })
  return null
}

export function setApiTrading(step: Step, { accountId, enabled }: SetApiTrading): Refusal | null {
  const access = platformAccount(step.world, accountId)
  if (access.refused !== null) return access.refused
  step.emit({ type: 'apiTradingChanged', accountId, enabled })
  return null
}

export function setAccountLock(step: Step, { accountId, locked }: SetAccountLock): Refusal | null {
  const access = platformAccount(step.world, accountId)
  if (access.refused !== null) return access.refused
  step.emit({ type: 'accountLockChanged', accountId, locked })
  return null
}

/** Unloading needs an account without position and without active order (J16). */
export function setAccountLoaded(step: Step, { accountId, loaded }: SetAccountLoaded): Refusal | null {
  const access = accessAccount(step.world, accountId, null, false)
  if (access.refused !== null) return access.refused
  const { account } = access
  if (!loaded && (account.positions.size > 0 || account.orders.size > 0))
    return refusal('position_not_available')
  step.emit({ type: 'accountLoadedChanged', accountId, loaded })
  return null
}
