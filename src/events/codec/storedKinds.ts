/** How a field of each kind is stored, from which the stored forms of commands and parameters follow. */
import type { ClosedSets } from '../../terms/closedSets.ts'
import {
  type FieldKind,
  type FieldKinds,
  isNested,
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
  orderType: oneOf('market', 'limit', 'stop', 'trailing_stop', 'take', 'stop_limit', 'stop_market'),
  sizeMode: oneOf('quote', 'base'),
  marketCategory: oneOf('crypto', 'rwa'),
  marketStatus: oneOf('open', 'paused', 'close_only'),
  accountType: oneOf('demo', 'live'),
  accountStatus: oneOf('active', 'frozen', 'failed', 'closed'),
  accountPhase: oneOf('active_evaluation', 'active_verification', 'funded'),
  stopReason: oneOf('fail', 'freeze', 'promote', 'manual'),
  dayBoundary: oneOf('account', 'venue'),
  dailyLossBase: oneOf('equity', 'balance', 'max'),
  dailyLossOf: oneOf('base', 'initial'),
  dailyBreach: oneOf('fail', 'freeze'),
  drawdownMode: oneOf('static', 'trailing_eod'),
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
  if (isNested(kind)) return object(fieldsOf(kind, sparse))
  const { stem, isOptional } = partsOf(kind)
  const field = fieldOfStem(stem) as Field<unknown>
  return isOptional ? sparse(field) : field
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
