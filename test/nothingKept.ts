// History lists that are never written: what is told stays pending.

import type { HistoryTarget } from '../src/history/historyTarget.ts'
import { LOOP_TURNS } from '../src/store/lmdb/loopTurns.ts'

export class NothingKept implements HistoryTarget {
  readonly cursor = 0
  readonly removed = null
  readonly checked = Promise.resolve()
  readonly turns = LOOP_TURNS
  async write(): Promise<void> {}
  createdUpTo(): undefined {}
  order(): undefined {}
  endOf(): undefined {}
  entry(): undefined {}
  holes(): undefined {}
  eventsBefore(): [] {
    return []
  }
}
