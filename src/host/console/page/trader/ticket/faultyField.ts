// Which field of the ticket a code of the venue is about.
import { canBeTold } from '../../../../../events/placeOrder.ts'
import type { TicketField, TicketForm } from './ticketForm.ts'

/** The longer first: `stop_trigger_price_gt_trigger_price` is about the stop. */
const BY_BEGINNING: readonly (readonly [string, TicketField])[] = [
  ['trailing_stop_offset_percent', 'trailingStopOffsetPercent'],
  ['trailing_stop_offset', 'trailingStopOffset'],
  ['trailing_stop_activation_price', 'trailingStopActivationPrice'],
  ['stop_trigger_price', 'stopTriggerPrice'],
  ['take_trigger_price', 'takeTriggerPrice'],
  ['stop_limit_price', 'stopLimitPrice'],
  ['trigger_price', 'triggerPrice'],
  ['slippage_tolerance', 'expectedAmount'],
  ['base_size', 'amount'],
  ['amount', 'amount'],
  ['insufficient_', 'amount'],
  ['order_', 'amount'],
  ['leverage', 'leverage'],
  ['invalid_leverage', 'leverage'],
  ['position_', 'positionId'],
]

/** `details`: the paths that come with `validation_failed`. Null: it is about none of them. */
export function faultyField(
  code: string,
  details: readonly string[] | undefined,
  { type, direction }: TicketForm,
): TicketField | null {
  const named = details?.[0] === 'baseSize' ? 'amount' : details?.[0]
  if (named !== undefined) return named as TicketField
  const field = BY_BEGINNING.find(([beginning]) => code.startsWith(beginning))?.[1] ?? null
  if (field !== 'triggerPrice' || canBeTold(type, field)) return field
  // Without a trigger price of its own it is about what was attached: a take has to be beyond the price, a stop behind it.
  const beyond = direction === 'long' ? 'trigger_price_lt_current' : 'trigger_price_gt_current'
  return code === beyond ? 'takeTriggerPrice' : 'stopTriggerPrice'
}
