/** What of a commit comes into other hands, so that none of them can change what the engine keeps (K16). */
import { frozen } from '../collections/frozen.ts'
import type { Commit } from '../events/commit.ts'
import type { Event } from '../events/event.ts'
import { hasObject } from '../events/eventTable.ts'

/** For whoever is subscribed: the commit itself, frozen with everything in it, because it is everybody's. */
export function sealed(commit: Commit): Commit {
  if (Object.isFrozen(commit)) return commit
  for (const event of commit.events) frozen(event)
  Object.freeze(commit.events)
  frozen(commit.command)
  if (commit.by !== undefined) Object.freeze(commit.by)
  return Object.freeze(commit)
}

/**
 * For the outcome of the command. What is encoded already may be changed by whoever gets it; of what is held until it is
 * written they get a copy. Freezing would cost more than either: an object that is frozen is encoded in three times the
 * time. Events with an object in them, which the state refers to as well, are frozen: they come seldom.
 */
export function givenEvents(events: readonly Event[], held: boolean): readonly Event[] {
  for (const event of events) if (hasObject(event)) frozen(event)
  return held ? events.map(ownCopy) : events
}

/** Each in a place of its own: where objects of many shapes are copied in one place, V8 takes six times as long for each. */
function ownCopy(event: Event): Event {
  if (Object.isFrozen(event)) return event
  switch (event.type) {
    case 'orderPlaced':
      return { ...event }
    case 'orderExecuted':
      return { ...event }
    case 'orderCanceled':
      return { ...event }
    case 'increasePosition':
      return { ...event }
    case 'closePosition':
      return { ...event }
    default:
      return { ...event }
  }
}
