import type { CommitChanges } from './historyChanges.ts'
import type { CreatedIn } from './recordKeys.ts'

/** What one commit changed, as it is gathered. Most commits change one or two things: what they leave alone has no room. */
export class GatheredChanges implements CommitChanges {
  seq = 0
  orders: CommitChanges['orders'][number][] = NONE
  events: CommitChanges['events'][number][] = NONE
  entries: CommitChanges['entries'][number][] = NONE
  created: CreatedIn[] = NONE
  holes: CommitChanges['holes'][number][] = NONE

  get size(): number {
    const { orders, events, entries, created, holes } = this
    return orders.length + events.length + entries.length + created.length + holes.length
  }
}

const NONE: never[] = []

/** An array with room for one more thing and no others, as long as it is the first. */
export function withOne<T>(items: T[], item: T): T[] {
  if (items === NONE) return [item]
  items.push(item)
  return items
}
