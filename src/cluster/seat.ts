/** A node's seat in the cluster: the life under which others know it, and the lease that it holds under that. */
import type { ClusterClock } from './clock.ts'
import { inTime } from './deadline.ts'
import { type Instant, Lease, ROUNDS } from './lease.ts'
import type { Membership } from './membership.ts'

export interface SeatOptions {
  readonly name: string
  /** Where other nodes reach this one. */
  readonly address: string
  readonly leaseMs: number
  readonly membership: Membership
  readonly clock: ClusterClock
  /** Milliseconds on the wall clock, which goes on while the machine is suspended; default: it never is. */
  readonly wall?: () => number
  readonly newLife: () => string
  readonly onNotice: (notice: string) => void
}

/** From this part of the time between two renewals on a look renews: it is not the one in the middle. */
const RENEWED_FROM = 0.6

export class Seat {
  readonly #options: SeatOptions
  /** However late it answers. */
  readonly #membership: Membership
  readonly #onExpelled: () => void
  readonly #lease: Lease
  #life = ''
  /** Tries, those that failed too. */
  #renewals = 0
  #joined = false
  #nameTaken = false

  /** @param membership each of its answers is waited for as long as it takes; that of the options in time alone */
  constructor(options: SeatOptions, membership: Membership, onExpelled: () => void) {
    this.#options = options
    this.#membership = membership
    this.#onExpelled = onExpelled
    this.#lease = new Lease(options.leaseMs, () => this.#clocks())
  }

  get life(): string {
    return this.#life
  }

  get hasJoined(): boolean {
    return this.#joined
  }

  /** Another node has its name: it joins once that one has left, or has been expelled. */
  get isNameTaken(): boolean {
    return this.#nameTaken
  }

  /** Milliseconds for which it may still answer; 0 or less: it may not. */
  get left(): number {
    return this.#joined ? this.#lease.left : 0
  }

  get isRenewalDue(): boolean {
    const { leaseMs } = this.#options
    return leaseMs - this.#lease.left >= (RENEWED_FROM * leaseMs) / ROUNDS
  }

  #clocks(): Instant {
    const { clock, wall = () => 0 } = this.#options
    return { monotonic: clock.monotonic(), wall: wall() }
  }

  /** An answer that is not waited for any more counts when it comes: others have seen the renewal, and it was sent no later for that. */
  async renew(): Promise<void> {
    const { clock, leaseMs, onNotice } = this.#options
    const [sent, life] = [this.#clocks(), this.#life]
    const renewed = this.#membership.renew(life, ++this.#renewals).then((isThere) => {
      if (isThere && life === this.#life) this.#lease.renewed(sent)
      return isThere
    })
    if (await inTime(renewed, clock, leaseMs / ROUNDS)) return
    onNotice('this node was expelled: it had not renewed its lease in time')
    this.leave()
    this.#onExpelled()
    await this.join()
  }

  /** Under another life at each try: what was sent for one that has ended must not bring it back. */
  async join(): Promise<void> {
    const { membership, name, address, leaseMs, newLife, onNotice } = this.#options
    const sent = this.#clocks()
    this.#life = newLife()
    if (await membership.join({ name, life: this.#life, address, leaseMs })) {
      this.#lease.renewed(sent)
      this.#joined = true
      this.#nameTaken = false
    } else if (!this.#nameTaken) {
      this.#nameTaken = true
      onNotice(`a node called ${name} is there: this one joins once that one has left, or its lease is over`)
    }
  }

  /** It answers nothing from now on. */
  leave(): void {
    this.#joined = false
  }
}
