// The formulas of docs/rules.md a second time, from the text alone: exact decimals, nothing of the engine.

import { down, type Exact, least, most, up, WHOLE, ZERO } from './exact.ts'

export type Side = 'long' | 'short'

/** B1, B2: buys above the index, sells below it. A long buys to open and sells to close. */
export function executionPrice(
  side: Side,
  act: 'open' | 'close',
  index: Exact,
  spread: Exact,
  coefficient = WHOLE,
) {
  const charged = up(spread.times(coefficient))
  const buys = (side === 'long') === (act === 'open')
  return buys ? up(index.times(WHOLE.plus(charged))) : down(index.times(WHOLE.minus(charged)))
}

/** J12: the first index on the path at which a limit's condition holds. */
export function limitLevel(side: Side, price: Exact, spread: Exact): Exact {
  return side === 'long' ? down(price.div(WHOLE.plus(spread))) : up(price.div(WHOLE.minus(spread)))
}

export interface Fill {
  readonly size: Exact
  readonly notional: Exact
  readonly margin: Exact
  readonly fee: Exact
  readonly spent: Exact
}

/** C1. */
export function quoteFill(side: Side, amount: Exact, leverage: Exact, price: Exact, feeRate: Exact): Fill {
  const fee = up(amount.times(leverage).times(feeRate))
  const margin = amount.minus(fee)
  const notional = down(margin.times(leverage))
  const bought = notional.div(price)
  return { size: side === 'long' ? down(bought) : up(bought), notional, margin, fee, spent: amount }
}

/** C2. */
export function baseFill(side: Side, size: Exact, leverage: Exact, price: Exact, feeRate: Exact): Fill {
  const value = size.times(price)
  const notional = side === 'long' ? up(value) : down(value)
  const margin = up(notional.div(leverage))
  const fee = up(notional.times(feeRate))
  return { size, notional, margin, fee, spent: margin.plus(fee) }
}

/** POST 7: (amount − fee) · leverage. */
export function placementNotional(amount: Exact, leverage: Exact, feeRate: Exact): Exact {
  return down(amount.minus(up(amount.times(leverage).times(feeRate))).times(leverage))
}

/** What the formulas need to know of a position. */
export interface Holding {
  readonly side: Side
  readonly size: Exact
  readonly notional: Exact
  readonly margin: Exact
  /** Reference of the 60-second cap (D2, D3). */
  readonly reference: Exact
  /** Milliseconds since the opening or the last increase. */
  readonly heldMs: number
}

/** C11: at the index, without spread, rounded down. */
export function rawUnrealized(
  { side, size, notional }: Pick<Holding, 'side' | 'size' | 'notional'>,
  index: Exact,
) {
  return down(side === 'long' ? size.times(index).minus(notional) : notional.minus(size.times(index)))
}

/** D7. */
export function unrealized(holding: Holding, index: Exact): Exact {
  const raw = rawUnrealized(holding, index)
  return holding.heldMs < 60_000 ? least(raw, holding.reference) : raw
}

/** E1: M + u ≤ mmr·q·index solved for the index. */
export function liquidationPrice(
  holding: Pick<Holding, 'side' | 'size' | 'notional' | 'margin'>,
  rate: Exact,
): Exact {
  const { side, size, notional, margin } = holding
  if (side === 'short') return down(notional.plus(margin).div(size.times(WHOLE.plus(rate))))
  return most(ZERO, up(notional.minus(margin).div(size.times(WHOLE.minus(rate)))))
}

/** E1: at the price counts; a long at 0 never. */
export function liquidatable(
  holding: Pick<Holding, 'side' | 'size' | 'notional' | 'margin'>,
  rate: Exact,
  index: Exact,
) {
  const price = liquidationPrice(holding, rate)
  return holding.side === 'long' ? price.greaterThan(0) && index.lte(price) : index.gte(price)
}

export interface Closed {
  readonly size: Exact
  readonly exchanged: Exact
  readonly cost: Exact
  readonly raw: Exact
  readonly pnl: Exact
  readonly fee: Exact
  readonly released: Exact
  readonly credit: Exact
  readonly referenceUsed: Exact
}

