/** What the position events do around the aggregate: where it is found, and what the market and the day count. */
import type { IncreasePosition, PositionEvent } from '../../events/positionEvents.ts'
import type { Account } from '../state/account.ts'
import type { Market } from '../state/market.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { positionRecipe, unopenedPosition } from './positionReducers.ts'

export function applyPositionEvent(world: World, event: PositionEvent, at: number): Position {
  const { positions } = world
  const account = world.accounts.known(event.accountId)
  const market = world.markets.known(event.marketId)
  const opens = event.type === 'increasePosition' && event.opens
  const row = opens ? open(world, account, market, event, at) : positions.rowOf(event.positionId)
  const position = positions.rows.at(row)
  positionRecipe(position, event, at)
  world.changed.add(position.sequence)
  count(account, market, event)
  world.days.watch(account)
  if (position.status === 'opened') {
    world.triggers.setPosition(row, account, market.id)
    return position
  }
  world.triggers.removePosition(position, row)
  positions.delete(row)
  return position
}

function open(world: World, account: Account, market: Market, event: IncreasePosition, at: number): number {
  world.created += 1
  const position = unopenedPosition(event, at, {
    sequence: world.created,
    phaseOrdinal: account.phaseOrdinal,
  })
  return hold(world, account, market, position)
}

/** Puts an open position wherever open positions are looked for. Gives its row. */
export function hold(world: World, account: Account, market: Market, position: Position): number {
  return world.positions.add(position, account, market)
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
