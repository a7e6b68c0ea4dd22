import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type BarColumns, joinBars } from '../../../../src/backtest/feed/columns.ts'
import { bootstrapBars, bootstrapFeed } from '../../../../src/backtest/simulated/blockBootstrap.ts'
import { choleskyFactor } from '../../../../src/backtest/simulated/correlation.ts'
import { geometricBrownianMotion } from '../../../../src/backtest/simulated/geometricBrownianMotion.ts'
import { jumpDiffusion } from '../../../../src/backtest/simulated/jumpDiffusion.ts'
import { meanReversion } from '../../../../src/backtest/simulated/meanReversion.ts'
import type { PriceModel } from '../../../../src/backtest/simulated/priceModel.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import { regimeSwitching } from '../../../../src/backtest/simulated/regimeSwitching.ts'
import {
  simulateBars,
  simulatedFeed,
  simulateMarkets,
} from '../../../../src/backtest/simulated/simulatedBars.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const TICK = fp9('0.1')

const MODELS: Record<string, PriceModel> = {
  'geometric Brownian motion': geometricBrownianMotion({ drift: 0.1, volatility: 0.8 }),
  jumps: jumpDiffusion({
    drift: 0,
    volatility: 0.5,
    jumpsPerYear: 300,
    jumpMean: -0.02,
    jumpDeviation: 0.03,
  }),
  'mean reversion': meanReversion({ mean: 0, speed: 50, volatility: 1 }),
  regimes: regimeSwitching([
    { drift: 1, volatility: 0.3, meanDurationMs: 5 * DAY },
    { drift: -2, volatility: 1.2, meanDurationMs: DAY },
  ]),
}

const settings = (model: PriceModel, seed = 'seed', length = 500) => ({
  model,
  seed,
  length,
  startTime: Date.UTC(2024, 0, 1),
  intervalMs: HOUR,
  startPrice: fp9('50000'),
  tickSize: TICK,
  meanVolume: 10,
})

const hash = (bars: BarColumns) => {
  const sum = createHash('sha256')
  for (const column of [bars.openTime, bars.open, bars.high, bars.low, bars.close, bars.volume]) {
    sum.update(new Uint8Array(column.buffer, column.byteOffset, column.byteLength))
  }
  return sum.digest('hex').slice(0, 16)
}
const simulate = (model: PriceModel, seed?: string, length?: number) =>
  joinBars([...simulateBars(settings(model, seed, length))])

function expectBars(bars: BarColumns, tickSize: bigint): void {
  for (let row = 0; row < bars.length; row++) {
    const [open, high, low, close] = [bars.open, bars.high, bars.low, bars.close].map(
      (column) => column[row] as bigint,
    ) as [bigint, bigint, bigint, bigint]
    const inOrder = low > 0n && low <= open && low <= close && high >= open && high >= close
    const onTick = [open, high, low, close].every((price) => price % tickSize === 0n)
    if (!inOrder || !onTick) expect({ row, open, high, low, close }).toBe('a bar on the tick')
  }
}

describe.each(Object.entries(MODELS))('%s', (name, model) => {
  test('the same seed gives the same bytes, another seed others', () => {
    expect(hash(simulate(model))).toBe(hash(simulate(model)))
    expect(hash(simulate(model, 'other'))).not.toBe(hash(simulate(model)))
  })

  test('the bytes are the same on every machine', () => {
    expect(hash(simulate(model))).toBe(GOLDEN[name])
  })

  test('bars are bars: prices above zero, on the tick, high and low around open and close', () => {
    fc.assert(
      fc.property(fc.string(), fc.bigInt(1n, 100_000n), (seed, ticks) => {
        const start = { ...settings(model, seed, 200), startPrice: ticks * TICK }
        expectBars(joinBars([...simulateBars(start)]), TICK)
      }),
      { numRuns: 20 },
    )
  })

  test('each bar opens where the one before it closed, an interval later', () => {
    const bars = simulate(model)
    for (let row = 1; row < bars.length; row++) {
      expect(bars.open[row]).toBe(bars.close[row - 1])
      expect((bars.openTime[row] as number) - (bars.openTime[row - 1] as number)).toBe(HOUR)
    }
  })

  test('the size of the chunks does not matter', () => {
    const small = joinBars([...simulateBars({ ...settings(model), chunkRows: 7 })])
    expect(hash(small)).toBe(hash(simulate(model)))
  })
})

