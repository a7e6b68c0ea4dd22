/**
 * Keeps the quotas of one shard: takes what is free, asks those that have room, and gives to those that ask. What a shard
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

/** What another shard says when it is asked. */
export interface Given {
  /** Now free in the ledger. */
  readonly given: bigint
  /** What is taken there. */
  readonly open: bigint
}

export interface QuotaKeeperOptions {
  readonly shard: number
  /** Of the venue. */
  readonly shards: number
  readonly epoch: number
  readonly book: QuotaBook
  readonly ledger: QuotaLedger
  /** Asks another shard to give so much; null = nobody knows what came of it. */
  readonly ask: (shard: number, line: string, amount: bigint) => Promise<Given | null>
  readonly clock: ClusterClock
}

/** How long an order waits for a quota that it fits, ms. */
const PATIENCE_MS = 1_000
/** Between two looks at what rests ahead, and at maxima that were changed, ms. */
const ROUND_MS = 500
/** Between two rounds of asking in which nobody gave, ms. */
const PAUSE_MS = 50
/** How long one that is asked may take before the next is asked; it is left alone for as long again, ms. */
const ANSWER_MS = 300
/** The shard that is told of a maximum before all others: the ledger has it from there. */
const FIRST = 0
/** Others may have changed the line meanwhile. */
const TRIES = 8

interface Waiting {
  readonly amount: bigint
  readonly until: number
  readonly go: () => void
}

class Line {
  readonly waiting = new Set<Waiting>()
  /** The maximum that the share was last settled under; null = the share may be another than the quota. */
  settledAt: bigint | null = null
  /** The share is more than the quota, because more is open: it becomes smaller with that. */
  isOver = false
  chase: Promise<void> | null = null
  /** One change at a time: the last that was begun. */
  change: Promise<unknown> = Promise.resolve()

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
        if (this.#line(name).settledAt !== book.standing(name)?.maximum)
          await this.#keep(name).catch(() => {})
      await clock.sleep(PAUSE_MS)
    } while (!this.#stopped && clock.monotonic() < until)
  }

  /** Nothing is asked for any more, and whoever waits is decided as things are. */
  stop(): void {
    this.#stopped = true
    for (const { waiting } of this.#lines.values()) for (const { go } of waiting) go()
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
    const { book } = this.#options
    const line = this.#line(name)
    return this.#alone(line, async () => {
      const standing = book.standing(name)
      if (standing === null || this.#stopped) return { given: 0n, open: 0n }
      const { quota, open } = standing
      const room = quota - open - book.ahead(name) - line.wanted
      const given = least(room, greatest(amount, room / 2n))
      if (given <= 0n) {
        this.moves.refused += 1
        return { given: 0n, open }
      }
      await this.#lower(name, line, quota - given)
      this.moves.given += 1
      return { given, open }
    })
  }

