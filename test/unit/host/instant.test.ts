// An instant that is written is read back, and what no calendar or clock has is none.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseInstant } from '../../../src/host/instant.ts'

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)

test('every instant from 1970 on, in any zone', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: LAST }),
      fc.integer({ min: -23 * 60, max: 23 * 60 }),
      (at, zone) => {
        expect(parseInstant(new Date(at).toISOString())).toBe(at)
        const local = at + zone * 60_000
        if (local < 0 || local > LAST) return
        const [hours, minutes] = [Math.floor(Math.abs(zone) / 60), Math.abs(zone) % 60]
        const offset = [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':')
        const text = new Date(local).toISOString().replace('Z', (zone < 0 ? '-' : '+') + offset)
        expect(parseInstant(text)).toBe(at)
      },
    ),
  )
})

test('at the bounds', () => {
  expect(parseInstant('1970-01-01T00:00:00Z')).toBe(0)
  expect(parseInstant('2024-02-29T23:59:59.5Z')).toBe(Date.UTC(2024, 1, 29, 23, 59, 59, 500))
  expect(parseInstant('1969-12-31T23:00:00-01:00')).toBe(0)
})

test.each([
  ...['1969-12-31T23:59:59Z', '2026-02-30T00:00:00Z', '2025-02-29T00:00:00Z', '2026-13-01T00:00:00Z'],
  ...['2026-00-01T00:00:00Z', '2026-01-00T00:00:00Z', '2026-04-31T00:00:00Z', '2026-01-01T24:00:00Z'],
  ...['2026-01-01T00:60:00Z', '2026-01-01T00:00:60Z', '2026-01-01T00:00:00+24:00', '2026-01-01T00:00:00'],
  ...['2026-01-01T00:00Z', '2026-01-01', ' 2026-01-01T00:00:00Z', '2026-01-01T00:00:00.1234Z', '', 0, null],
])('%s is none', (text) => {
  expect(parseInstant(text)).toBeUndefined()
})
