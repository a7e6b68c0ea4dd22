/** From a store back to the state: the newest snapshot that can be used and the log after it, or the whole log. */
import type { KeptHistory } from '../projections/keptHistory.ts'
import {
  CommitsArchived,
  type Snapshot,
  type Store,
  StoreDamaged,
  type StoreSession,
} from '../store/store.ts'
import { Folded, type TriggersFactory } from './fold.ts'
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
  /** The history lists that are kept beside the log; null: they are built anew, in memory. */
  readonly lists: KeptHistory | null
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
  { store, session, lists }: Found,
  triggers: TriggersFactory,
  onProgress?: (progress: RecoveryProgress) => void,
): Promise<{ readonly folded: Folded; readonly recovery: Recovery }> {
  const kept = lists?.cursor ?? 0
  if (kept > session.head)
    throw new StoreDamaged(session.head + 1, `the history lists know of commit ${kept}`)
  const ignored: { seq: number; reason: string }[] = []
  let folded: Folded | null = null
  for await (const snapshot of store.snapshots()) {
    if (snapshot.seq > session.head)
      throw new StoreDamaged(session.head + 1, `the snapshot of commit ${snapshot.seq} was taken of it`)
    const reason = unusable(snapshot, store, lists)
    const restored = reason === null ? restore(snapshot, lists, triggers) : reason
    if (typeof restored !== 'string') {
      folded = restored
      break
    }
    ignored.push({ seq: snapshot.seq, reason: restored })
  }
  if (folded === null) {
    lists?.restore(null, 0, 0)
    folded = new Folded(triggers, lists)
  }

  const snapshotSeq = folded.world.seq
  const total = session.head - snapshotSeq
  onProgress?.({ folded: 0, total })
  const needed = store.read(snapshotSeq + 1)
  for await (const run of snapshotSeq === 0 ? fromTheBeginning(needed, lists, ignored) : needed) {
    for (const commit of run) {
      folded.fold(commit)
      if (session.unwritable === null) lists?.durable(commit.seq)
      if (commit.seq % PIECE === 0) await lists?.room()
    }
    onProgress?.({ folded: folded.world.seq - snapshotSeq, total })
    await lists?.room()
  }
  lists?.recovered()
  const rebuilt = lists?.removed ?? null
  const recovery = { snapshotSeq, replayed: total, ignored, repaired: session.repaired, rebuilt }
  return { folded, recovery }
}

/** A log read from its first commit, with the reason why it has to be where that is not there any more. */
async function* fromTheBeginning<T>(
  log: AsyncIterable<T>,
  lists: KeptHistory | null,
  ignored: Recovery['ignored'],
): AsyncGenerator<T> {
  try {
    yield* log
  } catch (error) {
    if (!(error instanceof CommitsArchived)) throw error
    const reasons = ignored.map(
      ({ seq, reason }) => `the snapshot of commit ${seq} cannot be used, ${reason}`,
    )
    if (lists?.removed != null) reasons.unshift(`the history lists have to be built again, ${lists.removed}`)
    if (reasons.length === 0) reasons.push('there is no snapshot')
    throw new CommitsArchived(error.first, `, and all are needed: ${reasons.join('; ')}`)
  }
}

/** Commits after which lists that are built again let others have a turn (K15). */
const PIECE = 64

function unusable({ seq, schema }: Snapshot, store: Store, lists: KeptHistory | null): string | null {
  const due = snapshotSchema(lists ?? {})
  if (schema !== due) return `its schema is ${schema}, not ${due}`
  if (lists === null)
    return store.records === undefined ? null : 'the history lists it goes with cannot be used'
  if (lists.cursor < seq) return `the history is kept up to ${lists.cursor} only`
  return null
}

function restore(snapshot: Snapshot, lists: KeptHistory | null, triggers: TriggersFactory): Folded | string {
  lists?.restore(null, 0, 0)
  const folded = new Folded(triggers, lists)
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
