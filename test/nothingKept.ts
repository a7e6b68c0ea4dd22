// History lists that are never written: what is told stays pending.

import type { HistoryTarget } from '../src/history/historyTarget.ts'

export class NothingKept implements HistoryTarget {
  readonly cursor = 0
  readonly removed = null
  async write(): Promise<void> {}
  sequenceOf(): undefined {}
  order(): undefined {}
  position(): undefined {}
  entry(): undefined {}
  holes(): undefined {}
  eventsBefore(): [] {
    return []
  }
}
