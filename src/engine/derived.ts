/** Whether what is derived from a log still follows from it: the history lists and the snapshots (K9). */
import { LevelTriggers } from '../domain/triggers/levelTriggers.ts'
import type { Commit } from '../events/commit.ts'
import { historyLists } from '../history/historyLists.ts'
import { UnkeptHistory } from '../history/unkeptHistory.ts'
import type { DecidedFold } from '../projections/decidedProjection.ts'
import type { History } from '../projections/history.ts'
import type { ComparedRecords } from '../store/recordStore.ts'
import type { ReadableRows } from '../store/rowStore.ts'
import type { Snapshot } from '../store/store.ts'
import { Folded, type TriggersFactory } from './fold.ts'
import { Projections } from './projections.ts'
import { restoreSnapshot, snapshotSchema } from './snapshot.ts'

/** What {@link checkDerived} found. */
export interface DerivedCheck {
  /** How many records of the history lists were compared; 0 where none are kept. */
  readonly records: number
  /** Sequences of the snapshots that are what the log leads to. */
  readonly snapshots: readonly number[]
  /** Sequences of snapshots of another schema: nobody reads them, and nothing can be said of them. */
  readonly unread: readonly number[]
  /** What does not follow from the log, a sentence each. */
  readonly differences: readonly string[]
}

/** How {@link checkDerived} goes about it. */
export interface DerivedOptions {
  readonly triggers?: TriggersFactory
  /** Begins with the commit after this snapshot, which is believed; default: with the first. */
  readonly from?: Snapshot | null
  /** Is told now and then how many commits have been folded. */
  readonly onProgress?: (commits: number) => void
}

/** What is derived, as a store has it. */
export interface Derived {
  readonly snapshots: AsyncIterable<Snapshot>
  /** Those that the history lists are kept in; null where the store keeps none. */
  readonly records: ComparedRecords | null
}

/**
 * Folds a log and compares what was derived from it, record by record. From a snapshot on, commits before it are passed
 * over, and so is what they left in the history lists.
 *
 * ```ts
 * const { differences } = await checkDerived(log(), { snapshots: store.snapshots(), records: null })
 * differences.length // → 0
 * ```
 *
 * @throws MalformedBytes for a `from` that is no whole snapshot; what reading the log and the snapshots throws.
 */
export async function checkDerived(
  log: AsyncIterable<readonly Commit[]>,
  derived: Derived,
  { triggers = (world) => new LevelTriggers(world), from = null, onProgress }: DerivedOptions = {},
): Promise<DerivedCheck> {
  const snapshots = new SnapshotCheck(derived, triggers)
  await snapshots.read(from?.seq ?? 0)
  const { records } = derived
  const lists = records === null && from !== null ? new UnkeptHistory() : snapshots.fresh()
  const projections = new Projections([lists])
  const folded = new Folded(triggers, projections)
  if (from !== null) {
    records?.passOverEarlier()
    restoreSnapshot(folded, from)
  }
  const begun = folded.world.seq
  for await (const run of log) {
    for (const commit of run) {
      if (commit.seq <= begun) continue
      folded.fold(commit)
      // The kept lists end at `upTo`: what is folded after it is never called durable, so it is not compared with them.
      if (records !== null && commit.seq <= records.upTo) projections.durable(commit.seq)
      snapshots.check(folded)
    }
    onProgress?.(folded.world.seq)
    await projections.room()
  }
  const head = folded.world.seq
  const differences = snapshots.differences(head)
  await projections.flushed()
  const compared = records?.result()
  if (records !== null && records.newest > head)
    differences.push(`the history lists are kept up to commit ${records.newest}, and the log ends at ${head}`)
  else if (compared?.difference != null) differences.push(`of the history lists ${compared.difference}`)
  return {
    records: compared?.records ?? 0,
    snapshots: snapshots.right,
    unread: snapshots.unread,
    differences,
  }
}

