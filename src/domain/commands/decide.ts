/** What a command may do. One switch over every command; each case reads top-down in its own file. */

import type { Caller, Command, CreateEngine } from '../../events/command.ts'
import { invalid, type Refusal } from '../../terms/errors.ts'
import { checkAccounts, liquidateChanged } from '../flows/risk.ts'
import type { Step } from '../flows/step.ts'
import { adjustBalance } from './adjustBalance.ts'
import { advanceTime } from './advanceTime.ts'
import { amendApiKey } from './amendApiKey.ts'
import { cancelByTrader } from './cancelOrder.ts'
import { changeMargin } from './changeMargin.ts'
import { closeAll } from './closeAll.ts'
import { schemaFault } from './commandSchema.ts'
import { configureMarket } from './configureMarket.ts'
import { editOrder } from './editOrder.ts'
import { forceClosePosition } from './forceClosePosition.ts'
import { openAccount } from './openAccount.ts'
import { placeOrder } from './placeOrder.ts'
import { refreshApiKey } from './refreshApiKey.ts'
import { registerApiKey } from './registerApiKey.ts'
import { revokeApiKey } from './revokeApiKey.ts'
import { setAccountLoaded } from './setAccountLoaded.ts'
import { setAccountLock } from './setAccountLock.ts'
import { setApiTrading } from './setApiTrading.ts'
import { setFundingRate } from './setFundingRate.ts'
import { setMarketStatus } from './setMarketStatus.ts'
import { stopByPlatform } from './stopAccount.ts'
import { unfreezeAccount } from './unfreezeAccount.ts'
import { updatePrice } from './updatePrice.ts'
import { weeklySessionRiskClose } from './weeklySessionRiskClose.ts'
import { withdrawApiKey } from './withdrawApiKey.ts'

/**
 * Decides a command at the step's time, emitting what follows from it.
 *
 * @returns why the command is refused, in which case nothing was emitted; null when it was accepted. An accepted
 * command that emitted nothing changed nothing.
 */
export function decide(step: Step, command: Command, caller: Caller | null): Refusal | null {
  const refused = schemaFault(command) ?? dispatch(step, command, caller)
  if (refused !== null) return refused
  if (!step.changed.isEmpty) liquidateChanged(step)
  if (!step.touched.isEmpty) checkAccounts(step)
  return null
}

function dispatch(step: Step, command: Command, caller: Caller | null): Refusal | null {
  switch (command.type) {
    case 'createEngine':
      return createEngine(step, command)
    case 'placeOrder':
      return placeOrder(step, command, caller)
    case 'editOrder':
      return editOrder(step, command, caller)
    case 'cancelOrder':
      return cancelByTrader(step, command, caller)
    case 'changeMargin':
      return changeMargin(step, command, caller)
    case 'closeAll':
      return closeAll(step, command, caller)
    case 'updatePrice':
      return updatePrice(step, command)
    case 'advanceTime':
      return advanceTime(step)
    case 'configureMarket':
      return configureMarket(step, command)
    case 'setMarketStatus':
      return setMarketStatus(step, command)
    case 'setFundingRate':
      return setFundingRate(step, command)
    case 'openAccount':
      return openAccount(step, command)
    case 'adjustBalance':
      return adjustBalance(step, command)
    case 'setApiTrading':
      return setApiTrading(step, command)
    case 'setAccountLock':
      return setAccountLock(step, command)
    case 'setAccountLoaded':
      return setAccountLoaded(step, command)
    case 'stopAccount':
      return stopByPlatform(step, command)
    case 'unfreezeAccount':
      return unfreezeAccount(step, command)
    case 'forceClosePosition':
      return forceClosePosition(step, command)
    case 'weeklySessionRiskClose':
      return weeklySessionRiskClose(step, command)
    case 'registerApiKey':
      return registerApiKey(step, command)
    case 'refreshApiKey':
      return refreshApiKey(step, command)
    case 'revokeApiKey':
      return revokeApiKey(step, command)
    case 'amendApiKey':
      return amendApiKey(step, command)
    case 'withdrawApiKey':
      return withdrawApiKey(step, command)
    default:
      return unknownCommand(command)
  }
}

/** Only an empty log can be begun. */
function createEngine(step: Step, { seed, dayBoundary }: CreateEngine): Refusal | null {
  if (step.world.seq !== 0) return invalid('type')
  step.emit({ type: 'engineCreated', seed, dayBoundary: dayBoundary ?? 'account' })
  return null
}

function unknownCommand(command: never): never {
  throw new TypeError(`not a command: ${JSON.stringify(command)}`)
}
