/**
 * A strategy on a live host: prices are told as ticks, and gathered into bars of the clock's own intervals. They come from the
 * venue's stream, with everything that happens to the account, or are polled where it has none. A bar holds the prices that were seen,
 * so it begins with the first one inside it; an interval without one has no bar.
 */
import type { StreamMessage, VenueStream } from '../../client/index.ts'
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionEventRecord } from '../../domain/state/position.ts'
import { ERRORS } from '../../terms/errors.ts'
import type { Strategy } from '../strategy/strategy.ts'
import type { StrategyEvent } from '../strategy/strategyEvent.ts'
import { GatheredBars } from './gatheredBars.ts'
import type { JournalEntry } from './journal.ts'
import type { LiveContext } from './liveContext.ts'
import { LiveError } from './liveError.ts'
import { MessageQueue } from './messageQueue.ts'
import { orderEventOf, positionEventOf } from './streamedEvents.ts'
import { fromWire } from './wireRecords.ts'

/** What {@link runLive} runs. */
export interface LiveOptions {
  readonly context: LiveContext
  readonly strategy: Strategy
  /** Markets to follow. */
  readonly assets: readonly string[]
  /** Length of a bar. Default one minute. */
  readonly intervalMs?: number
  /** The venue's stream of the context's account, which ends with `signal`; without it prices are polled. */
  readonly stream?: VenueStream
  /** Told of every price, bar and event before the strategy is, for a journal. */
  readonly onEntry?: (entry: JournalEntry) => void
  /** Time between two polls. Default 2 s: half of what a key may read in a minute. */
  readonly pollMs?: number
  /** Waits so many ms; that of `node:timers/promises`, or of a test. */
  readonly sleep: (ms: number) => Promise<void>
  /** Ends the run before the next poll. */
  readonly signal: AbortSignal
  /** Whether what is open when the run ends stays so, or is cancelled and closed. Default `keep`. */
  readonly onExit?: 'keep' | 'flatten'
  /** What the run itself asked for was refused: the trailing stop of an entry that has filled. */
  readonly onRefused?: (what: string) => void
  /** Intervals of a market passed without a price being seen, and have no bar. */
  readonly onMissingBars?: (asset: string, bars: number) => void
}

const INTERVAL_MS = 60_000
const POLL_MS = 2_000

/**
 * Runs until the signal.
 *
 * ```ts
 * const { configuration, apiKey } = demoVenue()
 * const served = await serveVenue({ configuration: { ...configuration, rateLimit: null }, port: 0 })
 * const client = new MarginTradingClient({ baseUrl: served.url, token: apiKey })
 * const context = await LiveContext.open(client, () => Date.now())
 * const stop = new AbortController()
 * const sleep = async () => stop.abort() // or that of node:timers/promises, and Ctrl-C
 * await runLive({ context, strategy: breakout({ asset: 'BTC' }), assets: ['BTC'], sleep, signal: stop.signal })
 * await served.close()
 * ```
 *
 * @throws LiveError where the host cannot be reached or refuses to flatten; RangeError for an asset that the venue does not list;
 * and what the strategy throws.
 */
export async function runLive(options: LiveOptions): Promise<void> {
  const { context, strategy, stream } = options
  await context.refresh()
  for (const asset of options.assets) context.market(asset)
  const told = new Told(options)
  if (stream === undefined) await polled(options, told)
  else await streamed(options, told, stream)
  await strategy.onEnd?.(context)
  if (options.onExit === 'flatten') {
    const flattened = await context.closeAll()
    if (!flattened.ok) throw new LiveError(`the account could not be flattened, ${inWords(flattened.error)}`)
  }
  await context.refresh()
}

async function polled(options: LiveOptions, told: Told): Promise<void> {
  const { context, strategy, assets, signal, pollMs = POLL_MS } = options
  await strategy.onStart?.(context)
  while (!signal.aborted) {
    await context.refreshMarkets()
    const time = context.now
    for (const asset of assets) await told.timeOf(asset, time, () => context.refresh())
    for (const asset of assets) await told.price(asset, time, context.market(asset).state.indexPrice)
    await options.sleep(pollMs)
  }
}

