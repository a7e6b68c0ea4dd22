/** The rows of the history tables, from nothing but the log. */
import { LevelTriggers } from '../domain/triggers/levelTriggers.ts'
import type { Commit } from '../events/commit.ts'
import { RecordFold } from '../history/recordFold.ts'
import { TabledHistory } from '../history/tabledHistory.ts'
import { UnkeptHistory } from '../history/unkeptHistory.ts'
import type { RowStore } from '../store/rowStore.ts'
import { Folded } from './fold.ts'
import { Projections } from './projections.ts'

/** Writes what the commits up to `upTo` of a log add, which begins with its first. */
export async function writeHistoryRows(
  log: AsyncIterable<readonly Commit[]>,
  tables: RowStore,
  upTo: number,
): Promise<void> {
  const projections = new Projections([new UnkeptHistory(), new RecordFold(new TabledHistory(tables))])
  const folded = new Folded((world) => new LevelTriggers(world), projections)
  for await (const run of log) {
    for (const commit of run) {
      if (commit.seq > upTo) break
      folded.fold(commit)
      projections.durable(commit.seq)
    }
    await projections.room()
    if (folded.world.seq === upTo) break
  }
  await projections.flushed()
}
