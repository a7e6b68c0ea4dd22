/**
 * The values of every closed set that a field of a command can have one of. The types are unions, for people to read. What
 * has a table has a row for each value; the other lists are held to their types by the fields that have them
 * (`fieldKinds.ts`): with a value too few, or one too many, no field of the type fits.
 */
import { ACCOUNT_PHASES, ACCOUNT_STATUSES, STATUS_AFTER_STOP } from './accountStatus.ts'
import { MARKET_STATUSES } from './marketStatus.ts'
import { PLACEABLE_ORDER_TYPES } from './orderTypes.ts'

export const CLOSED_SETS = {
  direction: ['long', 'short'],
  orderType: PLACEABLE_ORDER_TYPES,
  sizeMode: ['quote', 'base'],
  marketCategory: ['crypto', 'rwa'],
  marketStatus: namesOf(MARKET_STATUSES),
  accountType: ['demo', 'live'],
  accountStatus: namesOf(ACCOUNT_STATUSES),
  accountPhase: namesOf(ACCOUNT_PHASES),
  stopReason: namesOf(STATUS_AFTER_STOP),
  dayBoundary: ['account', 'venue'],
  dailyLossBase: ['equity', 'balance', 'max'],
  dailyLossOf: ['base', 'initial'],
  dailyBreach: ['fail', 'freeze'],
  drawdownMode: ['static', 'trailing_eod'],
} as const

/** The values of each set, as a type. */
export type ClosedSets = { readonly [Name in keyof typeof CLOSED_SETS]: (typeof CLOSED_SETS)[Name][number] }

/** What a table has rows for. */
function namesOf<Name extends string>(table: { readonly [N in Name]: unknown }): readonly Name[] {
  return Object.keys(table) as Name[]
}
