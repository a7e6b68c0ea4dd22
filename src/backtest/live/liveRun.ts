/**
 * A strategy on a live host: prices are polled, told as ticks, and gathered into bars of the clock's own intervals. A
 * bar holds the prices that were seen, so it begins with the first poll inside it; an interval without one has no bar.
 */
import type { Price } from '../../quantity/units.ts'
import { ERRORS } from '../../terms/errors.ts'
import type { Bar, Strategy } from '../strategy/strategy.ts'
import type { LiveContext } from './liveContext.ts'
import { LiveError } from './liveError.ts'

/** What {@link runLive} runs. */
export interface LiveOptions {
  readonly context: LiveContext
  readonly strategy: Strategy
  /** Markets to follow. */
  readonly assets: readonly string[]
  /** Length of a bar. Default one minute. */
  readonly intervalMs?: number
  /** Time between two polls. Default 2 s: half of what a key may read in a minute. */
  readonly pollMs?: number
  /** Waits so many ms; that of `node:timers/promises`, or of a test. */
  readonly sleep: (ms: number) => Promise<void>
  /** Ends the run before the next poll. */
  readonly signal: AbortSignal
  /** Whether what is open when the run ends stays so, or is cancelled and closed. Default `keep`. */
  readonly onExit?: 'keep' | 'flatten'
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
 * @throws LiveError where the host cannot be reached or refuses to flatten, and whatever the strategy throws.
 */
export async function runLive(options: LiveOptions): Promise<void> {
  const { context, strategy, assets, signal, intervalMs = INTERVAL_MS, pollMs = POLL_MS } = options
  const bars = new Map<string, GatheredBar>()
  await context.refresh()
  for (const asset of assets) context.market(asset)
  await strategy.onStart?.(context)
  while (!signal.aborted) {
    await context.refreshMarkets()
    const time = context.now
    const openTime = Math.floor(time / intervalMs) * intervalMs
    for (const asset of assets) {
      const gathered = bars.get(asset)
      if (gathered === undefined || gathered.openTime === openTime) continue
      bars.delete(asset)
      const missing = (openTime - gathered.openTime) / intervalMs - 1
      if (missing > 0) options.onMissingBars?.(asset, missing)
      await context.refresh()
      const bar = gathered.bar(asset, intervalMs)
      context.hear(bar)
      await strategy.onBar?.(bar, context)
    }
    for (const asset of assets) {
      const price = context.market(asset).state.indexPrice
      if (price === 0n) continue
      const gathered = bars.get(asset)
      if (gathered === undefined) bars.set(asset, new GatheredBar(openTime, price))
      else gathered.add(price)
      await strategy.onTick?.({ asset, time, price }, context)
    }
    await options.sleep(pollMs)
  }
  await strategy.onEnd?.(context)
  if (options.onExit === 'flatten') {
    const flattened = await context.closeAll()
    if (!flattened.ok) throw new LiveError(`the account could not be flattened, ${inWords(flattened.error)}`)
  }
  await context.refresh()
}

/** A venue may know codes that are not in the table. */
function inWords({ code }: { readonly code: string }): string {
  const known = (ERRORS as Readonly<Record<string, { readonly meaning: string }>>)[code]
  return `the venue refuses it (${code})${known === undefined ? '' : `: ${known.meaning}`}`
}

class GatheredBar {
  readonly openTime: number
  readonly #open: Price
  #high: Price
  #low: Price
  #close: Price

  constructor(openTime: number, price: Price) {
    this.openTime = openTime
    this.#open = price
    this.#high = price
    this.#low = price
    this.#close = price
  }

  add(price: Price): void {
    if (price > this.#high) this.#high = price
    if (price < this.#low) this.#low = price
    this.#close = price
  }

  /** The venue tells no volume. */
  bar(asset: string, intervalMs: number): Bar {
    return {
      asset,
      openTime: this.openTime,
      closeTime: this.openTime + intervalMs - 1,
      open: this.#open,
      high: this.#high,
      low: this.#low,
      close: this.#close,
      volume: 0,
    }
  }
}
