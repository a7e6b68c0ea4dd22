// Patterns of candles: each in its drawing, upside down, scaled, seen from later on, and as TA-Lib sees it.

import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  CANDLE_PATTERN_NAMES,
  type CandlePatternName,
  type CandlePrices,
  candlePattern,
} from '../../../../../src/backtest/index.ts'
import { CANDLE_PATTERNS } from '../../../../../src/backtest/indicators/candles/candlePattern.ts'
import { areEnough } from '../../../../../src/backtest/indicators/candles/definition.ts'
import { type CandleShape, CandleShapes } from '../../../../../src/backtest/indicators/candles/shape.ts'
import { Random } from '../../../../../src/backtest/simulated/random.ts'
import { HeardBars } from '../../../../../src/backtest/strategy/heardBars.ts'
import { TA_LIB } from '../../../../api/candlePatternSources.ts'
import { comparedCandles, drawnCandles } from './drawnCandles.ts'
import { EXAMPLES, exampleOf } from './examples.ts'
import taLib from './taLib.json' with { type: 'json' }

const told = (name: CandlePatternName, bars: readonly CandlePrices[]) => {
  const pattern = candlePattern(name)
  return bars.map((bar) => pattern.add(bar))
}

const turnedAbout =
  (level: bigint) =>
  ({ open, high, low, close }: CandlePrices): CandlePrices => ({
    ...{ open: level - open, high: level - low, low: level - high, close: level - close },
  })

const scaledBy =
  (times: bigint, added: bigint) =>
  ({ open, high, low, close }: CandlePrices): CandlePrices => ({
    ...{ open: times * open + added, high: times * high + added },
    ...{ low: times * low + added, close: times * close + added },
  })

/** At which bars it and its mirror image are both to be seen, which is told as neither. */
function bothWays(name: CandlePatternName, bars: readonly CandlePrices[]): boolean[] {
  const definition = CANDLE_PATTERNS.find((one) => one.name === name && one.says !== 'neither')
  const shapes = new CandleShapes(7)
  return bars.map((bar) => {
    shapes.add(bar)
    const { upright, turned } = shapes
    return (
      definition !== undefined &&
      areEnough(upright) &&
      areEnough(turned) &&
      definition.is(upright) &&
      definition.is(turned)
    )
  })
}

/** The name under which a pattern's mirror image is known, and whether that is told with the other sign. */
function mirrorOf(name: CandlePatternName): readonly [CandlePatternName, sign: 1 | -1] {
  for (const { name: own, mirror, says } of CANDLE_PATTERNS) {
    if (own === name) return [mirror ?? own, says === 'neither' ? 1 : -1]
    if (mirror === name) return [own, -1]
  }
  throw new Error(name)
}

describe.each(CANDLE_PATTERN_NAMES)('%s', (name) => {
  const [side] = EXAMPLES[name]

  test('is seen in its drawing, at the last bar', () => {
    expect(told(name, exampleOf(name)).at(-1)).toBe(side)
  })

  test('is seen upside down in the drawing upside down', () => {
    const [mirror, sign] = mirrorOf(name)
    expect(told(mirror, exampleOf(name).map(turnedAbout(3_000n))).at(-1)).toBe(sign * side)
  })
})

const names = fc.constantFrom(...CANDLE_PATTERN_NAMES)
const bars = fc.string().map((seed) => drawnCandles(seed, 120))

test('a strategy compares a pattern with 0 at each bar, in exact prices', () => {
  const heard = new HeardBars()
  const star = heard.indicator('BTC', 'star', candlePattern('eveningStar'), { of: 'bar' })
  // A step of fp9 tells a bar that is white from one that has no colour; as doubles these prices are the same.
  const far = exampleOf('eveningStar').map(scaledBy(1n, 10n ** 18n))
  const seen = far.map((prices, minute) => {
    heard.add({
      asset: 'BTC',
      openTime: minute * 60_000,
      closeTime: minute * 60_000 + 59_999,
      volume: 0,
      ...prices,
    })
    return star.isBelow(0)
  })
  expect(seen.indexOf(true)).toBe(seen.length - 1)
})

describe('every pattern', () => {
  test('of bars that are turned upside down is its mirror image', () => {
    fc.assert(
      fc.property(names, bars, (name, own) => {
        const [mirror, sign] = mirrorOf(name)
        const upsideDown = told(mirror, own.map(turnedAbout(10_000_000n)))
        expect(upsideDown.map((value) => value && sign * value)).toEqual(told(name, own))
      }),
    )
  })

  test('is the same at other prices: all of them times as much, and as much higher', () => {
    const times = fc.bigInt({ min: 1n, max: 10n ** 12n })
    fc.assert(
      fc.property(names, bars, times, fc.bigInt({ min: 0n, max: 10n ** 18n }), (name, own, factor, added) => {
        expect(told(name, own.map(scaledBy(factor, added)))).toEqual(told(name, own))
      }),
    )
  })

  test('knows the last bars alone: neither later ones nor those long before change what it says', () => {
    fc.assert(
      fc.property(names, bars, fc.nat(100), fc.integer({ min: 1, max: 120 }), (name, own, from, to) => {
        const needed = candlePattern(name).getRequiredInputs?.() ?? 0
        const part = told(name, own.slice(from, to))
        expect(part).toEqual(
          told(name, own)
            .slice(from, to)
            .map((value, index) => (index + 1 < needed ? null : value)),
        )
      }),
    )
  })

  test('has a name that is known, and no other has', () => {
    expect(new Set(CANDLE_PATTERN_NAMES).size).toBe(CANDLE_PATTERN_NAMES.length)
    const another: string = 'head and shoulders'
    expect(() => candlePattern(another as CandlePatternName)).toThrow(
      /is no pattern of candles; they are doji/,
    )
  })
})

