/** How a shard changes hands: its next owner makes ready while this node serves it; then it stops, and the row says whose it is. */
import type { ClusterClock } from './clock.ts'
import type { Held, Holdings, OpenShard } from './holdings.ts'
import { ROUNDS } from './lease.ts'
import type { Looks } from './looks.ts'
import type { ClusterView, Membership } from './membership.ts'
import type { Seat } from './seat.ts'
import type { Move } from './share.ts'

export interface HandOverOptions {
  readonly leaseMs: number
  readonly membership: Membership
  readonly clock: ClusterClock
  /** Has another node make ready for a shard that it is about to be given; resolves once it is, or never will be. */
  readonly foretell: (address: string, shard: number) => Promise<void>
  /** Asks a node to look at the database now, and to open the shard that it was given. It may be lost. */
  readonly nudge: (address: string, given?: number) => void
  readonly onNotice: (notice: string) => void
}

/** Of the node that hands over. */
export interface Giver {
  /** What the database was last heard to say. */
  readonly view: ClusterView
  readonly isStopping: boolean
  /** What this node sees as the plan. */
  plan(): readonly Move[]
  look(): Promise<void>
}

export class HandOver<Shard extends OpenShard> {
  readonly #options: HandOverOptions
  readonly #seat: Seat
  readonly #looks: Looks
  readonly #holdings: Holdings<Shard>
  readonly #giver: Giver

  constructor(options: HandOverOptions, seat: Seat, looks: Looks, holdings: Holdings<Shard>, giver: Giver) {
    this.#options = options
    this.#seat = seat
    this.#looks = looks
    this.#holdings = holdings
    this.#giver = giver
  }

  /** Gives what others should have. */
  begin(): void {
    for (const move of this.#giver.plan())
      if (move.from === this.#seat.life && move.to !== this.#seat.life) void this.#foretell(move)
  }

  /** The next owner makes ready while this one serves; after that the shard stops, unless the plan is another by then. */
  async #foretell({ shard, to }: Move): Promise<void> {
    const { foretell } = this.#options
    const held = this.#holdings.all.get(shard)
    if (held === undefined || held.shard === null || held.foretold || held.leaving) return
    held.foretold = true
    await this.#readyToLeave(held.shard)
    const taker = this.#giver.view.nodes.find(({ life }) => life === to)
    if (taker !== undefined) await this.#atMost(foretell(taker.address, shard))
    held.foretold = false
    if (this.#holdings.all.get(shard) !== held || held.leaving) return
    const isStillMeant = this.#giver.plan().some((move) => move.shard === shard && move.to === to)
    await (isStillMeant ? this.#give(shard, to) : this.#giver.look())
  }

  #readyToLeave(shard: Shard): Promise<void> {
    return shard.failed ? Promise.resolve() : this.#atMost(shard.readyToLeave())
  }

  /** What makes a hand-over short must not keep it waiting for longer than a statement. */
  async #atMost(work: Promise<void>): Promise<void> {
    const { clock, leaseMs } = this.#options
    await Promise.race([work.catch(() => {}), clock.sleep(leaseMs / ROUNDS)])
  }

  /** It stops, what is under way is answered, the log is durable: then the row says whose it is. */
  async #give(shard: number, to: string | null): Promise<void> {
    const { membership, nudge, onNotice } = this.#options
    const held = this.#holdings.all.get(shard)
    if (held === undefined || held.shard === null || held.leaving) return
    const { life } = this.#seat
    held.leaving = true
    let given = false
    try {
      await held.shard.close().catch(() => {})
      given = await membership.give(shard, { life, epoch: held.shard.epoch }, to)
      if (given) this.#looks.isGone(shard)
    } catch (error) {
      onNotice(`shard ${shard} could not be handed over: ${String(error)}`)
    }
    // Where the outcome is unknown the next look tells: it is opened again, or it is another's.
    this.#holdings.letGo(shard, held)
    for (const node of this.#giver.view.nodes)
      if (node.life !== life) nudge(node.address, ...(given && node.life === to ? [shard] : []))
    if (!this.#giver.isStopping) await this.#giver.look()
  }

  /** Nobody is there who could take it. */
  async leave(shard: number, held: Held<Shard>): Promise<void> {
    if (held.shard !== null) await this.#readyToLeave(held.shard)
    await this.#give(shard, null)
  }
}
