/**
 * Idempotency of `placeOrder` (I4): the outcome of an accepted command is kept for an hour under the user and the key,
 * and repeated instead of acting again, whatever the new body. Rejections are not kept: nothing happened, so a retry is
 * safe.
 */
import type { OrderRecord } from '../domain/state/order.ts'
import { type KeptOutcome, OutcomeWindow } from './outcomeWindow.ts'

export const IDEMPOTENCY_WINDOW_MS = 3_600_000

export interface StoredOutcome extends KeptOutcome {
  readonly userId: string
  readonly key: string
  readonly order: OrderRecord
  readonly seq: number
}

export class IdempotencyWindow extends OutcomeWindow<StoredOutcome> {
  constructor() {
    super(IDEMPOTENCY_WINDOW_MS)
  }

  find(userId: string, key: string, now: number): StoredOutcome | undefined {
    return this.under(scope(userId, key), now)
  }

  protected override nameOf({ userId, key }: StoredOutcome): string {
    return scope(userId, key)
  }
}

/** Keys belong to users: the same key of another user is another key, whatever characters the two are made of. */
function scope(userId: string, key: string): string {
  return `${userId.length} ${userId}${key}`
}
