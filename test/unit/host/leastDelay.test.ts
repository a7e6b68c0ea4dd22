// How late a ticker is: against the fastest of this minute and the last, whatever the clock of the exchange says.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LeastDelay } from '../../../src/host/feed/leastDelay.ts'

const MINUTE = 60_000

test('the delay beyond the fastest of two minutes is that of a plain model', () => {
  const ticker = fc.record({
    pause: fc.integer({ min: 0, max: 100_000 }),
    delay: fc.integer({ min: 0, max: 5_000 }),
  })
  fc.assert(
    fc.property(
      fc.array(ticker, { minLength: 1, maxLength: 40 }),
      fc.integer({ min: -1e6, max: 1e6 }),
      (tickers, off) => {
        let now = 0
        const measured = new LeastDelay(() => now)
        const seen: { readonly minute: number; readonly delay: number }[] = []
        expect(measured.ahead).toBeNull()
        for (const { pause, delay } of tickers) {
          now += pause
          const minute = Math.floor(now / MINUTE)
          seen.push({ minute, delay })
          const counted = seen.filter((one) => one.minute >= minute - 1).map((one) => one.delay)
          const least = Math.min(...counted)
          expect(measured.beyond(now - delay + off)).toBe(delay - least)
          expect(measured.ahead).toBe(off - least)
        }
        measured.forget()
        expect(measured.ahead).toBeNull()
        expect(measured.beyond(now - 4_000)).toBe(0)
      },
    ),
    { numRuns: 100 },
  )
})

test('a ticker that does not say when is not late, and says nothing of the others', () => {
  const measured = new LeastDelay(() => 1_000)
  expect(measured.beyond(null)).toBe(0)
  expect(measured.ahead).toBeNull()
})
