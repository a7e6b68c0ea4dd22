// A time that is written is the same wherever it is read, and what no calendar or clock has is none.

import fc from 'fast-check'
import { afterEach, expect, test } from 'vitest'
import { writtenInstant } from '../../../src/terms/writtenInstant.ts'

const { TZ } = process.env
afterEach(() => {
  if (TZ === undefined) delete process.env.TZ
  else process.env.TZ = TZ
})

const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
/** How many characters of an ISO text are left, and what it is the beginning of. */
const LENGTHS = [
  [4, (at: number) => Date.UTC(new Date(at).getUTCFullYear(), 0)],
  [7, (at: number) => Date.UTC(new Date(at).getUTCFullYear(), new Date(at).getUTCMonth())],
  [10, (at: number) => at - (((at % 86_400_000) + 86_400_000) % 86_400_000)],
  [16, (at: number) => at - (((at % 60_000) + 60_000) % 60_000)],
  [19, (at: number) => at - (((at % 1_000) + 1_000) % 1_000)],
  [23, (at: number) => at],
] as const

test('in UTC where no zone is said, whatever zone the machine is in, as far as it is written', () => {
  const reached = new Set<string>()
  fc.assert(
    fc.property(
      fc.integer({ min: Date.UTC(1000, 0), max: LAST }),
      fc.constantFrom(...LENGTHS),
      fc.constantFrom('T', ' '),
      fc.constantFrom('UTC', 'Asia/Kathmandu', 'America/New_York', 'Pacific/Apia'),
      (at, [length, beginning], between, zone) => {
        process.env.TZ = zone
        reached.add(`${zone} ${length}`)
        const text = new Date(at).toISOString().replace('T', between).slice(0, length)
        expect(writtenInstant(text)).toBe(beginning(at))
        if (length >= 16) expect(writtenInstant(`${text}Z`)).toBe(beginning(at))
      },
    ),
  )
  expect(reached.size).toBeGreaterThan(18)
})

test('in its own zone where one is said', () => {
  expect(writtenInstant('2025-05-04T12:00+05:45')).toBe(Date.UTC(2025, 4, 4, 6, 15))
  expect(writtenInstant('2025-05-04 12:00:30.25 -01:00')).toBe(Date.UTC(2025, 4, 4, 13, 0, 30, 250))
  expect(writtenInstant('2024-02-29')).toBe(Date.UTC(2024, 1, 29))
})

test.each([
  ...['', 'x=1', '1.5', '1', '05', '20250504', '1767571200000', 'May 4, 2025', '4.5.2025', '5/4/2025', 'now'],
  ...[
    '2025-02-30',
    '2025-02-29',
    '2025-04-31',
    '2025-13',
    '2025-00',
    '2025-13-01',
    '2025-00-01',
    '2025-01-00',
  ],
  ...[
    '2025-01-01T24:00',
    '2025-01-01T23:60',
    '2025-01-01T23:59:60',
    '2025-01-01T1:00',
    '2025-01-01T',
    '2025-1-1',
  ],
  ...['2025-01-01Z', '2025-01Z', '2025-01-01T12:00+24:00', '2025-01-01T12:00+01', '2025-01-01T12:00 PM'],
  ...[' 2025-01-01', '2025-01-01 ', '2025-01-01T12:00:00.1234', '12025-01-01', '+002025-01-01'],
])('%j is none', (text) => {
  expect(writtenInstant(text)).toBeNull()
})
