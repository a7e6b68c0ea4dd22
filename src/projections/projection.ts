/**
 * A read model of one's own as a value: which events it is about, and what each does to a row of it. An engine that is
 * given one folds it from the log, keeps it in step with what is durable, and serves it.
 */
import { type Draft, freeze, produce } from 'immer'
import type { Commit } from '../events/commit.ts'
import type { Event, EventType } from '../events/event.ts'

/** The event of a type. */
export type EventOf<Type extends EventType> = Extract<Event, { readonly type: Type }>

/**
 * What an event does to a row: it changes the draft it is given, or returns what comes in its place; null where the row
 * ends, which begins anew with the next event about it. Nothing but its arguments may decide, or what is folded again would
 * be something else.
 */
export type Handlers<Row, Type extends EventType> = {
  readonly [Each in Type]: (
    row: Draft<Row>,
    event: EventOf<Each>,
    commit: Commit,
  ) => Draft<Row> | null | undefined
}

/** What a projection is made of. */
interface Terms<Row, Type extends EventType> {
  /** Lower-case letters, digits and hyphens: its name in notices, and in the directory of a store. */
  readonly name: string
  /** A count of changes of the fold or its rows, a whole number: with another one it is folded again from the log. */
  readonly version: number
  /** A row before its first event: plain data, objects and arrays. */
  initial(): Row
  /** By event: of others nobody asks it. */
  readonly on: Handlers<Row, Type>
}

/** Of one row: what is served is that row. */
export type SingleTerms<Row, Type extends EventType> = Terms<Row, Type> & { readonly key?: undefined }

/** Of a row for each key: an event costs what its row does, however many there are. */
export type KeyedTerms<Row, Type extends EventType> = Terms<Row, Type> & {
  /** Whose row an event changes. */
  key(event: EventOf<Type>, commit: Commit): string
}

/** Rows by their keys, oldest first; frozen each, and in step with what is durable. */
export interface Rows<Row> extends Iterable<readonly [key: string, row: Row]> {
  /** How many rows there are. */
  readonly size: number
  get(key: string): Row | undefined
}

/** A projection with nothing folded yet. */
export let begun: <Served>(projection: Projection<Served>) => Fold<Served>

/** What {@link projection} makes. `Served`: what an engine shows of it. */
export class Projection<Served> {
  static {
    begun = (projection) => projection.#begin()
  }

  readonly name: string
  /** A count of its changes: what was saved under another one is not used. */
  readonly version: number
  /** It is in step with what is durable, and one that throws is blocked. */
  readonly stage = 'durable'
  /** The events it is about. */
  readonly types: ReadonlySet<EventType>
  readonly #begin: () => Fold<Served>

  /** @internal Projections are made by `projection`. */
  constructor({ name, version, on }: Terms<unknown, never>, begin: () => Fold<Served>) {
    this.name = name
    this.version = version
    this.types = new Set(Object.keys(on) as EventType[])
    this.#begin = begin
    Object.freeze(this)
  }
}

/** A projection that is folded. */
export interface Fold<Served> {
  /** The rows as they are now, however they change later. */
  readonly rows: readonly SavedRow[]
  served(): Served
  /** Folds a commit, or throws and is as it was. */
  apply(commit: Commit): void
  /** Puts a row where none is: one that was saved, frozen already. */
  restore(row: SavedRow): void
}

export type SavedRow = readonly [key: string, row: unknown]

/**
 * Makes a projection. With a `key` it has a row for each, and an engine serves {@link Rows}; without one an engine serves
 * its one row.
 *
 * ```ts
 * const opened = projection({
 *   name: 'opened',
 *   version: 1,
 *   initial: () => ({ count: 0 }),
 *   on: {
 *     increasePosition(row) {
 *       row.count += 1
 *     },
 *   },
 * })
 * const counting = createEngine({ projections: [opened] })
 * counting.projection(opened).count // → 0
 * ```
 *
 * @throws RangeError for a name or a version that is none.
 */
export function projection<Row, Type extends EventType>(terms: KeyedTerms<Row, Type>): Projection<Rows<Row>>
export function projection<Row, Type extends EventType>(terms: SingleTerms<Row, Type>): Projection<Row>
export function projection<Row, Type extends EventType>(
  terms: KeyedTerms<Row, Type> | SingleTerms<Row, Type>,
): Projection<Rows<Row> | Row> {
  const { name, version } = terms
  if (!/^[a-z0-9][a-z0-9-]{0,63}$/.test(name))
    throw new RangeError(`a projection is named in lower-case letters, digits and hyphens: ${name}`)
  if (!Number.isSafeInteger(version)) throw new RangeError(`not a version of ${name}: ${version}`)
  return new Projection(terms, () => new Table(terms))
}

const ONLY = ''

class Table<R, Type extends EventType> implements Fold<Rows<R> | R> {
  readonly #terms: KeyedTerms<R, Type> | SingleTerms<R, Type>
  readonly #on: Partial<Record<EventType, Handlers<R, Type>[Type]>>
  readonly #rows = new Map<string, R>()
  readonly #shown: Rows<R>

  constructor(terms: KeyedTerms<R, Type> | SingleTerms<R, Type>) {
    this.#terms = terms
    this.#on = terms.on
    const rows = this.#rows
    this.#shown = Object.freeze({
      get size() {
        return rows.size
      },
      get: (key: string) => rows.get(key),
      [Symbol.iterator]: () => rows[Symbol.iterator](),
    })
  }

  get rows(): readonly SavedRow[] {
    return [...this.#rows]
  }

  served(): Rows<R> | R {
    return this.#terms.key === undefined ? this.#row(ONLY) : this.#shown
  }

  apply(commit: Commit): void {
    const changed = new Map<string, R | null>()
    for (const event of commit.events) {
      const handle = this.#on[event.type]
      if (handle === undefined) continue
      const own = event as EventOf<Type>
      const key = this.#terms.key?.(own, commit) ?? ONLY
      const before = changed.get(key)
      const row = before === undefined ? this.#row(key) : (before ?? this.#initial())
      const after: R | null = produce(row, (draft: Draft<R>) => handle(draft, own, commit) as Draft<R>)
      changed.set(key, after)
    }
    for (const [key, row] of changed)
      if (row === null) this.#rows.delete(key)
      else this.#rows.set(key, row)
  }

  restore([key, row]: SavedRow): void {
    this.#rows.set(key, row as R)
  }

  #row(key: string): R {
    return this.#rows.get(key) ?? this.#initial()
  }

  #initial(): R {
    return freeze(this.#terms.initial(), true)
  }
}
