/** What a command may do. One switch over every command; each case reads top-down in its own file. */
import { openAccount } from './account/configuration.ts'
import { checkAccounts, liquidateChanged } from './account/risk.ts'
import { stopByPlatform, unfreezeAccount } from './account/stop.ts'
import { adjustBalance, setAccountLoaded, setAccountLock, setApiTrading } from './account/switches.ts'
import { amendApiKey, withdrawApiKey } from './apiKey/configuredKey.ts'
import { refreshApiKey, registerApiKey, revokeApiKey } from './apiKey/registration.ts'
import type { Caller, Command, CreateEngine } from './command.ts'
import { schemaFault } from './commandSchema.ts'
import { invalid, type Refusal } from './errors.ts'
import { configureMarket, setFundingRate, setMarketStatus } from './market/configuration.ts'
import { updatePrice } from './market/tick.ts'
import { cancelByTrader } from './order/cancellation.ts'
import { closeAll } from './order/closeAll.ts'
import { editOrder } from './order/edit.ts'
import { placeOrder } from './order/placement.ts'
import { advanceTime } from './passageOfTime.ts'
import { changeMargin } from './position/margin.ts'
import { forceClosePosition, weeklySessionRiskClose } from './position/platformClose.ts'
import type { Step } from './step.ts'

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
