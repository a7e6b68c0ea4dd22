// What a journal tells of fits, also where several runs have written it.

import { expect, test } from 'vitest'
import type { JournalEntry } from '../../../../src/backtest/live/journal.ts'
import { LearnedLog } from '../../../../src/backtest/live/learnedLog.ts'

const ABOUT = {
  ...{ asset: 'BTC', model: 'change', horizon: 2, window: '1d', every: '1h', takesEffectAfter: '5m' },
  ...{ skipped: 0, scores: ['skill'] },
}
const begun = (at: number): JournalEntry => {
  return { type: 'fitting', at, ...ABOUT, rows: 9, takesEffectAt: at + 5 }
}
const used = (at: number, waitedMs?: number): JournalEntry => ({
  ...{ type: 'fit', at: at + 5, ...ABOUT, ...(waitedMs === undefined ? {} : { waitedMs }) },
  fit: { at, usedFrom: at + 5, rows: 9, from: 1, to: 2, knownTo: 3, inSample: { skill: 0.5 } },
})
const foretold = (fittedAt: number, predictions: number): JournalEntry => {
  const outOfSample = { skill: 0.1 }
  return { type: 'foretold', at: 999, asset: 'BTC', model: 'change', fittedAt, predictions, outOfSample }
}

/** Of the one model that there is. */
function loggedOf(...entries: readonly JournalEntry[]) {
  const log = new LearnedLog()
  for (const entry of entries) log.add(entry)
  const [model, ...others] = log.results
  expect(others).toEqual([])
  return model
}

test('a fit that is told again by a run that goes on from it keeps what is known of it', () => {
  const once = loggedOf(begun(100), used(100, 7), foretold(100, 4))
  expect(once?.fits).toMatchObject([{ at: 100, usedFrom: 105, waitedMs: 7, predictions: 4 }])
  expect(loggedOf(begun(100), used(100, 7), foretold(100, 4), used(100))).toEqual(once)
  const more = loggedOf(begun(100), used(100, 7), foretold(100, 4), used(100), foretold(100, 6))
  expect(more?.fits).toMatchObject([{ waitedMs: 7, predictions: 6 }])
})

test('what was begun and is not used by the end is told as that, once, also where it was begun again', () => {
  expect(loggedOf(begun(100))).toMatchObject({ pending: 1, takesEffectAfter: '5m', fits: [] })
  expect(loggedOf(begun(100), begun(100))?.pending).toBe(1)
  expect(loggedOf(begun(100), begun(200), used(100))?.pending).toBe(1)
  expect(loggedOf(begun(100), begun(200), used(100), used(200))).not.toHaveProperty('pending')
  // A run that was begun without what another had kept has lost it.
  expect(loggedOf(begun(100), begun(200), used(200))).not.toHaveProperty('pending')
})
