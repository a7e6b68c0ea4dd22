/** From a store back to the state: the newest snapshot that can be used and the log after it, or the whole log. */
import type { Commit } from '../events/commit.ts'
import {
  CommitsArchived,
  type Snapshot,
  type Store,
  StoreDamaged,
  type StoreSession,
} from '../store/store.ts'
import { Folded, type TriggersFactory } from './fold.ts'
import type { Projections } from './projections.ts'
import { restoreSnapshot, snapshotSchema } from './snapshot.ts'

/** How a recovery goes along, for those who watch. */
export interface RecoveryProgress {
  /** How many commits are folded so far. */
  readonly folded: number
  /** How many commits there are to fold. */
  readonly total: number
}

/** What is recovered from. */
interface Found {
  readonly store: Store
  readonly session: StoreSession
  /** With nothing folded yet. */
  readonly projections: Projections
}

/** What recovering found and did. */
export interface Recovery {
  /** Sequence of the snapshot it began from; 0 = from the beginning. */
  readonly snapshotSeq: number
  /** How many commits were folded from the log. */
  readonly replayed: number
  /** Snapshots that were there and of no use: sequence of their commit, and the reason. */
  readonly ignored: readonly { readonly seq: number; readonly reason: string }[]
  /** What an interrupted append had left and was removed; null mostly. */
  readonly repaired: string | null
  /** Why the history lists could not be trusted and were built again from the log (K8); null mostly. */
  readonly rebuilt: string | null
}

/**
 * Folds what a store holds.
 *
 * @throws StoreDamaged naming the first commit that cannot be read, or that a snapshot or the history lists know of and
 * the log does not: whatever is derived was durable before (K7); CommitsArchived when what has to be folded was moved away.
 */
export async function recover(
  { store, session, projections }: Found,
  triggers: TriggersFactory,
  onProgress?: (progress: RecoveryProgress) => void,
): Promise<{ readonly folded: Folded; readonly recovery: Recovery }> {
  projections.mustBeWithin(session.head)
  const ignored: { seq: number; reason: string }[] = []
  let begun: Begun | null = null
  for await (const snapshot of store.snapshots()) {
    if (snapshot.seq > session.head)
      throw new StoreDamaged(session.head + 1, `the snapshot of commit ${snapshot.seq} was taken of it`)
    const reason = unusable(snapshot, store, projections)
    const restored = reason === null ? restore(snapshot, projections, triggers) : reason
    const found = typeof restored === 'string' ? restored : await begunFrom(restored, store)
    if (typeof found !== 'string') {
      begun = found
      break
    }
    ignored.push({ seq: snapshot.seq, reason: found })
  }
  if (begun === null) {
    projections.restore(null, 0, 0)
    begun = { folded: new Folded(triggers, projections), own: null, behind: new CommitsBehind(store.read(1)) }
  }

  const { folded, own, behind } = begun
  const snapshotSeq = folded.world.seq
  const total = session.head - snapshotSeq
  try {
    await projections.catchUp(store, { seq: snapshotSeq, own, head: session.head })
    onProgress?.({ folded: 0, total })
    for await (const run of snapshotSeq === 0 ? fromTheBeginning(behind, projections, ignored) : behind) {
      for (const commit of run) {
        folded.fold(commit)
        projections.tell(commit)
        if (session.unwritable === null) projections.durable(commit.seq)
        if (commit.seq % PIECE === 0) await projections.room()
      }
      onProgress?.({ folded: folded.world.seq - snapshotSeq, total })
      await projections.room()
    }
  } finally {
    await behind.close()
  }
  projections.recovered()
  const { repaired } = session
  const recovery = { snapshotSeq, replayed: total, ignored, repaired, rebuilt: projections.removed }
  return { folded, recovery }
}

/** A state, and what is to be folded into it. */
interface Begun {
  readonly folded: Folded
  /** The commit that the state was taken at, where it could be read. */
  readonly own: Commit | null
  readonly behind: CommitsBehind
}

