// Amounts as the console writes them.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { exact, money, moneyBeside } from '../../../src/host/console/page/shared/amounts.ts'

const CENT = 10_000_000n

test('two amounts are written alike if and only if they are the same, to the cent as far as cents tell them apart', () => {
  const reached = { cents: 0, digits: 0 }
  const amount = fc.bigInt({ min: -50n * CENT, max: 50n * CENT })
  const near = fc.tuple(amount, fc.bigInt({ min: -2n * CENT, max: 2n * CENT }))
  fc.assert(
    fc.property(near, ([value, away]) => {
      const other = value + away
      const texts = [moneyBeside(value, other), moneyBeside(other, value)]
      expect(texts[0] === texts[1]).toBe(value === other)
      const isTold = money(value) !== money(other) || value === other
      expect(texts[0]).toBe(isTold ? money(value) : exact(value))
      reached[isTold ? 'cents' : 'digits'] += 1
    }),
    { numRuns: 500 },
  )
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(20)
})
