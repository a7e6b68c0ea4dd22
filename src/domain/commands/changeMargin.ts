/** `PATCH /positions/{positionId}/margin`: moving quote balance in or out of a position's margin (E6). */

import type { Caller, ChangeMargin } from '../../events/command.ts'
import { type Rejection, rejection } from '../../terms/errors.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import type { Decision } from '../flows/decision.ts'
import { isLiquidatable } from '../formulas/liquidation.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import { accessRejection, tradingRejection } from './access.ts'
import { endedPositionRejection } from './endedPosition.ts'
import { priceRejection } from './marketAvailability.ts'
import type { Ruling } from './ruling.ts'

export function changeMargin(decision: Decision, command: ChangeMargin, caller: Caller | null): Ruling {
  const position = decision.world.positions.get(command.positionId)
  if (position === undefined)
    return { rejected: endedPositionRejection(decision.world, command.positionId, caller) }
  const account = decision.world.accounts.known(position.accountId)
  const market = decision.world.markets.known(position.marketId)
  const rejected =
    accessRejection(account, caller, true) ??
    tradingRejection(account) ??
    (account.locked ? rejection('funded_limit_trading_locked') : null) ??
    marketRejection(market) ??
    amountRejection(position, account, market, command.marginChange, decision.at)
  if (rejected !== null) return { rejected }

  const ruling: Ruling = { rejected: null, about: 'position', position }
  if (command.marginChange === 0n) return ruling
  const on = {
    positionId: position.id,
    accountId: position.accountId,
    marketId: position.marketId,
    direction: position.direction,
  }
  if (command.marginChange > 0n) decision.emit({ type: 'addMargin', ...on, amount: command.marginChange })
  else decision.emit({ type: 'removeMargin', ...on, amount: -command.marginChange })
  return ruling
}

function marketRejection(market: Market): Rejection | null {
  const { rejectsWith } = MARKET_STATUSES[market.status]
  return rejectsWith === null ? null : rejection(rejectsWith)
}

/** Adding needs the free balance; withdrawing needs a price, and a position that stays healthy at it: no more (E7). */
function amountRejection(
  position: Position,
  account: Account,
  market: Market,
  change: bigint,
  at: number,
): Rejection | null {
  if (change >= 0n) return change > account.free ? rejection('insufficient_balance') : null
  const noPrice = priceRejection(market, at)
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
  return spared ? null : rejection('non_positive_margin')
}