/** A log from some commit on, of which the first run may have been looked at. Whoever has it closes it. */
class CommitsBehind implements AsyncIterable<readonly Commit[]> {
  readonly #runs: AsyncIterator<readonly Commit[]>
  #looked: readonly Commit[] = []

  constructor(log: AsyncIterable<readonly Commit[]>) {
    this.#runs = log[Symbol.asyncIterator]()
  }

  /** Takes the first commit away; null where there is none. */
  async first(): Promise<Commit | null> {
    const { done, value } = await this.#runs.next()
    if (done) return null
    this.#looked = value.slice(1)
    return value[0] ?? null
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<readonly Commit[], void> {
    if (this.#looked.length > 0) yield this.#looked
    for (;;) {
      const { done, value } = await this.#runs.next()
      if (done) return
      yield value
    }
  }

  async close(): Promise<void> {
    await this.#runs.return?.()
  }
}

/**
 * A state with the commits behind it, or why it is none of this log, whose commit it says it was taken at: its checksum holds as
 * well where it was copied from another venue. That is not told where the commit is not there to be asked.
 */
async function begunFrom(folded: Folded, store: Store): Promise<Begun | string> {
  const { seq, now } = folded.world
  // From its own commit on, so that the log is sought through once.
  const behind = new CommitsBehind(store.read(seq))
  try {
    const own = await behind.first()
    if (own === null || own.at === now) return { folded, own, behind }
  } catch (error) {
    if (!(error instanceof CommitsArchived || error instanceof StoreDamaged)) throw error
    return { folded, own: null, behind: new CommitsBehind(store.read(seq + 1)) }
  }
  await behind.close()
  return 'it is of another log: that commit was at another time'
}

/** A log read from its first commit, with the reason why it has to be where that is not there any more. */
async function* fromTheBeginning<T>(
  log: AsyncIterable<T>,
  { removed }: Projections,
  ignored: Recovery['ignored'],
): AsyncGenerator<T> {
  try {
    yield* log
  } catch (error) {
    if (!(error instanceof CommitsArchived)) throw error
    const reasons = ignored.map(
      ({ seq, reason }) => `the snapshot of commit ${seq} cannot be used, ${reason}`,
    )
    if (removed !== null) reasons.unshift(`the history lists have to be built again, ${removed}`)
    if (reasons.length === 0) reasons.push('there is no snapshot')
    throw new CommitsArchived(error.first, `, and all are needed: ${reasons.join('; ')}`)
  }
}

/** Commits after which lists that are built again let others have a turn (K15). */
const PIECE = 64

function unusable({ seq, schema }: Snapshot, store: Store, projections: Projections): string | null {
  const due = snapshotSchema(projections.carried.form)
  return schema === due ? projections.cannotGoOnFrom(seq, store) : `its schema is ${schema}, not ${due}`
}

function restore(snapshot: Snapshot, projections: Projections, triggers: TriggersFactory): Folded | string {
  const folded = new Folded(triggers, projections)
  try {
    restoreSnapshot(folded, snapshot)
  } catch (error) {
    return `it does not decode: ${String(error)}`
  }
  return folded.world.seq === snapshot.seq ? folded : `it says it was taken at ${folded.world.seq}`
}

/** What an operator should know of a recovery, a sentence each. */
export function noticesOf({ snapshotSeq, ignored, repaired, rebuilt }: Recovery): string[] {
  const notices = rebuilt === null ? [] : [`the history lists were built again from the log: ${rebuilt}`]
  for (const { seq, reason } of ignored) notices.push(`ignored the snapshot of commit ${seq}: ${reason}`)
  if (ignored.length > 0)
    notices.push(snapshotSeq === 0 ? 'read the whole log instead' : `used the one of commit ${snapshotSeq}`)
  return repaired === null ? notices : [repaired, ...notices]
}
