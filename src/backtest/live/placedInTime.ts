/**
 * An order at market is one of its moment: minutes later, at another price, it would be another order. So it is sent again for some seconds
 * only, and then the venue is asked what became of it, for as long as it takes to be there again.
 */
import { randomUUID } from 'node:crypto'
import {
  ApiError,
  type ApiOrder,
  type ApiPlacement,
  type MarginTradingClient,
  VenueUnreachable,
} from '../../client/index.ts'

/** How long a market order is sent again, and who is told what became of one that had no answer by then. */
export interface TimelyPlacement {
  readonly withinMs: number
  /** Null where it was not placed. */
  readonly onFate: (placed: ApiOrder | null) => void
}

/**
 * Under a key of its own, so that an order whose answer was lost is asked for again and not placed again.
 *
 * @returns null where it was not taken in time, which the venue says.
 * @throws ApiError where the venue refuses it; VenueUnreachable where nobody can say what became of it.
 */
export async function placedInTime(
  client: MarginTradingClient,
  order: ApiPlacement,
  { withinMs, onFate }: TimelyPlacement,
): Promise<ApiOrder | null> {
  const idempotencyKey = randomUUID()
  if (!isAtMarket(order)) return client.placeOrder(order, { idempotencyKey })
  try {
    return await client.placeOrder(order, { idempotencyKey, withinMs })
  } catch (error) {
    if (!mayBePlaced(error)) throw error
    const placed = await client.placedUnder(idempotencyKey)
    onFate(placed)
    return placed
  }
}

/** An exit at market is a `take` without a trigger. */
function isAtMarket({ type, triggerPrice }: ApiPlacement): boolean {
  return type === 'market' || (type === 'take' && (triggerPrice ?? '0') === '0')
}

const AWAY = new Set([502, 503, 504])

/** Without an answer, or with one that says nothing of the order. */
function mayBePlaced(error: unknown): boolean {
  if (error instanceof VenueUnreachable) return true
  return (
    error instanceof ApiError && (AWAY.has(error.statusCode) || error.code === 'idempotency_key_in_flight')
  )
}
