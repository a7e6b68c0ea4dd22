/**
 * A projection in step with what is durable, as an engine runs it: folded, blocked where it throws, and saved on a shelf of its
 * own, from which it goes on.
 */
import { ByteReader } from '../events/codec/byteReader.ts'
import { ByteWriter } from '../events/codec/byteWriter.ts'
import type { Commit } from '../events/commit.ts'
import { begun, type Fold, type Projection } from '../projections/projection.ts'
import { ROWS_FORM, readRow, writeRow } from '../projections/savedRows.ts'
import type { Snapshot, SnapshotInPieces, Store } from '../store/store.ts'
import type { CommitStamps } from './commitStamps.ts'
import { type Notify, reasonOf } from './notices.ts'
import type { Blocked } from './subscriptions.ts'

/** Rows that are encoded in one go. */
const AT_A_TIME = 64
/** Between the form of the rows and the stamp of the commit; what was saved without one is of 0.2.0 or earlier. */
const STAMPED = ' of '

export class DurableProjection {
  readonly projection: Projection<unknown>
  readonly #notify: Notify
  readonly #schema: string
  #fold: Fold<unknown>
  /** The commit it was saved at last; earlier ones are folded already. */
  #saved = 0
  blocked: Blocked | null = null

  constructor(projection: Projection<unknown>, notify: Notify) {
    this.projection = projection
    this.#notify = notify
    this.#schema = `${ROWS_FORM} ${projection.version}`
    this.#fold = begun(projection)
  }

  get name(): string {
    return this.projection.name
  }

  get served(): unknown {
    return this.#fold.served()
  }

  get saved(): number {
    return this.#saved
  }

  /** A commit is durable. */
  tell(commit: Commit): void {
    if (this.blocked !== null || commit.seq <= this.#saved) return
    try {
      this.#fold.apply(commit)
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

  /** Goes on from what was saved last, if that can be used. */
  async restore(store: Store, head: number, stamps: CommitStamps): Promise<void> {
    try {
      const shelf = await store.shelf?.(this.name)
      for await (const snapshot of shelf?.snapshots() ?? []) {
        const reason = snapshot.seq > head ? 'is ahead of the log' : await this.#read(snapshot, stamps)
        if (reason === null) return
        this.#notify(`projection ${this.name}: what was saved at commit ${snapshot.seq} ${reason}`)
      }
    } catch (error) {
      this.#notify(`projection ${this.name}: what was saved could not be read: ${reasonOf(error)}`)
    }
    this.#fold = begun(this.projection)
  }

  async #read({ seq, schema: said, bytes }: Snapshot, stamps: CommitStamps): Promise<string | null> {
    if (said === 'damaged') return 'fails its check'
    if (said === 'foreign') return 'does not say that it is of this venue'
    const [schema, stamp] = said.split(STAMPED)
    if (schema !== this.#schema) return `is of another version: ${schema}, not ${this.#schema}`
    if (stamp !== undefined && !(await stamps.mayBe(seq, stamp)))
      return 'is of another log: that commit was another'
    this.#fold = begun(this.projection)
    const reader = new ByteReader(bytes)
    try {
      for (let rows = reader.count(); rows > 0; rows--) this.#fold.restore(readRow(reader))
    } catch (error) {
      return `does not decode: ${reasonOf(error)}`
    }
    this.#saved = seq
    return null
  }

  /** What saves it as it is now. */
  saving(seq: number): (store: Store, stamps: CommitStamps) => Promise<void> {
    if (this.blocked !== null || seq === this.#saved) return async () => {}
    const { rows } = this.#fold
    return async (store, stamps) => {
      try {
        const shelf = await store.shelf?.(this.name)
        if (shelf === undefined) return
        await shelf.saveSnapshot(this.#snapshot(seq, await stamps.of(seq), rows))
        this.#saved = seq
      } catch (error) {
        this.#notify(`projection ${this.name} could not be saved: ${reasonOf(error)}`)
      }
    }
  }

  #snapshot(seq: number, stamp: string, rows: Fold<unknown>['rows']): SnapshotInPieces {
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
    return { seq, schema: `${this.#schema}${STAMPED}${stamp}`, pieces: pieces() }
  }
}
