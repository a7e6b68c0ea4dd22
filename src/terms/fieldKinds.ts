/**
 * What a field of a command can hold, in a word: `price`, `rate >= 0`, `quote > 0?`. A table of fields says it once, and
 * the check of commands, their stored form, their JSON and the reference all read it there.
 */
import type { Base, Leverage, Price, Quote, Rate } from '../quantity/units.ts'
import { CLOSED_SETS, type ClosedSets } from './closedSets.ts'

interface Quantities {
  readonly quote: Quote
  readonly base: Base
  readonly price: Price
  readonly rate: Rate
  readonly leverage: Leverage
  /** Quote or base, as the order has it (A3). */
  readonly amount: bigint
}

interface Others {
  /** Text that names something; in JSON a uuid (A4). */
  readonly id: string
  /** 1 to 255 characters. */
  readonly text: string
  /** Up to 255 characters, and empty means omitted (I4). */
  readonly key: string
  /** 64 hexadecimal digits, lower case. */
  readonly digest: string
  /** Epoch ms, at least 0; in JSON an ISO 8601 text. */
  readonly instant: number
  /** A duration: whole milliseconds, at least 0. */
  readonly ms: number
  /** A whole number of at least 0. */
  readonly count: number
  readonly flag: boolean
  /** Any of the market categories. */
  readonly categories: readonly ClosedSets['marketCategory'][]
}

/** What an fp9 integer counts in. */
export type Quantity = keyof Quantities
/** The name of a closed set: the field is one of its values. */
export type SetName = keyof ClosedSets
/** A kind without its bound and its mark. */
export type Stem = Quantity | SetName | keyof Others

type Kind<S extends Stem = Stem> = S extends Quantity ? S | `${S} >= 0` | `${S} > 0` : S

/** A stem, of a quantity with its bound, and `?` where the field may be null or omitted. An object is a nested object. */
export type FieldKind = PlainKind | FieldKinds | OrNull
type PlainKind = Kind | `${Kind}?`

export interface FieldKinds {
  readonly [field: string]: FieldKind
}

/** A nested object, or null. */
class OrNull<Fields = FieldKinds> {
  readonly fields: Fields

  constructor(fields: Fields) {
    this.fields = fields
  }
}

export function orNull<Fields extends FieldKinds>(fields: Fields): OrNull<Fields> {
  return new OrNull(fields)
}

type ValueOfStem = Quantities & Others & ClosedSets

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false
type StemOf<Value> = { [S in Stem]: Same<ValueOfStem[S], Value> extends true ? S : never }[Stem]
type PlainKindOf<Value> = [StemOf<Value>] extends [never]
  ? Value extends object
    ? KindsOf<Value>
    : never
  : Kind<StemOf<Value>>
type AbsentOr<Kinds> = Kinds extends string ? `${Kinds}?` : OrNull<Kinds>
type KindOf<Value> = null extends Value
  ? AbsentOr<PlainKindOf<Exclude<Value, null | undefined>>>
  : undefined extends Value
    ? AbsentOr<PlainKindOf<Exclude<Value, undefined>>>
    : PlainKindOf<Value>

/** A kind for every field of T that holds what the field does: a field too few, another unit or set does not compile. */
export type KindsOf<T> = { readonly [Field in keyof T]-?: KindOf<T[Field]> }

/** These kinds with every field left to choice. */
export type Optional<Kinds extends FieldKinds> = {
  readonly [Field in keyof Kinds]: Kinds[Field] extends `${string}?`
    ? Kinds[Field]
    : `${Kinds[Field] & string}?`
}

export function allOptional<const Kinds extends Readonly<Record<string, PlainKind>>>(
  kinds: Kinds,
): Optional<Kinds> {
  const optional = Object.entries(kinds).map(([field, kind]) => [
    field,
    kind.endsWith('?') ? kind : `${kind}?`,
  ])
  return Object.fromEntries(optional)
}

/** A kind that is a word, taken apart. */
export interface KindParts {
  readonly stem: Stem
  /** Of a quantity: what it has to be. */
  readonly bound: '>= 0' | '> 0' | null
  readonly isOptional: boolean
}

export function isNested(kind: FieldKind): kind is FieldKinds | OrNull {
  return typeof kind === 'object'
}

/** The fields of a nested object. */
export function fieldsIn(kind: FieldKinds | OrNull): FieldKinds {
  return kind instanceof OrNull ? kind.fields : kind
}

export function partsOf(kind: PlainKind): KindParts {
  // Every kind is of this form: a text that is not does not compile.
  const [, stem, bound, mark] = /^(\w+)(?: (>=? 0))?(\?)?$/.exec(kind) as RegExpExecArray
  return { stem, bound: bound ?? null, isOptional: mark !== undefined } as KindParts
}

export function isOptional(kind: FieldKind): boolean {
  return isNested(kind) ? kind instanceof OrNull : partsOf(kind).isOptional
}

/** What each quantity counts in, for people. */
export const UNITS: { readonly [Name in Quantity]: string } = {
  quote: 'quote',
  base: 'base',
  price: 'quote per base',
  rate: 'fraction',
  leverage: 'multiple',
  amount: 'quote or base',
}

export function isQuantity(stem: Stem): stem is Quantity {
  return Object.hasOwn(UNITS, stem)
}

export function isSetName(stem: Stem): stem is SetName {
  return Object.hasOwn(CLOSED_SETS, stem)
}
