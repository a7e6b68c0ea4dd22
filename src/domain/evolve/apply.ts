/**
 * What an event does to the world. One switch over every event; nothing is decided or validated here, so that a log
 * can always be folded again, whatever today's rules are.
 */
import type { Event } from '../../events/event.ts'
import { IdSpace } from '../state/ids.ts'
import type { Position } from '../state/position.ts'
import type { World } from '../state/world.ts'
import { applyAccountEvent } from './applyAccountEvent.ts'
import { applyApiKeyEvent } from './applyApiKeyEvent.ts'
import { applyMarketEvent } from './applyMarketEvent.ts'
import { applyOrderEvent } from './applyOrderEvent.ts'
import { applyPositionEvent } from './applyPositionEvent.ts'
import { post, postingOf } from './ledger.ts'
import { tellBefore } from './tellBefore.ts'

/**
 * Folds one event into the world, in place. `at` is the time of its commit. Gives the position that it changed, whose
 * risk may be another now; null where it changed none.
 */
export function apply(world: World, event: Event, at: number): Position | null {
  if (world.beforeChange !== null) tellBefore(world, event, world.beforeChange)
  switch (event.type) {
    case 'engineCreated':
      world.seed = event.seed
      world.ids = new IdSpace(event.seed)
      world.days.boundary = event.dayBoundary
      return null
    case 'dayBegan':
      world.days.begin()
      return null
    case 'commandRefused':
      return null
    case 'marketListed':
    case 'marketConfigured':
    case 'marketStatusChanged':
    case 'fundingRateChanged':
    case 'priceUpdated':
    case 'notionalQuotaSet':
      applyMarketEvent(world, event, at)
      return null
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
      return null
    }
    case 'orderPlaced':
    case 'orderExecuted':
    case 'orderCanceled':
    case 'orderFailed':
    case 'orderReplaced':
      applyOrderEvent(world, event, at)
      moveMoney(world, event)
      return null
    case 'increasePosition':
    case 'closePosition':
    case 'addMargin':
    case 'removeMargin':
    case 'payFunding':
    case 'liquidate':
    case 'forceClose': {
      const position = applyPositionEvent(world, event, at)
      moveMoney(world, event)
      return position
    }
    case 'apiKeyRegistered':
    case 'apiKeyRefreshed':
    case 'apiKeyRevoked':
    case 'apiKeyAmended':
    case 'apiKeyForgotten':
      applyApiKeyEvent(world, event, at)
      return null
    default:
      return unknownEvent(event)
  }
}

function moveMoney(world: World, event: Event): void {
  const posting = postingOf(event)
  if (posting === null) return
  post(world.accounts.known(posting.accountId), world, posting)
}

function unknownEvent(event: never): never {
  throw new TypeError(`not an event: ${JSON.stringify(event)}`)
}
