// Times of JSON values and Parquet cells, against the instants they were written from.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CellTime } from '../../../../src/backtest/feed/cellTime.ts'
import { TimeZone } from '../../../../src/backtest/feed/timeZone.ts'

const UTC = new TimeZone('UTC')
/** Whole seconds that are told apart in every unit. */
const second = fc.integer({ min: 1e8, max: 99_999_999_999 })
const UNITS = { s: 0, ms: 3, us: 6, ns: 9 } as const
const unit = fc.constantFrom('s', 'ms', 'us', 'ns')

test('an instant is read to the millisecond it is in, in whichever unit it is written', () => {
  fc.assert(
    fc.property(second, fc.integer({ min: 0, max: 999_999_999 }), unit, (seconds, fraction, written) => {
      const digits = String(fraction).padStart(9, '0').slice(0, UNITS[written])
      const ms = seconds * 1_000 + (written === 's' ? 0 : Math.floor(fraction / 1e6))
      expect(new CellTime(null, UTC).read(`${seconds}${digits}`)).toBe(ms)
      expect(new CellTime(written, UTC).read(`${seconds}${digits}`)).toBe(ms)
    }),
  )
})

test('the unit is that of the first row; a text is a time of its own', () => {
  fc.assert(
    fc.property(second, unit, unit, (seconds, first, then) => {
      const times = new CellTime(null, UTC)
      const inUnit = (of: keyof typeof UNITS) => `${seconds}${'0'.repeat(UNITS[of])}`
      expect(times.read('2026-01-05 00:10:00')).toBe(Date.UTC(2026, 0, 5, 0, 10))
      times.read(inUnit(first))
      const read = () => times.read(inUnit(then))
      if (then === first) expect(read()).toBe(seconds * 1_000)
      else expect(read).toThrow(`the time is in ${then}, where ${first} is expected`)
    }),
  )
  expect(() => new CellTime(null, UTC).read('99999999999999999999')).toThrow('no epoch time')
  expect(() => new CellTime(null, UTC).read('099999999')).toThrow('no epoch time')
  expect(() => new CellTime(null, UTC).read('noon')).toThrow('"noon" is not a timestamp')
})