/** Mean and standard deviation of the logarithmic returns of the bars, per year. */
function annual(bars: BarColumns): { mean: number; deviation: number } {
  const returns = Array.from({ length: bars.length }, (_, row) =>
    Math.log(Number(bars.close[row]) / Number(bars.open[row])),
  )
  const mean = returns.reduce((sum, value) => sum + value, 0) / returns.length
  const variance = returns.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (returns.length - 1)
  const barsPerYear = (365 * DAY) / HOUR
  return { mean: mean * barsPerYear, deviation: Math.sqrt(variance * barsPerYear) }
}

describe('moments', () => {
  test('volatility and drift of a Brownian motion', () => {
    const { mean, deviation } = annual(
      simulate(geometricBrownianMotion({ drift: 0.5, volatility: 0.8 }), 'm', 50_000),
    )
    expect(deviation).toBeCloseTo(0.8, 1)
    // The standard error of the mean of 50,000 hours is 0.8 / √5.7.
    expect(Math.abs(mean - (0.5 - 0.32))).toBeLessThan(1)
  })

  test('without noise a price grows by the drift in a year of 365 days', () => {
    const still = geometricBrownianMotion({ drift: 0.5, volatility: 0 })
    const year = {
      ...settings(still, 'still', 365),
      intervalMs: DAY,
      startPrice: fp9('1000000'),
      tickSize: 1n,
    }
    const last = joinBars([...simulateBars(year)]).close.at(-1)
    expect(Number(last) / 1e15).toBeCloseTo(Math.exp(0.5), 12)
  })

  test('jumps add their variance', () => {
    const model = jumpDiffusion({
      drift: 0,
      volatility: 0.3,
      jumpsPerYear: 400,
      jumpMean: 0,
      jumpDeviation: 0.03,
    })
    expect(annual(simulate(model, 'j', 50_000)).deviation).toBeCloseTo(Math.sqrt(0.09 + 400 * 0.0009), 1)
  })

  test('a reverting price stays near its mean, with variance σ² / 2κ', () => {
    const bars = simulate(meanReversion({ mean: 0, speed: 100, volatility: 1 }), 'o', 50_000)
    const distances = Array.from({ length: bars.length }, (_, row) =>
      Math.log(Number(bars.close[row]) / 50_000e9),
    )
    const variance = distances.reduce((sum, value) => sum + value * value, 0) / distances.length
    expect(variance).toBeCloseTo(1 / 200, 3)
  })

  test('a regime that ends is followed by another one, wherever it stands among them', () => {
    const regime = (drift: number) => ({ drift, volatility: 0, meanDurationMs: 1, weight: 1 })
    const [minute, year] = [60_000, 365.25 * 86_400_000]
    for (const count of [2, 3, 5]) {
      const step = regimeSwitching(Array.from({ length: count }, (_, at) => regime(at + 1))).start(
        minute / year,
      )
      const random = new Random(`regimes ${count}`)
      const drifts = new Set<number>()
      let before = Number.NaN
      for (let at = 0; at < 200; at++) {
        const drift = step(0, 0, random)
        expect(drift).not.toBe(before)
        drifts.add(drift)
        before = drift
      }
      expect(drifts.size).toBe(count)
    }
  })

  test('regimes differ in their volatility', () => {
    const bars = simulate(
      regimeSwitching([
        { drift: 0, volatility: 0.1, meanDurationMs: 20 * DAY },
        { drift: 0, volatility: 1, meanDurationMs: 20 * DAY },
      ]),
      'r',
      20_000,
    )
    const sizes = Array.from({ length: bars.length }, (_, row) =>
      Math.abs(Math.log(Number(bars.close[row]) / Number(bars.open[row]))),
    ).sort((a, b) => a - b)
    expect((sizes[18_000] as number) / (sizes[2000] as number)).toBeGreaterThan(15)
  })

  test.each([
    { startPrice: 1n, tickSize: 0n },
    { startPrice: 5n, tickSize: -5n },
    { startPrice: 0n, tickSize: 1n },
    { startPrice: -5n, tickSize: 5n },
    { startPrice: 7n, tickSize: 2n },
  ])('a price of $startPrice in ticks of $tickSize is refused', ({ startPrice, tickSize }) => {
    const model = geometricBrownianMotion({ drift: 0, volatility: 0.8 })
    const drawn = () => [
      ...simulateMarkets({
        ...settings(model, 'r', 10),
        markets: [{ model, startPrice, tickSize }],
        correlation: [[1]],
      }),
    ]
    expect(drawn).toThrow('the starting price must be a multiple of the tick size, both above zero')
  })

  test('correlated markets have the correlation asked for', () => {
    const model = geometricBrownianMotion({ drift: 0, volatility: 0.8 })
    const market = { model, startPrice: fp9('50000'), tickSize: TICK }
    const chunks = [
      ...simulateMarkets({
        ...settings(model, 'c', 20_000),
        markets: [market, market, market],
        correlation: [
          [1, 0.8, 0],
          [0.8, 1, -0.3],
          [0, -0.3, 1],
        ],
      }),
    ]
    const returns = [0, 1, 2].map((index) => {
      const bars = joinBars(chunks.map((chunk) => chunk[index] as BarColumns))
      return Array.from({ length: bars.length }, (_, row) =>
        Math.log(Number(bars.close[row]) / Number(bars.open[row])),
      )
    })
    const product = (a: number, b: number) =>
      (returns[a] as number[]).reduce(
        (sum, value, row) => sum + value * ((returns[b] as number[])[row] as number),
        0,
      )
    const correlation = (a: number, b: number) => product(a, b) / Math.sqrt(product(a, a) * product(b, b))
    expect(correlation(0, 1)).toBeCloseTo(0.8, 1)
    expect(correlation(1, 2)).toBeCloseTo(-0.3, 1)
    expect(correlation(0, 2)).toBeCloseTo(0, 1)
  })
})

