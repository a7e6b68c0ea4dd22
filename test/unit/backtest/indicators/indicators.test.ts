// The averages and filters of the package: each is what its formula, computed anew over all of the closes, says.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { indicators } from '../../../../src/backtest/index.ts'
import { OF_TWO_MARKETS, OWN_INDICATORS } from '../../../api/ownIndicators.ts'
import { madeBy } from '../../../api/packageIndicators.ts'
import { MORE_OF_BARS } from './moreOfBars.ts'
import { OF_BARS } from './ofBars.ts'

type Closes = readonly number[]

/** Of a value at a bar, negative bars being the first one. */
type At = (bar: number) => number

/** A list that follows from what came before in it. */
function recursive(
  closes: Closes,
  next: (x: At, y: At, bar: number) => number,
  before: (first: number) => number,
): number[] {
  const first = closes[0] ?? 0
  const values: number[] = []
  const x: At = (bar) => (bar < 0 ? first : (closes[bar] ?? 0))
  const y: At = (bar) => (bar < 0 ? before(first) : (values[bar] ?? 0))
  for (const bar of closes.keys()) values.push(next(x, y, bar))
  return values
}

const weighedBy = (bars: number, weight: (age: number) => number) => (closes: Closes) =>
  closes.map((_, bar) => {
    let [top, all] = [0, 0]
    for (let age = 0; age < bars; age++) {
      top += weight(age) * (closes[bar - age] ?? Number.NaN)
      all += weight(age)
    }
    return top / all
  })

const choose = (n: number, k: number): number => (k === 0 ? 1 : (choose(n - 1, k - 1) * n) / k)
const fibonacci = (n: number): number => (n < 2 ? 1 : fibonacci(n - 1) + fibonacci(n - 2))
const first = (value: number) => value
const nothing = () => 0
const degrees = (angle: number) => (angle * Math.PI) / 180
const alpha = (period: number, k = 1) =>
  (Math.cos(degrees((k * 360) / period)) + Math.sin(degrees((k * 360) / period)) - 1) /
  Math.cos(degrees((k * 360) / period))

const highPass = (period: number) => (closes: Closes) => {
  const a = alpha(period)
  return recursive(closes, (x, y, bar) => (1 - a / 2) * (x(bar) - x(bar - 1)) + (1 - a) * y(bar - 1), nothing)
}
const highPassOfTwo = (period: number) => (closes: Closes) => {
  const a = alpha(period, Math.SQRT1_2)
  const b = (1 - a / 2) * (1 - a / 2)
  return recursive(
    closes,
    (x, y, bar) =>
      b * (x(bar) - 2 * x(bar - 1) + x(bar - 2)) + 2 * (1 - a) * y(bar - 1) - (1 - a) * (1 - a) * y(bar - 2),
    nothing,
  )
}
const smoother = (period: number) => (closes: Closes) => {
  const a = Math.exp((-Math.SQRT2 * Math.PI) / period)
  const b = 2 * a * Math.cos((Math.SQRT2 * Math.PI) / period)
  return recursive(
    closes,
    (x, y, bar) => ((1 - b + a * a) * (x(bar) + x(bar - 1))) / 2 + b * y(bar - 1) - a * a * y(bar - 2),
    first,
  )
}
const exponential = (share: number) => (closes: Closes) =>
  recursive(closes, (x, y, bar) => share * x(bar) + (1 - share) * y(bar - 1), first)

const bandWidth = (period: number, width: number) => {
  const gamma = 1 / Math.cos(degrees((360 * width) / period))
  return gamma - Math.sqrt(gamma * gamma - 1)
}
const band = (period: number, width: number) => (closes: Closes) => {
  const [beta, a] = [Math.cos(degrees(360 / period)), bandWidth(period, width)]
  return recursive(
    closes,
    (x, y, bar) => 0.5 * (1 - a) * (x(bar) - x(bar - 2)) + beta * (1 + a) * y(bar - 1) - a * y(bar - 2),
    nothing,
  )
}
const flex = (period: number, isLine: boolean) => (closes: Closes) => {
  const smooth = smoother(period / 2)(closes)
  let usual = 0
  return smooth.map((value, bar) => {
    const before = (age: number) => smooth[bar - age] ?? Number.NaN
    const slope = isLine ? (before(period) - value) / period : 0
    let off = 0
    for (let age = 1; age <= period; age++) off += (value + age * slope - before(age)) / period
    if (Number.isNaN(off)) return Number.NaN
    usual = 0.04 * off * off + 0.96 * usual
    return usual === 0 ? 0 : off / Math.sqrt(usual)
  })
}

