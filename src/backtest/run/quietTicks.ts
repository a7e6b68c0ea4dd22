/**
 * Ticks that change nothing but their market's price and that nobody is to be told of, played as a stretch: whatever is not
 * certain is left to the ticks one by one, which come to the same.
 */
import type { LastPrices } from '../accounting/lastPrices.ts'
import type { BarColumns, TickColumns } from '../feed/columns.ts'
import type { EmptyDays } from '../feed/emptyDays.ts'
import type { MergedBlock } from '../feed/merge.ts'
import { wordsOf } from '../numbers/int64Words.ts'
import type { DataEnds } from './dataEnds.ts'
import type { Participant } from './participant.ts'
import type { PriceQueue } from './priceQueue.ts'
import { QuietStretch } from './quietStretch.ts'
import { wakingTime } from './sleeper.ts'

interface QuietTickParts {
  readonly queue: PriceQueue
  readonly participants: readonly Participant[]
  readonly prices: LastPrices
  readonly ends: DataEnds
  readonly emptyDays: EmptyDays
  /** Strategies that hear ticks, and whoever records. */
  readonly listeners: readonly object[]
  readonly markets: number
}

export class QuietTicks {
  readonly #parts: QuietTickParts
  readonly #stretch: QuietStretch
  readonly #columns: (BarColumns | TickColumns | null)[]
  readonly #words: (Int32Array | null)[]

  constructor(parts: QuietTickParts) {
    this.#parts = parts
    this.#stretch = new QuietStretch(parts.markets)
    this.#columns = new Array<BarColumns | TickColumns | null>(parts.markets).fill(null)
    this.#words = new Array<Int32Array | null>(parts.markets).fill(null)
  }

  /**
   * Plays ticks of a block from an entry on, those before a time.
   *
   * @returns the first entry that is not played.
   */
  play(block: MergedBlock, from: number, before: number): number {
    const { queue, participants, prices, ends, emptyDays, listeners } = this.#parts
    const until = Math.min(before, wakingTime(listeners))
    if ((block.time[from] as number) >= until) return from
    this.#look(block)
    const stretch = this.#stretch
    const end = queue.addQuietTicks(block, this.#words, { from, until }, stretch)
    if (end === from) return from
    for (let market = 0; market < this.#words.length; market++) {
      if (!stretch.has(market)) continue
      prices.setSafe(market, stretch.last(market))
      ends.priced(market, stretch.firstAt(market))
      ends.priced(market, stretch.lastAt(market))
      for (let index = 0; index < participants.length; index++) {
        const { exposure } = participants[index] as Participant
        exposure.between(market, stretch.low(market), stretch.high(market))
      }
    }
    for (let entry = from; entry < end; entry++)
      emptyDays.add(block.market[entry] as number, block.time[entry] as number)
    return end
  }

  /** Bars have no words here, so that they are left alone. */
  #look({ columns }: MergedBlock): void {
    for (let market = 0; market < columns.length; market++) {
      const own = columns[market] ?? null
      if (own === this.#columns[market]) continue
      this.#columns[market] = own
      this.#words[market] = own === null || 'open' in own ? null : wordsOf(own.price)
    }
  }
}
