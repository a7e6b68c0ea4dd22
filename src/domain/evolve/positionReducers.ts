/**
 * The seven position reducers. One recipe per event, run two ways: `immutably` for whoever wants a pure, frozen,
 * structurally shared aggregate, `inPlace` on the records the engine owns. A recipe assigns; it validates nothing.
 */
import { type Immutable, produce } from 'immer'
import type {
  AddMargin,
  ClosePosition,
  ForceClose,
  IncreasePosition,
  Liquidate,
  PayFunding,
  PositionEvent,
  RemoveMargin,
} from '../../events/positionEvents.ts'
import { ONE } from '../../quantity/fp9.ts'
import { ratioDown } from '../../quantity/products.ts'
import type { Rate } from '../../quantity/units.ts'
import type { PositionStatus } from '../../terms/positionStatus.ts'
import type { Position } from '../state/position.ts'

/** Changes `position` to what it is after `event`, which happened at `at` (epoch ms). */
export type PositionRecipe<E extends PositionEvent = PositionEvent> = (
  position: Position,
  event: E,
  at: number,
) => void

/**
 * What the opening event finds: a position of its market, account and direction with nothing in it. `at`: epoch ms; `sequence`: a
 * count over everything the venue creates; `phaseOrdinal`: how many phases the account has begun.
 *
 * ```ts
 * const [{ event }] = await lifeOf(log, position.id)
 * const empty = unopenedPosition(event, at, { sequence: 1, phaseOrdinal: 1 })
 * reducePosition(empty, event, at).size === position.size // → true
 * ```
 */
export function unopenedPosition(
  event: IncreasePosition,
  at: number,
  identity: { readonly sequence: number; readonly phaseOrdinal: number },
): Position {
  return {
    id: event.positionId,
    version: 0,
    openedAt: at,
    lastUpdatedAt: at,
    closedAt: null,
    status: 'opened',
    marketId: event.marketId,
    accountId: event.accountId,
    size: 0n,
    notional: 0n,
    margin: 0n,
    pnl: 0n,
    funding: 0n,
    fee: 0n,
    feeRate: event.feeRate,
    exchangedQuote: 0n,
    exchangedBase: 0n,
    direction: event.direction,
    eventName: 'increasePosition',
    pnlInEvent: 0n,
    rawPnlInEvent: 0n,
    profitAdjustmentApplied: false,
    holdingTimeMs: null,
    feeInEvent: 0n,
    fundingInEvent: 0n,
    roe: 0n,
    scalpingCoefficient: ONE,
    closeReason: null,
    sequence: identity.sequence,
    phaseOrdinal: identity.phaseOrdinal,
    profitReference: 0n,
    lastIncreaseAt: at,
    contributedMargin: 0n,
  }
}

/**
 * Applies any position event; the single switch over the seven (C13).
 *
 * ```ts
 * const [{ event }] = await lifeOf(log, position.id)
 * const record = unopenedPosition(event, at, { sequence: 1, phaseOrdinal: 1 })
 * positionRecipe(record, event, at)
 * record.version // → 1
 * ```
 */
export const positionRecipe: PositionRecipe = (position, event, at) => {
  position.version += 1
  position.lastUpdatedAt = at
  position.eventName = event.type
  switch (event.type) {
    case 'increasePosition':
      return increasePosition(position, event, at)
    case 'closePosition':
      return closePosition(position, event, at)
    case 'addMargin':
      return addMargin(position, event)
    case 'removeMargin':
      return removeMargin(position, event)
    case 'payFunding':
      return payFunding(position, event)
    case 'liquidate':
      return liquidate(position, event, at)
    case 'forceClose':
      return forceClose(position, event, at)
    default:
      return unknownEvent(event)
  }
}

/** Whether an event ends its position. */
export function endsPosition(event: PositionEvent): boolean {
  return event.type === 'closePosition'
    ? event.closes
    : event.type === 'liquidate' || event.type === 'forceClose'
}

/** C6: sizes, notionals, margins and fees add up, whatever their leverage (F18); the cap's window restarts (D3). */
function increasePosition(position: Position, event: IncreasePosition, at: number): void {
  position.size = sum(position.size, event.size)
  position.notional = sum(position.notional, event.notional)
  position.margin = sum(position.margin, event.margin)
  position.contributedMargin = sum(position.contributedMargin, event.margin)
  position.fee = sum(position.fee, event.fee)
  position.feeRate = event.feeRate
  position.exchangedQuote = event.notional
  position.exchangedBase = event.size
  position.pnlInEvent = 0n
  position.rawPnlInEvent = 0n
  position.profitAdjustmentApplied = false
  position.holdingTimeMs = null
  position.feeInEvent = event.fee
  position.fundingInEvent = 0n
  position.scalpingCoefficient = ONE
  position.profitReference = event.profitReference
  position.lastIncreaseAt = at
  position.roe = roe(position)
}

