/**
 * What is let in: fresh prices, sizes within the market's limits, stops at their distance, as many orders as may rest
 * (B7, B8, C4, C5, F9, K2).
 */
import type { Placement } from '../../events/placeOrder.ts'
import type { IncreasePosition } from '../../events/positionEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import type { CommandObservation, Law } from '../law.ts'
import type { Model } from '../model.ts'
import type { ModelMarket, ModelOrder } from '../modelState.ts'

export const pricesAreFresh: Law = {
  name: 'prices are fresh',
  statement:
    'No order is placed on a price that has reached its maximum age or was never there, and none is refused for one that has not (A5, B7).',
  watch: () => ({
    afterCommand({ model, command, options, outcome, nowBefore }: CommandObservation) {
      if (command.type !== 'placeOrder' || (outcome.ok && outcome.replayedFrom !== undefined)) return null
      const market = model.markets.get(command.marketId)
      if (market === undefined) return null
      const at = options.at ?? nowBefore
      const stale = market.priceAt !== null && at - market.priceAt >= market.parameters.maxPriceAgeMs
      if (outcome.ok) return stale || market.priceAt === null ? 'placed without a fresh price' : null
      if (outcome.error.code === 'market_price_stale') return stale ? null : 'a fresh price was called stale'
      if (outcome.error.code !== 'market_price_unavailable') return null
      return market.priceAt === null ? null : 'there is a price'
    },
  }),
}

export const fillsFitTheMarket: Law = {
  name: 'fills fit the market',
  statement:
    'An increase has at least the minimum notional, at most the depth, and with it the open notional of its direction over all accounts is at most the cap, and in a cluster the quota, equality included; a quote-sized order fails for one of these only where it must (B8, C4, C5).',
  watch: () => ({
    beforeEvent({ model, event }) {
      if (event.type === 'increasePosition')
        return misfit(model, event.marketId, event.direction, event.notional)
      if (event.type !== 'orderFailed') return null
      const { placed } = model.order(event.orderId)
      const notional = quoteNotional(model.order(event.orderId), model.market(event.marketId))
      if (notional === null || notional <= 0n) return null
      const found = misfit(model, event.marketId, placed.direction, notional)
      return EXPLAINED.has(event.errorCode) && found === null ? `${event.errorCode} of ${notional}` : null
    },
  }),
}

const EXPLAINED = new Set([
  'order_below_min_notional',
  'order_exceeds_market_depth',
  'order_exceeds_max_open_notional',
])

function misfit(
  model: Model,
  marketId: string,
  direction: IncreasePosition['direction'],
  notional: bigint,
): string | null {
  const { quota, parameters } = model.market(marketId)
  const { minNotional, maxOrderNotional, maxOpenNotionalLong, maxOpenNotionalShort } = parameters
  if (notional < minNotional) return `${notional} is below the minimum`
  if (maxOrderNotional !== null && notional > maxOrderNotional) return `${notional} is above the depth`
  const cap = direction === 'long' ? maxOpenNotionalLong : maxOpenNotionalShort
  let open = notional
  for (const position of model.open.values())
    if (position.marketId === marketId && position.direction === direction) open += position.notional
  if (cap === null) return null
  if (quota !== null && open > quota[direction]) return `${open} would be open, more than the quota`
  return open > cap ? `${open} would be open, more than ${cap}` : null
}

/** ⌊(amount − ⌈amount·L·r⌉)·L⌋ of a quote-sized order (C1). */
function quoteNotional({ placed, reserve }: ModelOrder, { parameters }: ModelMarket): bigint | null {
  if (placed.sizeMode !== 'quote' || placed.leverage === null) return null
  const scale = ONE * ONE
  const fee = (reserve * placed.leverage * parameters.feeRate + scale - 1n) / scale
  return ((reserve - fee) * placed.leverage) / ONE
}

export const stopsKeepTheirDistance: Law = {
  name: 'stops keep their distance',
  statement:
    'A stop placed, spawned or moved is at least the minimum distance from the index, at the price asked for where that is far enough, and else exactly at the distance with the price asked for beside it (F9).',
  watch: () => ({
    beforeEvent({ model, commit, event }) {
      if (event.type !== 'orderPlaced' || event.orderType !== 'stop') return null
      const { command } = commit
      if (command.type === 'editOrder' && command.triggerPrice == null) return null
      const { triggerPrice, requestedTriggerPrice: requested, direction } = event
      if (triggerPrice === 0n && requested === null) return null
      const { indexPrice, parameters } = model.market(event.marketId)
      const distance = parameters.minStopDistance
      if (distance === 0n) return requested === null ? null : 'pushed without a distance'
      const long = direction === 'long'
      const nearest = long
        ? (indexPrice * (ONE - distance)) / ONE
        : (indexPrice * (ONE + distance) + ONE - 1n) / ONE
      const tooClose = (price: bigint) => (long ? price > nearest : price < nearest)
      if (requested === null) return tooClose(triggerPrice) ? `${triggerPrice} is too close` : null
      return triggerPrice === nearest && tooClose(requested)
        ? null
        : `pushed from ${requested} to ${triggerPrice}`
    },
  }),
}

export const phasesStartFlat: Law = {
  name: 'phases start flat',
  statement:
    'A promotion leaves neither order nor position, and exactly the configured balance, all of it free (H2, H7).',
  watch: () => ({
    afterEvent({ model, event }) {
      if (event.type !== 'accountPromoted') return null
      const { free, reserve, margin, parameters } = model.account(event.accountId)
      return free === parameters.balance && reserve === 0n && margin === 0n
        ? null
        : `${free} free, ${reserve} reserved, ${margin} in positions`
    },
  }),
}

export const restingOrdersAreBounded: Law = {
  name: 'resting orders are bounded',
  statement:
    "A placement is accepted only if what rests on the account afterwards, the orders attached to it counted, is within the account's limit, and refused for it only if it is not; one that leaves nothing resting is never refused (K2).",
  watch: () => ({
    beforeEvent({ model, commit: { command, events }, event }) {
      if (command.type !== 'placeOrder' || event !== events[0]) return null
      return exceeds(model, command) ? 'more rests than may' : null
    },
    afterCommand({ model, command, outcome }: CommandObservation) {
      if (command.type !== 'placeOrder' || outcome.ok) return null
      if (outcome.error.code !== 'too_many_active_orders') return null
      return exceeds(model, command) ? null : 'no more would rest than may'
    },
  }),
}

/** Whether a placement that is about to happen leaves more resting than its account may have. */
function exceeds(model: Model, command: Placement): boolean {
  const limit = model.account(command.accountId).parameters.maxActiveOrders
  const more = leftResting(command)
  return limit !== null && more > 0 && restingOf(model, command.accountId) + more > limit
}

function restingOf(model: Model, accountId: string): number {
  let resting = 0
  for (const { placed } of model.active.values()) if (placed.accountId === accountId) resting += 1
  return resting
}

/** The order itself unless it fills in its call, and what is attached to an increase. */
function leftResting(command: Placement): number {
  const { orderType, triggerPrice, stopTriggerPrice, takeTriggerPrice } = command
  const closes = orderType === 'stop' || orderType === 'take' || orderType === 'trailing_stop'
  const fills = orderType === 'market' || (orderType === 'take' && triggerPrice === 0n)
  const attached = closes
    ? []
    : [stopTriggerPrice, takeTriggerPrice].filter((price) => price != null && price > 0n)
  return (fills ? 0 : 1) + attached.length
}
