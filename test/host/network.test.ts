// What comes from one address is bounded by address, of IPv6 by the network of 64 bits, however the address is written.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { networkOf } from '../../src/host/network.ts'

const words = fc.array(fc.oneof(fc.constant(0), fc.nat(0xffff)), { minLength: 8, maxLength: 8 })

/** As Node tells it: the longest run of zeros left out (RFC 5952). */
function written(address: readonly number[]): string {
  return new URL(`http://[${address.map((word) => word.toString(16)).join(':')}]/`).hostname.slice(1, -1)
}

test('two addresses of IPv6 are one network where their first 64 bits are the same, and only there', () => {
  let [same, shortened] = [0, 0]
  fc.assert(
    fc.property(words, words, fc.boolean(), (one, other, share) => {
      const second = share ? [...one.slice(0, 4), ...other.slice(4)] : other
      const alike = one.slice(0, 4).every((word, place) => word === second[place])
      expect(networkOf(written(one)) === networkOf(written(second))).toBe(alike)
      if (alike) same += 1
      if (written(one).includes('::')) shortened += 1
    }),
  )
  expect(same).toBeGreaterThan(20)
  expect(shortened).toBeGreaterThan(20)
})

test('an address of IPv4 is its own, in IPv6 notation too', () => {
  for (const address of ['10.0.0.1', '::ffff:10.0.0.1', '']) expect(networkOf(address)).toBe(address)
  expect(networkOf('::ffff:10.0.0.1')).not.toBe(networkOf('::ffff:10.0.0.2'))
})
