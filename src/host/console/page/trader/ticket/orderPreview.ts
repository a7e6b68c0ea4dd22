// What the venue will do with an order, by the formulas and checks of the engine itself, before it is sent.

import type { ApiMarket, ApiPosition } from '../../../../../client/client.ts'
import {
  placementSchemaRejection,
  placementShapeRejection,
} from '../../../../../domain/commands/orderShape.ts'
import { checkTrigger } from '../../../../../domain/commands/triggerCheck.ts'
import { executionPrice, limitLevel } from '../../../../../domain/formulas/executionPrice.ts'
import { type LiquidationTerms, liquidationPrice } from '../../../../../domain/formulas/liquidation.ts'
import { atMinimumDistance } from '../../../../../domain/formulas/minimumStopDistance.ts'
import { referenceAfterIncrease } from '../../../../../domain/formulas/profitWindow.ts'
import { settle } from '../../../../../domain/formulas/settlement.ts'
import { type Fill, sizeIncrease } from '../../../../../domain/formulas/sizing.ts'
import { isOutsideTolerance } from '../../../../../domain/formulas/slippageTolerance.ts'
import { activates, trailingTriggerPrice } from '../../../../../domain/formulas/trailingStop.ts'
import { PROFIT_WINDOW_MS } from '../../../../../domain/state/venueRules.ts'
import type { Placement } from '../../../../../events/placeOrder.ts'
import type { Settlement } from '../../../../../events/positionEvents.ts'
import { ONE } from '../../../../../quantity/fp9.ts'
import type { Base, Leverage, Price, Quote } from '../../../../../quantity/units.ts'
import { ACCOUNT_STATUSES } from '../../../../../terms/accountStatus.ts'
import { closeSide, type Direction, increaseSide } from '../../../../../terms/direction.ts'
import {
  type ErrorCode,
  type ExecutionErrorCode,
  type Rejection,
  rejection,
} from '../../../../../terms/errors.ts'
import { fillsAtOnce, isIncreaseType, isTrailing } from '../../../../../terms/orderTypes.ts'
import { quantity } from '../../shared/amounts.ts'
import type { AccountStanding } from '../accountStanding.ts'
import { closingNow, takenByMinute } from '../closingNow.ts'
import { type MarketTerms, marketTerms, positionTerms } from '../formulaTerms.ts'
import type { ProfitWindow } from '../profitWindow.ts'

export interface OrderPreview {
  /** Of an increase; null where nothing would be left to trade. */
  readonly fill: Fill | null
  /** Of a close. */
  readonly settlement: Settlement | null
  /** The price it would trade at, at the index price it fires at. */
  readonly executionPrice: Price | null
  /** Of the position after an increase; 0 = never. */
  readonly liquidationPrice: Price | null
  /** The nearest price that a stop is kept at (F9); null where there is no minimum. */
  readonly nearestStop: Price | null
  /** Where a stop nearer than that would be kept. */
  readonly pushedStop: Price | null
  /** Where a trailing stop would fire if the price turned now; null while it does not trail, and of others. */
  readonly trailsAt: Price | null
  /** What the spread of a close at once is multiplied by, ONE for not at all. */
  readonly spreadTimes: Leverage
  /** What the rule of the first minute would take of the pnl if the position were closed now: of an increase at market after that. */
  readonly takenByMinute: Quote
  /** Quote the order takes of the free balance. */
  readonly reserve: Quote
  /** What the venue would refuse it for; null where nothing is known against it. */
  readonly rejection: Rejection | null
  /** What an increase that is accepted would fail for when it is its turn, at the prices above. */
  readonly failure: ExecutionErrorCode | null
}

interface PreviewTerms {
  readonly market: ApiMarket
  readonly account: AccountStanding
  readonly freeBalance: Quote
  /** On the market, of the account. */
  readonly positions: readonly ApiPosition[]
  /** Of the position that the order would increase or close. */
  readonly window: ProfitWindow | null
  /** The venue's time, epoch ms. */
  readonly now: number
}

/** A base-sized order reserves so much more than it takes now; what it does not spend comes back. */
const RESERVE_ABOVE = 50n

export function previewOrder(placement: Placement, terms: PreviewTerms): OrderPreview {
  return isIncreaseType(placement.orderType)
    ? previewIncrease(placement, terms)
    : previewClose(placement, terms)
}

const NOTHING: Omit<OrderPreview, 'rejection'> = {
  failure: null,
  fill: null,
  settlement: null,
  executionPrice: null,
  liquidationPrice: null,
  nearestStop: null,
  pushedStop: null,
  trailsAt: null,
  spreadTimes: ONE,
  takenByMinute: 0n,
  reserve: 0n,
}

