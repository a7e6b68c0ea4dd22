/**
 * What a venue tells of positions, as the engine's own events. The records of the interface say what a position is after an event;
 * what an event moved follows from the record before it.
 */
import { positionRecipe, unopenedPosition } from '../../domain/evolve/positionReducers.ts'
import { referenceAfterIncrease, referenceShare } from '../../domain/formulas/profitWindow.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../../domain/state/position.ts'
import { PROFIT_WINDOW_MS } from '../../domain/state/venueRules.ts'
import type { IncreasePosition, PositionEvent, Settled } from '../../events/positionEvents.ts'
import type { MarketRecord } from '../../projections/marketRecord.ts'
import { priceDown } from '../../quantity/products.ts'

const NOT_NUMBERED = { sequence: 0, phaseOrdinal: 0 }

export class LivePositions {
  readonly #open = new Map<string, Position>()

  /** Those that are open, as a reading or a snapshot gives them. What they have been before is not known. */
  begin(records: readonly PositionRecord[]): void {
    const known = new Map(this.#open)
    this.#open.clear()
    for (const record of records) {
      const before = known.get(record.id)
      this.#open.set(record.id, before?.version === record.version ? before : positionOf(record))
    }
  }

  /** The next event of a position, which happened on this market. Call with every one, in their order. */
  add(record: PositionEventRecord, market: MarketRecord): PositionEvent {
    const before = this.#open.get(record.id)
    const at = record.lastUpdatedAt
    const event = eventOf(record, before, market)
    const position =
      before ?? (event.type === 'increasePosition' ? unopenedPosition(event, at, NOT_NUMBERED) : null)
    if (position === null) return event
    positionRecipe(position, event, at)
    if (position.status === 'opened') this.#open.set(record.id, position)
    else this.#open.delete(record.id)
    return event
  }
}

function positionOf(record: PositionRecord): Position {
  return {
    ...record,
    ...NOT_NUMBERED,
    profitReference: 0n,
    lastIncreaseAt: record.openedAt,
    contributedMargin: record.margin,
  }
}

/** A position that was there before, as if it had been opened with what it has. */
export function takenOver(record: PositionRecord): IncreasePosition {
  return {
    type: 'increasePosition',
    positionId: record.id,
    accountId: record.accountId,
    marketId: record.marketId,
    direction: record.direction,
    opens: true,
    orderId: '',
    indexPrice: priceDown(record.notional, record.size),
    size: record.size,
    notional: record.notional,
    margin: record.margin,
    leverage: 0n,
    fee: 0n,
    feeRate: record.feeRate,
    profitReference: 0n,
  }
}

function eventOf(
  record: PositionEventRecord,
  before: Position | undefined,
  market: MarketRecord,
): PositionEvent {
  const { id: positionId, accountId, marketId, direction, order } = record
  const ofPosition = { positionId, accountId, marketId, direction }
  const indexPrice = order?.indexPrice ?? market.state.indexPrice
  const filled = { ...ofPosition, orderId: order?.id ?? '', indexPrice }
  const marginBefore = before?.margin ?? record.margin
  const { spread, maintenanceMarginRate } = market.config
  switch (record.eventName) {
    case 'increasePosition':
      return {
        type: 'increasePosition',
        ...filled,
        opens: record.version === 1,
        size: record.exchangedBase,
        notional: record.exchangedQuote,
        margin: record.margin - (before?.margin ?? 0n),
        leverage: order?.leverage ?? 0n,
        fee: record.feeInEvent,
        feeRate: record.feeRate,
        profitReference:
          before === undefined
            ? 0n
            : referenceAfterIncrease(before, indexPrice, record.lastUpdatedAt, PROFIT_WINDOW_MS),
      }
    case 'closePosition': {
      const { feeRate, scalpingCoefficient } = record
      const closes = record.status !== 'opened'
      return {
        type: 'closePosition',
        ...settled(record, before, indexPrice),
        orderId: filled.orderId,
        closes,
        feeRate,
        scalpingCoefficient,
      }
    }
    case 'liquidate':
      return {
        type: 'liquidate',
        ...settled(record, before, indexPrice),
        orderId: filled.orderId,
        margin: marginBefore,
        spread,
        maintenanceMarginRate,
        liquidationPrice: order?.triggerPrice ?? 0n,
        formula: 1,
      }
    case 'forceClose':
      return {
        type: 'forceClose',
        ...settled(record, before, indexPrice),
        closeReason: record.closeReason ?? 'force_close',
        feeRate: record.feeRate,
        spread,
        margin: marginBefore,
        formula: 1,
      }
    case 'addMargin':
      return { type: 'addMargin', ...ofPosition, amount: record.margin - marginBefore }
    case 'removeMargin':
      return { type: 'removeMargin', ...ofPosition, amount: marginBefore - record.margin }
    case 'payFunding':
      return {
        type: 'payFunding',
        ...ofPosition,
        amount: record.fundingInEvent,
        indexPrice,
        // What its side pays (E4): the mirror of the other, because a rate of the shorts' own is not told.
        fundingRate: direction === 'long' ? market.state.fundingRate : -market.state.fundingRate,
      }
  }
}

function settled(record: PositionEventRecord, before: Position | undefined, indexPrice: bigint): Settled {
  const { id: positionId, accountId, marketId, direction } = record
  const marginReleased = (before?.margin ?? record.margin) - record.margin
  return {
    ...{ positionId, accountId, marketId, direction, indexPrice },
    size: record.exchangedBase,
    exchangedQuote: record.exchangedQuote,
    cost: (before?.notional ?? record.notional) - record.notional,
    rawPnl: record.rawPnlInEvent,
    pnl: record.pnlInEvent,
    fee: record.feeInEvent,
    marginReleased,
    credit: marginReleased + record.pnlInEvent - record.feeInEvent,
    profitReferenceUsed: before === undefined ? 0n : referenceShare(before, record.exchangedBase),
    holdingTimeMs: record.holdingTimeMs ?? 0,
  }
}
