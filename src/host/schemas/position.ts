/** The Position and Position event resources, and the bodies that change positions. */
import { Type } from 'typebox'
import type { ChangeMargin } from '../../events/command.ts'
import { COMMAND_FIELDS } from '../../events/commandTable.ts'
import { CLOSED_SETS } from '../../terms/closedSets.ts'
import { ERRORS } from '../../terms/errors.ts'
import { POSITION_EVENTS, POSITION_STATUSES, type PositionEventName } from '../../terms/positionStatus.ts'
import { commandBody } from './commandBody.ts'
import { closed, Fp9, Instant, nullable, Uuid } from './fields.ts'
import { CLOSE_REASONS, OrderResource } from './order.ts'

const positionFields = {
  idx: nullable(Uuid),
  version: Type.Integer({ minimum: 1 }),
  openedAt: Instant,
  lastUpdatedAt: Instant,
  closedAt: nullable(Instant),
  status: Type.Enum(POSITION_STATUSES),
  market: Uuid,
  trader: Uuid,
  size: Fp9,
  notional: Fp9,
  margin: Fp9,
  pnl: nullable(Fp9),
  funding: nullable(Fp9),
  fee: Fp9,
  feeRate: Fp9,
  exchangedQuote: Fp9,
  exchangedBase: Fp9,
  direction: Type.Enum([...CLOSED_SETS.direction]),
  eventName: Type.Enum(Object.keys(POSITION_EVENTS) as PositionEventName[]),
  pnlInEvent: Fp9,
  rawPnlInEvent: Fp9,
  profitAdjustmentApplied: Type.Boolean(),
  holdingTimeMs: nullable(Type.String({ pattern: '^[0-9]+$' })),
  feeInEvent: Fp9,
  fundingInEvent: Fp9,
  roe: Fp9,
  scalpingCoefficient: Fp9,
  closeReason: nullable(Type.Enum([...CLOSE_REASONS])),
}

export const PositionResource = closed(positionFields, { description: 'Position: 28 fields' })

export const PositionEventResource = closed(
  { ...positionFields, order: nullable(OrderResource) },
  { description: 'Position event: the Position after the event, and the order behind it' },
)

const { positionId: _path, ...marginFields } = COMMAND_FIELDS.changeMargin

/** The body of a change of margin; the position is in the path. */
export const changeMarginBody = commandBody<Omit<ChangeMargin, 'type' | 'positionId'>>(marginFields)

export const CloseAllResource = closed({
  orders: Type.Array(OrderResource),
  failed: Type.Array(closed({ positionId: Uuid, error: Type.Enum(Object.keys(ERRORS)) })),
})
