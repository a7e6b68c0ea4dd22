// A tally tells which records there are, in whatever order they were written and however often one was written again.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { EMPTY_TALLY, tallied } from '../../../src/store/lmdb/sealedRecord.ts'

const seal = fc.integer({ min: 0, max: 2 ** 32 - 1 })

test('it is that of the seals that stand in the end, and has room in 48 bits', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(seal, fc.array(seal, { maxLength: 3 })), { maxLength: 20 }),
      fc.nat(2 ** 48 - 1),
      (records, sum) => {
        let tally = { ...EMPTY_TALLY, sum }
        for (const [first] of records) tally = tallied(tally, first)
        for (const [first, again] of records)
          for (const [at, next] of again.entries()) tally = tallied(tally, next, again[at - 1] ?? first)
        const standing = records.map(([first, again]) => BigInt(again.at(-1) ?? first))
        const expected = standing.reduce((a, b) => a + b, BigInt(sum)) % 2n ** 48n
        expect(tally).toEqual({ records: records.length, sum: Number(expected) })
      },
    ),
  )
})

test('it begins anew behind 48 bits', () => {
  expect(tallied({ records: 7, sum: 2 ** 48 - 1 }, 1)).toEqual({ records: 8, sum: 0 })
  expect(tallied({ records: 7, sum: 0 }, 0, 1)).toEqual({ records: 7, sum: 2 ** 48 - 1 })
})
