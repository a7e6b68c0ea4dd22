/** What a live strategy is told, in the order of a backtest, and what its journal is. */
import type { StreamMessage } from '../../client/index.ts'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionEventRecord } from '../../domain/state/position.ts'
import type { PositionEvent } from '../../events/positionEvents.ts'
import { writtenInstant } from '../../terms/writtenInstant.ts'
import type { OpenBar } from '../run/tickBars.ts'
import type { ToldOrderEvent } from '../strategy/strategyEvent.ts'
import { GatheredBars } from './gatheredBars.ts'
import type { JournalHead } from './journal.ts'
import { LateBars } from './lateBars.ts'
import type { LiveOptions } from './liveOptions.ts'
import { LivePositions } from './livePositions.ts'
import { MarketStatuses } from './marketStatuses.ts'
import { orderEventOf } from './orderEvent.ts'
import { refusedInWords } from './refusedInWords.ts'
import { fromWire } from './wireRecords.ts'

/** A message on its way to the strategy, with the event that it tells of; null where an interval may have ended. */
export interface Heard {
  /** By the venue's clock, epoch ms. */
  readonly at: number
  readonly message: StreamMessage | null
  readonly event: PositionEvent | ToldOrderEvent | null
}

/** The last prices of an interval may be on their way for so long when it ends, ms: prices are told four times a second. */
const GRACE_MS = 250

export class LiveTold {
  readonly #options: LiveOptions
  readonly #intervalMs: number
  readonly #bars: GatheredBars
  readonly #late: LateBars
  readonly #positions = new LivePositions()
  readonly #statuses = new MarketStatuses()
  readonly #push: ((heard: Heard) => void) | null
  /** The end of an interval that is waited for. */
  #awaited = 0
  #head: JournalHead | null = null

  /** `push` puts something behind what is still to be heard; null where whoever asks looks at the clock anyway. */
  constructor(options: LiveOptions, intervalMs: number, push: ((heard: Heard) => void) | null) {
    this.#options = options
    this.#intervalMs = intervalMs
    this.#bars = new GatheredBars(intervalMs)
    this.#late = new LateBars(intervalMs)
    this.#push = push
  }

  /** By market, in the order of the run: bars that had begun when the run did. */
  goOnWith(open: readonly (OpenBar | null)[]): void {
    for (const [market, bar] of open.entries())
      if (bar !== null) this.#bars.goOnWith(this.#options.assets[market] as string, bar)
  }

