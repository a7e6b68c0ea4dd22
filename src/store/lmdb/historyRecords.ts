/** The stored form of what the history lists show. Derived data: where the form changes, the lists are built again. */
import type { OrderRecord, OrderStatus } from '../../domain/order/order.ts'
import type { PositionEventName, PositionRecord, PositionStatus } from '../../domain/position/position.ts'
import { ByteReader } from '../../events/codec/byteReader.ts'
import { ByteWriter } from '../../events/codec/byteWriter.ts'
import {
  closeReason,
  direction,
  executionError,
  orderType,
  sizeMode,
} from '../../events/codec/eventSchemas.ts'
import {
  type Codec,
  compile,
  count,
  type Field,
  type Fields,
  flag,
  id,
  integer,
  nullable,
  object,
  oneOf,
} from '../../events/codec/fields.ts'
import { crc32 } from '../log/crc32.ts'

const orderStatus: Field<OrderStatus> = oneOf(
  'active',
  'canceled',
  'canceled_by_update',
  'canceled_by_error',
  'canceled_by_position',
  'executed',
)
const positionStatus: Field<PositionStatus> = oneOf('opened', 'closed', 'liquidated')
const eventName: Field<PositionEventName> = oneOf(
  'addMargin',
  'removeMargin',
  'closePosition',
  'increasePosition',
  'liquidate',
  'forceClose',
  'payFunding',
)

const order = object<OrderRecord>({
  id,
  trader: id,
  market: id,
  status: orderStatus,
  type: orderType,
  direction,
  triggerPrice: integer,
  requestedTriggerPrice: nullable(integer),
  stopPrice: integer,
  limitPrice: integer,
  stopTriggerPrice: integer,
  takeTriggerPrice: integer,
  trailingStopActivationPrice: integer,
  trailingStopOffset: integer,
  trailingStopOffsetPercent: integer,
  leverage: nullable(integer),
  positionId: nullable(id),
  parentOrderId: nullable(id),
  amount: integer,
  indexPrice: nullable(integer),
  createdAt: count,
  realizedPnl: nullable(integer),
  rawRealizedPnl: nullable(integer),
  profitAdjustmentApplied: flag,
  sizeMode,
  baseSize: nullable(integer),
  reservedAmount: nullable(integer),
  errorCode: nullable(executionError),
  reason: nullable(closeReason),
})

const position = object<PositionRecord>({
  idx: id,
  version: count,
  openedAt: count,
  lastUpdatedAt: count,
  closedAt: nullable(count),
  status: positionStatus,
  market: id,
  trader: id,
  size: integer,
  notional: integer,
  margin: integer,
  pnl: integer,
  funding: integer,
  fee: integer,
  feeRate: integer,
  exchangedQuote: integer,
  exchangedBase: integer,
  direction,
  eventName,
  pnlInEvent: integer,
  rawPnlInEvent: integer,
  profitAdjustmentApplied: flag,
  holdingTimeMs: nullable(count),
  feeInEvent: integer,
  fundingInEvent: integer,
  roe: integer,
  scalpingCoefficient: integer,
  closeReason: nullable(closeReason),
})

/** An order that has ended, and the phase it belongs to (H3). */
export interface EndedOrder {
  readonly phaseOrdinal: number
  readonly record: OrderRecord
}

/** A position that has ended, and the phase it belongs to (H3). */
export interface EndedPosition {
  readonly phaseOrdinal: number
  readonly record: PositionRecord
}

/** A position right after an event, and the order behind it by its sequence: that one has ended and is kept besides. */
export interface KeptEvent {
  readonly record: PositionRecord
  readonly orderSequence: number | null
}

class RecordCodec<T extends object> {
  readonly #codec: Codec<T>
  readonly #writer = new ByteWriter()
  readonly form: string

  constructor(fields: Fields<T>) {
    this.#codec = compile<T>(fields as Fields<object>)
    this.form = this.#codec.form
  }

  encode(value: T): Uint8Array {
    this.#writer.reset()
    this.#codec.write(this.#writer, value)
    return this.#writer.copy()
  }

  decode(bytes: Uint8Array): T {
    return this.#codec.read(new ByteReader(bytes))
  }
}

export const endedOrders = new RecordCodec<EndedOrder>({ phaseOrdinal: count, record: order })
export const endedPositions = new RecordCodec<EndedPosition>({ phaseOrdinal: count, record: position })
export const keptEvents = new RecordCodec<KeptEvent>({ record: position, orderSequence: nullable(count) })

/** Changes whenever a stored form does. */
export const HISTORY_FORM = formOf(
  ['sealed', endedOrders.form, endedPositions.form, keptEvents.form].join('\n'),
)

function formOf(text: string): number {
  const writer = new ByteWriter()
  writer.text(text)
  return crc32(writer.bytes, 0, writer.at)
}
