/** What the market events do. */

import type { MarketEvent, MarketListed } from '../../events/marketEvents.ts'
import type { Price } from '../../quantity/units.ts'
import { MARKET_STATUSES } from '../../terms/marketStatus.ts'
import { emptyMarket, type Market } from '../state/market.ts'
import type { World } from '../state/world.ts'
import { nextDueAfter } from './clock.ts'
import { trail } from './trailing.ts'

export function applyMarketEvent(world: World, event: MarketEvent, at: number): void {
  if (event.type === 'marketListed') {
    world.markets.set(event.marketId, listed(event))
    if (world.now > 0) world.nextDueAt = nextDueAfter(world, world.now)
    return
  }
  const market = world.markets.known(event.marketId)
  switch (event.type) {
    case 'marketConfigured':
      market.parameters = event.parameters
      if (world.now > 0) world.nextDueAt = nextDueAfter(world, world.now)
      world.triggers.marketConfigured(market)
      return
    case 'marketStatusChanged':
      market.status = event.status
      return
    case 'fundingRateChanged':
      market.parameters = {
        ...market.parameters,
        fundingRate: event.fundingRate,
        fundingRateShort: event.fundingRateShort,
      }
      return
    case 'notionalQuotaSet':
      market.quota = { long: event.quotaLong, short: event.quotaShort }
      return
    case 'priceUpdated':
      return movePrice(world, market, event.indexPrice, at)
  }
}

/** The index price moves, and what trails it, unless the market is paused (G1). */
export function movePrice(world: World, market: Market, indexPrice: Price, at: number): void {
  setPrice(market, indexPrice, at)
  if (MARKET_STATUSES[market.status].evaluates) trail(world, market)
  world.triggers.priceMoved(market)
}

/** The index price moves alone; what waits for it is evaluated there, unless the market is paused (G1). */
export function setPrice(market: Market, indexPrice: Price, at: number): void {
  market.indexPrice = indexPrice
  market.priceAt = at
  if (MARKET_STATUSES[market.status].evaluates) market.evaluatedPrice = indexPrice
}

function listed(event: MarketListed): Market {
  return emptyMarket({
    parameters: event.parameters,
    id: event.marketId,
    status: event.status,
    indexPrice: event.indexPrice,
    priceAt: event.priceAt,
    evaluatedPrice: event.indexPrice,
    openNotionalLong: 0n,
    openNotionalShort: 0n,
    quota: null,
  })
}
