/** What the history lists are told to and read from, over the records of a store. */

import type { RecordStore } from '../store/recordStore.ts'
import type { Turns } from '../store/turns.ts'
import type { GatheredChanges } from './gatheredChanges.ts'
import { type HistoryReading, RecordedReading } from './historyReading.ts'

export interface HistoryTarget extends HistoryReading {
  readonly cursor: number
  readonly removed: string | null
  readonly checked: Promise<void>
  readonly turns: Turns
  /** As in {@link RecordStore}. */
  write(changes: readonly GatheredChanges[], cursor: number, recovering: boolean): Promise<void>
}

export class RecordedHistory extends RecordedReading implements HistoryTarget {
  readonly #store: RecordStore

  constructor(store: RecordStore) {
    super(store)
    this.#store = store
  }

  get cursor(): number {
    return this.#store.cursor
  }

  get removed(): string | null {
    return this.#store.removed
  }

  get checked(): Promise<void> {
    return this.#store.checked
  }

  get turns(): Turns {
    return this.#store.turns
  }

  write(changes: readonly GatheredChanges[], cursor: number, recovering = false): Promise<void> {
    return this.#store.write(changes, cursor, recovering)
  }
}
