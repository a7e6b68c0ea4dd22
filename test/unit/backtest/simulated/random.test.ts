import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exp, ln, ln1p } from '../../../../src/backtest/simulated/exponential.ts'
import { normal, normalQuantile } from '../../../../src/backtest/simulated/normal.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'

const UNITS_IN_THE_LAST_PLACE = 4 * Number.EPSILON

describe('exponential and logarithm', () => {
  test('agree with the ones of the engine to the last places', () => {
    fc.assert(
      fc.property(fc.double({ min: -700, max: 700, noNaN: true }), (x) => {
        expect(Math.abs(exp(x) / Math.exp(x) - 1)).toBeLessThan(UNITS_IN_THE_LAST_PLACE)
      }),
    )
    fc.assert(
      fc.property(fc.double({ min: 1e-300, max: 1e300, noNaN: true }), (x) => {
        const off = Math.abs(ln(x) - Math.log(x))
        expect(off).toBeLessThanOrEqual(UNITS_IN_THE_LAST_PLACE * Math.max(Math.abs(Math.log(x)), 2 ** -52))
      }),
    )
  })

  test('the logarithm near one keeps the digits of small numbers', () => {
    fc.assert(
      fc.property(fc.double({ min: -0.9, max: 10, noNaN: true }), (x) => {
        const off = Math.abs(ln1p(x) - Math.log1p(x))
        expect(off).toBeLessThanOrEqual(UNITS_IN_THE_LAST_PLACE * Math.abs(Math.log1p(x)) + Number.MIN_VALUE)
      }),
    )
  })

  test('exact and extreme values', () => {
    expect([exp(0), ln(1), ln(2)]).toEqual([1, 0, Math.LN2])
    expect([exp(710), exp(-710)]).toEqual([Number.POSITIVE_INFINITY, 0])
  })
})

describe('the normal distribution', () => {
  // M. J. Wichura, Applied Statistics 37 (1988), the values given for checking PPND16.
  test.each([
    [0.25, -0.6744897501960817],
    [0.001, -3.090232306167814],
    [1e-20, -9.26234008979841],
  ])('its quantile at %d', (p, value) => expect(normalQuantile(p)).toBeCloseTo(value, 13))

  test('is symmetric', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 30 }), (k) => {
        const p = k / 2 ** 31
        expect(normalQuantile(1 - p)).toBe(0 - normalQuantile(p))
      }),
    )
  })

  test('deviates have mean 0 and variance 1', () => {
    const random = new Random('moments')
    const count = 200_000
    let sum = 0
    let squares = 0
    for (let draw = 0; draw < count; draw++) {
      const value = normal(random)
      sum += value
      squares += value * value
    }
    expect(Math.abs(sum / count)).toBeLessThan(4 / Math.sqrt(count))
    expect(Math.abs(squares / count - 1)).toBeLessThan(4 * Math.sqrt(2 / count))
  })
})

describe('random numbers', () => {
  test('are the same on every machine', () => {
    const random = new Random('margin')
    expect(Array.from({ length: 4 }, () => random.bits())).toEqual(GOLDEN_BITS)
  })

  test('depend on the seed', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (a, b) => {
        fc.pre(a !== b)
        expect(new Random(a).uniform()).not.toBe(new Random(b).uniform())
        expect(new Random(a).uniform()).toBe(new Random(a).uniform())
      }),
    )
  })

  test('lie inside their ranges, evenly', () => {
    const random = new Random('range')
    const counts = new Array<number>(6).fill(0)
    for (let draw = 0; draw < 60_000; draw++) {
      const value = random.uniform()
      expect(value > 0 && value < 1).toBe(true)
      const face = random.below(6)
      counts[face] = (counts[face] ?? 0) + 1
    }
    for (const count of counts) expect(Math.abs(count - 10_000)).toBeLessThan(400)
  })
})

const GOLDEN_BITS = [2_580_188_208, 3_999_691_820, 1_238_973_972, 1_703_238_966]
