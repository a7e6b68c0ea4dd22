/**
 * What one shard may have of one line: its share in the ledger, and the quota that its log says, which is never more. What a shard
 * gives is durable in its log before it is free in the ledger, and what it takes is its own in the ledger before its log
 * says so. So the quotas never sum up to more than the maximum, whoever dies in between, and what is on its way is nobody's:
 * the next to look finds it free.
 */
import type { ClusterClock } from './clock.ts'
import type { QuotaLedger, SharedOut } from './quotaLedger.ts'

/** How a line stands on the shard. Amounts are quote, fp9. */
export interface LineStanding {
  readonly quota: bigint
  /** What of it is taken. */
  readonly open: bigint
  /** Of the venue, as the shard knows it. */
  readonly maximum: bigint
}

/** The shard's own log. */
export interface QuotaBook {
  /** Every line that has a maximum. */
  lines(): Iterable<string>
  /** Null: it has no maximum. */
  standing(line: string): LineStanding | null
  /** What may be taken soon without anybody asking first. */
  ahead(line: string): bigint
  /** Decides the quota at once, and resolves when it is durable. */
  set(line: string, quota: bigint): Promise<void>
}

/** The shard, and how it is known. */
export interface ShareTerms {
  readonly shard: number
  /** Of the venue. */
  readonly shards: number
  readonly epoch: number
  readonly book: QuotaBook
  readonly ledger: QuotaLedger
  readonly clock: ClusterClock
}

/** The shard that is told of a maximum before all others: the ledger has it from there. */
const FIRST = 0
/** Others may have changed the line meanwhile. */
const TRIES = 8
/** How long a smaller maximum may take from being fitted until the log has it, ms. */
const ANNOUNCED_MS = 1_000

export class LineShare {
  readonly #terms: ShareTerms
  readonly #name: string
  /** The maximum that the share was last settled under; null = the share may be another than the quota. */
  #settledAt: bigint | null = null
  /** The share is more than the quota, because more is open: it becomes smaller with that. */
  #isOver = false
  /** One change at a time: the last that was begun. */
  #change: Promise<unknown> = Promise.resolve()
  /** The ledger has been told of a smaller maximum than the log had then, and until when the log is waited for. */
  #announced: { readonly above: bigint; until: number } | null = null

  #stopped = false

  constructor(name: string, terms: ShareTerms) {
    this.#name = name
    this.#terms = terms
  }

  /** Null besides once it has been stopped: nothing is begun any more. */
  get standing(): LineStanding | null {
    return this.#stopped ? null : this.#terms.book.standing(this.#name)
  }

  stop(): void {
    this.#stopped = true
  }

  /** Whether the share is what the log says, under the maximum that the log says. */
  isSettled(): boolean {
    return this.#settledAt === (this.standing?.maximum ?? null)
  }

  /** Its share may be another than its quota. */
  doubt(): void {
    this.#settledAt = null
  }

