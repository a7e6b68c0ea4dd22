/**
 * Several markets as one stream in time. Bars are taken apart into the four steps of their path (`path.ts`), so that
 * markets interleave inside a bar: all opens of a minute come before any of its extremes.
 */
import type { BarColumns, TickColumns } from './columns.ts'
import type { Feed } from './feed.ts'
import { FeedError } from './feedError.ts'
import { barStepTime, PATH_STEPS } from './path.ts'

/**
 * A stretch of the merged stream, in ascending order of `time`; entries of the same time are in the order of the
 * markets. Entry `i` is row `row[i]` of `columns[market[i]]`; for bars `step[i]` says which of the four points of the
 * path it is (0 the open … 3 the close), for ticks it is 0. A block is valid until the next one is asked for.
 */
export interface MergedBlock {
  readonly length: number
  readonly time: Float64Array
  readonly market: Uint16Array
  readonly row: Uint32Array
  readonly step: Uint8Array
  /** Per market, the chunk that its entries refer to; `null` while it has no entries in the block. */
  readonly columns: readonly (BarColumns | TickColumns | null)[]
}

const BLOCK_ENTRIES = 16_384

/**
 * Merges feeds; the order of the feeds is the order of the markets. A bar that opens before the one before it has ended
 * (the hour when clocks go back, in bars of a day) is moved behind it, as time never goes back within a market.
 *
 * @throws FeedError for bars whose interval is not known, and whatever the feeds throw.
 */
export async function* mergeFeeds(feeds: readonly Feed[]): AsyncGenerator<MergedBlock> {
  const cursors = feeds.map((feed) => new Cursor(feed))
  const entries: Entries = {
    time: new Float64Array(BLOCK_ENTRIES),
    market: new Uint16Array(BLOCK_ENTRIES),
    row: new Uint32Array(BLOCK_ENTRIES),
    step: new Uint8Array(BLOCK_ENTRIES),
  }
  try {
    for (const cursor of cursors) await cursor.load()
    const times = Float64Array.from(cursors, ({ time }) => time)
    for (let ended = false; !ended; ) {
      let length = 0
      let drained: number | null = null
      while (length < BLOCK_ENTRIES && drained === null) {
        let earliest = -1
        let [time, until] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
        for (let index = 0; index < times.length; index++) {
          const own = times[index] as number
          if (own < time) {
            until = time
            time = own
            earliest = index
          } else if (own < until) until = own
        }
        if (earliest < 0) break
        const cursor = cursors[earliest] as Cursor
        length = cursor.write(entries, length, earliest, until)
        times[earliest] = cursor.time
        if (cursor.usedUp) drained = earliest
      }
      if (length > 0) yield { length, ...entries, columns: cursors.map((cursor) => cursor.columns) }
      // The chunk that has been used up may only be replaced once nobody reads the block.
      if (drained !== null) {
        const cursor = cursors[drained] as Cursor
        await cursor.load()
        times[drained] = cursor.time
      } else ended = length === 0
    }
  } finally {
    for (const cursor of cursors) await cursor.close()
  }
}

type Entries = Pick<MergedBlock, 'time' | 'market' | 'row' | 'step'>

/** The next entry of one market. */
class Cursor {
  /** Infinite once the feed has ended. */
  time = Number.NEGATIVE_INFINITY
  row = 0
  step = 0
  /** Whether the chunk has no further entry. */
  usedUp = false
  columns: BarColumns | TickColumns | null = null
  readonly #chunks: AsyncIterator<BarColumns | TickColumns>
  readonly #intervalMs: number
  readonly #lastStep: number
  /** When the steps of a bar take place, from its opening on. */
  readonly #steps: readonly number[]
  #times: Float64Array = new Float64Array(0)

  constructor(feed: Feed) {
    if (feed.kind === 'bars' && feed.intervalMs === null) {
      throw new FeedError(
        feed.sources.join(', '),
        null,
        'how long its bars are is told by two of them, and there are fewer; give more rows, or a program intervalMs',
      )
    }
    this.#chunks = feed[Symbol.asyncIterator]()
    this.#intervalMs = feed.kind === 'bars' ? (feed.intervalMs ?? 0) : 0
    this.#lastStep = feed.kind === 'bars' ? PATH_STEPS - 1 : 0
    this.#steps = Array.from({ length: PATH_STEPS }, (_, step) => barStepTime(0, this.#intervalMs, step))
  }

  /** Fetches the next chunk that has rows. */
  async load(): Promise<void> {
    let next = await this.#chunks.next()
    while (next.done !== true && next.value.length === 0) next = await this.#chunks.next()
    if (next.done === true) {
      this.columns = null
      this.time = Number.POSITIVE_INFINITY
      return
    }
    this.columns = next.value
    this.#times = 'openTime' in next.value ? next.value.openTime : next.value.time
    this.row = 0
    this.step = 0
    this.usedUp = false
    this.#setTime()
  }

  /**
   * Writes the next entry and those after it that come before `until`, from index `from` on, as far as there is room.
   *
   * @returns the index after the last one written.
   */
  write(entries: Entries, from: number, ownMarket: number, until: number): number {
    const { time, market, row, step } = entries
    let at = from
    do {
      const bars = this.#writeBars(entries, at, ownMarket, until)
      if (bars > at) {
        at = bars
        continue
      }
      time[at] = this.time
      market[at] = ownMarket
      row[at] = this.row
      step[at] = this.step
      at += 1
      this.#advance()
    } while (!this.usedUp && this.time < until && at < BLOCK_ENTRIES)
    return at
  }

  /** Writes whole bars, as many as come before `until` and begin after the last one has ended: nearly all there are. */
  #writeBars({ time, market, row, step }: Entries, from: number, ownMarket: number, until: number): number {
    const { columns } = this
    if (this.#lastStep === 0 || this.step !== 0 || columns === null) return from
    const times = this.#times
    const [, second, third, last] = this.#steps as [number, number, number, number]
    let at = from
    let own = this.row
    while (own < times.length && at + PATH_STEPS <= BLOCK_ENTRIES) {
      const open = times[own] as number
      if (open < this.time || open + last >= until) break
      time[at] = open
      time[at + 1] = open + second
      time[at + 2] = open + third
      time[at + 3] = open + last
      for (let index = 0; index < PATH_STEPS; index++) {
        market[at + index] = ownMarket
        row[at + index] = own
        step[at + index] = index
      }
      at += PATH_STEPS
      own += 1
      this.time = open + last
    }
    if (at === from) return from
    this.row = own
    this.usedUp = own === times.length
    if (!this.usedUp) this.#setTime()
    return at
  }

  #advance(): void {
    if (this.step < this.#lastStep) this.step += 1
    else {
      this.step = 0
      this.row += 1
      this.usedUp = this.row === this.#times.length
    }
    if (!this.usedUp) this.#setTime()
  }

  async close(): Promise<void> {
    await this.#chunks.return?.()
  }

  #setTime(): void {
    this.time = Math.max(this.time, barStepTime(this.#times[this.row] as number, this.#intervalMs, this.step))
  }
}
