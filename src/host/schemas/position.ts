/** The Position and Position event resources, and the bodies that change positions. */
import { type Static, Type } from 'typebox'
import type { ChangeMargin } from '../../events/command.ts'
import { ERRORS } from '../../terms/errors.ts'
import { closed, Fp9, Instant, nullable, type SchemasOf, Uuid } from './fields.ts'
import { CLOSE_REASONS, OrderResource } from './order.ts'

const positionFields = {
  idx: nullable(Uuid),
  version: Type.Integer({ minimum: 1 }),
  openedAt: Instant,
  lastUpdatedAt: Instant,
  closedAt: nullable(Instant),
  status: Type.Enum(['opened', 'closed', 'liquidated']),
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
  direction: Type.Enum(['long', 'short']),
  eventName: Type.Enum([
    'addMargin',
    'removeMargin',
    'closePosition',
    'increasePosition',
    'liquidate',
    'forceClose',
    'payFunding',
  ]),
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

export const ChangeMarginBody = closed({ marginChange: Fp9 } satisfies SchemasOf<
  Omit<ChangeMargin, 'type' | 'positionId'>
>)

export type ChangeMarginBody = Static<typeof ChangeMarginBody>

export const CloseAllResource = closed({
  orders: Type.Array(OrderResource),
  failed: Type.Array(closed({ positionId: Uuid, error: Type.Enum(Object.keys(ERRORS)) })),
})
