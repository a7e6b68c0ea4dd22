/** What a command may do. One switch over every command; each case reads top-down in its own file. */

import type { Caller, Command, CreateEngine, TraderCommand } from '../../events/command.ts'
import { invalid, type Rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { checkAccounts, liquidateChanged } from '../flows/riskChecks.ts'
import { adjustBalance } from './adjustBalance.ts'
import { advanceTime } from './advanceTime.ts'
import { amendApiKey } from './amendApiKey.ts'
import { cancelByTrader } from './cancelOrder.ts'
import { changeMargin } from './changeMargin.ts'
import { closeAll } from './closeAll.ts'
import { schemaRejection } from './commandSchema.ts'
import { configureMarket } from './configureMarket.ts'
import { editOrder } from './editOrder.ts'
import { forceClosePosition } from './forceClosePosition.ts'
import { openAccount } from './openAccount.ts'
import { placeOrder } from './placeOrder.ts'
import { refreshApiKey } from './refreshApiKey.ts'
import { registerApiKey } from './registerApiKey.ts'
import { revokeApiKey } from './revokeApiKey.ts'
import { type Ruling, withoutAnswer } from './ruling.ts'
import { setAccountLoaded } from './setAccountLoaded.ts'
import { setAccountLock } from './setAccountLock.ts'
import { setApiTrading } from './setApiTrading.ts'
import { setFundingRate } from './setFundingRate.ts'
import { setMarketStatus } from './setMarketStatus.ts'
import { setNotionalQuota } from './setNotionalQuota.ts'
import { stopByPlatform } from './stopAccount.ts'
import { unfreezeAccount } from './unfreezeAccount.ts'
import { updatePrice } from './updatePrice.ts'
import { weeklySessionRiskClose } from './weeklySessionRiskClose.ts'
import { withdrawApiKey } from './withdrawApiKey.ts'

/**
 * Decides a command at the decision's time, emitting what follows from it. What the command leaves liquidatable of the
 * positions that it changed or opened goes at its end (J24, J31).
 *
 * @returns why the command is rejected, in which case nothing was emitted; or what it is about. An accepted command that
 * emitted nothing changed nothing.
 */
export function decide(decision: Decision, command: Command, caller: Caller | null): Ruling {
  const malformed = schemaRejection(command)
  if (malformed !== null) return { rejected: malformed }
  const ruling = dispatch(decision, command, caller)
  if (ruling.rejected !== null) return ruling
  if (!decision.changed.isEmpty) liquidateChanged(decision)
  if (!decision.touched.isEmpty) checkAccounts(decision)
  return ruling
}

function dispatch(decision: Decision, command: Command, caller: Caller | null): Ruling {
  switch (command.type) {
    case 'placeOrder':
      return placeOrder(decision, command, caller)
    case 'editOrder':
      return editOrder(decision, command, caller)
    case 'cancelOrder':
      return cancelByTrader(decision, command, caller)
    case 'changeMargin':
      return changeMargin(decision, command, caller)
    case 'closeAll':
      return closeAll(decision, command, caller)
    default:
      return withoutAnswer(dispatchUnanswered(decision, command))
  }
}

/** The commands that answer with nothing. */
function dispatchUnanswered(decision: Decision, command: Exclude<Command, TraderCommand>): Rejection | null {
  switch (command.type) {
    case 'createEngine':
      return createEngine(decision, command)
    case 'updatePrice':
      return updatePrice(decision, command)
    case 'advanceTime':
      return advanceTime(decision)
    case 'configureMarket':
      return configureMarket(decision, command)
    case 'setMarketStatus':
      return setMarketStatus(decision, command)
    case 'setFundingRate':
      return setFundingRate(decision, command)
    case 'openAccount':
      return openAccount(decision, command)
    case 'adjustBalance':
      return adjustBalance(decision, command)
    case 'setApiTrading':
      return setApiTrading(decision, command)
    case 'setAccountLock':
      return setAccountLock(decision, command)
    case 'setAccountLoaded':
      return setAccountLoaded(decision, command)
    case 'stopAccount':
      return stopByPlatform(decision, command)
    case 'unfreezeAccount':
      return unfreezeAccount(decision, command)
    case 'forceClosePosition':
      return forceClosePosition(decision, command)
    case 'weeklySessionRiskClose':
      return weeklySessionRiskClose(decision, command)
    case 'registerApiKey':
      return registerApiKey(decision, command)
    case 'refreshApiKey':
      return refreshApiKey(decision, command)
    case 'revokeApiKey':
      return revokeApiKey(decision, command)
    case 'amendApiKey':
      return amendApiKey(decision, command)
    case 'withdrawApiKey':
      return withdrawApiKey(decision, command)
    case 'setNotionalQuota':
      return setNotionalQuota(decision, command)
    default:
      return unknownCommand(command)
  }
}

/** Only an empty log can be begun. */
function createEngine(decision: Decision, { seed, dayBoundary }: CreateEngine): Rejection | null {
  if (decision.world.seq !== 0) return invalid('type')
  decision.emit({ type: 'engineCreated', seed, dayBoundary: dayBoundary ?? 'account' })
  return null
}

function unknownCommand(command: never): never {
  throw new TypeError(`not a command: ${JSON.stringify(command)}`)
}
