/**
 * The values of every closed set that a field of a command or an event can have one of. The types are unions, for people to read. What
 * has a table has a row for each value; the other lists are held to their types by the fields that have them
 * (`fieldKinds.ts`): with a value too few, or one too many, no field of the type fits.
 */
import { namesOf } from '../collections/table.ts'
import { ACCOUNT_PHASES, ACCOUNT_STATUSES, STOPS } from './accountStatus.ts'
import { CLOSE_REASONS } from './closeReason.ts'
import { EXECUTION_ERRORS } from './errors.ts'
import { MARKET_STATUSES } from './marketStatus.ts'
import { ORDER_TYPES, PLACEABLE_ORDER_TYPES } from './orderTypes.ts'

export const CLOSED_SETS = {
  direction: ['long', 'short'],
  orderType: namesOf(ORDER_TYPES),
  placeableOrderType: PLACEABLE_ORDER_TYPES,
  canceledStatus: ['canceled', 'canceled_by_position'],
  closeReason: namesOf(CLOSE_REASONS),
  executionError: namesOf(EXECUTION_ERRORS),
  sizeMode: ['quote', 'base'],
  marketCategory: ['crypto', 'rwa'],
  marketStatus: namesOf(MARKET_STATUSES),
  accountType: ['demo', 'live'],
  accountStatus: namesOf(ACCOUNT_STATUSES),
  accountPhase: namesOf(ACCOUNT_PHASES),
  stopReason: namesOf(STOPS),
  endingStopReason: ['fail', 'freeze', 'manual'],
  stoppedStatus: ['frozen', 'failed', 'closed'],
  breachRule: ['total_loss', 'daily_loss'],
  dayBoundary: ['account', 'venue'],
  dailyLossBase: ['equity', 'balance', 'max'],
  dailyLossOf: ['base', 'initial'],
  dailyBreach: ['fail', 'freeze'],
  drawdownMode: ['static', 'trailing_eod'],
  formulaVersion: [1],
} as const

/** The values of each set, as a type. */
export type ClosedSets = { readonly [Name in keyof typeof CLOSED_SETS]: (typeof CLOSED_SETS)[Name][number] }
