/**
 * The trades of a market in their order, put together from pages. A page is a stretch of what an exchange has, without a hole in it, and no more is known
 * of how it was chosen: from an instant on, back from an instant, or the last ones whatever was asked. Two stretches that share a trade are one. So a page
 * counts only where it shares a trade with what is there, from one before the period on; the window that is asked for is made narrower until it does, and
 * where nothing helps, the gap is told. That nothing follows is believed of whole seconds only: some exchanges know no others, and of what they answer the
 * package leaves out what is before the ms that it was asked from, so that a page which is cut looks short.
 */
import { inOrderOfTrading, type PastTrade } from './tradeRows.ts'

/** A page: within a window, epoch ms, or from a trade on. What is asked for need not be kept to, nor be in order. */
export type AskTrades = (
  asked: { readonly since: number; readonly until: number } | { readonly id: string },
) => Promise<readonly PastTrade[]>

/** A gap of what an exchange gives. */
export class TradeGap extends Error {}

const SECOND_MS = 1000
const MINUTE_MS = 60 * SECOND_MS
/** As long as exchanges allow a window to be: of Binance no longer. */
const WINDOW_MS = 60 * MINUTE_MS
/** From just before a second to its end. */
const NARROWEST_MS = 2 * SECOND_MS
/** An exchange that has nothing from an instant on is asked again so much later: less than any of them looks ahead. */
const QUIET_MS = 10 * MINUTE_MS
/** Hours before a period in which a trade is looked for that it follows on. */
const HOURS_BEFORE = 48
/** What has fewer trades is a whole page of no exchange. */
const SMALLEST_PAGE = 50

export class TradeWalk {
  readonly #ask: AskTrades
  readonly #limit: number
  /** What is before it only leads to what is asked for. */
  readonly #begin: number
  /** Those that none can come before any more, in order. */
  #ready: PastTrade[] = []
  /** Those of the last instant that was heard of, by id, as there may be more of it; none where nothing follows for a while. */
  #edge = new Map<string, PastTrade>()
  #edgeTime = Number.NEGATIVE_INFINITY
  /** A whole second before which there is nothing after the last instant; null as long as that is not known. */
  #quietUntil: number | null = null
  #windowMs = WINDOW_MS
  #largestPage = SMALLEST_PAGE

  private constructor(ask: AskTrades, limit: number, begin: number) {
    this.#ask = ask
    this.#limit = limit
    this.#begin = begin
  }

