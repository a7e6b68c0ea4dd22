// What befell a live run, as its report shows it: how often and how long of each kind, the newest in full, or that there was nothing.

import { expect, test } from 'vitest'
import type { Incident } from '../../../../src/backtest/live/incidents.ts'
import { liveCard, liveSection } from '../../../../src/backtest/report/liveSection.ts'

const incident = (kind: Incident['kind'], at: number, ms: number, asset: string | null = null): Incident => ({
  ...{ kind, at, ms, asset, what: `what ${at}` },
})
const START = Date.UTC(2026, 0, 5)

test('nothing that befell it is said in a sentence, without a table', () => {
  const { text } = liveCard(liveSection('http://venue', [])) as { text: string }
  expect(text).toContain('Nothing was refused, lost or missed.')
  expect(text).not.toContain('<table')
  expect(liveCard(null)).toBeNull()
  expect(liveCard(undefined)).toBeNull()
})

test('every kind is counted and its lengths added up; every one is a row', () => {
  const incidents = [
    incident('refused', START, 30, 'BTC'),
    incident('connection lost', START + 60_000, 9_999),
    incident('refused', START + 120_000, 0),
    incident('connection lost', START + 180_000, 1),
    incident('not running', START + 240_000, 3_600_000),
  ]
  const section = liveSection('http://venue', incidents)
  expect([...section.totals].sort()).toEqual([
    ['connection lost', '2', '10 s'],
    ['not running', '1', '1.0 hours'],
    ['refused', '2', '0.0 s'],
  ])
  expect(section.incidents.slice(0, 3)).toEqual([
    ['2026-01-05 00:00:00', 'refused', 'BTC', '0.0 s', `what ${START}`],
    ['2026-01-05 00:01:00', 'connection lost', '', '10.0 s', `what ${START + 60_000}`],
    ['2026-01-05 00:02:00', 'refused', '', '', `what ${START + 120_000}`],
  ])
  const { text } = liveCard(section) as { text: string }
  expect(text).not.toContain('Nothing was refused')
  for (const row of [...section.totals, ...section.incidents])
    for (const cell of row) expect(text).toContain(cell)
})