describe('of every definition', () => {
  const shapes = new CandleShapes(9)
  const lasts: CandleShape[][] = comparedCandles().map((bar) => {
    shapes.add(bar)
    return [...shapes.upright]
  })
  const others = lasts.slice(20, 320).flatMap(([shape]) => shape ?? [])

  test.each(CANDLE_PATTERNS.map((definition) => [definition.name, definition] as const))(
    '%s looks at as many bars as it says: the oldest of them matters, none before it does',
    (_, { is, bars }) => {
      const seen = lasts.filter((last) => areEnough(last) && last.length > bars && is(last)).slice(-30)
      expect(seen.length).toBeGreaterThan(0)
      const withOther = (index: number) =>
        seen.flatMap((last) => others.map((other) => last.with(index, other)))
      expect(withOther(bars - 1).every((last) => areEnough(last) && is(last))).toBe(false)
      expect(withOther(bars).every((last) => areEnough(last) && is(last))).toBe(true)
    },
  )
})

describe('TA-Lib 0.6, asked of four thousand bars,', () => {
  const compared = comparedCandles()
  /** By bar; what touches at one end, which TA-Lib tells as 80, counts. */
  const theirs = (name: CandlePatternName): readonly number[] => {
    const sides = new Array<number>(compared.length).fill(0)
    const answers = Object.entries((taLib as Record<string, Record<string, string>>)[TA_LIB[name]] ?? {})
    for (const [answer, gaps] of answers) {
      let bar = 0
      for (const gap of gaps.split(' ')) {
        bar += Number.parseInt(gap, 36)
        sides[bar] = Number(answer)
      }
    }
    return sides
  }
  /** It tells a gravestone as it tells a dragonfly, and both ways of a gap, star or method under one name; a confirmed hikkake is 200. */
  const asOurs = (name: CandlePatternName, answer: number): number => {
    if (name === 'gravestoneDoji') return answer === 0 ? 0 : -1
    if (name.startsWith('upside') || name.startsWith('rising'))
      return answer > 0 || TA_LIB[name] === 'CDLUPSIDEGAP2CROWS' ? Math.sign(answer) : 0
    if (name.startsWith('downside') || name.startsWith('falling')) return answer < 0 ? -1 : 0
    if (TA_LIB[name].startsWith('CDLHIKKAKE'))
      return Math.abs(answer) === (name.endsWith('Confirmed') ? 200 : 100) ? Math.sign(answer) : 0
    return Math.sign(answer)
  }

  test.each(CANDLE_PATTERN_NAMES)(
    'sees %s where it is seen here, but for mirror images that it does not know',
    (name) => {
      const isBoth = bothWays(name, compared)
      const answers = theirs(name).map((answer, bar) => (isBoth[bar] ? 0 : asOurs(name, answer)))
      const known = new Set(answers.filter((answer) => answer !== 0))
      expect(known.size).toBeGreaterThan(0)
      const own = told(name, compared).map((value) => value ?? 0)
      const first = candlePattern(name).getRequiredInputs?.() ?? 0
      expect(own.slice(first).map((value) => (known.has(value) ? value : 0))).toEqual(answers.slice(first))
    },
  )
})

test('where prices meet often, each is seen where it was', async () => {
  const random = new Random('few prices')
  const price = () => BigInt(random.below(7))
  const bars = Array.from({ length: 6_000 }, () => {
    const [open, close] = [price(), price()]
    const [top, bottom] = open > close ? [open, close] : [close, open]
    return { open, high: top + BigInt(random.below(3)), low: bottom - BigInt(random.below(3)), close }
  })
  // And where patterns are often to be seen, with prices that are as coarse.
  const coarse = (price: bigint) => (price / 400n) * 400n
  for (const { open, high, low, close } of drawnCandles('coarse prices', 6_000))
    bars.push({ open: coarse(open), high: coarse(high), low: coarse(low), close: coarse(close) })
  const kept = CANDLE_PATTERN_NAMES.map((name) => {
    const sides = told(name, bars)
    const hash = createHash('sha256').update(sides.join()).digest('hex').slice(0, 8)
    return `${name} ${sides.filter((side) => side === 1).length} ${sides.filter((side) => side === -1).length} ${hash}`
  })
  await expect(`${kept.join('\n')}\n`).toMatchFileSnapshot('kept/fewPrices.txt')
})
