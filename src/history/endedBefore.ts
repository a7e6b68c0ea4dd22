/**
 * Whose the orders and positions were that ended long ago, as far as somebody asked. A decision cannot wait for a database: it
 * is asked before, and what it said stays here for the decision. It never becomes another: what has ended has ended, and an
 * id that an earlier commit did not make will not be made any more.
 */
import { IdSpace } from '../domain/state/ids.ts'
import type { Ended } from '../domain/state/world.ts'
import type { TableReading } from './tableReading.ts'

/** Answers that are kept; far more than are asked for in a turn of the loop. */
const KEPT = 20_000

export class EndedBefore {
  readonly #tables: TableReading
  #ids = new IdSpace('')
  /** Null: there is none. */
  readonly #found = { orders: new Map<string, Ended | null>(), positions: new Map<string, Ended | null>() }

  constructor(tables: TableReading) {
    this.#tables = tables
  }

  /** Ids are those of this engine from here on. */
  begin(seed: string): void {
    this.#ids = new IdSpace(seed)
  }

  find(table: 'orders' | 'positions', id: string): Ended | undefined {
    return this.#found[table].get(id) ?? undefined
  }

  /** Null where it is known. `written`: the last commit whose rows are; `head`: the last that made ids. */
  ask(
    table: 'orders' | 'positions',
    id: string,
    { written, head }: { readonly written: number; readonly head: number },
  ): Promise<void> | null {
    const found = this.#found[table]
    if (found.has(id)) return null
    // What no commit made is not asked for.
    if (!this.#ids.placesOf(id).some(({ seq }) => seq <= head)) return null
    return this.#tables.ended(table, id, written).then((ended) => {
      found.set(id, ended)
      if (found.size > KEPT) found.delete(found.keys().next().value as string)
    })
  }
}
