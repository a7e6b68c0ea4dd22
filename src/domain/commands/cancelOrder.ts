/** `DELETE /orders/{orderId}`: any active order, in every market state and account status (I8). */
import type { Caller, CancelOrder } from '../../events/command.ts'
import type { Rejection } from '../../terms/errors.ts'
import type { Decision } from '../flows/decision.ts'
import { cancelOrder } from '../flows/ending.ts'
import { findActiveOrder } from './findOrder.ts'

export function cancelByTrader(
  decision: Decision,
  command: CancelOrder,
  caller: Caller | null,
): Rejection | null {
  const found = findActiveOrder(decision.world, command.orderId, caller)
  if (found.rejected !== null) return found.rejected
  cancelOrder(decision, found.order, null)
  decision.answer = found.order
  return null
}