async function streamed(options: LiveOptions, told: Told, stream: VenueStream): Promise<void> {
  const { context, strategy, assets, signal } = options
  const queue = new MessageQueue<StreamMessage>()
  context.follow(stream)
  const reading = queue.readAll(stream, (message) => context.told(message))
  try {
    let hasStarted = false
    for (
      let message = await queue.next();
      message !== null && !signal.aborted;
      message = await queue.next()
    ) {
      if (!hasStarted) await strategy.onStart?.(context)
      hasStarted = true
      const time = Date.parse(message.at)
      for (const asset of assets) await told.timeOf(asset, time)
      await told.message(message, time)
    }
  } finally {
    context.leave()
  }
  await reading
}

/** What a strategy is told, in the order of a backtest. */
class Told {
  readonly #options: LiveOptions
  readonly #bars: GatheredBars
  /** What backed each position by its last event. */
  readonly #margins = new Map<string, bigint>()

  constructor(options: LiveOptions) {
    this.#options = options
    this.#bars = new GatheredBars(options.intervalMs ?? INTERVAL_MS)
  }

  /** It is so late on a market: its bar may be over. */
  async timeOf(asset: string, time: number, before?: () => Promise<void>): Promise<void> {
    const { context, strategy, onMissingBars, onEntry } = this.#options
    const ended = this.#bars.endedBy(asset, time)
    if (ended === null) return
    if (ended.missing > 0) onMissingBars?.(asset, ended.missing)
    await before?.()
    context.hear(ended.bar)
    onEntry?.({ type: 'bar', at: ended.bar.closeTime, bar: ended.bar })
    await strategy.onBar?.(ended.bar, context)
  }

  async price(asset: string, time: number, price: bigint): Promise<void> {
    if (price === 0n) return
    const { context, strategy, onEntry } = this.#options
    this.#bars.add(asset, time, price)
    onEntry?.({ type: 'price', at: time, asset, price })
    await strategy.onTick?.({ asset, time, price }, context)
  }

  async message(message: StreamMessage, time: number): Promise<void> {
    const { context, assets } = this.#options
    switch (message.type) {
      case 'price': {
        const { marketId, indexPrice } = message.data
        const asset = assets.find((followed) => context.market(followed).id === marketId)
        if (asset !== undefined) await this.price(asset, time, BigInt(indexPrice))
        return
      }
      case 'order':
        return this.#event(orderEventOf(fromWire<OrderRecord>(message.data)), time)
      case 'position': {
        const record = fromWire<PositionEventRecord>(message.data)
        const before = this.#margins.get(record.id) ?? record.margin
        this.#margins.set(record.id, record.margin)
        return this.#event(positionEventOf(record, before), time)
      }
      case 'snapshot':
        for (const record of fromWire<PositionEventRecord[]>(message.data.positions))
          this.#margins.set(record.id, record.margin)
        for (const asset of assets) await this.price(asset, time, context.market(asset).state.indexPrice)
        return
      default:
        return
    }
  }

  async #event(event: StrategyEvent | null, at: number): Promise<void> {
    if (event === null) return
    const { context, strategy, onEntry, onRefused } = this.#options
    onEntry?.({ type: 'event', at, event, equity: context.equity() })
    const trailing = await context.heard(event)
    if (trailing?.ok === false) onRefused?.(`the trailing stop of an entry: ${inWords(trailing.error)}`)
    await strategy.onEvent?.(event, context)
  }
}

/** A venue may know codes that are not in the table. */
function inWords({ code }: { readonly code: string }): string {
  const known = (ERRORS as Readonly<Record<string, { readonly meaning: string }>>)[code]
  return `the venue refuses it (${code})${known === undefined ? '' : `: ${known.meaning}`}`
}
