/**
 * The time of a host, out of two clocks (K12): the monotonic one gives its pace, the wall clock only its place. What the
 * wall clock does for a moment therefore does nothing. A state machine over readings of the two, with nothing ambient.
 */

/** The two clocks at one moment, ms. */
export interface Reading {
  /** Epoch ms as the machine believes. It may jump either way. */
  readonly wall: number
  /** From any beginning on; never goes back. It may stand still while the machine is suspended. */
  readonly monotonic: number
}

/** A difference up to this is slewed away at once, ms. */
export const SLEWED_MS = 5_000
/** For so long the wall clock has to keep pace before a larger difference is followed, ms. */
export const KEPT_PACE_MS = 10_000
/** How much the two clocks may drift apart meanwhile and still keep pace, ms. */
const SAME_PACE_MS = 250
/** Time runs faster or slower by this share of real time at most. */
const SLEW = 0.1

/** What happened to the time at a reading that an operator should know. */
export type Adjustment =
  /** It went forward in one step. */
  | { readonly kind: 'stepped'; readonly byMs: number }
  /** It is far ahead of the wall clock, and from now on runs slower until that has caught up. */
  | { readonly kind: 'slowed'; readonly byMs: number }

export class SteadyTime {
  #time: number
  #last: Reading
  /** Since when the wall clock has kept pace at its distance; null while the distance is small. */
  #pace: { readonly lead: number; readonly since: number; followed: boolean } | null = null

  /** Begins at the wall clock, or at `notBefore` where that is later. */
  constructor(reading: Reading, notBefore: number) {
    this.#time = Math.max(reading.wall, notBefore)
    this.#last = reading
  }

  /** Epoch ms at the last reading, with fractions; never goes back. */
  get time(): number {
    return this.#time
  }

  /** How far the wall clock was ahead of this time at the last reading, ms; negative where it was behind. */
  get offset(): number {
    return this.#last.wall - this.#time
  }

  /** Moves on to a reading. */
  read(reading: Reading): Adjustment | null {
    const elapsed = Math.max(reading.monotonic - this.#last.monotonic, 0)
    this.#last = reading
    this.#time += elapsed
    if (Math.abs(this.offset) <= SLEWED_MS) {
      this.#pace = null
      this.#slew(elapsed)
      return null
    }
    return this.#followFar(reading, elapsed)
  }

  /** The time is at least this: somebody has seen it. */
  atLeast(time: number): void {
    if (time > this.#time) this.#time = time
  }

  #followFar({ wall, monotonic }: Reading, elapsed: number): Adjustment | null {
    const lead = wall - monotonic
    if (this.#pace === null || Math.abs(lead - this.#pace.lead) > SAME_PACE_MS) {
      this.#pace = { lead, since: monotonic, followed: false }
      return null
    }
    if (monotonic - this.#pace.since < KEPT_PACE_MS) return null
    const byMs = this.offset
    if (byMs > 0) {
      this.#time = wall
      this.#pace = null
      return { kind: 'stepped', byMs }
    }
    const isNew = !this.#pace.followed
    this.#pace.followed = true
    this.#slew(elapsed)
    return isNew ? { kind: 'slowed', byMs } : null
  }

  /** Takes away what it can of the difference in the real time that has passed. */
  #slew(elapsed: number): void {
    const most = elapsed * SLEW
    this.#time += Math.min(Math.max(this.offset, -most), most)
  }
}
