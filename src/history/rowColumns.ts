/** The columns of the records of orders and positions, and the records that rows are read back to. */
import type { OrderRecord } from '../domain/state/order.ts'
import type { PositionRecord } from '../domain/state/position.ts'
import type { ReadRow, Row } from '../store/rowStore.ts'

/** `amount`: units of 10⁻⁹, a decimal in the database. `instant`: epoch ms. */
type Kind = 'text' | 'amount' | 'instant' | 'count' | 'flag'

type Value = string | number | bigint | boolean | null

const ORDER: Readonly<Record<keyof OrderRecord, Kind>> = {
  id: 'text',
  accountId: 'text',
  marketId: 'text',
  status: 'text',
  orderType: 'text',
  direction: 'text',
  triggerPrice: 'amount',
  requestedTriggerPrice: 'amount',
  stopPrice: 'amount',
  limitPrice: 'amount',
  stopTriggerPrice: 'amount',
  takeTriggerPrice: 'amount',
  trailingStopActivationPrice: 'amount',
  trailingStopOffset: 'amount',
  trailingStopOffsetPercent: 'amount',
  leverage: 'amount',
  positionId: 'text',
  parentOrderId: 'text',
  amount: 'amount',
  indexPrice: 'amount',
  createdAt: 'instant',
  realizedPnl: 'amount',
  rawRealizedPnl: 'amount',
  profitAdjustmentApplied: 'flag',
  sizeMode: 'text',
  baseSize: 'amount',
  reservedAmount: 'amount',
  errorCode: 'text',
  reason: 'text',
}

const POSITION: Readonly<Record<keyof PositionRecord, Kind>> = {
  id: 'text',
  version: 'count',
  openedAt: 'instant',
  lastUpdatedAt: 'instant',
  closedAt: 'instant',
  status: 'text',
  marketId: 'text',
  accountId: 'text',
  size: 'amount',
  notional: 'amount',
  margin: 'amount',
  pnl: 'amount',
  funding: 'amount',
  fee: 'amount',
  feeRate: 'amount',
  exchangedQuote: 'amount',
  exchangedBase: 'amount',
  direction: 'text',
  eventName: 'text',
  pnlInEvent: 'amount',
  rawPnlInEvent: 'amount',
  profitAdjustmentApplied: 'flag',
  holdingTimeMs: 'count',
  feeInEvent: 'amount',
  fundingInEvent: 'amount',
  roe: 'amount',
  scalpingCoefficient: 'amount',
  closeReason: 'text',
}

class Columns<RecordType extends { [Field in keyof RecordType]: Value }> {
  readonly #columns: readonly {
    readonly field: keyof RecordType
    readonly column: string
    readonly kind: Kind
  }[]

  constructor(kinds: Readonly<Record<keyof RecordType & string, Kind>>) {
    this.#columns = (Object.entries(kinds) as [keyof RecordType & string, Kind][]).map(([field, kind]) => ({
      field,
      column: columnOf(field),
      kind,
    }))
  }

  rowOf(record: RecordType): Row {
    const row: Record<string, Row[string]> = {}
    for (const { field, column, kind } of this.#columns) row[column] = cellOf(record[field], kind)
    return row
  }

  recordOf(row: ReadRow): RecordType {
    const record: Partial<Record<keyof RecordType, Value>> = {}
    for (const { field, column, kind } of this.#columns) record[field] = valueIn(row[column] ?? null, kind)
    return Object.freeze(record) as RecordType
  }
}

const orders = new Columns<OrderRecord>(ORDER)
const positions = new Columns<PositionRecord>(POSITION)

export const orderColumns = (record: OrderRecord): Row => orders.rowOf(record)
export const positionColumns = (record: PositionRecord): Row => positions.rowOf(record)
export const orderOfRow = (row: ReadRow): OrderRecord => orders.recordOf(row)
export const positionOfRow = (row: ReadRow): PositionRecord => positions.recordOf(row)

/** A position right after an event: its row names the position otherwise. */
export const eventOfRow = ({ position_id: id = null, ...row }: ReadRow): PositionRecord =>
  positions.recordOf({ ...row, id })

function cellOf(value: Value, kind: Kind): Row[string] {
  // Units of 10⁻⁹, exactly.
  if (typeof value === 'bigint') return `${value}e-9`
  return typeof value === 'number' && kind === 'instant' ? new Date(value).toISOString() : value
}

function valueIn(cell: ReadRow[string], kind: Kind): Value {
  return kind === 'amount' && cell !== null ? amountOf(String(cell)) : cell
}

/** @throws RangeError for a decimal with more or fewer than nine digits behind the point: it was not written here. */
function amountOf(decimal: string): bigint {
  if (decimal.at(-10) !== '.') throw new RangeError(`${decimal} in the history tables has not nine digits`)
  return BigInt(decimal.slice(0, -10) + decimal.slice(-9))
}

/** `takeTriggerPrice` is `take_trigger_price`. */
function columnOf(field: string): string {
  return field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}
