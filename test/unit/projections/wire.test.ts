import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatInstant } from '../../../src/projections/wire.ts'

test('an instant is written as it is, the very first one and any after another', () => {
  expect(formatInstant(0)).toBe('1970-01-01T00:00:00.000Z')
  fc.assert(
    fc.property(fc.array(fc.nat({ max: 4_102_444_800_000 }), { maxLength: 5 }), (instants) => {
      for (const at of [...instants, ...instants.toReversed()])
        expect(formatInstant(at)).toBe(new Date(at).toISOString())
    }),
  )
})