/** By how it is made in the list: the formula over everything. What is a list of lists is of its lines, in their order. */
const FORMULAS: Readonly<
  Record<string, (closes: Closes) => readonly number[] | readonly (readonly number[])[]>
> = {
  'indicators.squareAverage(14)': weighedBy(14, (age) => (14 - age) * (14 - age)),
  'indicators.cubicAverage(14)': weighedBy(14, (age) => (14 - age) * (14 - age) * (14 - age)),
  'indicators.rootAverage(14)': weighedBy(14, (age) => (14 - age) ** 0.5),
  'indicators.powerAverage(14, 0.382)': weighedBy(14, (age) => (14 - age) ** 0.382),
  'indicators.sineAverage(14)': weighedBy(14, (age) => Math.sin(degrees((180 * (age + 1)) / 15))),
  'indicators.symmetricAverage(5)': weighedBy(5, (age) => 3 - Math.abs(2 - age)),
  'indicators.fibonacciAverage(5)': weighedBy(5, (age) => fibonacci(4 - age)),
  'indicators.pascalAverage(5)': weighedBy(5, (age) => choose(4, age)),
  'indicators.endPointAverage(11, 4)': weighedBy(11, (age) => 11 - age - 4),
  'indicators.jsaAverage(30)': (closes) =>
    closes.map((close, bar) => (close + (closes[bar - 30] ?? Number.NaN)) / 2),
  'indicators.distanceAverage(15)': (closes) =>
    closes.map((close, bar) => {
      let [top, all] = [0, 0]
      for (let age = 0; age < 15; age++) {
        let weight = 0
        for (let back = 1; back < 15; back++)
          weight += ((closes[bar - age] ?? 0) - (closes[bar - age - back] ?? Number.NaN)) ** 2
        top += weight * (closes[bar - age] ?? 0)
        all += weight
      }
      return all === 0 ? close : top / all
    }),
  'indicators.exponentialAverage(0.2)': exponential(0.2),
  'indicators.holtWintersAverage(0.2, 0.1, 0.1)': (closes) => {
    const f = [closes[0] ?? 0]
    const [v, a] = [[0], [0]]
    return closes.map((close) => {
      const [f1, v1, a1] = [f.at(-1) ?? 0, v.at(-1) ?? 0, a.at(-1) ?? 0]
      f.push(0.8 * (f1 + v1 + 0.5 * a1) + 0.2 * close)
      v.push(0.9 * (v1 + a1) + 0.1 * ((f.at(-1) ?? 0) - f1))
      a.push(0.9 * a1 + 0.1 * ((v.at(-1) ?? 0) - v1))
      return (f.at(-1) ?? 0) + (v.at(-1) ?? 0) + 0.5 * (a.at(-1) ?? 0)
    })
  },
  'indicators.jurikAverage(7, 50, 2)': (closes) => {
    const beta = 2.7 / 4.7
    const a = beta * beta
    const e0 = recursive(closes, (x, y, bar) => (1 - a) * x(bar) + a * y(bar - 1), first)
    const e1 = recursive(
      closes,
      (x, y, bar) => (x(bar) - (e0[bar] ?? 0)) * (1 - beta) + beta * y(bar - 1),
      nothing,
    )
    const e2: number[] = []
    return recursive(
      closes,
      (_, y, bar) => {
        e2.push(
          ((e0[bar] ?? 0) + 2 * (e1[bar] ?? 0) - y(bar - 1)) * (1 - a) * (1 - a) + a * a * (e2[bar - 1] ?? 0),
        )
        return y(bar - 1) + (e2[bar] ?? 0)
      },
      first,
    )
  },
  'indicators.adaptiveAverage(11, 2, 30)': (closes) => {
    let value = closes[10] ?? 0
    return closes.map((close, bar) => {
      if (bar < 11) return Number.NaN
      let noise = 0
      for (let age = 0; age < 11; age++)
        noise += Math.abs((closes[bar - age] ?? 0) - (closes[bar - age - 1] ?? 0))
      const ratio = noise === 0 ? 0 : Math.abs(close - (closes[bar - 11] ?? 0)) / noise
      value += (ratio * (2 / 3) + 2 / 31) ** 2 * (close - value)
      return value
    })
  },
  'indicators.variableLengthAverage(5, 50)': (closes) => {
    let [length, value] = [50, Number.NaN]
    return closes.map((close, bar) => {
      if (bar < 49) return Number.NaN
      const last = closes.slice(bar - 49, bar + 1)
      const middle = last.reduce((sum, one) => sum + one, 0) / 50
      const deviation = Math.sqrt(last.reduce((sum, one) => sum + (one - middle) * (one - middle), 0) / 50)
      const away = Math.abs(close - middle)
      length += away <= 0.25 * deviation ? 1 : away > 1.75 * deviation ? -1 : 0
      length = Math.min(Math.max(length, 5), 50)
      value = bar === 49 ? close : value + (2 / (length + 1)) * (close - value)
      return value
    })
  },
  'indicators.predictiveAverage()': (closes) => {
    const seven = weighedBy(7, (age) => 7 - age)
    const [once, twice] = [seven(closes), seven(seven(closes))]
    const predict = once.map((value, bar) => 2 * value - (twice[bar] ?? 0))
    return [predict, weighedBy(4, (age) => 4 - age)(predict)]
  },
  'indicators.highPass(48)': highPass(48),
  'indicators.highPassOfTwo(48)': highPassOfTwo(48),
  'indicators.decycler(125)': (closes) => {
    const waves = highPassOfTwo(125)(closes)
    return closes.map((close, bar) => close - (waves[bar] ?? 0))
  },
  'indicators.superSmootherOfThree(14)': (closes) => {
    const a = Math.exp(-Math.PI / 14)
    const b = 2 * a * Math.cos((1.73205080756888 * Math.PI) / 14)
    const c = a * a
    return recursive(
      closes,
      (x, y, bar) =>
        (1 - (b + c) + (c + b * c) - c * c) * x(bar) +
        (b + c) * y(bar - 1) -
        (c + b * c) * y(bar - 2) +
        c * c * y(bar - 3),
      first,
    )
  },
  'indicators.gaussian(14, 4)': (closes) => {
    const beta = (1 - Math.cos(degrees(360 / 14))) / (Math.SQRT2 ** 0.5 - 1)
    const share = -beta + Math.sqrt(beta * beta + 2 * beta)
    return [1, 2, 3, 4].reduce<Closes>((values) => exponential(share)(values), closes) as number[]
  },
  'indicators.reflex(20)': flex(20, true),
  'indicators.trendflex(20)': flex(20, false),
  'indicators.instantaneousTrend(0.07)': (closes) => {
    const a = 0.07
    const trend = recursive(
      closes,
      (x, y, bar) =>
        (a - (a * a) / 4) * x(bar) +
        0.5 * a * a * x(bar - 1) -
        (a - 0.75 * a * a) * x(bar - 2) +
        2 * (1 - a) * y(bar - 1) -
        (1 - a) * (1 - a) * y(bar - 2),
      first,
    )
    return [trend, trend.map((value, bar) => 2 * value - (trend[bar - 2] ?? Number.NaN))]
  },
  'indicators.voss(20, 3, 0.25)': (closes) => {
    const filter = band(20, 0.25)(closes)
    const voss: number[] = []
    for (const [bar, value] of filter.entries()) {
      let known = 0
      for (let count = 0; count < 9; count++) known += ((count + 1) / 9) * (voss[bar - 9 + count] ?? 0)
      voss.push(bar < 19 ? 0 : 6 * value - known)
    }
    return [voss, filter]
  },
  'indicators.correlationCycle(20)': (closes) => {
    const correlation = (bar: number, wave: (age: number) => number) => {
      let [sx, sy, sxx, sxy, syy] = [0, 0, 0, 0, 0]
      for (let age = 0; age < 20; age++) {
        const [x, y] = [(closes[bar - age] ?? Number.NaN) - (closes[bar] ?? 0), wave(degrees(18 * age))]
        sx += x
        sy += y
        sxx += x * x
        sxy += x * y
        syy += y * y
      }
      const spread = Math.sqrt((20 * sxx - sx * sx) * (20 * syy - sy * sy))
      return spread === 0 ? 0 : (20 * sxy - sx * sy) / spread
    }
    const real = closes.map((_, bar) => correlation(bar, Math.cos))
    return [real, closes.map((_, bar) => correlation(bar, (angle) => -Math.sin(angle)))]
  },
  'indicators.sineWave(5)': (closes) =>
    [0, 45].map((later) =>
      closes.map((_, bar) => {
        let [real, imaginary] = [0, 0]
        for (let age = 0; age < 5; age++) {
          real += ((closes[bar - age] ?? Number.NaN) - (closes[bar] ?? 0)) * Math.cos(degrees(72 * age))
          imaginary += ((closes[bar - age] ?? Number.NaN) - (closes[bar] ?? 0)) * Math.sin(degrees(72 * age))
        }
        return Math.sin(Math.atan2(imaginary, real) + degrees(90 + later))
      }),
    ),
}