/** Of nothing and something the latter itself: every sum is an object of its own, and most positions are increased once. */
function sum(before: bigint, more: bigint): bigint {
  return before === 0n ? more : before + more
}

function closePosition(position: Position, event: ClosePosition, at: number): void {
  realize(position, event)
  position.feeRate = event.feeRate
  position.scalpingCoefficient = event.scalpingCoefficient
  if (event.closes) end(position, 'closed', at)
}

function liquidate(position: Position, event: Liquidate, at: number): void {
  realize(position, event)
  end(position, 'liquidated', at)
}

function forceClose(position: Position, event: ForceClose, at: number): void {
  realize(position, event)
  position.feeRate = event.feeRate
  position.closeReason = event.closeReason
  end(position, 'closed', at)
}

function addMargin(position: Position, event: AddMargin): void {
  exchangeNothing(position)
  position.margin += event.amount
  position.contributedMargin += event.amount
  position.roe = roe(position)
}

/** A withdrawal leaves the margin put up, and with it roe, as they are (C12). */
function removeMargin(position: Position, event: RemoveMargin): void {
  exchangeNothing(position)
  position.margin -= event.amount
}

/** E5: margin and `funding` move; notional, size, pnl and the cap's window do not. */
function payFunding(position: Position, event: PayFunding): void {
  exchangeNothing(position)
  position.margin += event.amount
  position.funding += event.amount
  position.fundingInEvent = event.amount
}

/** What closing in any way takes out of the position (C7–C9, D4). */
function realize(position: Position, event: ClosePosition | Liquidate | ForceClose): void {
  position.size -= event.size
  position.notional -= event.cost
  position.margin -= event.marginReleased
  position.pnl += event.pnl
  position.fee += event.fee
  position.exchangedQuote = event.exchangedQuote
  position.exchangedBase = event.size
  position.pnlInEvent = event.pnl
  position.rawPnlInEvent = event.rawPnl
  position.profitAdjustmentApplied = event.pnl !== event.rawPnl
  position.holdingTimeMs = event.holdingTimeMs
  position.feeInEvent = event.fee
  position.fundingInEvent = 0n
  position.scalpingCoefficient = ONE
  position.profitReference -= event.profitReferenceUsed
  position.roe = roe(position)
}

/** Margin and funding events trade nothing: the per-event fields are neutral (C13). */
function exchangeNothing(position: Position): void {
  position.exchangedQuote = 0n
  position.exchangedBase = 0n
  position.pnlInEvent = 0n
  position.rawPnlInEvent = 0n
  position.profitAdjustmentApplied = false
  position.holdingTimeMs = null
  position.feeInEvent = 0n
  position.fundingInEvent = 0n
  position.scalpingCoefficient = ONE
}

function end(position: Position, status: PositionStatus, at: number): void {
  position.status = status
  position.closedAt = at
}

/** ⌊pnl·ONE / margin put up⌋; 0 while nothing is realized (C12). */
function roe(position: Position): Rate {
  return position.pnl === 0n ? 0n : ratioDown(position.pnl, position.contributedMargin)
}

function unknownEvent(event: never): never {
  throw new TypeError(`not a position event: ${JSON.stringify(event)}`)
}

/** A frozen position, as the pure reducers return it. */
export type FrozenPosition = Immutable<Position>

/**
 * Runs a recipe on an immer draft: the argument is untouched, the result frozen and structurally shared.
 *
 * ```ts
 * const closed = immutably((draft, event: ClosePosition, at) => {
 *   draft.closedAt = at
 * })
 * closed(Object.freeze(position), {} as ClosePosition, 5).closedAt // → 5
 * ```
 */
export function immutably<E extends PositionEvent>(
  recipe: PositionRecipe<E>,
): (position: FrozenPosition, event: E, at: number) => FrozenPosition {
  return (position, event, at) =>
    // The type of `produce` asks for what may be written to; all that is written is the draft.
    produce(position as Position, (draft: Position) => {
      recipe(draft, event, at)
    })
}

/**
 * Runs a recipe on the given record itself, and returns it.
 *
 * ```ts
 * const closed = inPlace((record, event: ClosePosition, at) => {
 *   record.closedAt = at
 * })
 * closed({ ...position }, {} as ClosePosition, 5).closedAt // → 5
 * ```
 */
export function inPlace<E extends PositionEvent>(
  recipe: PositionRecipe<E>,
): (position: Position, event: E, at: number) => Position {
  return (position, event, at) => {
    recipe(position, event, at)
    return position
  }
}

/**
 * The public pure reducer over all seven events: the position after an event, frozen; the one before is untouched.
 *
 * ```ts
 * const life = await lifeOf(log, position.id)
 * const empty = unopenedPosition(life[0].event, at, { sequence: 1, phaseOrdinal: 1 })
 * const now = life.reduce((before, { event }) => reducePosition(before, event, at), empty)
 * now.margin === position.margin // → true
 * ```
 */
export const reducePosition = immutably(positionRecipe)
