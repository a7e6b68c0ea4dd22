import type { Event } from '../../events/event.ts'
import type { Account } from './account.ts'
import type { ApiKey } from './apiKey.ts'
import type { Order } from './order.ts'
import type { Position } from './position.ts'
import type { RunningPeak } from './runningPeak.ts'

/** The record is about to change, or to leave. May be told of one that is not changed after all. */
export interface BeforeChange {
  accountChanging(account: Account, event: Event): void
  orderChanging(order: Order): void
  positionChanging(position: Position, event: Event): void
  apiKeyChanging(key: ApiKey): void
  /** A peak is about to move, or to become a part of another. */
  peakChanging(peak: RunningPeak): void
}

/** Whoever has to be told of the same changes, one after the other. */
class Together implements BeforeChange {
  readonly listeners: readonly BeforeChange[]

  constructor(listeners: readonly BeforeChange[]) {
    this.listeners = listeners
  }

  accountChanging(account: Account, event: Event): void {
    for (const listener of this.listeners) listener.accountChanging(account, event)
  }

  orderChanging(order: Order): void {
    for (const listener of this.listeners) listener.orderChanging(order)
  }

  positionChanging(position: Position, event: Event): void {
    for (const listener of this.listeners) listener.positionChanging(position, event)
  }

  apiKeyChanging(key: ApiKey): void {
    for (const listener of this.listeners) listener.apiKeyChanging(key)
  }

  peakChanging(peak: RunningPeak): void {
    for (const listener of this.listeners) listener.peakChanging(peak)
  }
}

interface Watched {
  beforeChange: BeforeChange | null
}

/** Tells the listener, beside those that are told already, until what it gives back is called. */
export function watchChanges(world: Watched, listener: BeforeChange): () => void {
  world.beforeChange = joined([...listenersOf(world), listener])
  return () => {
    world.beforeChange = joined(listenersOf(world).filter((one) => one !== listener))
  }
}

function listenersOf({ beforeChange }: Watched): readonly BeforeChange[] {
  if (beforeChange === null) return []
  return beforeChange instanceof Together ? beforeChange.listeners : [beforeChange]
}

/** Mostly there is nobody or one, who is told directly. */
function joined(listeners: readonly BeforeChange[]): BeforeChange | null {
  return listeners.length > 1 ? new Together(listeners) : (listeners[0] ?? null)
}
