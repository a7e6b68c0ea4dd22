// An order as it is being written: text in fields, and the placement it comes to.

import type { ApiPosition } from '../../../../../client/client.ts'
import { canBeTold, type Placement, type PlacementField } from '../../../../../events/placeOrder.ts'
import type { Direction } from '../../../../../terms/direction.ts'
import { isCloseType, type PlaceableOrderType } from '../../../../../terms/orderTypes.ts'
import { quantity } from '../../shared/amounts.ts'
import { typed, typedPercent } from '../../shared/writtenAmounts.ts'

export interface TicketForm {
  readonly type: PlaceableOrderType
  readonly direction: Direction
  readonly sizeMode: 'quote' | 'base'
  readonly amount: string
  readonly leverage: string
  readonly triggerPrice: string
  readonly stopLimitPrice: string
  readonly stopTriggerPrice: string
  readonly takeTriggerPrice: string
  readonly trailingStopActivationPrice: string
  readonly trailingStopOffset: string
  /** In percent. */
  readonly trailingStopOffsetPercent: string
  /** The limit on the size: of a long the least, of a short the most. */
  readonly expectedAmount: string
  /** Of a close order: the position. */
  readonly positionId: string
}

export type TicketField = keyof TicketForm

export const EMPTY_TICKET: TicketForm = {
  type: 'market',
  direction: 'long',
  sizeMode: 'quote',
  amount: '',
  leverage: '5',
  triggerPrice: '',
  stopLimitPrice: '',
  stopTriggerPrice: '',
  takeTriggerPrice: '',
  trailingStopActivationPrice: '',
  trailingStopOffset: '',
  trailingStopOffsetPercent: '',
  expectedAmount: '',
  positionId: '',
}

/** The fields beside amount and leverage that mean something to an order type. */
export function toldFieldsOf(type: PlaceableOrderType): readonly ToldField[] {
  return TOLD_FIELDS.filter((field) => canBeTold(type, field))
}

const TOLD_FIELDS = [
  'triggerPrice',
  'stopLimitPrice',
  'stopTriggerPrice',
  'takeTriggerPrice',
  'trailingStopActivationPrice',
  'trailingStopOffset',
  'trailingStopOffsetPercent',
  'expectedAmount',
] as const satisfies readonly (PlacementField & TicketField)[]
export type ToldField = (typeof TOLD_FIELDS)[number]

/** What an order needs beside the form. */
export interface TicketPlace {
  readonly accountId: string
  readonly marketId: string
  /** Open positions on the market. */
  readonly positions: readonly ApiPosition[]
}

export type WrittenTicket =
  | { readonly placement: Placement; readonly malformed: null }
  /** The first field that is no decimal. */
  | { readonly placement: null; readonly malformed: TicketField }

/** Reads the form; a base-sized order has no `amount` yet, which is what it reserves. */
export function writtenTicket(form: TicketForm, place: TicketPlace): WrittenTicket {
  const values: Partial<Record<TicketField, bigint | null>> = {}
  for (const field of ['amount', 'leverage', ...TOLD_FIELDS] as const) {
    const value = (field === 'trailingStopOffsetPercent' ? typedPercent : typed)(form[field])
    if (value === undefined && isAsked(form.type, field)) return { placement: null, malformed: field }
    values[field] = value ?? null
  }
  const { type, sizeMode } = form
  const closes = isCloseType(type)
  const position = closes ? chosenPosition(form, place.positions) : undefined
  const isBaseSized = !closes && sizeMode === 'base'
  const told = Object.fromEntries(toldFieldsOf(type).map((field) => [field, values[field]]))
  const placement: Placement = {
    type: 'placeOrder',
    accountId: place.accountId,
    marketId: place.marketId,
    orderType: type,
    direction: position?.direction ?? form.direction,
    amount: isBaseSized ? 0n : (values.amount ?? (position === undefined ? 0n : quantity(position.size))),
    ...(closes
      ? { positionId: position?.idx ?? null }
      : { leverage: values.leverage, sizeMode, baseSize: isBaseSized ? values.amount : null }),
    ...told,
  }
  return { placement, malformed: null }
}

function isAsked(type: PlaceableOrderType, field: 'amount' | 'leverage' | ToldField): boolean {
  return field === 'amount' || canBeTold(type, field)
}

/** The position a close order is for: the one that was chosen, or else the first. */
export function chosenPosition(
  { positionId }: TicketForm,
  positions: readonly ApiPosition[],
): ApiPosition | undefined {
  return positions.find(({ idx }) => idx === positionId) ?? positions[0]
}