/** A table in which every row counts as written and none can be read: lists over it keep the places of their entries alone. */
const WRITTEN: ReadableRows = {
  cursor: Number.POSITIVE_INFINITY,
  write: () => Promise.reject(new RangeError('no history is written here')),
  read: () => Promise.reject(new RangeError('no history is read here')),
}
const PAGED = snapshotSchema(historyLists.begin({ records: null, rows: WRITTEN }).form)

class SnapshotCheck {
  readonly #derived: Derived
  readonly #triggers: TriggersFactory
  /** By the commit they were taken at. */
  readonly #waiting = new Map<number, Snapshot>()
  readonly #different: string[] = []
  readonly right: number[] = []
  readonly unread: number[] = []
  /** Whether the lists that they were taken beside are read from a database. */
  #paged = false

  constructor(derived: Derived, triggers: TriggersFactory) {
    this.#derived = derived
    this.#triggers = triggers
  }

  /** Those up to `believed` are not compared. */
  async read(believed: number): Promise<void> {
    const found: Snapshot[] = []
    for await (const snapshot of this.#derived.snapshots) found.push(snapshot)
    this.#paged = this.#derived.records === null && found.some(({ schema }) => schema === PAGED)
    const due = snapshotSchema(this.fresh().form)
    for (const snapshot of found)
      if (snapshot.schema === 'damaged') this.#differs(snapshot, 'fails its check')
      else if (snapshot.schema !== due) this.unread.push(snapshot.seq)
      else if (snapshot.seq > believed) this.#waiting.set(snapshot.seq, snapshot)
  }

  /** Lists like those beside which the snapshots were taken. */
  fresh(): DecidedFold<History> {
    return historyLists.begin({ records: this.#derived.records, rows: this.#paged ? WRITTEN : null })
  }

  /** Compares the snapshot that was taken here, if there is one. */
  check(folded: Folded): void {
    const snapshot = this.#waiting.get(folded.world.seq)
    if (snapshot === undefined) return
    this.#waiting.delete(snapshot.seq)
    const difference = this.#difference(folded, snapshot)
    if (difference === null) this.right.push(snapshot.seq)
    else this.#differs(snapshot, difference)
  }

  /** What was found, with what the log does not lead to at all. */
  differences(head: number): string[] {
    for (const snapshot of this.#waiting.values())
      this.#differs(snapshot, `is ahead of the log, which ends at ${head}`)
    this.#waiting.clear()
    return this.#different
  }

  #difference(folded: Folded, snapshot: Snapshot): string | null {
    const restored = new Folded(this.#triggers, new Projections([this.fresh()]))
    try {
      restoreSnapshot(restored, snapshot)
    } catch (error) {
      return `does not decode beside the history lists that are here: ${String(error)}`
    }
    if (restored.stateHash() !== folded.stateHash()) return 'holds another state than the log leads to'
    return isSame(placesIn(restored), placesIn(folded))
      ? null
      : 'holds other places of the history lists than the log leads to'
  }

  #differs({ seq }: Snapshot, how: string): void {
    this.#different.push(`the snapshot of commit ${seq} ${how}`)
  }
}

function placesIn({ projections: { carried }, world }: Folded): object {
  return {
    saved: carried.saved(),
    accounts: Array.from(world.accounts.values(), (account) => carried.placesOf(account)),
    orders: Array.from(world.orders.values(), (order) => carried.placeOf(order)),
    positions: Array.from(world.positions.values(), (position) => carried.placeOf(position)),
  }
}

/** Equal plain data, maps among it, whatever the order of fields and keys. */
function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Map || b instanceof Map) {
    if (!(a instanceof Map && b instanceof Map) || a.size !== b.size) return false
    return [...a].every(([key, value]) => b.has(key) && isSame(value, b.get(key)))
  }
  const [fieldsOfA, fieldsOfB] = [a as Record<string, unknown>, b as Record<string, unknown>]
  const names = Object.keys(fieldsOfA)
  if (names.length !== Object.keys(fieldsOfB).length) return false
  return names.every((name) => Object.hasOwn(fieldsOfB, name) && isSame(fieldsOfA[name], fieldsOfB[name]))
}
