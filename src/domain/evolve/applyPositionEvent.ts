/** What the position events do around the aggregate: where it is found, and what the market and the day count. */
import type { IncreasePosition, PositionEvent } from '../../events/positionEvents.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { positionRecipe, unopenedPosition } from './positionReducers.ts'

export function applyPositionEvent(world: World, event: PositionEvent, at: number): Position {
  const account = world.accounts.known(event.accountId)
  const market = world.markets.known(event.marketId)
  const position =
    event.type === 'increasePosition' && event.opens
      ? open(world, account, market, event, at)
      : world.positions.known(event.positionId)
  positionRecipe(position, event, at)
  count(account, market, event)
  world.days.watch(account)
  if (position.status === 'opened') {
    world.triggers.setPosition(position)
    return position
  }
  world.triggers.removePosition(position)
  world.positions.delete(position.id)
  account.positions.delete(position)
  market.positions.delete(position)
  return position
}

function open(world: World, account: Account, market: Market, event: IncreasePosition, at: number): Position {
  world.created += 1
  const position = unopenedPosition(event, at, {
    sequence: world.created,
    phaseOrdinal: account.phaseOrdinal,
  })
  hold(world, account, market, position)
  return position
}

/** Puts an open position wherever open positions are looked for. */
export function hold(world: World, account: Account, market: Market, position: Position): void {
  world.positions.add(position.id, position)
  account.positions.add(position)
  market.positions.add(position)
}

/** The market's open notional (C5) and the account's realized pnl of the day, net of fees and funding (J13). */
function count(account: Account, market: Market, event: PositionEvent): void {
  switch (event.type) {
    case 'increasePosition':
      if (event.direction === 'long') market.openNotionalLong += event.notional
      else market.openNotionalShort += event.notional
      account.realizedToday -= event.fee
      return
    case 'closePosition':
    case 'liquidate':
    case 'forceClose':
      if (event.direction === 'long') market.openNotionalLong -= event.cost
      else market.openNotionalShort -= event.cost
      account.realizedToday += event.pnl - event.fee
      return
    case 'payFunding':
      account.realizedToday += event.amount
      return
    case 'addMargin':
    case 'removeMargin':
      return
    default:
      return unknownEvent(event)
  }
}

function unknownEvent(event: never): never {
  throw new TypeError(`not a position event: ${JSON.stringify(event)}`)
}
