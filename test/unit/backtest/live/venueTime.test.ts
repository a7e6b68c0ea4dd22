// The venue's clock as a client reckons it: never ahead of the venue, however long messages are on their way.

import { expect, test } from 'vitest'
import { VenueTime } from '../../../../src/backtest/live/venueTime.ts'

test('it is the client’s own before anything is told, then the largest lead of a message, and goes on with the client’s', () => {
  let own = 1_000
  const time = new VenueTime(() => own)
  expect(time.now).toBe(1_000)
  // The venue is 500 ahead; the message was on its way for 40.
  time.told(1_460)
  expect(time.now).toBe(1_460)
  // Another was on its way for 300, which makes nothing closer; and one for 10.
  own = 2_000
  time.told(2_200)
  expect(time.now).toBe(2_460)
  time.told(2_490)
  expect(time.now).toBe(2_490)
  own = 3_000
  expect(time.now).toBe(3_490)
})

test('a venue whose clock is behind is as well', () => {
  const time = new VenueTime(() => 10_000)
  time.told(9_000)
  time.told(8_900)
  expect(time.now).toBe(9_000)
})
