// How the reference says what a field of a kind holds.

import { CLOSED_SETS } from '../../src/terms/closedSets.ts'
import {
  type FieldKind,
  isNested,
  isQuantity,
  isSetName,
  partsOf,
  type Quantity,
  type SetName,
  type Stem,
  UNITS,
} from '../../src/terms/fieldKinds.ts'

const FORMS: { readonly [Kind in Exclude<Stem, Quantity | SetName>]: string } = {
  id: 'id',
  text: '1 to 255 characters',
  key: 'up to 255 characters',
  digest: '64 hexadecimal digits',
  instant: 'epoch milliseconds, at least 0',
  ms: 'whole milliseconds, at least 0',
  count: 'whole number, at least 0',
  flag: 'true or false',
  categories: 'list of `crypto`, `rwa`',
}

const BOUNDS = { '>= 0': ', at least 0', '> 0': ', above 0' }

/** Whether it may be left out or null is the page's to say. */
export function formOf(kind: FieldKind): string {
  if (isNested(kind)) return 'as below'
  const { stem, bound } = partsOf(kind)
  if (isQuantity(stem)) return `fp9${bound === null ? '' : BOUNDS[bound]}; ${UNITS[stem]}`
  return isSetName(stem) ? CLOSED_SETS[stem].map((value) => `\`${value}\``).join(', ') : FORMS[stem]
}
