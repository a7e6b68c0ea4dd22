// How long another node was not seen to renew, by this node's clock: what counts from where, and what is said once.

import { expect, test } from 'vitest'
import type { NodeRow } from '../../src/cluster/membership.ts'
import { Silence } from '../../src/cluster/silence.ts'

const LEASE_MS = 3_000
const node = (renewals: number, life = 'life'): NodeRow => ({
  ...{ name: 'node', life, address: 'http://node', renewals, leaseMs: LEASE_MS, draining: false },
})

test('a lease is over two hundredths later than it says, from when the renewal was seen first', () => {
  const silence = new Silence()
  silence.saw([node(1)], 100)
  silence.saw([node(1)], 2_000)
  expect(silence.isOver(node(1), 100 + 1.02 * LEASE_MS - 1)).toBe(false)
  expect(silence.isOver(node(1), 100 + 1.02 * LEASE_MS)).toBe(true)
  silence.saw([node(2)], 3_000)
  expect(silence.isOver(node(2), 3_000 + LEASE_MS)).toBe(false)
  expect(silence.isOver(node(1, 'never seen'), 1e9)).toBe(false)
})

test('that a renewal did not come is said from six tenths of a lease on, once of each', () => {
  const silence = new Silence()
  silence.saw([node(1)], 0)
  const told = [1_799, 1_800, 1_801, 2_900].map((now) => silence.isNew(node(1), now))
  expect(told).toEqual([false, true, false, false])
  silence.saw([node(2)], 3_000)
  expect([4_799, 4_800, 4_900].map((now) => silence.isNew(node(2), now))).toEqual([false, true, false])
})

test('when a lease will be over is said once of each renewal, where that is near', () => {
  const silence = new Silence()
  silence.saw([node(1)], 0)
  expect([2_059, 2_061, 2_062].map((now) => silence.dueWithin(node(1), now, 1_000))).toEqual([
    null,
    999,
    null,
  ])
  silence.saw([node(2)], 3_000)
  expect(silence.dueWithin(node(2), 6_060, 1_000)).toBeNull()
  expect(silence.dueWithin(node(2), 6_059, 1_000)).toBe(1)
})

test('a life that has left is forgotten: it is new if it is seen again', () => {
  const silence = new Silence()
  silence.saw([node(1)], 0)
  silence.saw([], 1_000)
  expect(silence.isOver(node(1), 9_000)).toBe(false)
  silence.saw([node(1)], 9_000)
  expect(silence.isOver(node(1), 9_000 + LEASE_MS)).toBe(false)
})