  /** From an instant on, epoch ms. @throws TradeGap where no trade before it is found, so that nobody knows which is the first. */
  static async from(ask: AskTrades, limit: number, begin: number): Promise<TradeWalk> {
    const walk = new TradeWalk(ask, limit, begin)
    for (let hours = 0; hours <= HOURS_BEFORE; hours++) {
      const since = hours === 0 ? begin - MINUTE_MS : begin - hours * WINDOW_MS
      const page = await walk.#page(since, Math.min(since + WINDOW_MS, begin))
      if (!page.some(({ time }) => time < begin)) continue
      walk.#add(page)
      return walk
    }
    const [first] = (await walk.#page(begin, begin + WINDOW_MS))
      .filter(({ time }) => time >= begin)
      .sort(inOrderOfTrading)
    const said = first === undefined ? '' : `; the first that it gives is of ${instant(first.time)}`
    throw new TradeGap(
      `it gives no trade of the ${HOURS_BEFORE} hours before ${instant(begin)}, so that nobody knows whether what it gives after that is all${said}`,
    )
  }

  /** From the trades of an instant on, which are known to follow on what was before; they are given again. */
  static after(ask: AskTrades, limit: number, last: readonly PastTrade[]): TradeWalk {
    const walk = new TradeWalk(ask, limit, Number.NEGATIVE_INFINITY)
    walk.#add(last)
    return walk
  }

  /** Those before an instant, epoch ms, in order. @throws TradeGap */
  async *until(end: number): AsyncGenerator<readonly PastTrade[]> {
    for (;;) {
      const due = this.#ready.filter(({ time }) => time < end)
      if (due.length > 0) yield due
      this.#ready = this.#ready.slice(due.length)
      if (this.#ready.length > 0 || (this.#quietUntil ?? this.#edgeTime) >= end) return
      if (this.#quietUntil === null) await this.#follow()
      else await this.#lookFurther(this.#quietUntil)
    }
  }

  /** What follows on the last instant, asked for from before it: some exchanges leave out the instant that they are asked from. */
  async #follow(): Promise<void> {
    const since = secondOf(this.#edgeTime - 1)
    for (; this.#windowMs >= NARROWEST_MS; this.#narrow()) {
      const page = await this.#page(since, since + this.#windowMs)
      if (!this.#followsOn(page)) continue
      if (this.#hasMore(page)) return this.#add(page)
      if (this.#isFull(page)) break
      return this.#isQuiet(this.#edgeTime, since + this.#windowMs)
    }
    this.#windowMs = NARROWEST_MS
    await this.#followClosely()
  }

  /** What follows where a second has as much as a page: to the ms, where the exchange knows ms, and by the ids, where it can be asked by them. */
  async #followClosely(): Promise<void> {
    // Within the shorter window nothing follows, within the longer one so much that the page does not reach back.
    let [shorter, longer] = [0, WINDOW_MS + 1]
    for (let window = WINDOW_MS; longer - shorter > 1; window = between(shorter, longer)) {
      const page = await this.#page(this.#edgeTime - 1, this.#edgeTime - 1 + window)
      if (!this.#followsOn(page)) longer = window
      else if (this.#hasMore(page)) return this.#add(page)
      else if (this.#isFull(page)) break
      else shorter = window
    }
    const [last] = [...this.#edge.values()].sort(inOrderOfTrading).slice(-1)
    for (const asked of [
      { since: this.#edgeTime, until: this.#edgeTime + WINDOW_MS },
      { id: (last as PastTrade).id },
    ]) {
      const page = await this.#ask(asked)
      if (this.#followsOn(page) && this.#hasMore(page)) return this.#add(page)
    }
    throw new TradeGap(
      `what it gives after ${instant(this.#edgeTime)} does not follow on what is there: it keeps its last trades only, or has more at that time than it gives at once`,
    )
  }

  /** What is there from a second on, before which there was nothing. */
  async #lookFurther(from: number): Promise<void> {
    const since = from - SECOND_MS
    const page = await this.#page(since, since + this.#windowMs)
    const own = page.filter(({ time }) => time >= from)
    if (own.length === 0) return this.#isQuiet(from, since + this.#windowMs)
    const first = Math.min(...own.map(({ time }) => time))
    if (await this.#isFirst(first, from)) return this.#add(own)
    this.#narrow()
    if (this.#windowMs >= NARROWEST_MS) return
    throw new TradeGap(
      `after ${instant(from)}, where it has none for a while, it has more within a second than it gives at once, and gives the last of them`,
    )
  }

  /** Whether none is before it: an exchange that counts back may have left some out, but not where it is asked up to that one. */
  async #isFirst(time: number, from: number): Promise<boolean> {
    for (const until of [secondOf(time) + SECOND_MS, time + 1]) {
      const page = await this.#page(from - SECOND_MS, until)
      const own = page.filter((trade) => trade.time >= from)
      if (own.length === 0 || own.some((trade) => trade.time < time)) return false
      // One that does not take heed of where it is asked up to does not count back from there.
      if (!this.#isFull(page) || page.some((trade) => trade.time > until)) return true
    }
    return false
  }

  /** Each trade once, as some exchanges repeat them: how many there are tells whether there may be more. */
  async #page(since: number, until: number): Promise<readonly PastTrade[]> {
    const page = [...new Map((await this.#ask({ since, until })).map((trade) => [trade.id, trade])).values()]
    this.#largestPage = Math.max(this.#largestPage, page.length)
    return page
  }

  #followsOn(page: readonly PastTrade[]): boolean {
    return page.some(({ id }) => this.#edge.has(id))
  }

  #hasMore(page: readonly PastTrade[]): boolean {
    return page.some(({ id, time }) => time >= this.#edgeTime && !this.#edge.has(id))
  }

  /** Whether there may be more than it holds. */
  #isFull(page: readonly PastTrade[]): boolean {
    return page.length >= Math.min(this.#limit, this.#largestPage)
  }

  /** Adds what follows on: what a page has at the last instant and after it. */
  #add(page: readonly PastTrade[]): void {
    const own = page.filter(({ time }) => time >= this.#edgeTime)
    const sorted = [...new Map([...this.#edge.values(), ...own].map((trade) => [trade.id, trade])).values()]
    sorted.sort(inOrderOfTrading)
    this.#edgeTime = (sorted.at(-1) as PastTrade).time
    this.#edge = new Map()
    for (const trade of sorted)
      if (trade.time === this.#edgeTime) this.#edge.set(trade.id, trade)
      else if (trade.time >= this.#begin) this.#ready.push(trade)
    this.#quietUntil = null
    this.#widen()
  }

  /** There is nothing after an instant and before a second. */
  #isQuiet(after: number, before: number): void {
    if (this.#edgeTime >= this.#begin) this.#ready.push(...[...this.#edge.values()].sort(inOrderOfTrading))
    this.#edge = new Map()
    this.#quietUntil = Math.min(before, secondOf(after) + QUIET_MS)
    this.#widen()
  }

  #widen(): void {
    this.#windowMs = Math.min(this.#windowMs * 2, WINDOW_MS)
  }

  #narrow(): void {
    this.#windowMs = secondOf(this.#windowMs / 8)
  }
}

function secondOf(time: number): number {
  return Math.floor(time / SECOND_MS) * SECOND_MS
}

/** Nearer to the shorter, as long as that is none: what follows may follow in a ms or in an hour. */
function between(shorter: number, longer: number): number {
  return shorter === 0 ? Math.ceil(longer / 8) : Math.floor((shorter + longer) / 2)
}

/** As people read it, with its ms. */
function instant(time: number): string {
  return new Date(time).toISOString().replace('T', ' ').replace('Z', '')
}
