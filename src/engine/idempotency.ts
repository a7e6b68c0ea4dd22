/**
 * Idempotency of `placeOrder` (I4): the outcome of an accepted command is kept for an hour under the user and the key,
 * and repeated instead of acting again, whatever the new body. Refusals are not kept: nothing happened, so a retry is
 * safe.
 */
import type { OrderRecord } from '../domain/order/order.ts'

export const IDEMPOTENCY_WINDOW_MS = 3_600_000

export interface StoredOutcome {
  readonly userId: string
  readonly key: string
  readonly order: OrderRecord
  readonly seq: number
  /** When the first call completed, epoch ms: the window is [at, at + 1 h). */
  readonly at: number
}

export class IdempotencyWindow {
  /** In order of `at`, because engine time never goes back. */
  readonly #outcomes = new Map<string, StoredOutcome>()

  find(userId: string, key: string, now: number): StoredOutcome | undefined {
    const stored = this.#outcomes.get(scope(userId, key))
    return stored !== undefined && now < stored.at + IDEMPOTENCY_WINDOW_MS ? stored : undefined
  }

  keep(outcome: StoredOutcome): void {
    const id = scope(outcome.userId, outcome.key)
    this.#outcomes.delete(id)
    this.#outcomes.set(id, outcome)
    this.#expire(outcome.at)
  }

  /** The outcomes still within their hour, oldest first. */
  live(now: number): StoredOutcome[] {
    return [...this.#outcomes.values()].filter(({ at }) => now < at + IDEMPOTENCY_WINDOW_MS)
  }

  #expire(now: number): void {
    for (const [id, { at }] of this.#outcomes) {
      if (now < at + IDEMPOTENCY_WINDOW_MS) return
      this.#outcomes.delete(id)
    }
  }
}

/** Keys belong to users: the same key of another user is another key. */
export function scope(userId: string, key: string): string {
  return `${userId}\n${key}`
}