function previewIncrease(placement: Placement, terms: PreviewTerms): OrderPreview {
  const { market, freeBalance, positions } = terms
  const { direction, leverage, sizeMode, baseSize } = placement
  const now = marketTerms(market)
  const then = { ...now, indexPrice: firingIndex(placement, now) }
  const isBaseSized = sizeMode === 'base'
  const sizing = { direction, leverage: leverage ?? 0n, baseSize: baseSize ?? null }
  const canSize = (leverage ?? 0n) > 0n && (isBaseSized ? (baseSize ?? 0n) > 0n : placement.amount > 0n)
  const fill = canSize
    ? sizeIncrease(then, { ...sizing, sizeMode: sizeMode ?? 'quote', amount: placement.amount })
    : null
  const reserve = isBaseSized ? withRoom(fill?.spent ?? 0n) : placement.amount
  const held = positions.find((position) => position.direction === direction)
  const after = fill === null ? null : together(placement, fill, held)
  const stop = placement.stopTriggerPrice ?? 0n
  const kept = stop > 0n ? atMinimumDistance(then, direction, stop) : null
  return {
    ...NOTHING,
    fill,
    executionPrice: executionPrice(then, increaseSide(direction)),
    liquidationPrice: after === null ? null : liquidationPrice(after, now.parameters.maintenanceMarginRate),
    nearestStop: nearestStop(then, direction),
    pushedStop: kept !== null && kept.requestedTriggerPrice !== null ? kept.triggerPrice : null,
    takenByMinute: placement.orderType === 'market' && after !== null ? takenAfter(after, held, terms) : 0n,
    reserve,
    failure: canSize ? failureOf(placement, fill, market) : null,
    rejection:
      shapeRejection({ ...placement, amount: reserve }) ??
      loadedRejection(terms.account) ??
      leverageRejection(leverage ?? 0n, market) ??
      tradingRejection(terms.account) ??
      (terms.account.locked ? rejection('funded_limit_trading_locked') : null) ??
      (reserve > freeBalance ? rejection('insufficient_balance') : null) ??
      standingRejection(market, false) ??
      checkTrigger(now, triggerOf(placement), null).rejected ??
      attachedRejection(placement, then, after),
  }
}

function previewClose(placement: Placement, terms: PreviewTerms): OrderPreview {
  const { market, positions } = terms
  const now = marketTerms(market)
  const position = positions.find(({ idx }) => idx === placement.positionId)
  if (position === undefined)
    return { ...NOTHING, rejection: shapeRejection(placement) ?? rejection('position_not_found') }
  const held = positionTerms(position)
  const { direction } = held
  const size = placement.amount > held.size ? held.size : placement.amount
  const trigger = checkTrigger(now, triggerOf(placement), held)
  const closesAtOnce = fillsAtOnce({ ...placement, triggerPrice: placement.triggerPrice ?? 0n })
  const atOnce =
    size > 0n ? closingNow(held, size, { market: now, window: terms.window, now: terms.now }) : null
  const trailsAt = isTrailing(placement.orderType) ? firstTrailed(placement, direction, now.indexPrice) : null
  const level = trailsAt ?? (trigger.rejected === null ? trigger.triggerPrice : 0n)
  const price = level > 0n ? executionPrice({ ...now, indexPrice: level }, closeSide(direction)) : null
  return {
    ...NOTHING,
    ...(closesAtOnce && atOnce !== null
      ? { settlement: atOnce.settlement, executionPrice: atOnce.price, spreadTimes: atOnce.spreadTimes }
      : { settlement: settledLater(held, size, price, now), executionPrice: price }),
    takenByMinute: atOnce === null ? 0n : takenByMinute(atOnce.settlement),
    trailsAt,
    nearestStop: placement.orderType === 'stop' ? nearestStop(now, direction) : null,
    pushedStop:
      trigger.rejected === null && trigger.requestedTriggerPrice !== null ? trigger.triggerPrice : null,
    rejection:
      shapeRejection(placement) ??
      loadedRejection(terms.account) ??
      tradingRejection(terms.account) ??
      standingRejection(market, closesAtOnce) ??
      trigger.rejected,
  }
}

/** Where an order rests, what it closes when it fires has long outlived the minute after its opening. */
function settledLater(
  held: LiquidationTerms,
  size: Base,
  price: Price | null,
  { parameters }: MarketTerms,
): Settlement | null {
  if (price === null || size <= 0n) return null
  return settle(
    { ...held, lastIncreaseAt: 0, profitReference: 0n },
    size,
    price,
    parameters.feeRate,
    Date.now(),
  )
}

/** Where it would fire if the price turned at once; null where it does not trail yet, or has no distance. */
function firstTrailed(placement: Placement, direction: Direction, indexPrice: Price): Price | null {
  const order = {
    direction,
    trailingStopActivationPrice: placement.trailingStopActivationPrice ?? 0n,
    trailingStopOffset: placement.trailingStopOffset ?? 0n,
    trailingStopOffsetPercent: placement.trailingStopOffsetPercent ?? 0n,
  }
  const hasDistance = order.trailingStopOffset > 0n || order.trailingStopOffsetPercent > 0n
  return hasDistance && activates(order, indexPrice) ? trailingTriggerPrice(order, indexPrice) : null
}

