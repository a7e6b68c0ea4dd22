/** The Position and Position event resources, and the bodies that change positions. */
import { Type } from 'typebox'
import type { ChangeMargin } from '../events/command.ts'
import { COMMAND_FIELDS } from '../events/commandTable.ts'
import { CLOSED_SETS } from '../terms/closedSets.ts'
import { ERRORS } from '../terms/errors.ts'
import { POSITION_EVENTS, POSITION_STATUSES, type PositionEventName } from '../terms/positionStatus.ts'
import { commandBody } from './commandBody.ts'
import { EXECUTED_ORDER, OPEN_POSITION } from './examples.ts'
import { base, closed, count, flag, instant, leverage, nullable, oneOf, quote, rate, uuid } from './fields.ts'
import { OrderResource } from './order.ts'

const positionFields = {
  idx: nullable(uuid('Identifies the position. Nullable as documented; here it never is.')),
  version: count('Revision: 1 on opening, 1 more with every event.', 1),
  openedAt: instant('When it was opened.'),
  lastUpdatedAt: instant('When its last event happened.'),
  closedAt: nullable(instant('When it was closed or liquidated; null while it is open.')),
  status: oneOf(POSITION_STATUSES, 'Whether it is open, and how it ended.'),
  market: uuid('The market it is held on.'),
  trader: uuid('The account it belongs to.'),
  size: base('A magnitude in either direction; 0 once closed.'),
  notional: quote('Size at entry price.'),
  margin: quote('What backs the position now; moves with pnl, funding and changes of margin.'),
  pnl: nullable(quote('Realized over all events, before fees and funding.')),
  funding: nullable(quote('Paid (negative) or received (positive) over its life.')),
  fee: quote('Trading fees over its life.'),
  feeRate: rate('Fee rate of the last trade.'),
  exchangedQuote: quote('Exchanged by the last event; 0 where it exchanged nothing.'),
  exchangedBase: base('Exchanged by the last event; 0 where it exchanged nothing.'),
  direction: oneOf(CLOSED_SETS.direction, 'Which way it profits.'),
  eventName: oneOf(Object.keys(POSITION_EVENTS) as PositionEventName[], 'The last event.'),
  pnlInEvent: quote('Realized by the last event, before fees and funding; 0 where it closed nothing.'),
  rawPnlInEvent: quote('The same before the 60-second profit adjustment.'),
  profitAdjustmentApplied: flag("Whether the 60-second adjustment capped the last event's profit."),
  holdingTimeMs: nullable(
    Type.String({
      pattern: '^[0-9]+$',
      description:
        'Milliseconds held before the last close, counted from the opening or last increase; null on other events.',
      examples: ['60000'],
    }),
  ),
  feeInEvent: quote('Fee of the last event.'),
  fundingInEvent: quote('Funding paid (negative) or received (positive) in the last event.'),
  roe: rate('Return on equity: realized pnl over the margin put up.'),
  scalpingCoefficient: leverage(
    "What the spread was multiplied by in the last event; above 1 inside the market's scalping window.",
  ),
  closeReason: nullable(oneOf(CLOSED_SETS.closeReason, 'Why the platform closed it; null where it did not.')),
}

export const PositionResource = closed(positionFields, {
  title: 'Position',
  description: 'A position, 28 fields.',
  examples: [OPEN_POSITION],
})

export const PositionEventResource = closed(
  {
    ...positionFields,
    order: Type.Union([OrderResource, Type.Null()], {
      description: 'The order behind the event; null where there is none: margin changes, force closes.',
    }),
  },
  {
    title: 'PositionEvent',
    description: 'The position after an event, and the order behind it.',
    examples: [{ ...OPEN_POSITION, order: EXECUTED_ORDER }],
  },
)

const { positionId: _path, ...marginFields } = COMMAND_FIELDS.changeMargin

/** The body of a change of margin; the position is in the path. */
export const changeMarginBody = commandBody<Omit<ChangeMargin, 'type' | 'positionId'>>(marginFields, {
  title: 'ChangeMargin',
  description: 'How much to move.',
  examples: [{ marginChange: '100000000000' }],
  documented: 'changeMargin',
})

const FailedCloseResource = closed(
  {
    positionId: uuid('The position that stays open.'),
    error: oneOf(Object.keys(ERRORS), 'Why it could not be closed.'),
  },
  { title: 'FailedClose', description: 'A position that could not be closed.' },
)

export const CloseAllResource = closed(
  {
    orders: Type.Array(OrderResource, { description: 'The closing orders, oldest position first.' }),
    failed: Type.Array(FailedCloseResource, { description: 'What could not be closed.' }),
  },
  {
    title: 'CloseAll',
    description: 'What flattening an account came to.',
    examples: [{ orders: [], failed: [] }],
  },
)
