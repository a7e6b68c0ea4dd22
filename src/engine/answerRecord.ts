/** What an accepted command answers, as records that nobody can change. */

import type { Answer } from '../domain/flows/decision.ts'
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionRecord } from '../domain/state/position.ts'
import type { Triggers } from '../domain/state/triggers.ts'
import { orderRecord, positionRecord } from '../projections/records.ts'
import type { CloseAllValue } from './outcome.ts'

export function answerRecord(
  answer: Answer,
  triggers: Triggers,
): OrderRecord | PositionRecord | CloseAllValue | null {
  if (answer === null) return null
  if ('openedAt' in answer) return positionRecord(answer as Position)
  if (!('failed' in answer)) return orderRecord(answer as Order, triggers)
  return { orders: answer.orders.map((order) => orderRecord(order, triggers)), failed: answer.failed }
}