describe('the Cholesky factor', () => {
  test('times its transpose is the matrix', () => {
    const matrix = [
      [1, 0.5, 0.2],
      [0.5, 1, -0.4],
      [0.2, -0.4, 1],
    ]
    const factor = choleskyFactor(matrix)
    const product = factor.map((a) =>
      factor.map((b) => a.reduce((sum, value, k) => sum + value * (b[k] as number), 0)),
    )
    for (const [row, values] of product.entries())
      for (const [column, value] of values.entries())
        expect(value).toBeCloseTo(matrix[row]?.[column] as number, 15)
  })

  test.each([
    [[[1, 2]], /square/],
    [[[2]], /ones on its diagonal/],
    [
      [
        [1, 0.5],
        [0.4, 1],
      ],
      /symmetric/,
    ],
    [
      [
        [1, 1],
        [1, 1],
      ],
      /positive definite/,
    ],
  ])('%j is refused', (matrix, reason) => expect(() => choleskyFactor(matrix as number[][])).toThrow(reason))
})

describe('the block bootstrap', () => {
  const sample = simulate(MODELS.jumps as PriceModel, 'sample', 300)
  const options = {
    sample,
    meanBlock: 20,
    seed: 'b',
    startTime: 0,
    intervalMs: HOUR,
    length: 1000,
    startPrice: fp9('50000'),
    tickSize: TICK,
  }

  test('the same seed gives the same bytes, whatever the chunks, another seed others', () => {
    const whole = joinBars([...bootstrapBars(options)])
    expect(hash(joinBars([...bootstrapBars({ ...options, chunkRows: 13 })]))).toBe(hash(whole))
    expect(hash(joinBars([...bootstrapBars({ ...options, seed: 'c' })]))).not.toBe(hash(whole))
    expect(whole.length).toBe(1000)
    expectBars(whole, TICK)
  })

  test('one endless block from the first close is the sample itself', () => {
    const start = [0, 1, 2, 3, 4, 5, 6, 7]
      .map((seed) =>
        joinBars([...bootstrapBars({ ...options, seed: `${seed}`, meanBlock: 1e12, length: 298 })]),
      )
      .map((bars) => bars.volume.indexOf(sample.volume[1] as number))
    // The sample wraps around, so wherever the block starts, the second bar comes along once.
    for (const at of start) expect(at).toBeGreaterThanOrEqual(0)
    const at = start[0] as number
    const bars = joinBars([...bootstrapBars({ ...options, seed: '0', meanBlock: 1e12, length: at + 200 })])
    for (let row = 0; row < 190; row++) expect(bars.volume[at + row]).toBe(sample.volume[1 + row])
  })

  // In doubles, in bigints, and in either from bar to bar: the last three have prices of no whole number of ticks, or
  // about and beyond the safe integers.
  test.each([
    ['as the sample', {}],
    ['a tick that divides no price', { tickSize: fp9('0.07') }],
    ['the finest tick', { tickSize: 1n }],
    ['prices about 9,007,199', { startPrice: fp9('9007199') }],
    ['prices about a billion', { startPrice: fp9('1000000000') }],
  ])('every bar moves as one of the sample, to the nearest tick: %s', (_, change) => {
    const { tickSize, ...others } = { ...options, ...change }
    const bars = joinBars([...bootstrapBars({ ...others, tickSize })])
    const sources = new Map(Array.from(sample.volume, (volume, row) => [volume, row]))
    let before = others.startPrice
    for (let row = 0; row < bars.length; row++) {
      const source = sources.get(bars.volume[row] as number) as number
      const base = sample.close[source - 1] as bigint
      for (const column of ['open', 'high', 'low', 'close'] as const) {
        const moved = (sample[column][source] as bigint) * before
        const ticks = (2n * moved + base * tickSize) / (2n * base * tickSize)
        expect(bars[column][row]).toBe(ticks * tickSize)
      }
      before = bars.close[row] as bigint
    }
  })

  test.each([
    ['a short block', { meanBlock: 0.5 }, /mean length/],
    ['no tick', { tickSize: 0n }, /tick size/],
    ['no time between bars', { intervalMs: 0 }, /interval/],
    ['no chunks', { chunkRows: 0 }, /bars per chunk/],
    ['a start below the tick', { startPrice: TICK - 1n }, /at least one tick/],
    ['one bar', { sample: simulate(MODELS.jumps as PriceModel, 's', 1) }, /at least two/],
  ])('%s is refused', (_, change, reason) => {
    expect(() => [...bootstrapBars({ ...options, ...change })]).toThrow(reason)
  })

  test('the least that settings may be', () => {
    const least = { meanBlock: 1, intervalMs: 1, chunkRows: 1, startPrice: TICK, length: 3 }
    const bars = [...bootstrapBars({ ...options, ...least })]
    expect(bars.map(({ openTime }) => [...openTime])).toEqual([[0], [1], [2]])
  })

  test('as a feed it gives the same bars each time', async () => {
    const feed = bootstrapFeed(options)
    const read = async () => {
      const chunks: BarColumns[] = []
      for await (const chunk of feed) chunks.push(chunk)
      return hash(joinBars(chunks))
    }
    expect(await read()).toBe(await read())
    expect(feed).toMatchObject({ kind: 'bars', intervalMs: HOUR, format: null })
  })
})

