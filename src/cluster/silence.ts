/** How long other nodes have not been seen to renew their leases, by this node's clock. */
import type { NodeRow } from './membership.ts'

interface Sight {
  readonly renewals: number
  /** When it was seen first. */
  readonly since: number
  /** Somebody looks when its lease is over. */
  isWatched: boolean
  /** It has been told that a renewal did not come. */
  isKnown: boolean
}

/** Monotonic clocks of two machines run apart by less than this fraction. */
const DRIFT = 0.02
/** A renewal comes every third of a lease, and is seen half of that later at most: from this part of a lease on one is missing. */
const MISSED = 0.6

export class Silence {
  readonly #sights = new Map<string, Sight>()

  /** The other nodes as they were seen just now. */
  saw(nodes: readonly NodeRow[], now: number): void {
    const there = new Set(nodes.map(({ life }) => life))
    for (const life of this.#sights.keys()) if (!there.has(life)) this.#sights.delete(life)
    for (const { life, renewals } of nodes)
      if (this.#sights.get(life)?.renewals !== renewals)
        this.#sights.set(life, { renewals, since: now, isWatched: false, isKnown: false })
  }

  /** Whether a lease is over, whatever the clocks of the two do. */
  isOver({ life, leaseMs }: NodeRow, now: number): boolean {
    const sight = this.#sights.get(life)
    return sight !== undefined && now - sight.since >= leaseMs * (1 + DRIFT)
  }

  /** Milliseconds until it is over, said once of each renewal; null where that is further away than `ms`. */
  dueWithin({ life, leaseMs }: NodeRow, now: number, ms: number): number | null {
    const sight = this.#sights.get(life)
    if (sight === undefined || sight.isWatched) return null
    const due = sight.since + leaseMs * (1 + DRIFT) - now
    if (due <= 0 || due >= ms) return null
    sight.isWatched = true
    return due
  }

  /** Whether a renewal has not come; said once of each. */
  isNew({ life, leaseMs }: NodeRow, now: number): boolean {
    const sight = this.#sights.get(life)
    if (sight === undefined || sight.isKnown || now - sight.since < MISSED * leaseMs) return false
    sight.isKnown = true
    return true
  }
}