  /**
   * The maximum is about to become smaller: others give what they can, and of the quota stays what fits the new maximum beside their shares.
   * Whether the quota that the log has then may be kept under it; false where nobody knows.
   */
  async fit(name: string, maximum: bigint): Promise<boolean> {
    const { ledger, shard, clock } = this.#options
    const line = this.#line(name)
    if (shard === FIRST) {
      await this.#alone(line, () => this.#announce(name, maximum))
      const seen = await ledger.look(name)
      const over = sumOf(seen.shares) - maximum
      if (over > 0n) await this.#askOthers(name, seen, over)
    }
    for (const until = clock.monotonic() + PATIENCE_MS; clock.monotonic() < until && !this.#stopped; ) {
      if (await this.#alone(line, () => this.#shrink(name, line, maximum))) return true
      await clock.sleep(PAUSE_MS)
    }
    return false
  }

  /** From here on nobody takes what would be too much under the new maximum. */
  async #announce(name: string, maximum: bigint): Promise<void> {
    const { ledger, shard, epoch } = this.#options
    for (let tries = 0; tries < TRIES; tries++) {
      const seen = await ledger.look(name)
      if (!this.#isBehind(seen, maximum)) return
      if (await ledger.change(name, seen, { shard, epoch, amount: this.#shareIn(seen), maximum })) return
    }
  }

  /** False where it may be tried again. */
  async #shrink(name: string, line: Line, maximum: bigint): Promise<boolean> {
    const { book, ledger, shard, epoch } = this.#options
    const seen = await ledger.look(name)
    const standing = book.standing(name)
    if (standing === null || this.#isBehind(seen, maximum)) return false
    const { quota, open } = standing
    const kept = least(quota, greatest(this.#free(seen, maximum), 0n))
    line.settledAt = null
    // First the log, with all that was closed, then the ledger.
    await book.set(name, kept)
    const amount = greatest(kept, open)
    return (
      (await ledger.change(name, seen, { shard, epoch, amount, maximum: null })) &&
      book.standing(name)?.quota === kept
    )
  }

  /** Its share is what its log says, within the maximum; and there is room for what rests ahead. */
  async #keep(name: string): Promise<void> {
    const { book } = this.#options
    const line = this.#line(name)
    const maximum = book.standing(name)?.maximum ?? null
    if (this.#stopped || maximum === null) return
    if (line.settledAt !== maximum || line.isOver) await this.#alone(line, () => this.#settle(name, line))
    const standing = book.standing(name)
    if (standing === null || line.chase !== null) return
    const { quota, open } = standing
    const wanted = least(open + book.ahead(name), maximum)
    if (quota >= wanted) return
    const { lacking, seen } = await this.#raised(name, line, wanted, wanted)
    if (lacking > 0n) await this.#askOthers(name, seen, lacking)
  }

  /**
   * An equal part to begin with, where that is free. What is open beyond the quota, since the maximum became smaller, is
   * part of the share as well: others could not have it.
   */
  async #settle(name: string, line: Line): Promise<void> {
    const { book, ledger, shard, shards, epoch } = this.#options
    for (let tries = 0; tries < TRIES; tries++) {
      const standing = book.standing(name)
      if (standing === null) return
      const { quota, open, maximum } = standing
      // What was closed is free once that is durable.
      await book.set(name, quota)
      const seen = await ledger.look(name)
      const own = shard === FIRST ? maximum : null
      const free = this.#free({ ...seen, maximum: own ?? seen.maximum }, maximum)
      const taken = greatest(quota, least(maximum / BigInt(shards), free))
      const amount = greatest(taken, open)
      if (!(await ledger.change(name, seen, { shard, epoch, amount, maximum: own }))) continue
      // It was claimed under a maximum, or a quota, that has changed meanwhile.
      const now = book.standing(name)
      if (now?.maximum !== maximum || now.quota !== quota) continue
      line.isOver = amount > taken
      line.settledAt = maximum
      if (taken > quota) await book.set(name, taken)
      return
    }
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
    return shares.get(this.#options.shard) ?? 0n
  }

  async #chase(name: string, line: Line): Promise<void> {
    const { book, clock, shards } = this.#options
    while (line.waiting.size > 0) {
      let given = 0n
      try {
        const standing = book.standing(name)
        if (standing === null) break
        const { open, maximum } = standing
        if (line.settledAt !== maximum) await this.#alone(line, () => this.#settle(name, line))
        const needed = least(open + line.wanted, maximum)
        // Something for the next order, which would otherwise wait as well.
        const liked = least(needed + maximum / BigInt(4 * shards), maximum)
        const { lacking, seen } = await this.#raised(name, line, needed, liked)
        this.#letGo(name, line, null)
        if (lacking > 0n && line.waiting.size > 0) {
          const asked = await this.#askOthers(name, seen, lacking)
          given = asked.given
          this.#letGo(name, line, asked.open)
        }
      } catch {
        line.settledAt = null
      }
      if (given === 0n && line.waiting.size > 0) await clock.sleep(PAUSE_MS)
    }
    for (const { go } of line.waiting) go()
  }

  /** Those that fit, one after the other, and those that will not whatever the others give. */
  #letGo(name: string, line: Line, openElsewhere: bigint | null): void {
    const standing = this.#options.book.standing(name)
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

  /** What is free is taken, up to `liked` in all. `lacking`: what is still short of `needed`. */
  #raised(
    name: string,
    line: Line,
    needed: bigint,
    liked: bigint,
  ): Promise<{ lacking: bigint; seen: SharedOut }> {
    const { book, ledger, shard, epoch } = this.#options
    return this.#alone(line, async () => {
      for (let tries = 0; ; tries++) {
        const seen = await ledger.look(name)
        const standing = book.standing(name)
        if (standing === null || this.#stopped) return { lacking: 0n, seen }
        const { quota, open, maximum } = standing
        const taken = least(liked, this.#free(seen, maximum))
        if (taken <= greatest(quota, open) || tries === TRIES)
          return { lacking: greatest(needed - quota, 0n), seen }
        // Less may be open than was, but that need not be durable yet.
        const amount = greatest(taken, this.#shareIn(seen))
        if (!(await ledger.change(name, seen, { shard, epoch, amount, maximum: null }))) continue
        const now = book.standing(name)
        if (now?.maximum !== maximum || now.quota !== quota) continue
        line.isOver = amount > taken
        await book.set(name, taken)
        this.moves.taken += 1
        return { lacking: greatest(needed - taken, 0n), seen }
      }
    })
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

  /** First the log, then the ledger: until that has followed, nobody else can have it. */
  async #lower(name: string, line: Line, quota: bigint): Promise<void> {
    const { book, ledger, shard, epoch } = this.#options
    const { settledAt } = line
    line.settledAt = null
    await book.set(name, quota)
    for (let tries = 0; tries < TRIES; tries++) {
      const seen = await ledger.look(name)
      if (!(await ledger.change(name, seen, { shard, epoch, amount: quota, maximum: null }))) continue
      line.settledAt = settledAt
      return
    }
    throw new Error(`others keep changing ${name}`)
  }

  #line(name: string): Line {
    const known = this.#lines.get(name)
    if (known !== undefined) return known
    const line = new Line()
    this.#lines.set(name, line)
    return line
  }

  #alone<T>(line: Line, work: () => Promise<T>): Promise<T> {
    const done = line.change.then(work)
    line.change = done.catch(() => {
      line.settledAt = null
    })
    return done
  }
}

function sumOf(shares: ReadonlyMap<number, bigint>): bigint {
  let sum = 0n
  for (const share of shares.values()) sum += share
  return sum
}

const least = (a: bigint, b: bigint) => (a < b ? a : b)
const greatest = (a: bigint, b: bigint) => (a > b ? a : b)