describe('rejections', () => {
  const model = MODELS['geometric Brownian motion'] as PriceModel
  test.each([
    ['no price', { startPrice: 0n }, /multiple of the tick/],
    ['a price off the tick', { startPrice: TICK + 1n }, /multiple of the tick/],
    ['no rows', { chunkRows: 0 }, /bars per chunk/],
    ['no steps', { stepsPerBar: 0 }, /steps per bar/],
    ['no interval', { intervalMs: 0 }, /interval/],
    ['a negative volume', { meanVolume: -1 }, /mean volume/],
  ])('%s', (_, change, reason) => {
    expect(() => [...simulateBars({ ...settings(model), ...change })]).toThrow(reason)
  })

  test('settings of models', () => {
    expect(() => geometricBrownianMotion({ drift: 0, volatility: -1 })).toThrow(RangeError)
    expect(() => meanReversion({ mean: 0, speed: 0, volatility: 1 })).toThrow(RangeError)
    expect(() => regimeSwitching([])).toThrow(/two regimes/)
    expect(() => simulate(geometricBrownianMotion({ drift: 1e9, volatility: 0 }))).toThrow(/grows too fast/)
  })

  test('the largest price there is can be simulated, and none above it', () => {
    const largest = 2n ** 63n - 1n
    const still = geometricBrownianMotion({ drift: 0, volatility: 0 })
    const bars = (price: bigint) =>
      joinBars([...simulateBars({ ...settings(still, 'still', 2), startPrice: price, tickSize: price })])
    expect([...bars(largest).close]).toEqual([largest, largest])
    expect(() => bars(largest + 1n)).toThrow(/grows too fast/)
  })

  test('a feed says where it comes from', () => {
    expect(simulatedFeed(settings(model)).sources).toEqual(['simulated with seed seed'])
  })
})

const GOLDEN: Record<string, string> = {
  'geometric Brownian motion': '7e90d1bfaa25ddc8',
  jumps: 'feb10dcedcee5bf8',
  'mean reversion': '9551d6cc20d9ae31',
  regimes: '0a0c09fa441e6fee',
}
