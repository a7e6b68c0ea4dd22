/**
 * The values of every closed set that a field of a command can have one of. The types are unions, for people to read; each
 * list is held to its type by the table of the fields that have it (`fieldKinds.ts`): with a value too few, or one too
 * many, no field of the type fits it.
 */
import { PLACEABLE_ORDER_TYPES } from './orderTypes.ts'

export const CLOSED_SETS = {
  direction: ['long', 'short'],
  orderType: PLACEABLE_ORDER_TYPES,
  sizeMode: ['quote', 'base'],
  marketCategory: ['crypto', 'rwa'],
  marketStatus: ['open', 'paused', 'close_only'],
  accountType: ['demo', 'live'],
  accountStatus: ['active', 'frozen', 'failed', 'closed'],
  accountPhase: ['active_evaluation', 'active_verification', 'funded'],
  stopReason: ['fail', 'freeze', 'promote', 'manual'],
  dayBoundary: ['account', 'venue'],
  dailyLossBase: ['equity', 'balance', 'max'],
  dailyLossOf: ['base', 'initial'],
  dailyBreach: ['fail', 'freeze'],
  drawdownMode: ['static', 'trailing_eod'],
} as const

/** The values of each set, as a type. */
export type ClosedSets = { readonly [Name in keyof typeof CLOSED_SETS]: (typeof CLOSED_SETS)[Name][number] }