  /** Call with each message as it comes, in their order. */
  take(message: StreamMessage): Heard {
    return { at: writtenInstant(message.at) ?? Number.NaN, message, event: this.#eventOf(message) }
  }

  /** It is so late on a market: its bar may be over. */
  async timeOf(asset: string, time: number, before?: () => Promise<void>): Promise<void> {
    const { context, strategy, onEntry } = this.#options
    const bar = this.#bars.endedBy(asset, time)
    if (bar === null) return
    const ready = context.ready(bar)
    if (ready !== undefined && !(await ready)) return
    await before?.()
    context.hear(bar)
    const head = this.#head === null ? {} : { head: this.#head }
    onEntry?.({ type: 'bar', at: bar.closeTime, bar, ...head })
    this.#tellLate(asset, bar.closeTime)
    await strategy.onBar?.(bar, context)
  }

  async price(asset: string, time: number, price: bigint): Promise<void> {
    if (price === 0n) return
    const { context, strategy, onEntry, onMissingBars } = this.#options
    const missing = this.#bars.add(asset, time, price)
    if (missing > 0) {
      onMissingBars?.(asset, missing)
      onEntry?.({ type: 'missing', at: time, asset, bars: missing })
    }
    this.#awaitEnd(time)
    onEntry?.({ type: 'price', at: time, asset, price })
    await strategy.onTick?.({ asset, time, price }, context)
  }

  /** A market may not be as it was. */
  status(asset: string, at: number): void {
    const { context, onEntry, onMarketStatus } = this.#options
    const status = this.#statuses.told(context.market(asset))
    if (status === null) return
    onMarketStatus?.(asset, status)
    onEntry?.({ type: 'market', at, asset, status })
  }

  /** What is next for the strategy. */
  async hear({ at, message, event }: Heard, assets: readonly string[]): Promise<void> {
    for (const asset of assets) await this.timeOf(asset, at)
    this.#reach(message)
    switch (message?.type) {
      case 'price': {
        const { marketId, indexPrice } = message.data
        const { context } = this.#options
        const asset = assets.find((followed) => context.market(followed).id === marketId)
        if (asset !== undefined) await this.price(asset, at, BigInt(indexPrice))
        return
      }
      case 'order':
      case 'position':
        if (event === null) return
        await this.#happened(event, at, message.seq)
        await this.#options.strategy.onEvent?.(event, this.#options.context)
        return
      case 'account':
        this.#account(message, at)
        return
      case 'market':
        for (const asset of assets) this.status(asset, at)
        return
      case 'snapshot':
        for (const asset of assets) this.status(asset, at)
        for (const asset of assets)
          await this.price(asset, at, this.#options.context.market(asset).state.indexPrice)
        return
      default:
        return
    }
  }

  /**
   * What is heard after a strategy has ended is for the journal: what a strategy does after its end nobody would look after. Prices
   * and bars are not noted, because a backtest is told what the journal has.
   */
  async hearAfterEnd({ at, message, event }: Heard): Promise<void> {
    this.#reach(message)
    if (message?.type === 'account') this.#account(message, at)
    if (message !== null && event !== null) await this.#happened(event, at, message.seq)
  }

  #reach(message: StreamMessage | null): void {
    if (message !== null && message.seq > (this.#head?.seq ?? 0)) this.#head = { seq: message.seq, events: 0 }
  }

  #account({ data }: Extract<StreamMessage, { readonly type: 'account' }>, at: number): void {
    this.#options.onEntry?.({ type: 'account', at, account: fromWire(data) })
  }

  #eventOf(message: StreamMessage): Heard['event'] {
    if (message.type === 'snapshot') this.#positions.begin(fromWire(message.data.positions))
    if (message.type === 'order') return orderEventOf(fromWire<OrderRecord>(message.data))
    if (message.type !== 'position') return null
    const record = fromWire<PositionEventRecord>(message.data)
    const market = this.#options.context.markets.find(({ id }) => id === record.marketId)
    return market === undefined ? null : this.#positions.add(record, market)
  }

  #tellLate(asset: string, at: number): void {
    const { context, onEntry, onLateBars } = this.#options
    const ms = this.#late.heard(context.now - at)
    if (ms === null) return
    onLateBars?.(asset, ms)
    if (ms > 0) onEntry?.({ type: 'late', at, asset, ms })
  }

  /** A bar ends when its time is over, not only with the next price. */
  #awaitEnd(time: number): void {
    const push = this.#push
    const { context, sleep } = this.#options
    const end = (Math.floor(time / this.#intervalMs) + 1) * this.#intervalMs
    if (push === null || end <= this.#awaited) return
    this.#awaited = end
    const wake = () => {
      if (context.now >= end) push({ at: end, message: null, event: null })
      else this.#awaited = 0
    }
    void sleep(Math.max(0, end + GRACE_MS - context.now)).then(wake)
  }

  /** For the journal; an entry that has filled gets its trailing stop. */
  async #happened(event: PositionEvent | ToldOrderEvent, at: number, seq: number): Promise<void> {
    const { context, strategy, onEntry, onRefused } = this.#options
    const part = 'orderId' in event ? strategy.parts?.nameOf(event.orderId) : undefined
    const whose = part === undefined ? {} : { part }
    onEntry?.({ type: 'event', at, seq, event, equity: context.equity(), ...whose })
    if (this.#head?.seq === seq) this.#head = { seq, events: this.#head.events + 1 }
    const trailing = await context.heard(event)
    if (trailing?.ok === false)
      onRefused?.(`the trailing stop of an entry: ${refusedInWords(trailing.error)}`)
  }
}
