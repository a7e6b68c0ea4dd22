// What a value of a type is made of, so that one can be drawn.

export type Shape =
  | 'number'
  | 'bigint'
  | 'string'
  | 'boolean'
  | 'undefined'
  | 'null'
  | 'anything'
  | { readonly literal: string | number | boolean }
  | { readonly big: string }
  | { readonly list: Shape }
  | { readonly row: readonly Shape[] }
  | { readonly either: readonly Shape[] }
  | { readonly fields: Readonly<Record<string, Shape>> }
  | { readonly values: Shape }
  | { readonly map: readonly [Shape, Shape] }
  | { readonly set: Shape }
  | { readonly later: Shape }
  /** One after the other, each to be waited for. */
  | { readonly stream: Shape }
  | { readonly numbers: string }
  /** Whether something is to be ended. */
  | { readonly signal: true }
  | { readonly call: Called }
  | { readonly made: Made }
  | { readonly named: string }

export interface Parameter {
  readonly name: string
  readonly shape: Shape
}

export interface Called {
  readonly takes: readonly Parameter[]
  /** Left out where nobody knows, or nothing of it can be called. */
  readonly gives?: Shape
}

/** A class: how one is made, and what it can be asked. */
export interface Made {
  readonly file: string
  readonly name: string
  readonly takes: readonly Parameter[]
  readonly methods: Readonly<Record<string, Called>>
}

/** A function that a module of src exports, or a class. */
export interface Subject {
  readonly file: string
  readonly name: string
  readonly of: { readonly call: Called } | { readonly made: Made }
}

/** A subject, and which of its drawn calls are made: those that take long are not. */
export interface Asked extends Subject {
  readonly calls: readonly number[]
}

/** What can be drawn of some modules. */
export interface Shapes<Of extends Subject = Subject> {
  readonly subjects: readonly Of[]
  /** Names of the constants of each module that hold several values. */
  readonly tables: Readonly<Record<string, readonly string[]>>
  /** What shapes name. */
  readonly named: Readonly<Record<string, Shape>>
  /** The constants of each module: what its comparisons are about. */
  readonly constants: Readonly<Record<string, Constants>>
}

export interface Constants {
  readonly numbers: readonly number[]
  readonly bigints: readonly string[]
  readonly strings: readonly string[]
  /** Texts that its regular expressions match. */
  readonly matching: readonly string[]
}
