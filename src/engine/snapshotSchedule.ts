/** When snapshots are taken: often enough that recovery is short, rarely enough that nobody notices. */
import type { Store } from '../store/store.ts'
import type { Folded } from './fold.ts'
import type { Journal } from './journal.ts'
import { beginSnapshot } from './snapshot.ts'

export class SnapshotSchedule {
  readonly #store: Store
  readonly #folded: Folded
  readonly #every: number
  readonly #onNotice: (notice: string) => void
  #lastSeq: number
  #saving: Promise<void> | null = null

  constructor(
    store: Store,
    folded: Folded,
    every: number,
    lastSeq: number,
    onNotice: (notice: string) => void,
  ) {
    this.#store = store
    this.#folded = folded
    this.#every = every
    this.#lastSeq = lastSeq
    this.#onNotice = onNotice
  }

  /**
   * Takes one when enough has happened since the last. It costs as much as there is to write, so with much of it that is
   * rarer: the share of time it takes stays small. It is written in pieces while commands go on (K15).
   */
  consider(journal: Journal): void {
    const { world } = this.#folded
    const size = world.orders.size + world.positions.size + world.accounts.size
    if (world.seq - this.#lastSeq >= Math.max(this.#every, size)) void this.save(journal)
  }

  /** Takes one now; a failure is told and nothing more, because a snapshot is only a cache. */
  save(journal: Journal): Promise<void> {
    this.#saving ??= this.#save(journal).finally(() => {
      this.#saving = null
    })
    return this.#saving
  }

  async #save(journal: Journal): Promise<void> {
    await this.#saveState(journal)
    await this.#folded.projections.save(this.#store, journal.durableHead)
  }

  async #saveState(journal: Journal): Promise<void> {
    const { seq } = this.#folded.world
    if (seq === this.#lastSeq) return
    this.#lastSeq = seq
    const snapshot = beginSnapshot(this.#folded)
    try {
      await journal.durable(seq)
      await this.#folded.projections.flushed()
      await this.#store.saveSnapshot(snapshot)
    } catch (error) {
      this.#onNotice(`the snapshot of commit ${seq} could not be kept: ${String(error)}`)
    } finally {
      snapshot.release()
    }
  }
}
