/** The state as it was after some commit, folded from the log. */
import type { Commit } from '../events/commit.ts'
import type { EventLog } from '../history/loggedRecords.ts'
import type { Reader } from '../projections/reader.ts'
import { Folded, type TriggersFactory } from './fold.ts'
import { inMemory } from './ownProjections.ts'
import { Projections } from './projections.ts'

/** A past state, for reading. */
export interface PastState {
  /** Sequence of the last commit that was folded; 0 = none. */
  readonly seq: number
  readonly read: Reader
  stateHash(): string
}

/**
 * Folds a log, which begins with its first commit, up to commit `seq`. `inLog`: where that log is in memory, its events, which the
 * history lists of then are read from too.
 */
export async function pastState(
  seq: number,
  log: AsyncIterable<readonly Commit[]>,
  triggers: TriggersFactory,
  inLog: EventLog | null,
): Promise<PastState> {
  // What is folded is there already, and what comes is the business of the lists of now.
  const past = new Folded(
    triggers,
    new Projections(inMemory(inLog && { expect: () => {}, event: (seq, index) => inLog.event(seq, index) })),
  )
  if (seq > 0)
    for await (const run of log) {
      for (const commit of run) if (commit.seq <= seq) past.fold(commit)
      if (past.world.seq === seq) break
    }
  return { seq, read: past.read, stateHash: () => past.stateHash() }
}
