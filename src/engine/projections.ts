/**
 * The read models of one's own that an engine runs: caught up before it is handed out, folded as commits become durable,
 * each by itself. One that throws is blocked and shown as such, and stops neither the engine nor the others.
 */
import { ByteReader } from '../events/codec/byteReader.ts'
import { ByteWriter } from '../events/codec/byteWriter.ts'
import type { Commit } from '../events/commit.ts'
import type { EventType } from '../events/event.ts'
import { begun, type Fold, type Projection } from '../projections/projection.ts'
import { ROWS_FORM, readRow, writeRow } from '../projections/savedRows.ts'
import type { Snapshot, SnapshotInPieces, Store } from '../store/store.ts'
import { type Notify, reasonOf } from './notices.ts'
import { sealed } from './sealedCommit.ts'
import type { Blocked } from './subscriptions.ts'

/** A projection that threw, the commit it threw at, and what. It is served as it was before. */
export interface BlockedProjection {
  readonly name: string
  readonly blocked: Blocked
}

export class Projections {
  readonly #running: readonly Running[]
  /** What any of them is about. */
  readonly #types: ReadonlySet<EventType>

  /** @throws RangeError for two of one name. */
  constructor(projections: readonly Projection<unknown>[], notify: Notify) {
    this.#running = projections.map((projection) => new Running(projection, notify))
    this.#types = new Set(projections.flatMap(({ types }) => [...types]))
    const names = new Set(projections.map(({ name }) => name))
    if (names.size !== projections.length) throw new RangeError('two projections have one name')
  }

  /** Whether every tick has to be told: a feed in columns tells of none. */
  get wantTicks(): boolean {
    return this.#types.has('priceUpdated')
  }

  get blocked(): readonly BlockedProjection[] {
    return this.#running.flatMap(({ name, blocked }) => (blocked === null ? [] : [{ name, blocked }]))
  }

  /** @throws RangeError for one that is not run here. */
  served<Served>(projection: Projection<Served>): Served {
    const running = this.#running.find((one) => one.projection === projection)
    if (running === undefined)
      throw new RangeError(`the engine was not given the projection ${projection.name}`)
    return (running.fold as Fold<Served>).served()
  }

  /** A commit is durable. */
  tell(commit: Commit): void {
    if (this.#types.size === 0 || !commit.events.some(({ type }) => this.#types.has(type))) return
    sealed(commit)
    for (const running of this.#running) running.tell(commit)
  }

  /** Everything that is stored up to `head`: from what was saved of each, and the log after it. */
  async catchUp(store: Store, head: number): Promise<void> {
    const groups = new Map<number, Running[]>()
    for (const running of this.#running) {
      const seq = await running.restore(store, head)
      groups.set(seq, [...(groups.get(seq) ?? []), running])
    }
    for (const [seq, together] of groups) await readTogether(store, seq, together)
  }

  /** Saves what has changed, where the store keeps it. A failure is told and nothing more. */
  async save(store: Store, durableHead: number): Promise<void> {
    const saves = this.#running.map((running) => running.saving(durableHead))
    for (const save of saves) await save(store)
  }
}

/** Those that were saved at one commit read the log after it once. */
async function readTogether(store: Store, seq: number, together: readonly Running[]): Promise<void> {
  let next = seq + 1
  try {
    for await (const run of store.read(next))
      for (const commit of run) {
        for (const running of together) running.tell(commit)
        next = commit.seq + 1
      }
  } catch (error) {
    for (const running of together) running.block(next, error)
  }
}

/** Rows that are encoded in one go. */
const AT_A_TIME = 64

class Running {
  readonly projection: Projection<unknown>
  readonly #notify: Notify
  readonly #schema: string
  fold: Fold<unknown>
  #saved = 0
  blocked: Blocked | null = null

  constructor(projection: Projection<unknown>, notify: Notify) {
    this.projection = projection
    this.#notify = notify
    this.#schema = `${ROWS_FORM} ${projection.version}`
    this.fold = begun(projection)
  }

  get name(): string {
    return this.projection.name
  }

  tell(commit: Commit): void {
    if (this.blocked !== null) return
    try {
      this.fold.apply(commit)
    } catch (error) {
      this.block(commit.seq, error)
    }
  }

  /** The first reason stands. */
  block(seq: number, error: unknown): void {
    if (this.blocked !== null) return
    this.blocked = Object.freeze({ seq, error })
    this.#notify(`projection ${this.name} was blocked at commit ${seq}: ${reasonOf(error)}`)
  }

  /** Goes on from what was saved last, if that can be used; gives the commit it was saved at, or 0. */
  async restore(store: Store, head: number): Promise<number> {
    try {
      const shelf = await store.shelf?.(this.name)
      for await (const snapshot of shelf?.snapshots() ?? []) {
        const reason = snapshot.seq > head ? 'is ahead of the log' : this.#read(snapshot)
        if (reason === null) return snapshot.seq
        this.#notify(`projection ${this.name}: what was saved at commit ${snapshot.seq} ${reason}`)
      }
    } catch (error) {
      this.#notify(`projection ${this.name}: what was saved could not be read: ${reasonOf(error)}`)
    }
    this.fold = begun(this.projection)
    return 0
  }

  #read({ seq, schema, bytes }: Snapshot): string | null {
    if (schema === 'damaged') return 'fails its check'
    if (schema !== this.#schema) return `is of another version: ${schema}, not ${this.#schema}`
    this.fold = begun(this.projection)
    const reader = new ByteReader(bytes)
    try {
      for (let rows = reader.count(); rows > 0; rows--) this.fold.restore(readRow(reader))
    } catch (error) {
      return `does not decode: ${reasonOf(error)}`
    }
    this.#saved = seq
    return null
  }

  /** What saves it as it is now. */
  saving(seq: number): (store: Store) => Promise<void> {
    if (this.blocked !== null || seq === this.#saved) return async () => {}
    const { rows } = this.fold
    return async (store) => {
      try {
        const shelf = await store.shelf?.(this.name)
        await shelf?.saveSnapshot(this.#snapshot(seq, rows))
        this.#saved = seq
      } catch (error) {
        this.#notify(`projection ${this.name} could not be saved: ${reasonOf(error)}`)
      }
    }
  }

  #snapshot(seq: number, rows: Fold<unknown>['rows']): SnapshotInPieces {
    function* pieces(): Generator<Uint8Array> {
      const writer = new ByteWriter(1 << 12)
      writer.count(rows.length)
      for (const [index, row] of rows.entries()) {
        writeRow(writer, row)
        if ((index + 1) % AT_A_TIME !== 0) continue
        yield writer.copy()
        writer.reset()
      }
      yield writer.copy()
    }
    return { seq, schema: this.#schema, pieces: pieces() }
  }
}
