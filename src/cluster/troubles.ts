/**
 * Shards that a node owns and cannot open, because their log is damaged for example. They are tried again, more and more seldom, as
 * each try reads what there is; and what keeps them is said once.
 */

interface Trouble {
  readonly cause: string
  /** Failures one after the other. */
  readonly failures: number
  /** When it may be tried again, ms on the node's clock. */
  readonly until: number
}

/** From the second failure on; the first may have been about what is over at the next look. */
const FIRST_WAIT_MS = 1_000
const LONGEST_WAIT_MS = 30_000
/** So many failures one after the other are told to whoever asks the database. */
const LASTING = 2

export class Troubles {
  readonly #troubles = new Map<number, Trouble>()

  /** Of each shard, how often it has failed since it was opened last. */
  get failures(): ReadonlyMap<number, number> {
    return new Map(Array.from(this.#troubles, ([shard, { failures }]) => [shard, failures]))
  }

  /** What keeps a shard from being opened; null: nothing, or only the last try, which may have been about what is over by now. */
  reasonOf(shard: number): string | null {
    const { cause = null, failures = 0 } = this.#troubles.get(shard) ?? {}
    return failures < LASTING ? null : cause
  }

  mayTry(shard: number, now: number): boolean {
    return now >= (this.#troubles.get(shard)?.until ?? now)
  }

  /** What there is to say: nothing where it is what has been said. */
  failed(shard: number, cause: string, now: number): string | null {
    const before = this.#troubles.get(shard)
    const failures = (before?.failures ?? 0) + 1
    const wait = failures === 1 ? 0 : Math.min(FIRST_WAIT_MS * 2 ** (failures - 2), LONGEST_WAIT_MS)
    this.#troubles.set(shard, { cause, failures, until: now + wait })
    return before?.cause === cause ? null : `shard ${shard} could not be opened, and is tried again: ${cause}`
  }

  opened(shard: number): string | null {
    const trouble = this.#troubles.get(shard)
    this.#troubles.delete(shard)
    return trouble === undefined ? null : `shard ${shard} is open: it had failed ${times(trouble.failures)}`
  }

  /** It is another's. */
  forget(shard: number): void {
    this.#troubles.delete(shard)
  }

  /** The database did not answer: whatever kept shards from being opened may be over when it does. */
  tryAll(): void {
    for (const [shard, trouble] of this.#troubles) this.#troubles.set(shard, { ...trouble, until: 0 })
  }
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`
}
