/** The check of an object against the kinds of its fields. */
import {
  type FieldKind,
  type FieldKinds,
  fieldsIn,
  isNested,
  isOptional,
  partsOf,
} from '../../terms/fieldKinds.ts'
import { testOf } from '../../terms/fieldValues.ts'

/** Prepared once, because commands come by the million. */
export class FieldCheck {
  readonly #tests: ReadonlyMap<string, FieldTest>
  readonly #required: readonly string[]

  constructor(kinds: FieldKinds) {
    const fields = Object.entries(kinds)
    this.#tests = new Map(fields.map(([field, kind]) => [field, fieldTestOf(kind)]))
    this.#required = fields.filter(([, kind]) => !isOptional(kind)).map(([field]) => field)
  }

  /** The path of the first field of `value` that is missing, unknown or of another kind; null when there is none. */
  fault(value: object, discriminant?: string): string | null {
    // Any object is a record of what it is asked for; the compiler says so only of those without a type of their own.
    const record = value as Record<string, unknown>
    for (const field in record) {
      if (field === discriminant) continue
      const test = this.#tests.get(field)
      if (test === undefined) return field
      const given = record[field]
      if (!test.holds(given)) return test.nested === null ? field : nestedFault(given, test.nested, field)
    }
    for (const field of this.#required) if (record[field] === undefined) return field
    return null
  }
}

interface FieldTest {
  readonly holds: (value: unknown) => boolean
  /** The check of a nested object; null for plain kinds. */
  readonly nested: FieldCheck | null
}

function nestedFault(value: unknown, nested: FieldCheck, field: string): string {
  if (typeof value !== 'object' || value === null) return field
  return `${field}.${nested.fault(value)}`
}

function fieldTestOf(kind: FieldKind): FieldTest {
  if (!isNested(kind)) return { holds: testOf(partsOf(kind)), nested: null }
  const nested = new FieldCheck(fieldsIn(kind))
  return {
    holds: (value) =>
      value == null ? isOptional(kind) : typeof value === 'object' && nested.fault(value) === null,
    nested,
  }
}
