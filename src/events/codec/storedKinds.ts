/** How a field of each kind is stored, from which the stored forms of commands and events follow. */
import type { ClosedSets } from '../../terms/closedSets.ts'
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isOptional,
  isQuantity,
  isSetName,
  partsOf,
  type Stem,
} from '../../terms/fieldKinds.ts'
import {
  count,
  type Field,
  type Fields,
  flag,
  id,
  integer,
  listOf,
  nullable,
  object,
  oneOf,
  optional,
  text,
} from './fields.ts'

/** A value is stored as its place here, so new ones are added at the end. */
export const STORED_SETS: { readonly [Name in keyof ClosedSets]: Field<ClosedSets[Name]> } = {
  direction: oneOf('long', 'short'),
  orderType: oneOf(
    'market',
    'limit',
    'stop',
    'trailing_stop',
    'take',
    'stop_limit',
    'stop_market',
    'liquidation',
  ),
  placeableOrderType: oneOf('market', 'limit', 'stop', 'trailing_stop', 'take', 'stop_limit', 'stop_market'),
  canceledStatus: oneOf('canceled', 'canceled_by_position'),
  closeReason: oneOf(
    'force_close',
    'stop_accounts_fail',
    'stop_accounts_freeze',
    'stop_accounts_promote',
    'stop_accounts_manual',
    'weekly_session_risk_close',
  ),
  executionError: oneOf(
    'market_close_only_at_execution',
    'order_zero_size_at_execution',
    'insufficient_reserve_at_execution',
    'order_below_min_notional',
    'order_exceeds_market_depth',
    'order_exceeds_max_open_notional',
    'slippage_tolerance',
  ),
  sizeMode: oneOf('quote', 'base'),
  marketCategory: oneOf('crypto', 'rwa'),
  marketStatus: oneOf('open', 'paused', 'close_only'),
  accountType: oneOf('demo', 'live'),
  accountStatus: oneOf('active', 'frozen', 'failed', 'closed'),
  accountPhase: oneOf('active_evaluation', 'active_verification', 'funded'),
  stopReason: oneOf('fail', 'freeze', 'promote', 'manual'),
  endingStopReason: oneOf('fail', 'freeze', 'manual'),
  stoppedStatus: oneOf('frozen', 'failed', 'closed'),
  breachRule: oneOf('total_loss', 'daily_loss'),
  dayBoundary: oneOf('account', 'venue'),
  dailyLossBase: oneOf('equity', 'balance', 'max'),
  dailyLossOf: oneOf('base', 'initial'),
  dailyBreach: oneOf('fail', 'freeze'),
  drawdownMode: oneOf('static', 'trailing_eod'),
  formulaVersion: oneOf(1),
}

/** The fields of an object in which one that is not given may be null or left out, and both are kept apart. */
export function givenFields(kinds: FieldKinds): Fields<object> {
  return fieldsOf(kinds, optional)
}

/** The fields of an object in which all are there, and null where there is nothing. */
export function wholeFields(kinds: FieldKinds): Fields<object> {
  return fieldsOf(kinds, nullable)
}

/** The fields there were before one was added. */
export function fieldsBefore(added: string, fields: Fields<object>): Fields<object> {
  const place = Object.keys(fields).indexOf(added)
  return Object.fromEntries(Object.entries(fields).slice(0, place))
}

type Sparse = (field: Field<unknown>) => Field<unknown, 'nullable' | 'optional'>

function fieldsOf(kinds: FieldKinds, sparse: Sparse): Fields<object> {
  return Object.fromEntries(Object.entries(kinds).map(([field, kind]) => [field, fieldOf(kind, sparse)]))
}

function fieldOf(kind: FieldKind, sparse: Sparse) {
  const field = isNested(kind) ? object(fieldsOf(fieldsIn(kind), sparse)) : fieldOfStem(partsOf(kind).stem)
  // What it stores is known where the table is, and a field is invariant in it.
  return isOptional(kind) ? sparse(field as Field<unknown>) : field
}

function fieldOfStem(stem: Stem) {
  if (isQuantity(stem)) return integer
  if (isSetName(stem)) return STORED_SETS[stem]
  switch (stem) {
    case 'id':
    case 'key':
      return id
    case 'text':
    case 'digest':
      return text
    case 'instant':
    case 'ms':
    case 'count':
      return count
    case 'flag':
      return flag
    case 'categories':
      return listOf('crypto', 'rwa')
  }
}
