// What may wait for a reader: a mebibyte, and what comes at once and is longer for as long as it is read.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Allowance, MOST_UNSENT, PATIENCE_MS, patienceFor } from '../../src/host/stream/allowance.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const SMALL = 1_000

/** Somebody who is sent `bytes` at a time; whether what waits then may. */
function reader() {
  const allowance = new Allowance()
  let unsent = 0
  return {
    sent: (bytes: number) => {
      const before = unsent
      unsent += bytes
      return allowance.covers(unsent, before)
    },
    reads: (bytes: number) => {
      unsent = Math.max(0, unsent - bytes)
    },
  }
}

test('a mebibyte may wait, however it was sent, and not a byte more', () => {
  const one = reader()
  for (let sent = 0; sent + SMALL <= MOST_UNSENT; sent += SMALL) expect(one.sent(SMALL)).toBe(true)
  expect(one.sent(MOST_UNSENT % SMALL)).toBe(true)
  expect(one.sent(1)).toBe(false)
  const other = reader()
  expect(other.sent(MOST_UNSENT / 2)).toBe(true)
  expect(other.sent(MOST_UNSENT)).toBe(false)
})

test('what is longer by itself may wait, and a mebibyte beside it, and that less as it is read', () => {
  const one = reader()
  const long = 5 * MOST_UNSENT
  expect([one.sent(long), one.sent(MOST_UNSENT), one.sent(1)]).toEqual([true, true, false])
  const reading = reader()
  expect(reading.sent(long)).toBe(true)
  reading.reads(3 * MOST_UNSENT)
  // Two wait, and one may beside them.
  expect([reading.sent(0), reading.sent(MOST_UNSENT), reading.sent(1)]).toEqual([true, true, false])
  // A second long one before the first has been read is too much.
  const twice = reader()
  expect([twice.sent(long), twice.sent(long)]).toEqual([true, false])
})

test('what is longer has thirty seconds for each of its mebibytes', () => {
  const one = reader()
  expect(one.sent(3.5 * MOST_UNSENT)).toBe(true)
  vi.advanceTimersByTime(4 * PATIENCE_MS - 1)
  expect(one.sent(SMALL)).toBe(true)
  vi.advanceTimersByTime(1)
  expect(one.sent(SMALL)).toBe(false)
  one.reads(3 * MOST_UNSENT)
  expect(one.sent(SMALL)).toBe(true)
  expect([0, 1, MOST_UNSENT, MOST_UNSENT + 1].map(patienceFor)).toEqual(
    [1, 1, 1, 2].map((n) => n * PATIENCE_MS),
  )
})