  /** Its share is what its log says, within the maximum. */
  async keep(): Promise<void> {
    if (!this.isSettled() || this.#isOver) await this.settle()
  }

  /**
   * An equal part to begin with, where that is free. What is open beyond the quota, since the maximum became smaller, is
   * part of the share as well: others could not have it.
   */
  settle(): Promise<void> {
    const { book, ledger, shard, shards, epoch } = this.#terms
    return this.#alone(async () => {
      for (let tries = 0; tries < TRIES; tries++) {
        const standing = this.standing
        if (standing === null || this.#awaitsSmaller(standing)) return
        const { quota, open, maximum } = standing
        // What was closed is free once that is durable.
        await book.set(this.#name, quota)
        const seen = await ledger.look(this.#name)
        const own = shard === FIRST ? maximum : null
        const free = this.#free({ ...seen, maximum: own ?? seen.maximum }, maximum)
        const taken = greatest(quota, least(maximum / BigInt(shards), free))
        const amount = greatest(taken, open)
        if (!(await ledger.change(this.#name, seen, { shard, epoch, amount, maximum: own }))) continue
        // It was claimed under a maximum, or a quota, that has changed meanwhile.
        const now = this.standing
        if (now?.maximum !== maximum || now.quota !== quota) continue
        this.#isOver = amount > taken
        this.#settledAt = maximum
        if (taken > quota) await book.set(this.#name, taken)
        return
      }
    })
  }

  /** What is free is taken, up to `liked` in all. `lacking`: what is still short of `needed`. */
  raise(needed: bigint, liked: bigint): Promise<{ lacking: bigint; seen: SharedOut; hasTaken: boolean }> {
    const { book, ledger, shard, epoch } = this.#terms
    return this.#alone(async () => {
      for (let tries = 0; ; tries++) {
        const seen = await ledger.look(this.#name)
        const standing = this.standing
        if (standing === null) return { lacking: 0n, seen, hasTaken: false }
        const { quota, open, maximum } = standing
        const taken = least(liked, this.#free(seen, maximum))
        if (taken <= greatest(quota, open) || tries === TRIES)
          return { lacking: greatest(needed - quota, 0n), seen, hasTaken: false }
        // Less may be open than was, but that need not be durable yet.
        const amount = greatest(taken, this.#shareIn(seen))
        if (!(await ledger.change(this.#name, seen, { shard, epoch, amount, maximum: null }))) continue
        const now = this.standing
        if (now?.maximum !== maximum || now.quota !== quota) continue
        this.#isOver = amount > taken
        await book.set(this.#name, taken)
        return { lacking: greatest(needed - taken, 0n), seen, hasTaken: true }
      }
    })
  }

  /** Gives as much as `amountOf` says of how it stands then. */
  give(amountOf: (standing: LineStanding) => bigint): Promise<{ given: bigint; open: bigint }> {
    return this.#alone(async () => {
      const standing = this.standing
      if (standing === null) return { given: 0n, open: 0n }
      const { quota, open } = standing
      const given = amountOf(standing)
      if (given <= 0n) return { given: 0n, open }
      await this.#lower(quota - given)
      return { given, open }
    })
  }

  /** First the log, then the ledger: until that has followed, nobody else can have it. */
  async #lower(quota: bigint): Promise<void> {
    const { book, ledger, shard, epoch } = this.#terms
    const settledAt = this.#settledAt
    this.#settledAt = null
    await book.set(this.#name, quota)
    for (let tries = 0; tries < TRIES; tries++) {
      const seen = await ledger.look(this.#name)
      if (!(await ledger.change(this.#name, seen, { shard, epoch, amount: quota, maximum: null }))) continue
      this.#settledAt = settledAt
      return
    }
    throw new Error(`others keep changing ${this.#name}`)
  }

  /**
   * The first shard says that the maximum is about to become smaller: from here on nobody takes what would be too much under the
   * new one. Until {@link announced} and a moment longer, in which the log is to follow, nothing puts the maximum back that the log still has.
   */
  async announce(maximum: bigint): Promise<SharedOut | null> {
    const { ledger, shard, epoch } = this.#terms
    if (shard !== FIRST) return null
    return this.#alone(async () => {
      const above = this.standing?.maximum
      this.#announced = above === undefined ? null : { above, until: Number.POSITIVE_INFINITY }
      for (let tries = 0; ; tries++) {
        const seen = await ledger.look(this.#name)
        if (!this.#isBehind(seen, maximum) || tries === TRIES) return seen
        const amount = this.#shareIn(seen)
        await ledger.change(this.#name, seen, { shard, epoch, amount, maximum })
      }
    })
  }

  /** The log has the smaller maximum in a moment, or never. */
  announced(): void {
    if (this.#announced !== null) this.#announced.until = this.#terms.clock.monotonic() + ANNOUNCED_MS
  }

  #awaitsSmaller({ maximum }: LineStanding): boolean {
    const announced = this.#announced
    if (announced === null) return false
    if (announced.above === maximum && this.#terms.clock.monotonic() < announced.until) return true
    this.#announced = null
    return false
  }

  /** Of the quota stays what fits a smaller maximum beside the shares of others. False where it may be tried again. */
  shrink(maximum: bigint): Promise<boolean> {
    const { book, ledger, shard, epoch } = this.#terms
    return this.#alone(async () => {
      const seen = await ledger.look(this.#name)
      const standing = this.standing
      if (standing === null || this.#isBehind(seen, maximum)) return false
      const { quota, open } = standing
      const kept = least(quota, greatest(this.#free(seen, maximum), 0n))
      this.#settledAt = null
      // First the log, with all that was closed, then the ledger.
      await book.set(this.#name, kept)
      const amount = greatest(kept, open)
      return (
        (await ledger.change(this.#name, seen, { shard, epoch, amount, maximum: null })) &&
        this.standing?.quota === kept
      )
    })
  }

  /** What this shard may have in all; nothing while the ledger has not heard of a maximum as small as that. */
  #free(seen: SharedOut, maximum: bigint): bigint {
    if (seen.maximum === null || this.#isBehind(seen, maximum)) return 0n
    return seen.maximum - (sumOf(seen.shares) - this.#shareIn(seen))
  }

  #isBehind({ maximum: known }: SharedOut, maximum: bigint): boolean {
    return known === null || known > maximum
  }

  #shareIn({ shares }: SharedOut): bigint {
    return shares.get(this.#terms.shard) ?? 0n
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#change.then(work)
    this.#change = done.catch(() => {
      this.#settledAt = null
    })
    return done
  }
}

export function sumOf(shares: ReadonlyMap<number, bigint>): bigint {
  let sum = 0n
  for (const share of shares.values()) sum += share
  return sum
}

export const least = (a: bigint, b: bigint) => (a < b ? a : b)
export const greatest = (a: bigint, b: bigint) => (a > b ? a : b)
