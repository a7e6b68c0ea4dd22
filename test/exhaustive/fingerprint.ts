/**
 * What of a state the rules depend on, as text: two states with the same text answer every sequence of commands alike.
 *
 * What is left out, and why that is sound:
 * - Ids, `seq`, `created` and sequences. An id is only ever compared with an id, a sequence with a sequence of its own
 *   kind (ties on the path are ranked by kind first). Orders and positions are listed oldest first instead, and named
 *   by their place in the list.
 * - Time as such. The rules ask how long ago something was, up to a bound behind which nothing changes any more, and
 *   where in the UTC day it is: funding intervals here divide the day. Both stand for the instants.
 * - The reference of the profit cap once its minute is over: nothing but the evidence in events reads it, and the next
 *   increase sets it anew (D3, D4).
 * - Sums and labels that are only ever shown: version, totals and last event of a position, `createdAt`, `parentOrderId`,
 *   `bestDayGain`, `phaseOrdinal`, the house, which is minus the sum of the accounts. The laws look at them in each step.
 * - What has ended (it decides which code a rejection has; see `ENDED`), and the answer kept under an idempotency key.
 * - Profitable days beyond those a plan asks for.
 */
import type { Account } from '../../src/domain/state/account.ts'
import type { Market } from '../../src/domain/state/market.ts'
import type { Order } from '../../src/domain/state/order.ts'
import type { Position } from '../../src/domain/state/position.ts'
import type { World } from '../../src/domain/state/world.ts'
import type { Folded } from '../../src/engine/fold.ts'
import { DAY_MS } from '../../src/terms/instants.ts'
import type { MarketParameters } from '../../src/terms/marketParameters.ts'

export function fingerprint({ world, idempotency }: Folded): string {
  const { now } = world
  let text = `${now % DAY_MS}`
  for (const market of world.markets.values()) text += marketText(market, now)
  for (const account of world.accounts.values()) text += accountText(world, account)
  const places = new Map<string, number>()
  for (const position of world.positions.values()) {
    places.set(position.id, places.size)
    text += positionText(position, world.markets.get(position.marketId) as Market, now)
  }
  for (const order of world.orders.values()) text += orderText(order, places.get(order.positionId ?? ''))
  for (const { userId, key, at } of idempotency.live(now)) text += `k${userId} ${key} ${now - at}`
  return text
}

/**
 * 64 bits of a text, by multiplying and shifting in two lanes. Of a million states two share them once in 37 million
 * searches: then what follows from one of the two is not looked at.
 */
export function digest(text: string): readonly [number, number] {
  let [low, high] = [0x9e3779b9, 0x85ebca6b]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    low = Math.imul(low ^ code, 0x9e3779b1)
    high = Math.imul(high ^ code, 0x5f356495)
    low ^= low >>> 15
  }
  low = Math.imul(low ^ (high >>> 16), 0x85ebca6b)
  high = Math.imul(high ^ (low >>> 13), 0xc2b2ae35)
  return [low ^ (high >>> 16), high ^ (low >>> 16)]
}

function marketText(market: Market, now: number): string {
  const { status, indexPrice, priceAt, evaluatedPrice, openNotionalLong, openNotionalShort } = market
  const age = priceAt === null ? '' : Math.min(now - priceAt, market.parameters.maxPriceAgeMs)
  return `m${status} ${indexPrice} ${age} ${evaluatedPrice} ${openNotionalLong} ${openNotionalShort} ${parametersText(market.parameters)}`
}

const texts = new WeakMap<MarketParameters, string>()

function parametersText(parameters: MarketParameters): string {
  let text = texts.get(parameters)
  if (text === undefined) {
    text = Object.values(parameters).join()
    texts.set(parameters, text)
  }
  return text
}

function accountText(world: World, account: Account): string {
  const { status, phase, apiTrading, loaded, locked, free, reserve, margin } = account
  const days = Math.min(world.days.profitableDaysOf(account), account.parameters.minProfitableDays)
  const thaws = account.frozenUntil === null ? '' : account.frozenUntil - world.now
  return (
    `a${status} ${phase} ${apiTrading} ${loaded} ${locked} ${free} ${reserve} ${margin} ${account.initialBalance} ` +
    `${account.dayStartEquity} ${account.dayStartBalance} ${account.highWater} ${account.realizedToday} ${days} ${thaws}`
  )
}

function positionText(position: Position, { parameters }: Market, now: number): string {
  const window = Math.max(MINUTE, parameters.scalpingWindowMs)
  const held = Math.min(now - position.lastIncreaseAt, window)
  const reference = held < MINUTE ? position.profitReference : ''
  const { accountId, marketId, direction, size, notional, margin } = position
  return `p${accountId} ${marketId} ${direction} ${size} ${notional} ${margin} ${held} ${reference}`
}

const MINUTE = 60_000

function orderText(order: Order, place: number | undefined): string {
  const { accountId, marketId, orderType, direction, stopTriggerPrice, takeTriggerPrice, leverage } = order
  const trails = orderType === 'trailing_stop'
  const level = trails
    ? order.peak?.price
    : `${order.triggerPrice} ${order.requestedTriggerPrice} ${order.limitPrice}`
  const trailing = trails
    ? `${order.trailingStopActivationPrice} ${order.trailingStopOffset} ${order.trailingStopOffsetPercent}`
    : ''
  return (
    `o${accountId} ${marketId} ${orderType} ${direction} ${level} ${trailing} ${stopTriggerPrice} ${takeTriggerPrice} ` +
    `${leverage} ${place} ${order.amount} ${order.sizeMode} ${order.baseSize} ${order.reserve} ${order.expectedAmount}`
  )
}
