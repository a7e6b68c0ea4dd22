import fc from 'fast-check'
import { expect, test } from 'vitest'
import { counterOf, threefry, threefryKey } from '../../../src/hashes/threefry.ts'

const words = (text: string): number[] => text.split(' ').map((word) => Number.parseInt(word, 16))

// The known answers of Random123's kat_vectors for threefry4x32 with 20 rounds: counter, key, output.
test.each([
  [
    '00000000 00000000 00000000 00000000',
    '00000000 00000000 00000000 00000000',
    '9c6ca96a e17eae66 fc10ecd4 5256a7d8',
  ],
  [
    'ffffffff ffffffff ffffffff ffffffff',
    'ffffffff ffffffff ffffffff ffffffff',
    '2a881696 57012287 f6c7446e a16a6732',
  ],
  [
    '243f6a88 85a308d3 13198a2e 03707344',
    'a4093822 299f31d0 082efa98 ec4e6c89',
    '59cd1dbb b8879579 86b5d00c ac8b6d84',
  ],
])('counter %s under key %s is %s', (counter, key, output) => {
  const [a, b, c, d] = words(key) as [number, number, number, number]
  const block = Int32Array.from(words(counter))
  threefry(threefryKey(a, b, c, d), block)
  expect(Array.from(block, (word) => word >>> 0)).toEqual(words(output))
})

test('what a counter stands for leads back to it', () => {
  const word = fc.oneof(fc.nat({ max: 2 ** 32 - 1 }), fc.constantFrom(0, 2 ** 31, 2 ** 32 - 1))
  const four = fc.tuple(word, word, word, word)
  fc.assert(
    fc.property(four, four, (key, counter) => {
      const block = Int32Array.from(counter)
      threefry(threefryKey(...key), block)
      counterOf(threefryKey(...key), block)
      expect(Array.from(block, (each) => each >>> 0)).toEqual(counter)
    }),
  )
})