/** An increase begins the minute anew, and keeps what had grown within the one before it out of reach. */
function takenAfter(
  after: LiquidationTerms,
  held: ApiPosition | undefined,
  { market, window, now }: PreviewTerms,
): Quote {
  if (held === undefined) return 0n
  const terms = marketTerms(market)
  const before = { ...positionTerms(held), lastIncreaseAt: 0, profitReference: 0n, ...window }
  const profitReference = referenceAfterIncrease(before, terms.indexPrice, now, PROFIT_WINDOW_MS)
  const then = { market: terms, window: { lastIncreaseAt: now, profitReference }, now }
  return takenByMinute(closingNow(after, after.size, then).settlement)
}

function failureOf(
  { direction, expectedAmount }: Placement,
  fill: Fill | null,
  { config }: ApiMarket,
): ExecutionErrorCode | null {
  if (fill === null) return 'order_zero_size_at_execution'
  if (fill.notional < quantity(config.minNotional)) return 'order_below_min_notional'
  return isOutsideTolerance({ direction, expectedAmount: expectedAmount ?? 0n }, fill)
    ? 'slippage_tolerance'
    : null
}

/** The index price at which it would trade. */
function firingIndex(placement: Placement, market: MarketTerms): Price {
  const { orderType, direction, triggerPrice, stopLimitPrice } = placement
  switch (orderType) {
    case 'limit':
      return (triggerPrice ?? 0n) > 0n ? limitLevel(market, direction, triggerPrice ?? 0n) : market.indexPrice
    case 'stop_limit':
      return (stopLimitPrice ?? 0n) > 0n
        ? limitLevel(market, direction, stopLimitPrice ?? 0n)
        : market.indexPrice
    case 'stop_market':
      return triggerPrice ?? market.indexPrice
    default:
      return market.indexPrice
  }
}

const withRoom = (spent: Quote): Quote => spent + spent / RESERVE_ABOVE + 1n

function together({ direction }: Placement, fill: Fill, held: ApiPosition | undefined): LiquidationTerms {
  const before = held === undefined ? { size: 0n, notional: 0n, margin: 0n } : positionTerms(held)
  return {
    direction,
    size: fill.size + before.size,
    notional: fill.notional + before.notional,
    margin: fill.margin + before.margin,
  }
}

function nearestStop(market: MarketTerms, direction: Placement['direction']): Price | null {
  if (market.parameters.minStopDistance === 0n) return null
  // The market's own price is nearer than any distance allows.
  return atMinimumDistance(market, direction, market.indexPrice).triggerPrice
}

const triggerOf = ({ orderType, direction, triggerPrice }: Placement) => ({
  type: orderType,
  direction,
  triggerPrice: triggerPrice ?? 0n,
})

function shapeRejection(placement: Placement): Rejection | null {
  return placementSchemaRejection(placement) ?? placementShapeRejection(placement)
}

function leverageRejection(leverage: bigint, { config }: ApiMarket): Rejection | null {
  const isWithin = leverage >= quantity(config.minLeverage) && leverage <= quantity(config.maxLeverage)
  return isWithin ? null : rejection('invalid_leverage')
}

function loadedRejection({ loaded }: AccountStanding): Rejection | null {
  return loaded ? null : rejection('account_not_loaded')
}

function tradingRejection({ status, currentPhase }: AccountStanding): Rejection | null {
  if (!ACCOUNT_STATUSES[status].trades) return rejection('challenge_closed')
  return currentPhase === null ? rejection('account_phase_not_allowed') : null
}

function standingRejection({ settings, state }: ApiMarket, closesAtOnce: boolean): Rejection | null {
  const code: ErrorCode | null = settings.isPaused
    ? 'market_paused'
    : settings.isCloseOnly && !closesAtOnce
      ? 'market_close_only'
      : state.indexPrice === '0'
        ? 'market_price_unavailable'
        : null
  return code === null ? null : rejection(code)
}

/** Of a market order against the price now (F12); of the others the shape has said what there is to say. */
function attachedRejection(
  { orderType, direction, stopTriggerPrice, takeTriggerPrice }: Placement,
  market: MarketTerms,
  after: LiquidationTerms | null,
): Rejection | null {
  if (orderType !== 'market') return null
  const stop = { type: 'stop' as const, direction, triggerPrice: stopTriggerPrice ?? 0n }
  const take = { type: 'take' as const, direction, triggerPrice: takeTriggerPrice ?? 0n }
  return (
    checkTrigger(market, stop, null).rejected ??
    checkTrigger(market, take, null).rejected ??
    checkTrigger(market, stop, after).rejected
  )
}
