/**
 * What an event does to the world. One switch over every event; nothing is decided or validated here, so that a log
 * can always be folded again, whatever today's rules are.
 */
import type { AccountEvent } from '../../events/accountEvents.ts'
import type { Event } from '../../events/event.ts'
import type { OrderEvent } from '../../events/orderEvents.ts'
import type { PositionEvent } from '../../events/positionEvents.ts'
import type { Account } from '../state/account.ts'
import { IdSpace } from '../state/ids.ts'
import type { Order } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { applyAccountEvent } from './applyAccountEvent.ts'
import { applyApiKeyEvent } from './applyApiKeyEvent.ts'
import { applyMarketEvent } from './applyMarketEvent.ts'
import { applyOrderEvent } from './applyOrderEvent.ts'
import { applyPositionEvent } from './applyPositionEvent.ts'
import { post, postingOf } from './ledger.ts'
import { tellBefore } from './tellBefore.ts'

/** Is told what changed, right after it did. The aggregates are the engine's own: to be read, not kept or changed. */
export interface Observer {
  orderChanged(event: OrderEvent, order: Order): void
  positionChanged(event: PositionEvent, position: Position): void
  accountChanged(event: AccountEvent, account: Account): void
}

/** Folds one event into the world, in place. `at` is the time of its commit. */
export function apply(world: World, event: Event, at: number, observer: Observer): void {
  if (world.beforeChange !== null) tellBefore(world, event, world.beforeChange)
  switch (event.type) {
    case 'engineCreated':
      world.seed = event.seed
      world.ids = new IdSpace(event.seed)
      world.days.boundary = event.dayBoundary
      return
    case 'dayBegan':
      return world.days.begin()
    case 'marketListed':
    case 'marketConfigured':
    case 'marketStatusChanged':
    case 'fundingRateChanged':
    case 'priceUpdated':
      return applyMarketEvent(world, event, at)
    case 'accountOpened':
    case 'balanceAdjusted':
    case 'apiTradingChanged':
    case 'accountLockChanged':
    case 'accountLoadedChanged':
    case 'accountStopped':
    case 'accountUnfrozen':
    case 'accountPromoted':
    case 'dayStarted': {
      const account = applyAccountEvent(world, event)
      moveMoney(world, event)
      world.days.consider(account)
      world.triggers.accountChanged(account)
      return observer.accountChanged(event, account)
    }
    case 'orderPlaced':
    case 'orderExecuted':
    case 'orderCanceled':
    case 'orderFailed':
    case 'orderReplaced': {
      const order = applyOrderEvent(world, event, at)
      moveMoney(world, event)
      return observer.orderChanged(event, order)
    }
    case 'increasePosition':
    case 'closePosition':
    case 'addMargin':
    case 'removeMargin':
    case 'payFunding':
    case 'liquidate':
    case 'forceClose': {
      const position = applyPositionEvent(world, event, at)
      moveMoney(world, event)
      return observer.positionChanged(event, position)
    }
    case 'apiKeyRegistered':
    case 'apiKeyRefreshed':
    case 'apiKeyRevoked':
    case 'apiKeyAmended':
    case 'apiKeyForgotten':
      return applyApiKeyEvent(world, event, at)
    default:
      return unknownEvent(event)
  }
}

function moveMoney(world: World, event: Event): void {
  const posting = postingOf(event)
  if (posting === null) return
  const account = world.accounts.get(posting.accountId)
  if (account === undefined) throw new ReferenceError(`no account ${posting.accountId}`)
  post(account, world, posting)
}

function unknownEvent(event: never): never {
  throw new TypeError(`not an event: ${JSON.stringify(event)}`)
}
