/**
 * Keeps the quotas of one shard: takes what is free, asks those that have room, and gives to those that ask, for orders that
 * wait and for what rests ahead. That the quotas never sum up to more than the maximum is up to {@link LineShare}.
 */
import { greatest, LineShare, least, type ShareTerms, sumOf } from './lineShare.ts'
import type { SharedOut } from './quotaLedger.ts'

/** What another shard says when it is asked. */
export interface Given {
  /** Now free in the ledger. */
  readonly given: bigint
  /** What is taken there. */
  readonly open: bigint
}

export interface QuotaKeeperOptions extends ShareTerms {
  /** Asks another shard to give so much; null = nobody knows what came of it. */
  readonly ask: (shard: number, line: string, amount: bigint) => Promise<Given | null>
}

/** How long an order waits for a quota that it fits, ms. */
const PATIENCE_MS = 1_000
/** Between two looks at what rests ahead, and at maxima that were changed, ms. */
const ROUND_MS = 500
/** Between two rounds of asking in which nobody gave, ms. */
const PAUSE_MS = 50
/** How long one that is asked may take before the next is asked; it is left alone for as long again, ms. */
const ANSWER_MS = 300

interface Waiting {
  readonly amount: bigint
  readonly until: number
  readonly go: () => void
}

class Line {
  readonly share: LineShare
  readonly waiting = new Set<Waiting>()
  chase: Promise<void> | null = null

  constructor(share: LineShare) {
    this.share = share
  }

  get wanted(): bigint {
    let sum = 0n
    for (const { amount } of this.waiting) sum += amount
    return sum
  }
}

export class QuotaKeeper {
  readonly #options: QuotaKeeperOptions
  readonly #lines = new Map<string, Line>()
  /** Shards that did not answer, until when they are left alone. */
  readonly #deaf = new Map<number, number>()
  #stopped = false
  /** Moves between shards that it took part in. */
  readonly moves = { taken: 0, given: 0, refused: 0 }

  constructor(options: QuotaKeeperOptions) {
    this.#options = options
  }

  /** Keeps its share until it is stopped. */
  async run(): Promise<void> {
    while (!this.#stopped) {
      try {
        for (const name of this.#options.book.lines()) void this.#keep(name).catch(() => {})
      } catch {
        // The engine has stopped, and is opened anew with a keeper of its own.
      }
      await this.#options.clock.sleep(ROUND_MS)
    }
  }

  /** A maximum has changed: does not leave the shard without its part until the next round. */
  async hurry(): Promise<void> {
    const { book, clock } = this.#options
    const until = clock.monotonic() + ROUND_MS
    do {
      for (const name of book.lines())
        if (!this.#line(name).share.isSettled()) await this.#keep(name).catch(() => {})
      await clock.sleep(PAUSE_MS)
    } while (!this.#stopped && clock.monotonic() < until)
  }

  /** Nothing is asked for any more, and whoever waits is decided as things are. */
  stop(): void {
    this.#stopped = true
    for (const { share, waiting } of this.#lines.values()) {
      share.stop()
      for (const { go } of waiting) go()
    }
  }

  /** Null where so much more fits now, or never will; otherwise resolves once it fits, or after a second. */
  awaited(name: string, amount: bigint): Promise<void> | null {
    const { book, clock } = this.#options
    const standing = book.standing(name)
    if (this.#stopped || standing === null || amount <= 0n) return null
    const { quota, open, maximum } = standing
    if (open + amount <= quota || open + amount > maximum) return null
    const line = this.#line(name)
    return new Promise((resolve) => {
      const waiting: Waiting = {
        amount,
        until: clock.monotonic() + PATIENCE_MS,
        go: () => {
          line.waiting.delete(waiting)
          resolve()
        },
      }
      line.waiting.add(waiting)
      void clock.sleep(PATIENCE_MS).then(waiting.go)
      line.chase ??= this.#chase(name, line).finally(() => {
        line.chase = null
      })
    })
  }

  /** Gives of what is neither taken nor wanted soon, up to so much or half of it. */
  async give(name: string, amount: bigint): Promise<Given> {
    const line = this.#line(name)
    const answer = await line.share.give(({ quota, open }) => {
      const room = quota - open - this.#options.book.ahead(name) - line.wanted
      return least(room, greatest(amount, room / 2n))
    })
    this.moves[answer.given > 0n ? 'given' : 'refused'] += 1
    return answer
  }

  /**
   * The maximum is about to become smaller: others give what they can, and of the quota stays what fits the new maximum beside their shares.
   * Whether the quota that the log has then may be kept under it; false where nobody knows.
   */
  async fit(name: string, maximum: bigint): Promise<boolean> {
    const { clock } = this.#options
    const { share } = this.#line(name)
    try {
      const seen = await share.announce(maximum)
      const over = seen === null ? 0n : sumOf(seen.shares) - maximum
      if (seen !== null && over > 0n) await this.#askOthers(name, seen, over)
      for (const until = clock.monotonic() + PATIENCE_MS; clock.monotonic() < until && !this.#stopped; ) {
        if (await share.shrink(maximum)) return true
        await clock.sleep(PAUSE_MS)
      }
      return false
    } finally {
      share.announced()
    }
  }

  /** Its share is what its log says, within the maximum; and there is room for what rests ahead. */
  async #keep(name: string): Promise<void> {
    const { book } = this.#options
    const line = this.#line(name)
    if (line.share.standing === null) return
    await line.share.keep()
    const { standing } = line.share
    if (standing === null || line.chase !== null) return
    const { quota, open, maximum } = standing
    const wanted = least(open + book.ahead(name), maximum)
    if (quota >= wanted) return
    const { lacking, seen } = await this.#raised(line, wanted, wanted)
    if (lacking > 0n) await this.#askOthers(name, seen, lacking)
  }

  async #chase(name: string, line: Line): Promise<void> {
    const { clock, shards } = this.#options
    while (line.waiting.size > 0) {
      let given = 0n
      try {
        const { standing } = line.share
        if (standing === null) break
        const { open, maximum } = standing
        if (!line.share.isSettled()) await line.share.settle()
        const needed = least(open + line.wanted, maximum)
        // Something for the next order, which would otherwise wait as well.
        const liked = least(needed + maximum / BigInt(4 * shards), maximum)
        const { lacking, seen } = await this.#raised(line, needed, liked)
        this.#letGo(line, null)
        if (lacking > 0n && line.waiting.size > 0) {
          const asked = await this.#askOthers(name, seen, lacking)
          given = asked.given
          this.#letGo(line, asked.open)
        }
      } catch {
        line.share.doubt()
      }
      if (given === 0n && line.waiting.size > 0) await clock.sleep(PAUSE_MS)
    }
    for (const { go } of line.waiting) go()
  }

