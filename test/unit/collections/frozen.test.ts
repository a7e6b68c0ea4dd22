import fc from 'fast-check'
import { expect, test } from 'vitest'
import { frozen } from '../../../src/collections/frozen.ts'

const isFrozen = (value: unknown): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (Object.isFrozen(value) && Object.values(value).every(isFrozen))

test('plain data is frozen however deep, and is the same as before', () => {
  let deep = 0
  fc.assert(
    fc.property(
      fc.oneof(fc.object({ maxDepth: 4, withNullPrototype: false }), fc.array(fc.object())),
      (value) => {
        const before = structuredClone(value)
        expect(frozen(value)).toBe(value)
        expect(isFrozen(value)).toBe(true)
        expect(value).toEqual(before)
        if (Object.values(value).some((inner) => typeof inner === 'object' && inner !== null)) deep += 1
      },
    ),
  )
  expect(deep).toBeGreaterThan(0)
})
