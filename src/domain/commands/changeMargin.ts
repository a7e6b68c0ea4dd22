/** `PATCH /positions/{positionId}/margin`: moving quote balance in or out of a position's margin (E6). */

import type { Caller, ChangeMargin } from '../../events/command.ts'
import { type Refusal, refusal } from '../../terms/errors.ts'
import type { Step } from '../flows/step.ts'
import { isLiquidatable } from '../formulas/liquidation.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import { accessFault, tradingFault } from './access.ts'
import { priceFault } from './availability.ts'
import { endedPositionFault } from './endedPosition.ts'

export function changeMargin(step: Step, command: ChangeMargin, caller: Caller | null): Refusal | null {
  const position = step.world.positions.get(command.positionId)
  if (position === undefined) return endedPositionFault(step.world, command.positionId, caller)
  const account = step.world.accounts.get(position.accountId) as Account
  const market = step.world.markets.get(position.marketId) as Market
  const refused =
    accessFault(account, caller, true) ??
    tradingFault(account) ??
    (account.locked ? refusal('funded_limit_trading_locked') : null) ??
    marketFault(market) ??
    amountFault(position, account, market, command.marginChange, step.at)
  if (refused !== null) return refused

  step.answer = position
  if (command.marginChange === 0n) return null
  const on = {
    positionId: position.id,
    accountId: position.accountId,
    marketId: position.marketId,
    direction: position.direction,
  }
  if (command.marginChange > 0n) step.emit({ type: 'addMargin', ...on, amount: command.marginChange })
  else step.emit({ type: 'removeMargin', ...on, amount: -command.marginChange })
  return null
}

function marketFault(market: Market): Refusal | null {
  if (market.status === 'paused') return refusal('market_paused')
  return market.status === 'close_only' ? refusal('market_close_only') : null
}

/** Adding needs the free balance; withdrawing needs a price, and a position that stays healthy at it. */
function amountFault(
  position: Position,
  account: Account,
  market: Market,
  change: bigint,
  at: number,
): Refusal | null {
  if (change >= 0n) return change > account.free ? refusal('insufficient_balance') : null
  const noPrice = priceFault(market, at)
  if (noPrice !== null) return noPrice
  const margin = position.margin + change
  const { direction, size, notional } = position
  const spared =
    margin > 0n &&
    !isLiquidatable(
      { direction, size, notional, margin },
      market.parameters.maintenanceMarginRate,
      market.indexPrice,
    )
  return spared ? null : refusal('non_positive_margin')
}
