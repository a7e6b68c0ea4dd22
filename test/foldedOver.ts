// A fold of a log whose history lists are kept where a test wants them.

import { LevelTriggers } from '../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../src/engine/fold.ts'
import { Projections } from '../src/engine/projections.ts'
import type { History } from '../src/projections/history.ts'
import { RecordFold } from '../src/projections/recordFold.ts'
import type { RecordLists } from '../src/projections/recordLists.ts'

export function foldedOver<Open>(lists: RecordLists<Open> & History): Folded {
  return new Folded((world) => new LevelTriggers(world), new Projections([new RecordFold(lists)]))
}
