// Whatever head a run left behind, it is told the rest of what happened, once and in order.

import { expect, test } from 'vitest'
import { missedEvents } from '../../../../src/backtest/live/missedEvents.ts'
import type { VenueStream } from '../../../../src/client/index.ts'

/** Of commits 1 to 6, each with as many orders and positions; ticks and times have none. */
const COUNTS = [2, 0, 3, 1, 0, 2]
const happened = COUNTS.flatMap((count, before) => [
  { type: 'marketPrice', seq: before + 1 },
  ...Array.from({ length: count }, (_, index) => ({
    type: index % 2 === 0 ? 'order' : 'position',
    seq: before + 1,
    index,
  })),
])
const told = happened.filter(({ type }) => type !== 'marketPrice')

/** As the venue goes on after a commit, and how the accounts are at its end. */
const venue = (from: number, end: object = { type: 'account' }) =>
  (async function* () {
    yield* happened.filter(({ seq }) => seq > from)
    yield end
    yield { type: 'order', seq: COUNTS.length, index: 99 }
  })() as unknown as VenueStream

test('the rest begins behind the head, wherever in a commit it lies, and ends with the last commit that is asked for', async () => {
  for (let seq = 1; seq <= COUNTS.length; seq++)
    for (let events = 0; events <= (COUNTS[seq - 1] as number); events++)
      for (let until = seq; until <= COUNTS.length; until++) {
        const known = told.filter((one) => one.seq < seq).length + events
        const rest = told.slice(known).filter((one) => one.seq <= until)
        expect(await missedEvents((from) => venue(from), { seq, events }, until)).toEqual(rest)
      }
})

test('a venue that begins anew can no longer tell', async () => {
  const anew = (from: number) => venue(from, { type: 'snapshot' })
  expect(await missedEvents(anew, { seq: 2, events: 0 }, COUNTS.length)).toBeNull()
})
