// What befell a live run, found in its journal: each thing once, with when it began and how long it lasted.

import { expect, test } from 'vitest'
import { type Incident, IncidentLog } from '../../../../src/backtest/live/incidents.ts'
import type { JournalAsked, JournalBegin, JournalEntry } from '../../../../src/backtest/live/journal.ts'

const MINUTE_MS = 60_000
const begun = (at: number, isContinued = false) => ({ type: 'run', at, isContinued }) as JournalBegin
const asked = (at: number, answer: string): JournalAsked => ({
  ...{ type: 'asked', at, action: 'open', asset: 'BTC', side: 'long', orderId: null, answer, tookMs: 30 },
})

function incidentsIn(...entries: readonly JournalEntry[]): Pick<Incident, 'kind' | 'at' | 'ms'>[] {
  const log = new IncidentLog()
  for (const entry of entries) log.add(entry, MINUTE_MS)
  log.end()
  return log.incidents.map(({ kind, at, ms }) => ({ kind, at, ms }))
}

test('a connection that is lost lasts from then until it is there again, or to the end of the journal', () => {
  expect(
    incidentsIn(
      begun(1_000),
      { type: 'lost', at: 2_000 },
      // Tries that fail are not other losses.
      { type: 'lost', at: 3_000 },
      { type: 'back', at: 7_000, ms: 5_000 },
      { type: 'lost', at: 8_000 },
      { type: 'missing', at: 5 * MINUTE_MS, asset: 'BTC', bars: 2 },
    ),
  ).toEqual([
    { kind: 'connection lost', at: 2_000, ms: 5_000 },
    { kind: 'missed bars', at: 3 * MINUTE_MS, ms: 2 * MINUTE_MS },
    { kind: 'connection lost', at: 8_000, ms: 5 * MINUTE_MS - 8_000 },
  ])
})

test('a connection that a run has not made again ends with it: the next run has its own', () => {
  expect(incidentsIn(begun(1_000), { type: 'lost', at: 2_000 }, begun(3_000, true), begun(9_000))).toEqual([
    { kind: 'connection lost', at: 2_000, ms: 1_000 },
    { kind: 'not running', at: 3_000, ms: 6_000 },
  ])
})

test('bars that were told late are told with how late', () => {
  expect(incidentsIn(begun(0), { type: 'late', at: MINUTE_MS - 1, asset: 'BTC', ms: 90_000 })).toEqual([
    { kind: 'late bars', at: MINUTE_MS - 1, ms: 90_000 },
  ])
})

test('a run that begins again was not running since its last line; a further file of it is no restart', () => {
  expect(incidentsIn(begun(1_000), { type: 'untold', at: 4_000 }, begun(5_000, true), begun(9_000))).toEqual([
    { kind: 'events not told', at: 4_000, ms: 0 },
    { kind: 'not running', at: 5_000, ms: 4_000 },
  ])
})

test('what is refused, and what nobody knows the fate of, are two things; what is accepted is none', () => {
  expect(
    incidentsIn(begun(0), asked(1, 'accepted'), asked(2, 'insufficient_balance'), asked(3, 'unknown'), {
      type: 'waited',
      at: 4,
      ms: 1_500,
      why: 'rate limited',
    }),
  ).toEqual([
    { kind: 'refused', at: 2, ms: 30 },
    { kind: 'fate unknown', at: 3, ms: 30 },
    { kind: 'waited', at: 4, ms: 1_500 },
  ])
})
