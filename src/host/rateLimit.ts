/** Rate limits of API keys: fixed windows aligned to the epoch, per key and bucket (I5). Pure: the time is given. */

export interface RateLimits {
  /** Requests per aligned second. */
  readonly perSecond: number
  /** Requests per aligned minute. */
  readonly perMinute: number
}

/** Requests that an API key may make, reading and writing each. */
export const DEFAULT_RATE_LIMITS: RateLimits = { perSecond: 10, perMinute: 60 }

/** `read` is GET and HEAD, `write` everything else. */
export type Bucket = 'read' | 'write'

/** The window that is used up. */
export interface TrippedWindow {
  readonly bucket: Bucket
  readonly window: 'second' | 'minute'
  readonly limit: number
  /** Its end, epoch ms. */
  readonly retryAt: number
}

/** What is left of a window. */
export interface Quota {
  readonly limit: number
  readonly remaining: number
  /** Its end, epoch ms. */
  readonly resetAt: number
}

interface Usage {
  second: number
  inSecond: number
  minute: number
  inMinute: number
}

const SECOND_MS = 1_000
const MINUTE_MS = 60_000

export class RateLimiter {
  readonly #limits: RateLimits
  readonly #usage = new Map<string, Usage>()
  #sweptMinute = 0

  constructor(limits: RateLimits) {
    this.#limits = limits
  }

  /**
   * Counts a request in both windows of its bucket; when one is used up, says which, and counts nothing. When both are,
   * it is the minute.
   */
  take(keyId: string, bucket: Bucket, now: number): TrippedWindow | null {
    const second = Math.floor(now / SECOND_MS)
    const minute = Math.floor(now / MINUTE_MS)
    this.#forgetIdleKeys(minute)
    const usage = this.#current(`${bucket} ${keyId}`, second, minute)
    if (usage.inMinute >= this.#limits.perMinute)
      return { bucket, window: 'minute', limit: this.#limits.perMinute, retryAt: (minute + 1) * MINUTE_MS }
    if (usage.inSecond >= this.#limits.perSecond)
      return { bucket, window: 'second', limit: this.#limits.perSecond, retryAt: (second + 1) * SECOND_MS }
    usage.inSecond += 1
    usage.inMinute += 1
    return null
  }

  /** The window of a bucket that is nearest to its limit; of two as near, the minute. */
  quota(keyId: string, bucket: Bucket, now: number): Quota {
    const second = Math.floor(now / SECOND_MS)
    const minute = Math.floor(now / MINUTE_MS)
    const { perSecond, perMinute } = this.#limits
    const { inSecond, inMinute } = this.#current(`${bucket} ${keyId}`, second, minute)
    const [ofSecond, ofMinute] = [perSecond - inSecond, perMinute - inMinute]
    return ofSecond < ofMinute
      ? { limit: perSecond, remaining: ofSecond, resetAt: (second + 1) * SECOND_MS }
      : { limit: perMinute, remaining: ofMinute, resetAt: (minute + 1) * MINUTE_MS }
  }

  #current(id: string, second: number, minute: number): Usage {
    let usage = this.#usage.get(id)
    if (usage === undefined) {
      usage = { second, inSecond: 0, minute, inMinute: 0 }
      this.#usage.set(id, usage)
    }
    if (usage.second !== second) {
      usage.second = second
      usage.inSecond = 0
    }
    if (usage.minute !== minute) {
      usage.minute = minute
      usage.inMinute = 0
    }
    return usage
  }

  /** How many counts it holds. */
  get size(): number {
    return this.#usage.size
  }

  #forgetIdleKeys(minute: number): void {
    if (minute === this.#sweptMinute) return
    this.#sweptMinute = minute
    for (const [id, usage] of this.#usage) if (usage.minute !== minute) this.#usage.delete(id)
  }
}

/** The headers of a successful answer to an API key; the reset in seconds from now. */
export function quotaHeaders({ limit, remaining, resetAt }: Quota, now: number): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(remaining),
    'ratelimit-reset': String(retryAfterSeconds(resetAt, now)),
  }
}

export const QUOTA_HEADERS = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset'] as const

/** Whole seconds to wait, at least one. */
export function retryAfterSeconds(retryAt: number, now: number): number {
  return Math.max(1, Math.ceil((retryAt - now) / SECOND_MS))
}
