/** What a node has: the shards that it opens, serves, opens again or cannot open. */
import { OwnedElsewhere } from '../store/store.ts'
import type { ClusterClock } from './clock.ts'
import type { Looks } from './looks.ts'
import type { Membership, ShardRow } from './membership.ts'
import type { Seat } from './seat.ts'
import { Troubles } from './troubles.ts'

/** A shard that is being served. */
export interface OpenShard {
  /** It serves nothing until it is opened anew. */
  readonly failed: boolean
  /** The epoch that it was opened under. */
  readonly epoch: number
  /** Does what would keep its next owner waiting, while it serves. */
  readyToLeave(): Promise<void>
  /** Answers what is under way, makes the log durable, and lets go. */
  close(): Promise<void>
}

/**
 * What a node does with a shard that it owns. `isOwned` says whether an answer of it may leave now.
 *
 * @throws OwnedElsewhere where it owns it no more.
 */
type OpenOwned<Shard extends OpenShard> = (
  shard: number,
  life: string,
  isOwned: () => boolean,
) => Promise<Shard>

export interface Held<Shard> {
  /** Null while it is opened. */
  shard: Shard | null
  /** Another is about to be given it, and makes ready. */
  foretold: boolean
  leaving: boolean
}

/** Characters of what keeps a shard from being opened, which stand in its row. */
const LONGEST_REASON = 500

/** Of the node that has them. */
export interface Holder {
  /** A shard is open. */
  opened(shard: number): void
  /** Who serves what may be another by now. */
  tell(): void
  look(): Promise<void>
}

export interface HoldingsOptions<Shard extends OpenShard> {
  readonly open: OpenOwned<Shard>
  readonly clock: ClusterClock
  readonly onNotice: (notice: string) => void
  readonly membership: Membership
}

export class Holdings<Shard extends OpenShard> {
  readonly #options: HoldingsOptions<Shard>
  readonly #seat: Seat
  readonly #looks: Looks
  readonly #holder: Holder
  readonly #held = new Map<number, Held<Shard>>()
  /** Shards that it could not open. */
  readonly #troubles = new Troubles()

  constructor(options: HoldingsOptions<Shard>, seat: Seat, looks: Looks, holder: Holder) {
    this.#options = options
    this.#seat = seat
    this.#looks = looks
    this.#holder = holder
  }

  /** Shards that it serves. */
  get open(): ReadonlyMap<number, Shard> {
    const open = new Map<number, Shard>()
    for (const [number, { shard }] of this.#held) if (shard !== null) open.set(number, shard)
    return open
  }

  get all(): ReadonlyMap<number, Held<Shard>> {
    return this.#held
  }

  /** Of shards that it owns and could not open, how often that has failed since they were open. */
  get failures(): ReadonlyMap<number, number> {
    return this.#troubles.failures
  }

  /** It is held no more, unless it is held anew by now. */
  letGo(shard: number, held: Held<Shard>): void {
    if (this.#held.get(shard) === held) this.#held.delete(shard)
  }

  /** Others hold what it had: nothing of it may be answered, and nothing could be appended. */
  lose(): void {
    for (const { shard } of this.#held.values()) shard?.close().catch(() => {})
    this.#held.clear()
  }

  openOwned(shards: readonly ShardRow[]): void {
    for (const { shard, owner } of shards) {
      const held = this.#held.get(shard)
      if (held?.shard?.failed === true && !held.leaving) this.#reopen(shard, held)
      else if (owner !== this.#seat.life) this.#troubles.forget(shard)
      else if (held === undefined && this.#looks.tellOf(shard) && this.#mayTry(shard)) void this.take(shard)
    }
  }

  #mayTry(shard: number): boolean {
    return this.#troubles.mayTry(shard, this.#options.clock.monotonic())
  }

  /** The database did not answer: whatever kept shards from being opened may be over when it does. */
  tryAll(): void {
    this.#troubles.tryAll()
  }

  /** The database is told what keeps shards from being opened, and that it is over; what it was not told it is told at the next look. */
  tellTroubles(shards: readonly ShardRow[]): void {
    const { membership } = this.#options
    const { life } = this.#seat
    for (const { shard, owner, trouble } of shards) {
      const opened = this.#held.get(shard)?.shard ?? null
      const reason = opened === null ? this.#troubles.reasonOf(shard) : null
      // Of one that is just being opened nothing is known yet.
      const isKnown = reason !== null || opened?.failed === false
      if (owner !== life || !isKnown || reason === (trouble?.reason ?? null)) continue
      void membership.troubled(shard, life, reason).catch(() => false)
    }
  }

  /** Opens what this node owns, or is said to: whether it is so, opening finds out. */
  async take(shard: number): Promise<void> {
    const { open, clock } = this.#options
    const held: Held<Shard> = { shard: null, foretold: false, leaving: false }
    this.#held.set(shard, held)
    const { life } = this.#seat
    const isOwned = () => this.#held.get(shard) === held && this.#seat.left > 0
    try {
      const opened = await open(shard, life, isOwned)
      if (this.#held.get(shard) === held) {
        held.shard = opened
        this.#notice(this.#troubles.opened(shard))
        this.#holder.opened(shard)
      } else await opened.close()
    } catch (error) {
      if (error instanceof OwnedElsewhere) this.#looks.isGone(shard)
      else this.#notice(this.#troubles.failed(shard, sentenceOf(error), clock.monotonic()))
      this.letGo(shard, held)
    }
    this.#holder.tell()
  }

  #notice(notice: string | null): void {
    if (notice !== null) this.#options.onNotice(notice)
  }

  #reopen(shard: number, held: Held<Shard>): void {
    held.leaving = true
    void (held.shard as Shard)
      .close()
      .catch(() => {})
      .then(() => {
        this.letGo(shard, held)
        return this.#holder.look()
      })
  }
}

/** In a line that a database can hold, however long the reason is. */
function sentenceOf(error: unknown): string {
  return String(error)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST_REASON)
}
