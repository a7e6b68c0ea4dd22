// A fold of a log whose history lists are kept where a test wants them.

import { LevelTriggers } from '../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../src/engine/fold.ts'
import { Projections } from '../src/engine/projections.ts'
import { RecordFold } from '../src/history/recordFold.ts'
import type { RecordLists } from '../src/history/recordLists.ts'
import type { History } from '../src/projections/history.ts'

export function foldedOver<Open>(lists: RecordLists<Open> & History): Folded {
  return new Folded((world) => new LevelTriggers(world), new Projections([new RecordFold(lists)]))
}