  /** Those that fit, one after the other, and those that will not whatever the others give. */
  #letGo(line: Line, openElsewhere: bigint | null): void {
    const { standing } = line.share
    const now = this.#options.clock.monotonic()
    let room = standing === null ? 0n : standing.quota - standing.open
    for (const { amount, until, go } of line.waiting) {
      const fits = amount <= room
      const never =
        standing === null ||
        (openElsewhere !== null && standing.open + openElsewhere + amount > standing.maximum)
      if (fits) room -= amount
      if (fits || never || now >= until || this.#stopped) go()
    }
  }

  async #raised(
    line: Line,
    needed: bigint,
    liked: bigint,
  ): Promise<{ readonly lacking: bigint; readonly seen: SharedOut }> {
    const { hasTaken, ...raised } = await line.share.raise(needed, liked)
    if (hasTaken) this.moves.taken += 1
    return raised
  }

  /** Those that have most are asked first, until it is enough. `open`: Σ of all others; null where not all were heard. */
  async #askOthers(
    name: string,
    { shares }: SharedOut,
    lacking: bigint,
  ): Promise<{ given: bigint; open: bigint | null }> {
    const { shard } = this.#options
    const others = [...shares].filter(([of, share]) => of !== shard && share > 0n)
    others.sort(([, a], [, b]) => (a > b ? -1 : 1))
    let given = 0n
    let open: bigint | null = 0n
    for (const [of] of others) {
      if (given >= lacking) return { given, open: null }
      const answer = await this.#asked(of, name, lacking - given)
      given += answer?.given ?? 0n
      open = answer === null || open === null ? null : open + answer.open
    }
    return { given, open }
  }

  async #asked(shard: number, name: string, amount: bigint): Promise<Given | null> {
    const { ask, clock } = this.#options
    if ((this.#deaf.get(shard) ?? Number.NEGATIVE_INFINITY) > clock.monotonic()) return null
    const answer = await Promise.race([
      ask(shard, name, amount).catch(() => null),
      clock.sleep(ANSWER_MS).then(() => null),
    ])
    if (answer === null) this.#deaf.set(shard, clock.monotonic() + ANSWER_MS)
    return answer
  }

  #line(name: string): Line {
    const known = this.#lines.get(name)
    if (known !== undefined) return known
    const line = new Line(new LineShare(name, this.#options))
    if (this.#stopped) line.share.stop()
    this.#lines.set(name, line)
    return line
  }
}
