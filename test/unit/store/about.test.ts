import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ABOUT_KEY, type About, aboutBytes, aboutOf, newestIn } from '../../../src/store/lmdb/about.ts'
import { SEAL, sealed } from '../../../src/store/lmdb/sealedRecord.ts'

const count = fc.nat().chain((low) => fc.nat(0xffff).map((high) => high * 2 ** 32 + low))

const about: fc.Arbitrary<About> = fc.record({
  form: fc.nat(0xffff_ffff),
  cursor: count,
  opening: fc.nat(0xff_ffff),
  venue: fc.nat(0xff_ffff),
  tally: fc.record({ records: count, sum: count }),
  part: fc.option(fc.record({ seq: count, records: count })),
})

test('what the records say of themselves is read as it was written, up to 48 bits, and not once a bit has changed', () => {
  fc.assert(
    fc.property(about, fc.nat(), (said, place) => {
      const bytes = aboutBytes(said)
      expect(aboutOf(bytes)).toEqual(said)
      expect(newestIn(said)).toBe(said.part === null ? said.cursor : said.part.seq)
      const at = place % (8 * bytes.length)
      bytes[at >> 3] = (bytes[at >> 3] as number) ^ (1 << (at & 7))
      expect(aboutOf(bytes)).toBeNull()
    }),
  )
})

test('what earlier versions wrote is as long as what this one writes', () => {
  const said: About = { form: 1, cursor: 2, opening: 3, venue: 0, tally: { records: 4, sum: 5 }, part: null }
  // An earlier version counts on, in six bytes, and keeps whose they are.
  const bytes = aboutBytes({ ...said, venue: 77 })
  bytes.writeUIntLE(bytes.readUIntLE(10, 6) + 1, 10, 6)
  expect(aboutOf(sealed(ABOUT_KEY, bytes.subarray(0, 28)))).toEqual({ ...said, opening: 4, venue: 77 })
  expect(aboutBytes(said)).toHaveLength(28 + SEAL)
  expect(aboutBytes({ ...said, part: { seq: 6, records: 7 } })).toHaveLength(40 + SEAL)
})
