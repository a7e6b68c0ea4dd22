/** `DELETE /orders/{orderId}`: any active order, in every market state and account status (I8). */
import type { Caller, CancelOrder } from '../../events/command.ts'
import type { Refusal } from '../../terms/errors.ts'
import { cancelOrder } from '../flows/ending.ts'
import type { Step } from '../flows/step.ts'
import { findActiveOrder } from './findOrder.ts'

export function cancelByTrader(step: Step, command: CancelOrder, caller: Caller | null): Refusal | null {
  const found = findActiveOrder(step.world, command.orderId, caller)
  if (found.refused !== null) return found.refused
  cancelOrder(step, found.order, null)
  step.answer = found.order
  return null
}
