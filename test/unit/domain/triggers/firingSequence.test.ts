// The order in which the straight path of a tick reaches what fires (B5), against the path walked unit by unit.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Path } from '../../../../src/domain/triggers/firingSequence.ts'

interface Waiting {
  readonly kind: 'liquidation' | 'take' | 'limit'
  readonly side: 'above' | 'below'
  readonly level: number
}

const waiting: fc.Arbitrary<Waiting> = fc.record({
  kind: fc.constantFrom('liquidation', 'take', 'limit'),
  side: fc.constantFrom('above', 'below'),
  level: fc.integer({ min: 1, max: 20 }),
})
const KINDS = ['liquidation', 'take', 'limit']

/** The price goes from one to the other in steps of one; at each those reached fire, by kind and then by age. */
function walked(items: readonly Waiting[], from: number, to: number): number[] {
  const fired: number[] = []
  const step = Math.sign(to - from)
  for (let price = from; ; price += step) {
    const here = items
      .map((item, sequence) => ({ ...item, sequence }))
      .filter(({ side, level }) => (side === 'above' ? price >= level : price <= level))
      .filter(({ sequence }) => !fired.includes(sequence))
      .sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || a.sequence - b.sequence)
    fired.push(...here.map(({ sequence }) => sequence))
    if (price === to) return fired
  }
}

test('B5: by distance, then liquidation before closing before opening, then by age', () => {
  let ties = 0
  let atTheStart = 0
  fc.assert(
    fc.property(
      fc.array(waiting, { maxLength: 8 }),
      fc.integer({ min: 1, max: 20 }),
      fc.integer({ min: 1, max: 20 }),
      (items, from, to) => {
        const expected = walked(items, from, to)
        const path = new Path(BigInt(from))
        // In any order: the last comes first.
        for (const sequence of [...expected].sort((a, b) => b - a)) {
          const { kind, side, level } = items[sequence] as Waiting
          if (kind === 'liquidation') path.meetLiquidation(`${sequence}`, sequence, side, BigInt(level))
          else path.meetOrder(0, sequence, kind, side, BigInt(level))
        }
        const fired = path
          .inOrder()
          .map((firing) => (firing.kind === 'order' ? firing.sequence : Number(firing.positionId)))
        expect(fired).toEqual(expected)
        const levels = expected.map((sequence) => (items[sequence] as Waiting).level)
        if (new Set(levels).size < levels.length) ties += 1
        if (walked(items, from, from).length > 1) atTheStart += 1
      },
    ),
  )
  expect(ties).toBeGreaterThan(0)
  expect(atTheStart).toBeGreaterThan(0)
})
