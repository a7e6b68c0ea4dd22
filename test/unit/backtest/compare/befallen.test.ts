// From which instant to which a lost connection, or bars without a price, explain a fill that the other side has not.

import { expect, test } from 'vitest'
import { Befallen } from '../../../../src/backtest/compare/befallen.ts'
import type { JournalEntry } from '../../../../src/backtest/live/journal.ts'
import type { FillLog, LoggedFill } from '../../../../src/backtest/replay/fillLog.ts'

const MINUTE = 60_000
const [LOST, BACK] = [7 * MINUTE, 12 * MINUTE + 1]

interface Told {
  readonly type: JournalEntry['type']
  readonly [field: string]: unknown
}
const price = (at: number): Told => ({ type: 'price', asset: 'BTC', at, price: 1n })

const log = { placedAt: () => null } as unknown as FillLog

/** What explains a fill at a time, where these entries were told. */
function explains(entries: readonly Told[], at: number, asset = 'BTC'): string {
  const befallen = new Befallen()
  for (const [index, entry] of entries.entries())
    befallen.add(entry as unknown as JournalEntry, index + 1, MINUTE)
  const live = { orderId: null, side: 'long', at } as LoggedFill
  return befallen.reasonOf({ live, backtest: null }, asset, { live: log, backtest: log }, undefined as never)
    .befell
}

/** The only instants that are explained, each on either side of a bound. */
function onlyWithin(entries: readonly Told[], after: number, until: number, befell: string, asset?: string) {
  const found = [after - 1, after, after + 1, until - 1, until, until + 1].map((at) =>
    explains(entries, at, asset),
  )
  const none = 'only one asked'
  expect(found).toEqual([none, none, befell, befell, befell, none])
}

test('a connection that was lost: after the last that was heard, up to the first price since', () => {
  const lost: Told[] = [price(LOST), { type: 'lost' }, { type: 'back' }, price(BACK), price(BACK + MINUTE)]
  onlyWithin(lost, LOST, BACK, 'connection lost')
  onlyWithin(lost, LOST, BACK, 'connection lost', 'ETH')
  const again: Told[] = [
    price(LOST),
    { type: 'lost' },
    { type: 'lost' },
    { type: 'run', isContinued: false },
    price(BACK),
  ]
  onlyWithin(again, LOST, BACK, 'connection lost')
})

test('one that was never there again explains all that follows, prices from before it was back included', () => {
  const last: Told[] = [price(BACK), { type: 'run', isContinued: true }]
  for (const one of last)
    expect(explains([price(LOST), { type: 'lost' }, one], 9 * BACK)).toBe('connection lost')
})

test('bars without a price: of their market alone, from where the first of them began', () => {
  const missing: Told[] = [{ type: 'missing', asset: 'BTC', bars: 3, at: BACK }]
  onlyWithin(missing, 9 * MINUTE, BACK, 'missed bars')
  expect(explains(missing, 10 * MINUTE, 'ETH')).toBe('only one asked')
})