/** C7, C9, C10, D4: closing a size at a price, before the fee. */
function trade(holding: Holding, size: Exact, price: Exact) {
  const { side, notional, margin, reference } = holding
  const whole = size.equals(holding.size)
  const long = side === 'long'
  const cost = whole ? notional : (long ? up : down)(notional.times(size).div(holding.size))
  const asked = (long ? down : up)(size.times(price))
  const rawAsked = long ? asked.minus(cost) : cost.minus(asked)
  // C10: taken over at the bankruptcy price.
  const bankrupt = rawAsked.lessThan(margin.negated())
  const raw = bankrupt ? margin.negated() : rawAsked
  const exchanged = bankrupt ? (long ? cost.minus(margin) : cost.plus(margin)) : asked
  const referenceUsed = whole ? reference : down(reference.times(size).div(holding.size))
  const capped = holding.heldMs < 60_000 ? least(raw, referenceUsed) : raw
  const pnl = most(capped, margin.negated())
  return { size, exchanged, cost, raw, pnl, referenceUsed, whole }
}

/** C7–C10, D4, J3: a close by order or by the platform. */
export function close(holding: Holding, size: Exact, price: Exact, feeRate: Exact): Closed {
  const { whole, ...done } = trade(holding, size, price)
  const { margin } = holding
  const fee = most(ZERO, least(up(done.exchanged.times(feeRate)), margin.plus(done.pnl)))
  const share = whole ? margin : down(margin.times(size).div(holding.size))
  const settled = share.plus(done.pnl).minus(fee)
  return settled.isNegative()
    ? { ...done, fee, released: share.minus(settled), credit: ZERO }
    : { ...done, fee, released: share, credit: settled }
}

/** E2: the whole position, nothing paid out, the fee takes the rest. */
export function liquidation(holding: Holding, price: Exact): Closed {
  const { whole: _, ...done } = trade(holding, holding.size, price)
  return { ...done, fee: holding.margin.plus(done.pnl), released: holding.margin, credit: ZERO }
}

/** E4, E5: positive reaches the margin, negative leaves it. */
export function funding(holding: Pick<Holding, 'size' | 'margin'>, index: Exact, rate: Exact): Exact {
  const value = holding.size.times(index)
  if (rate.isNegative()) return down(down(value).times(rate.abs()))
  return most(holding.margin.negated(), up(up(value).times(rate)).negated())
}

/** E4, J2. */
export function fundingRateOf(side: Side, rate: Exact, rateShort: Exact | null): Exact {
  return side === 'long' ? rate : (rateShort ?? rate.negated())
}

/** F9: 0 pushes nothing. */
export function pushedStop(side: Side, price: Exact, index: Exact, distance: Exact): Exact {
  if (distance.isZero()) return price
  return side === 'long'
    ? least(price, down(index.times(WHOLE.minus(distance))))
    : most(price, up(index.times(WHOLE.plus(distance))))
}

/** F8, J20. */
export function trailingTrigger(side: Side, best: Exact, offset: Exact, percent: Exact): Exact {
  const distance = offset.isZero() ? down(best.times(percent)) : offset
  return side === 'long' ? most(ZERO, best.minus(distance)) : best.plus(distance)
}

/** H5, with the day starting from its equity. */
export function dailyFloor(dayStart: Exact, fraction: Exact): Exact {
  return dayStart.minus(down(dayStart.times(fraction)))
}

/** H6, J14. */
export function totalFloor(initial: Exact, highWater: Exact, fraction: Exact, trailing: boolean): Exact {
  const allowance = down(initial.times(fraction))
  return trailing ? least(initial, highWater.minus(allowance)) : initial.minus(allowance)
}

/** H7. */
export function targetBalance(initial: Exact, fraction: Exact): Exact {
  return initial.plus(up(initial.times(fraction)))
}

/** C12. */
export function roe(pnl: Exact, putUp: Exact): Exact {
  return pnl.isZero() ? ZERO : down(pnl.div(putUp))
}
