/** Prices out of ticker streams, of one or the median of several. */
import type { IndexFeedConfiguration } from '../configuration.ts'
import { unattended } from '../unattended.ts'
import { type Exclusion, type IndexPrice, indexPrice, type Quote } from './indexPrice.ts'
import { Outages } from './outages.ts'
import { type FedVenue, type RunningFeed, tick } from './runningFeed.ts'
import type { SourceStanding } from './sourceStanding.ts'
import { type SourceQuote, type Surroundings, TickerSource } from './tickerSource.ts'

/** A source, as far as it is about one market. */
interface Said {
  readonly source: TickerSource
  readonly quote: SourceQuote | undefined
}

export function indexFeed(
  configuration: IndexFeedConfiguration,
  venue: FedVenue,
  around?: Surroundings,
): RunningFeed {
  const { intervalMs, minSources } = configuration
  const outages = new Outages(intervalMs, venue.onNotice ?? (() => {}))
  const sources = configuration.sources.map((source) => new TickerSource(source, around))
  const marketIds = new Set(
    configuration.sources.flatMap(({ symbols }) => symbols.map(({ marketId }) => marketId)),
  )
  /** Of each market, what the sources that count had said when it was last priced. */
  const heard = new Map<string, string>()

  const tickAll = unattended(venue.engine, () => {
    for (const marketId of marketIds) {
      const said = saidOf(marketId)
      const { price, excluded } = indexOf(said)
      const name = venue.engine.read.market(marketId)?.config.baseAsset ?? marketId
      outages.look(name, price === null ? () => lackOf(said, excluded) : null)
      if (price === null || !isNew(marketId, said, excluded)) continue
      tick(venue, marketId, price)
    }
  })
  const timer = setInterval(tickAll, intervalMs).unref()
  return {
    standings: () => [...marketIds].flatMap(standingsOf),
    stop: () => {
      clearInterval(timer)
      for (const source of sources) source.stop()
    },
  }

  function saidOf(marketId: string): Said[] {
    const about = sources.filter(({ configuration: { symbols } }) =>
      symbols.some((symbol) => symbol.marketId === marketId),
    )
    return about.map((source) => ({ source, quote: source.quoteOf(marketId) }))
  }

  function indexOf(said: readonly Said[]): IndexPrice {
    return indexPrice(said.map(quoteIn), configuration)
  }

  function lackOf(said: readonly Said[], excluded: IndexPrice['excluded']): string {
    const standing = said.map(({ source: { configuration, lastError } }, at) => {
      const why = excluded[at] ?? null
      const last = why === null || lastError === null ? '' : ` (last: ${lastError.text})`
      return `${configuration.name} ${why ?? 'counts'}${last}`
    })
    return `${standing.join(', ')}; ${minSources} must count`
  }

  /** What nobody has said anew is not told anew: the price then grows old, and the rules see to it (B7). */
  function isNew(marketId: string, said: readonly Said[], excluded: IndexPrice['excluded']): boolean {
    const counted = said.map(({ quote }, at) => (excluded[at] === null ? quote?.ordinal : '')).join()
    if (heard.get(marketId) === counted) return false
    heard.set(marketId, counted)
    return true
  }

  function standingsOf(marketId: string): SourceStanding[] {
    const said = saidOf(marketId)
    const { excluded } = indexOf(said)
    return said.map(({ source, quote }, at) => ({
      marketId,
      name: source.configuration.name,
      isConnected: source.isConnected,
      price: quote?.price ?? null,
      ageMs: quote === undefined ? null : Math.floor(source.ageOf(quote)),
      clockAheadMs: source.clockAhead,
      perMinute: source.perMinute,
      excluded: excluded[at] as Exclusion | null,
      reconnections: source.reconnections,
      unreadable: source.unreadable,
      lastError: source.lastError?.text ?? null,
      lastErrorAt: source.lastError?.at ?? null,
    }))
  }
}

function quoteIn({ source, quote }: Said): Quote {
  const { maxAgeMs } = source.configuration
  if (quote === undefined) return { price: null, ageMs: 0, maxAgeMs }
  return { price: quote.price, ageMs: source.ageOf(quote), maxAgeMs }
}
