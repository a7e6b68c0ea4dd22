import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { IdSpace } from '../../../../src/domain/state/ids.ts'
import { threefry, threefryKey } from '../../../../src/hashes/threefry.ts'
import { fp9 } from '../../../../src/index.ts'
import { Venue } from '../../venue.ts'

const V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/

test('A4: every id is a lowercase uuid v4', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(1_000_000), (seed, seq, index) =>
      V4.test(new IdSpace(seed).id(seq, index)),
    ),
  )
})

test('A4: an id is a function of seed, commit and index', () => {
  const id = (seed: string, seq: number, index: number) => new IdSpace(seed).id(seq, index)
  expect(id('a', 7, 0)).toBe(id('a', 7, 0))
  const all = [id('a', 7, 0), id('a', 7, 1), id('a', 8, 0), id('b', 7, 0), id('a', 7 + 2 ** 32, 0)]
  expect(new Set(all).size).toBe(all.length)
})

/** The same once more, put together from text. */
function idFromText(seed: string, seq: number, index: number): string {
  const digest = createHash('sha256').update(seed).digest()
  const [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readUInt32BE(at)) as [number, number, number, number]
  const block = Int32Array.of(seq, Math.floor(seq / 2 ** 32), index, 0)
  threefry(threefryKey(a, b, c, d), block)
  const hex = [...block].map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('')
  const variant = ((Number.parseInt(hex.charAt(16), 16) & 3) | 8).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}

test('A4: an id is commit and index, permuted under the digest of the seed', () => {
  fc.assert(
    fc.property(fc.string(), fc.nat(Number.MAX_SAFE_INTEGER), fc.nat(1_000_000), (seed, seq, index) => {
      expect(new IdSpace(seed).id(seq, index)).toBe(idFromText(seed, seq, index))
    }),
  )
})

test('A4: ids do not repeat within an engine', () => {
  const ids = new IdSpace('laws')
  const seen = new Set<string>()
  for (let seq = 1; seq <= 2_000; seq++) for (let index = 0; index < 5; index++) seen.add(ids.id(seq, index))
  expect(seen.size).toBe(10_000)
})

test('A4: the same commands under the same seed give the same ids, under another seed others', () => {
  const placed = (seed: string) => new Venue({ engine: { seed } }).place().id
  expect(placed('one')).toBe(placed('one'))
  expect(placed('one')).not.toBe(placed('two'))
})

test('A4: an order keeps its id although what was placed before it is no longer placed', () => {
  const second = (first: { orderType: 'limit'; triggerPrice: bigint } | null) => {
    const venue = new Venue()
    // One commit either way: with an id taken in it, or without.
    if (first === null) venue.tick('100')
    else venue.place(first)
    return venue.place().id
  }
  expect(second({ orderType: 'limit', triggerPrice: fp9('50') })).toBe(second(null))
})

test('an id says where it was made, to the engine that made it and to no other', () => {
  const sequence = fc.oneof(
    fc.integer({ min: 1, max: 2 ** 53 - 1 }),
    fc.constantFrom(1, 2 ** 32, 2 ** 53 - 1),
  )
  fc.assert(
    fc.property(fc.string(), sequence, fc.nat({ max: 2 ** 32 - 1 }), (seed, seq, index) => {
      const id = new IdSpace(seed).id(seq, index)
      expect(new IdSpace(seed).placesOf(id)).toEqual([{ seq, index }])
      expect(new IdSpace(`${seed}.`).placesOf(id)).toEqual([])
    }),
  )
  for (const none of ['', 'nope', '00000000-0000-0000-0000-000000000000'])
    expect(new IdSpace('laws').placesOf(none)).toEqual([])
})
