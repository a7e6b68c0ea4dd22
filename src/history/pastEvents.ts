/** The events of a position, read back from what is kept of them, and the records that follow from them. */

import { positionRecipe, unopenedPosition } from '../domain/evolve/positionReducers.ts'
import type { OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionEventRecord } from '../domain/state/position.ts'
import type { PositionEvent } from '../events/positionEvents.ts'
import { positionEventRecord } from '../projections/records.ts'

/** An event and the time of its commit. */
export interface PastEvent {
  readonly event: PositionEvent
  readonly at: number
}

/** What happened to a position, oldest first, each event read when it is asked for. */
export interface PastEvents {
  readonly length: number
  at(index: number): PastEvent
  /** The order behind an event, which has executed just before; null where none is. */
  orderBehind(index: number): OrderRecord | null
}

/** What of a position none of its events says. */
export type Identity = Pick<Position, 'sequence' | 'phaseOrdinal'>

/** Events that are folded in one go. */
const RUN = 256

/** The position after all of it. */
export function positionAfter(past: PastEvents, identity: Identity): Position {
  const position = opened(past, identity)
  for (let index = 0; index < past.length; index++) {
    const { event, at } = past.at(index)
    positionRecipe(position, event, at)
  }
  return position
}

function opened(past: PastEvents, identity: Identity): Position {
  const { event, at } = past.at(0)
  if (event.type !== 'increasePosition') throw new TypeError(`a position begins with ${event.type}`)
  return unopenedPosition(event, at, identity)
}

/**
 * Newest first, funding left out (I13), although each record follows from the one before: the events are folded once to see
 * how the position stood before each run, then the last run again, and so on back to the first.
 */
export function* eventRecords(
  past: PastEvents,
  identity: Identity,
): Generator<readonly PositionEventRecord[], void> {
  const position = opened(past, identity)
  const starts: Position[] = []
  for (let from = 0; from < past.length; from += RUN) {
    if (from > 0) yield []
    starts.push({ ...position })
    if (from + RUN < past.length)
      for (let index = from; index < from + RUN; index++) {
        const { event, at } = past.at(index)
        positionRecipe(position, event, at)
      }
  }
  for (let start = starts.pop(), end = past.length; start !== undefined; start = starts.pop()) {
    const from = end - (end % RUN || RUN)
    yield runFrom(start, past, from, end)
    end = from
  }
}

/** The records of consecutive events of a position, newest first. */
function runFrom(position: Position, past: PastEvents, from: number, to: number): PositionEventRecord[] {
  const records: PositionEventRecord[] = []
  for (let index = from; index < to; index++) {
    const { event, at } = past.at(index)
    positionRecipe(position, event, at)
    if (event.type !== 'payFunding') records.push(positionEventRecord(position, past.orderBehind(index)))
  }
  return records.reverse()
}
