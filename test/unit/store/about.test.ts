import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type About, aboutBytes, aboutOf, newestIn } from '../../../src/store/lmdb/about.ts'
import { SEAL } from '../../../src/store/lmdb/sealedRecord.ts'

const count = fc.nat().chain((low) => fc.nat(0xffff).map((high) => high * 2 ** 32 + low))

const about: fc.Arbitrary<About> = fc.record({
  form: fc.nat(0xffff_ffff),
  cursor: count,
  opening: count,
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
  const said: About = { form: 1, cursor: 2, opening: 3, tally: { records: 4, sum: 5 }, part: null }
  expect(aboutBytes(said)).toHaveLength(28 + SEAL)
  expect(aboutBytes({ ...said, part: { seq: 6, records: 7 } })).toHaveLength(40 + SEAL)
})
