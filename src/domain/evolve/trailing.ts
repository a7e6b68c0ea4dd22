/** What events do to the peaks of trailing stops (F8, J21). A peak moves with the price, and is no event of its own. */

import type { Price } from '../../quantity/units.ts'
import type { Market } from '../state/market.ts'
import type { Order } from '../state/order.ts'
import type { RunningPeak } from '../state/runningPeak.ts'
import type { TrailingPeaks } from '../state/trailingPeaks.ts'
import type { World } from '../state/world.ts'

/** A trailing stop comes to rest: with the peak it has, or to wait for its activation price (null). */
export function takeUp(market: Market, order: Order, peak: Price | null): void {
  const peaks = market.trailing[order.direction]
  if (peak === null) peaks.wait(order)
  else order.peak = peaks.join(peak)
}

/** A resting trailing stop has ended. */
export function letGo(market: Market, order: Order): void {
  const peaks = market.trailing[order.direction]
  if (order.peak === null) return peaks.waitNoMore(order)
  peaks.leave(order.peak)
  order.peak = null
}

/** The price moved: peaks that it passes move with it, then stops that waited for it begin, from this very price (F8, J21). */
export function trail(world: World, market: Market): void {
  const { long, short } = market.trailing
  const turned = turn(world, market, long)
  if (turn(world, market, short) || turned) world.triggers.peaksMoved(market)
}

/** Whether anything moved. */
function turn(world: World, market: Market, peaks: TrailingPeaks): boolean {
  const { indexPrice } = market
  const { next } = peaks
  const passed = next?.isPassedBy(indexPrice) === true
  if (passed) pass(world, market, peaks, next)
  let order = peaks.takeBegun(indexPrice)
  const turned = passed || order !== null
  for (; order !== null; order = peaks.takeBegun(indexPrice)) {
    world.beforeChange?.orderChanging(order)
    order.peak = peaks.join(indexPrice)
    world.triggers.addOrder(order)
  }
  return turned
}

/** All the peaks that the price has passed, the next one first, are one from here on. */
function pass(world: World, market: Market, peaks: TrailingPeaks, next: RunningPeak): void {
  world.beforeChange?.peakChanging(next)
  let peak = next
  for (;;) {
    const met = peaks.takePassed(market.indexPrice)
    if (met === null) return peaks.goOnWith(peak, market.indexPrice)
    world.beforeChange?.peakChanging(met)
    const merged = peak.mergedWith(met)
    world.triggers.peaksMerged(market, merged, merged === peak ? met : peak)
    peak = merged
  }
}