/** What is chained is held where each part has enough: a part is told only what the one before it says. */
const CHAINED: typeof FORMULAS = {
  'indicators.decyclerOscillator(125)': (closes) => {
    const waves = highPassOfTwo(125)(closes)
    const from = closes.map((close, bar) => close - (waves[bar] ?? 0)).slice(124)
    const slow = highPassOfTwo(63)(from)
    return closes.map((close, bar) => (bar < 124 ? Number.NaN : (100 * (slow[bar - 124] ?? 0)) / close))
  },
  'indicators.roofing(48, 10)': (closes) => {
    const smooth = smoother(10)(highPassOfTwo(48)(closes).slice(47))
    return closes.map((_, bar) => smooth[bar - 47] ?? Number.NaN)
  },
  'indicators.bandPass(20, 0.3)': (closes) => {
    const waves = band(20, 0.3)(highPass(267)(closes).slice(266))
    return closes.map((_, bar) => waves[bar - 266] ?? Number.NaN)
  },
}

const ALL = { ...FORMULAS, ...CHAINED }
const named = Object.values(OWN_INDICATORS)
  .flat()
  .filter(([, made]) => made in ALL)
  .map(([what, made]) => ({ what, made }))
const prices = fc.array(fc.double({ min: 50, max: 150, noNaN: true }), {
  minLength: 320,
  maxLength: 330,
  size: 'max',
})

