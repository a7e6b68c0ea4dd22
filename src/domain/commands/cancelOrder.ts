/** `DELETE /orders/{orderId}`: any active order, in every market state and account status (I8). */
import type { Caller, CancelOrder } from '../../events/command.ts'
import type { Decision } from '../flows/decision.ts'
import { cancelOrder } from '../flows/endOrder.ts'
import { findActiveOrder } from './findOrder.ts'
import { aboutOrder, type Ruling } from './ruling.ts'

export function cancelByTrader(decision: Decision, command: CancelOrder, caller: Caller | null): Ruling {
  const found = findActiveOrder(decision.world, command.orderId, caller)
  if (found.rejected !== null) return found
  cancelOrder(decision, found.order, null)
  return aboutOrder(decision.world.ended.last)
}
