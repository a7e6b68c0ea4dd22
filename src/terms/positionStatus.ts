/** Where a position can stand, and what its seven events make of it. */

/** Where a position stands; all but `opened` are final. */
export type PositionStatus = 'opened' | 'closed' | 'liquidated'

/** The seven events of a position, under the names of the trading API. */
export type PositionEventName =
  | 'increasePosition'
  | 'closePosition'
  | 'addMargin'
  | 'removeMargin'
  | 'payFunding'
  | 'liquidate'
  | 'forceClose'

interface PositionEventRow {
  /** What it happens to; `none`: it brings the position into being. */
  readonly from: readonly ('none' | PositionStatus)[]
  /** What the position is after it: a close leaves it open unless it takes all of it. */
  readonly to: readonly PositionStatus[]
}

export const POSITION_EVENTS: { readonly [Name in PositionEventName]: PositionEventRow } = {
  addMargin: { from: ['opened'], to: ['opened'] },
  removeMargin: { from: ['opened'], to: ['opened'] },
  closePosition: { from: ['opened'], to: ['opened', 'closed'] },
  increasePosition: { from: ['none', 'opened'], to: ['opened'] },
  liquidate: { from: ['opened'], to: ['liquidated'] },
  forceClose: { from: ['opened'], to: ['closed'] },
  payFunding: { from: ['opened'], to: ['opened'] },
}

export const POSITION_STATUSES = [...new Set(Object.values(POSITION_EVENTS).flatMap(({ to }) => to))]
