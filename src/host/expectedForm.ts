/** What a field may hold, for people: in messages, and of a configuration in docs/configuration.md. */
import { CLOSED_SETS } from '../terms/closedSets.ts'
import {
  type FieldKind,
  isNested,
  isQuantity,
  isSetName,
  partsOf,
  type Quantity,
  type SetName,
  type Stem,
} from '../terms/fieldKinds.ts'

/** What is no quantity and no closed set, as it is in JSON. */
export const JSON_FORMS: { readonly [Kind in Exclude<Stem, Quantity | SetName>]: string } = {
  id: 'a uuid: 8-4-4-4-12 hexadecimal digits',
  text: 'a text of 1 to 255 characters',
  key: 'a text of up to 255 characters',
  digest: '64 hexadecimal digits',
  instant: 'an instant in ISO 8601 such as "2026-01-05T00:10:00.000Z"',
  ms: 'whole milliseconds, at least 0',
  count: 'a whole number, at least 0',
  flag: 'true or false',
  categories: `a list of ${anyOf(CLOSED_SETS.marketCategory)}`,
}

const BOUNDS = { '>= 0': ', at least 0', '> 0': ', above 0' }

/** What a field of the engine's tables may hold, its quantities in the form they are read in; null, where it may be, is not told. */
export function expectedForm(kind: FieldKind, quantityForm: (quantity: Quantity) => string): string {
  if (isNested(kind)) return 'an object'
  const { stem, bound } = partsOf(kind)
  if (isQuantity(stem)) return `${quantityForm(stem)}${bound === null ? '' : BOUNDS[bound]}`
  return isSetName(stem) ? anyOf(CLOSED_SETS[stem]) : JSON_FORMS[stem]
}

export function anyOf(words: readonly (string | number)[]): string {
  return words.map((word) => JSON.stringify(word)).join(', ')
}

/** Characters of a value that are repeated. */
const LONGEST = 60

/** A value as it stands in a message. */
export function shown(json: unknown): string {
  if (typeof json === 'object' && json !== null) return Array.isArray(json) ? 'a list' : 'an object'
  const text = JSON.stringify(json) ?? 'nothing'
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text
}
