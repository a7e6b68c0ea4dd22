import { expect, test } from 'vitest'
import { pastNotes } from '../../../../src/backtest/live/pastNotes.ts'

test('what was told of each market before it traded is said, and what of the time until then was not', () => {
  const from = Date.UTC(2026, 0, 5)
  const to = from + 86_400_000
  const market = { asset: 'BTC', rows: 1_440, missing: 0, to, gapMs: 0 }
  const notes = (...markets: readonly (typeof market)[]) =>
    pastNotes({ from, to: to + 3_600_000, markets, sha256: '' })
  const told =
    'BTC: the strategy was told 1,440 row(s) from 2026-01-05 00:00:00 to 2026-01-06 00:00:00 UTC before it traded'
  const nothing = `${told}; nothing is missing until the begin of the run`
  expect(notes(market, { ...market, gapMs: 999 })).toEqual([nothing, nothing])
  expect(notes({ ...market, gapMs: 1_000, missing: 1_200 })).toEqual([
    `${told}, 1,200 bar(s) missing among them; of the 1 s from there to the begin of the run it was told nothing`,
  ])
})
