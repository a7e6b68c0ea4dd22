// A placement as the interface takes it.

import type { MarginTradingClient } from '../../../../../client/client.ts'
import type { Placement } from '../../../../../events/placeOrder.ts'
import { formatFp9 } from '../../../../../quantity/fp9.ts'

type Body = Parameters<MarginTradingClient['placeOrder']>[0]

/** Quantities as fp9 text, what is empty left out; a base-sized order reserves `reserve`. */
export function bodyOf({ type: _, orderType, ...fields }: Placement, reserve: bigint): Body {
  const told = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  const texts = told.map(([name, value]) => [name, typeof value === 'bigint' ? formatFp9(value) : value])
  const isBaseSized = fields.sizeMode === 'base'
  return {
    ...Object.fromEntries(texts),
    ...(isBaseSized && { amount: formatFp9(reserve) }),
    type: orderType,
  } as Body
}
