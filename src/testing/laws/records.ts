/** Records as the API writes them: the documented fields and no others, every one in its form (A1, A4, A5, C13). */
import type { OrderRecord } from '../../domain/state/order.ts'
import type { PositionRecord } from '../../domain/state/position.ts'
import { wireOrder, wirePosition, wirePositionEvent } from '../../projections/wire.ts'
import type { Law } from '../law.ts'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
const fp9 = /^(?:-?[1-9][0-9]*|0)$/
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const word = /^[a-z]+(?:_[a-z]+)*$/
const eventName =
  /^(?:addMargin|removeMargin|closePosition|increasePosition|liquidate|forceClose|payFunding)$/

type Form = RegExp | 'version' | 'flag'

interface Field {
  readonly form: Form
  readonly optional: boolean
}

/** The fields of these names; a question mark allows null. */
const fields = (form: Form, names: string): [string, Field][] =>
  names
    .split(' ')
    .map((name) =>
      name.endsWith('?') ? [name.slice(0, -1), { form, optional: true }] : [name, { form, optional: false }],
    )

const ORDER_FORM = new Map<string, Field>([
  ...fields(uuid, 'id trader market positionId? parentOrderId?'),
  ...fields(word, 'status type direction sizeMode errorCode? reason?'),
  ...fields(
    fp9,
    'triggerPrice requestedTriggerPrice? stopPrice limitPrice stopTriggerPrice takeTriggerPrice',
  ),
  ...fields(fp9, 'trailingStopActivationPrice trailingStopOffset trailingStopOffsetPercent leverage? amount'),
  ...fields(fp9, 'indexPrice? realizedPnl? rawRealizedPnl? baseSize? reservedAmount?'),
  ...fields(instant, 'createdAt'),
  ...fields('flag', 'profitAdjustmentApplied'),
])

const POSITION_FORM = new Map<string, Field>([
  ...fields(uuid, 'idx market trader'),
  ...fields(word, 'status direction closeReason?'),
  ...fields(eventName, 'eventName'),
  ...fields(fp9, 'size notional margin pnl funding fee feeRate exchangedQuote exchangedBase pnlInEvent'),
  ...fields(fp9, 'rawPnlInEvent holdingTimeMs? feeInEvent fundingInEvent roe scalpingCoefficient'),
  ...fields(instant, 'openedAt lastUpdatedAt closedAt?'),
  ...fields('flag', 'profitAdjustmentApplied'),
  ...fields('version', 'version'),
])

/** What is wrong with an order record; null = nothing. */
function orderFormFault(order: OrderRecord): string | null {
  return formFault(wireOrder(order), ORDER_FORM)
}

function positionFormFault(position: PositionRecord): string | null {
  return formFault(wirePosition(position), POSITION_FORM)
}

function formFault(record: object, form: ReadonlyMap<string, Field>): string | null {
  const values = Object.entries(record)
  if (values.length !== form.size) return `${values.length} fields, not ${form.size}`
  for (const [name, value] of values) {
    const field = form.get(name)
    if (field === undefined) return `the field ${name} is not documented`
    if (value === null && field.optional) continue
    if (!holds(value, field.form)) return `${name} reads ${value}`
  }
  return null
}

function holds(value: unknown, form: Form): boolean {
  if (form === 'flag') return typeof value === 'boolean'
  if (form === 'version') return Number.isSafeInteger(value) && (value as number) > 0
  return typeof value === 'string' && form.test(value)
}

export const recordsHaveTheirForm: Law = {
  name: 'records have their form',
  statement:
    'On the wire an Order has exactly its 29 fields, a Position its 28, a Position event its 29: quantities as fp9 strings, instants as ISO 8601 with milliseconds, ids as lowercase uuid v4 (A1, A4, A5, C13, invariant 4).',
  watch: () => ({
    afterCommand({ bus, commits }) {
      // As they read after the command: once each, however many events they are in.
      const [orders, positions] = [new Set<string>(), new Set<string>()]
      for (const { events } of commits)
        for (const event of events) {
          if ('orderId' in event) orders.add(event.orderId)
          if ('positionId' in event && event.positionId !== null) positions.add(event.positionId)
        }
      for (const id of orders) {
        const order = bus.read.order(id)
        const found = order && orderFormFault(order)
        if (found != null) return `order ${id}: ${found}`
      }
      for (const id of positions) {
        const position = bus.read.position(id)
        const found = position && positionFormFault(position)
        if (found != null) return `position ${id}: ${found}`
      }
      return null
    },
    atEnd({ bus, model }) {
      for (const id of model.positions.keys())
        for (const record of bus.read.positionEvents(id) ?? []) {
          const { order, ...position } = wirePositionEvent(record)
          const found = formFault(position, POSITION_FORM) ?? (order && formFault(order, ORDER_FORM))
          if (found != null) return `event of ${id}: ${found}`
          const ordered = ['increasePosition', 'closePosition', 'liquidate'].includes(record.eventName)
          if ((order !== null) !== ordered) return `${record.eventName} with order ${order?.id ?? null}`
        }
      return null
    },
  }),
}

export const idsAreUnique: Law = {
  name: 'ids are unique',
  statement: 'No two orders or positions ever get the same id (A4).',
  watch: () => {
    const taken = new Set<string>()
    return {
      beforeEvent({ event }) {
        const opens = event.type === 'increasePosition' && event.opens
        const id = event.type === 'orderPlaced' ? event.orderId : opens ? event.positionId : null
        if (id === null) return null
        if (!uuid.test(id)) return `${id} is no uuid v4`
        if (taken.has(id)) return `${id} is given twice`
        taken.add(id)
        return null
      },
    }
  },
}