describe.each(named)('$what, $made,', ({ made }) => {
  test('is its formula over all of the closes, from the bar on that has enough of them', () => {
    fc.assert(
      fc.property(prices, (closes) => {
        const one = madeBy(made)
        const told = closes.map((close) => one.add(close))
        const formula = ALL[made]?.(closes) ?? []
        const lines = (Array.isArray(formula[0]) ? formula : [formula]) as number[][]
        const needed = one.getRequiredInputs?.() ?? Number.NaN
        for (const [bar, value] of told.entries()) {
          if (bar + 1 < needed) expect(value).toBeNull()
          else
            for (const [index, own] of (typeof value === 'object' ? Object.values(value ?? {}) : [value])
              .slice(0, lines.length)
              .entries())
              expect(Math.abs(own - (lines[index]?.[bar] ?? Number.NaN))).toBeLessThan(1e-6)
        }
      }),
      { numRuns: 10 },
    )
  })
})

test('a cycle that is there is found: its angle turns once in its length', () => {
  const cycle = indicators.correlationCycle(20)
  const told = Array.from({ length: 60 }, (_, bar) => cycle.add(100 + Math.cos(degrees(18 * bar))))
  const turned = told.slice(20).map((value, index) => {
    const by = (value?.angle ?? Number.NaN) - (told[19 + index]?.angle ?? Number.NaN)
    return Math.round((((by % 360) + 540) % 360) - 180)
  })
  expect(new Set(turned.map(Math.abs))).toEqual(new Set([18]))
})

/** Held to what TA-Lib says, or to their own laws, in taLib.test.ts and levels.test.ts. */
const ELSEWHERE =
  /^indicators\.(?:dominantCycle\w+|phasor|cycleSine|trendMode|directional(?:Movement|Indicators)|aroonOscillator|parabolicStop|supportResistance)\(/

test('every indicator of the package is listed, and held to its formula here, in ofBars.test.ts or in taLib.test.ts', () => {
  const listed = Object.values(OWN_INDICATORS).flat()
  const all = [...listed, ...OF_TWO_MARKETS]
  expect(new Set(all.map(([, made]) => made.match(/indicators\.(\w+)/)?.[1]))).toEqual(
    new Set(Object.keys(indicators)),
  )
  const held = { ...ALL, ...OF_BARS, ...MORE_OF_BARS }
  expect(listed.filter(([, made]) => !(made in held) && !ELSEWHERE.test(made))).toEqual([])
})

test.each([
  () => indicators.squareAverage(0),
  () => indicators.exponentialAverage(0),
  () => indicators.highPass(2.5),
  () => indicators.gaussian(14, 0),
  () => indicators.hurst(31),
  () => indicators.fractalDimension(31),
  () => indicators.averageBands(50, 10, 1, 1),
  () => indicators.beta(1),
  () => indicators.pivotPoints('none' as 'floor'),
  () => indicators.hurst(64, 'none' as 'variations'),
])('numbers that make none are refused: %s', (make) => expect(make).toThrow(RangeError))
