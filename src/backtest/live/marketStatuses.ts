/** Whether the markets of a live run take orders, as the venue tells it. */
import type { MarketRecord } from '../../projections/marketRecord.ts'
import type { MarketStatus } from '../../terms/marketStatus.ts'

function statusOf({ settings: { isPaused, isCloseOnly } }: Pick<MarketRecord, 'settings'>): MarketStatus {
  return isPaused ? 'paused' : isCloseOnly ? 'close_only' : 'open'
}

export class MarketStatuses {
  /** By market; one that was not told of is open. */
  readonly #statuses = new Map<string, MarketStatus>()

  /** @returns what a market has become; null where it is as it was. */
  told(market: Pick<MarketRecord, 'id' | 'settings'>): MarketStatus | null {
    const status = statusOf(market)
    if (status === (this.#statuses.get(market.id) ?? 'open')) return null
    this.#statuses.set(market.id, status)
    return status
  }
}
