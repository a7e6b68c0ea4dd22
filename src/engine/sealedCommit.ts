/**
 * A commit is in many hands at once: the log in memory, the lists of what happened to a position, the outcome of the
 * command, whoever is subscribed. None of them can change it (K16). Freezing costs less than a copy for each.
 */
import { frozen } from '../domain/frozen.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'

/** The commit itself, frozen with everything in it. */
export function sealed(commit: Commit): Commit {
  if (Object.isFrozen(commit)) return commit
  for (const event of commit.events) sealEvent(event)
  Object.freeze(commit.events)
  frozen(commit.command)
  if (commit.by !== undefined) Object.freeze(commit.by)
  return Object.freeze(commit)
}

/** Events that come by the million have no objects in them, and looking for some would cost more than freezing. */
function sealEvent(event: Event): void {
  switch (event.type) {
    case 'orderPlaced':
    case 'orderExecuted':
    case 'orderCanceled':
    case 'orderFailed':
    case 'orderReplaced':
    case 'increasePosition':
    case 'closePosition':
    case 'payFunding':
    case 'priceUpdated':
      Object.freeze(event)
      return
    default:
      frozen(event)
  }
}
