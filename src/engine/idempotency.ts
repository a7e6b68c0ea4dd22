/**
 * Idempotency of `placeOrder` (I4): the outcome of an accepted command is kept for an hour under the user and the key,
 * and repeated instead of acting again, whatever the new body. Rejections are not kept: nothing happened, so a retry is
 * safe.
 */
import type { OrderRecord } from '../domain/state/order.ts'

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
  /** The newest outcome under each key. */
  readonly #byKey = new Map<string, StoredOutcome>()
  /** In order of `at`, because engine time never goes back. */
  #outcomes: StoredOutcome[] = []
  /** Outcomes at the head of the list that are over. */
  #expired = 0

  find(userId: string, key: string, now: number): StoredOutcome | undefined {
    const stored = this.#byKey.get(scope(userId, key))
    return stored !== undefined && isLive(stored, now) ? stored : undefined
  }

  /** There is no earlier outcome under the same key that is still within its hour. */
  keep(outcome: StoredOutcome): void {
    this.#expire(outcome.at)
    this.#byKey.set(scope(outcome.userId, outcome.key), outcome)
    this.#outcomes.push(outcome)
  }

  /** The outcomes still within their hour, oldest first. */
  live(now: number): StoredOutcome[] {
    return [...this.liveThen(now).outcomes()]
  }

  /** How many are still within their hour, and which, oldest first, whatever happens before they are asked for. */
  liveThen(now: number): { readonly size: number; outcomes(): Generator<StoredOutcome, void> } {
    const outcomes = this.#outcomes
    let [first, end] = [this.#expired, outcomes.length]
    while (first < end) {
      const middle = (first + end) >>> 1
      if (isLive(outcomes[middle] as StoredOutcome, now)) end = middle
      else first = middle + 1
    }
    const [from, to] = [first, outcomes.length]
    return {
      size: to - from,
      // The list only grows until another takes its place.
      *outcomes() {
        for (let place = from; place < to; place++) yield outcomes[place] as StoredOutcome
      },
    }
  }

  /** Outcomes held, whether their hour is over or not. */
  get size(): number {
    return this.#outcomes.length
  }

  /** A few at a time: a busy hour that is long over holds nobody up. */
  #expire(now: number): void {
    const outcomes = this.#outcomes
    const end = Math.min(outcomes.length, this.#expired + EXPIRED_AT_A_TIME)
    for (; this.#expired < end; this.#expired += 1) {
      const oldest = outcomes[this.#expired] as StoredOutcome
      if (isLive(oldest, now)) break
      const id = scope(oldest.userId, oldest.key)
      if (this.#byKey.get(id) === oldest) this.#byKey.delete(id)
    }
    if (2 * this.#expired <= outcomes.length) return
    this.#outcomes = outcomes.slice(this.#expired)
    this.#expired = 0
  }
}

const EXPIRED_AT_A_TIME = 16

function isLive({ at }: StoredOutcome, now: number): boolean {
  return now < at + IDEMPOTENCY_WINDOW_MS
}

/** Keys belong to users: the same key of another user is another key, whatever characters the two are made of. */
function scope(userId: string, key: string): string {
  return `${userId.length} ${userId}${key}`
}
