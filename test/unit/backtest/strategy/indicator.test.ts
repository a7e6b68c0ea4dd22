// Indicators are up to date when a bar is told, know nothing that comes later, and are drawn with the candles they belong to.

import fc from 'fast-check'
import { ATR, BollingerBands, EMA } from 'trading-signals'
import { describe, expect, test } from 'vitest'
import { CandleRecorder } from '../../../../src/backtest/recording/candles.ts'
import { Recording } from '../../../../src/backtest/recording/recording.ts'
import { indicatorSeries } from '../../../../src/backtest/report/indicatorSeries.ts'
import { type BacktestOptions, runBacktest } from '../../../../src/backtest/run/run.ts'
import { delayed } from '../../../../src/backtest/strategy/delayed.ts'
import {
  type Calculation,
  type Indicator,
  IndicatorLine,
} from '../../../../src/backtest/strategy/indicator.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import { fp9 } from '../../../../src/quantity/decimal.ts'
import { wildMarket } from '../run/venue.ts'

const market = wildMarket('BTC', 'indicators', 400)
const number = (price: bigint) => Number(price) / 1e9

/** Notes what an indicator says at every bar. */
function noting(
  make: (context: StrategyContext) => Indicator | IndicatorLine,
  told: (bar: Bar, indicator: IndicatorLine) => void,
): Strategy {
  let made: IndicatorLine
  return {
    name: 'notes',
    onStart(context) {
      made = make(context)
    },
    onBar: (bar) => told(bar, made),
  }
}

const run = (strategy: Strategy, more: Partial<BacktestOptions> = {}) =>
  runBacktest({ markets: [market], strategy, ...more })

describe('what a strategy is told', () => {
  test('is as of the bar it is told of, from closes', async () => {
    const own = new EMA(20)
    let known = 0
    await run(
      noting(
        (context) => context.indicator('BTC', 'EMA', new EMA(20)),
        (bar, ema) => {
          const before = own.isStable ? own.getResult() : null
          own.add(number(bar.close))
          expect(ema.value).toBe(own.isStable ? own.getResult() : null)
          expect(ema.previous).toBe(before)
          known += ema.value === null ? 0 : 1
        },
      ),
    )
    expect(known).toBe(400 - 19)
  })

  test('asks whether there have been enough inputs only from the least number on, and no more once there have', async () => {
    let [inputs, asked] = [0, 0]
    const calculation: Calculation<number, number> = {
      add: (close) => {
        inputs += 1
        return close
      },
      get isStable() {
        asked += 1
        return inputs >= 12
      },
      getRequiredInputs: () => 10,
    }
    const values: (number | null)[] = []
    await run(
      noting(
        (context) => context.indicator('BTC', 'late', calculation),
        (_, late) => values.push(late.value),
      ),
    )
    expect(values.findIndex((value) => value !== null)).toBe(11)
    expect(values.slice(11).every((value) => value !== null)).toBe(true)
    // Whether it is said at all, and after the tenth, the eleventh and the twelfth input.
    expect(asked).toBe(4)
  })

  test('of whole bars, and of several values at once', async () => {
    const [range, bands] = [new ATR(14), new BollingerBands(20, 2)]
    let lines = 0
    const strategy: Strategy = {
      name: 'two',
      onStart(context) {
        const own = context.indicator('BTC', 'ATR', new ATR(14), { of: 'candle' })
        const upper = context.indicator('BTC', 'bands', new BollingerBands(20, 2)).line('upper')
        strategy.onBar = ({ high, low, close }) => {
          range.add({ high: number(high), low: number(low), close: number(close) })
          const found = bands.add(number(close))
          expect(own.value).toBe(range.isStable ? range.getResult() : null)
          expect(upper.value).toBe(found?.upper ?? null)
          lines += found === null ? 0 : 1
        }
      },
      onBar() {},
    }
    await run(strategy)
    expect(lines).toBeGreaterThan(300)
  })

  test('of hours is what the closed hours come to, and stands still between them', async () => {
    const sum = (): Calculation<number, number> => {
      let total = 0
      return { add: (close) => (total += close) }
    }
    let changes = 0
    let context: StrategyContext | undefined
    await run(
      noting(
        (given) => {
          context = given
          return given.indicator('BTC', 'sum of hours', sum(), { interval: '1h' })
        },
        (_, hours) => {
          const closed = context?.bars('BTC', '1h') ?? []
          const expected = closed.reduce((total, { close }) => total + number(close), 0)
          expect(hours.value).toBe(closed.length === 0 ? null : expected)
          if (hours.value !== hours.previous) changes += 1
        },
      ),
    )
    expect(changes).toBeGreaterThan(3)
  })

  test('of a strategy that hears late is as of the bar it hears', async () => {
    const seen: [number, number | null][] = []
    const notes = () =>
      noting(
        (context) => context.indicator('BTC', 'close', { add: (close: number) => close }),
        (bar, { value }) => seen.push([number(bar.close), value]),
      )
    await run(delayed(notes(), 3))
    expect(seen).toHaveLength(397)
    for (const [close, value] of seen) expect(value).toBe(close)
  })

  test('needs to be asked for in time', async () => {
    let bars = 0
    const late: Strategy = {
      name: 'late',
      onBar(_, context) {
        if (bars++ === 1) context.indicator('BTC', 'EMA', new EMA(2))
      },
    }
    await expect(run(late)).rejects.toThrow(/the indicator EMA is computed from the first bar on/)
    await expect(
      run(
        noting(
          (context) => context.indicator('DOGE', 'EMA', new EMA(2)),
          () => {},
        ),
      ),
    ).rejects.toThrow(/no market DOGE/)
  })

  test('is refused where it comes to no number, with what may be meant', async () => {
    const whole = new ATR(2) as unknown as Calculation<number, number>
    const strategy = noting(
      (context) => context.indicator('BTC', 'ATR', whole),
      () => {},
    )
    await expect(run(strategy)).rejects.toThrow(/ATR comes to no number from the close.*of: 'candle'/)
  })
})

describe('comparisons', () => {
  const lineOf = (previous: number | null, value: number | null) => {
    const line = new IndicatorLine('line')
    line.set(previous)
    line.set(value)
    return line
  }
  const value = fc.option(fc.integer({ min: -3, max: 3 }))

  test('say what numbers say, and nothing of what is not there', () => {
    fc.assert(
      fc.property(value, value, value, value, (a, b, c, d) => {
        const [one, other] = [lineOf(a, b), lineOf(c, d)]
        const is = b !== null && d !== null
        expect(one.isAbove(other)).toBe(is && b > d)
        expect(one.isBelow(other)).toBe(is && b < d)
        const was = a !== null && c !== null
        expect(one.crossedAbove(other)).toBe(is && was && a <= c && b > d)
        expect(one.crossedBelow(other)).toBe(is && was && a >= c && b < d)
        if (d === null) return
        expect(one.isAbove(fp9(String(d)))).toBe(one.isAbove(d))
        expect(one.crossedBelow(fp9(String(d)))).toBe(one.crossedBelow(d))
        expect(one.crossedBelow(d)).toBe(b !== null && a !== null && a >= d && b < d)
      }),
    )
  })

  test('a price of it is rounded to fp9, and there is none before there is a value', () => {
    expect(lineOf(null, 1.25).price).toBe(fp9('1.25'))
    expect(() => lineOf(1, null).price).toThrow(/too few bars/)
  })
})

describe('what is drawn', () => {
  const unpacked = ({ values, step }: { values: readonly (number | null)[]; step: number }) => {
    let at = 0
    return values.map((change) => {
      if (change === null) return null
      at += change
      return at * step
    })
  }

  test('are the values at each candle: near prices over them, others apart, and only of the first account', async () => {
    const recorder = new Recording()
    const values: (number | null)[] = []
    const strategy: Strategy = {
      name: 'draws',
      onStart(context) {
        const ema = context.indicator('BTC', 'EMA 5', new EMA(5))
        context.indicator('BTC', 'range', new ATR(5), { of: 'candle' })
        context.indicator('BTC', 'hidden', new EMA(5), { chart: 'none' })
        strategy.onBar = () => {
          values.push(ema.value)
        }
      },
      onBar() {},
    }
    const others = [
      {
        name: 'b',
        strategy: noting(
          (c) => c.indicator('BTC', 'its', new EMA(5)),
          () => {},
        ),
      },
    ]
    await run(strategy, { recorder, others })
    const drawn = indicatorSeries(recorder)
    expect(drawn.map(({ name, panel }) => [name, panel])).toEqual([
      ['EMA 5', 'price'],
      ['range', 'apart'],
    ])
    const shown = unpacked(drawn[0] as (typeof drawn)[number])
    expect(shown).toHaveLength(values.length)
    for (const [row, value] of values.entries()) {
      if (value === null) expect(shown[row]).toBeNull()
      else expect(shown[row]).toBeCloseTo(value, 2)
    }
  })

  test('where candles become longer, each keeps the last value in it', () => {
    const candles = new CandleRecorder(60_000, 10)
    const column = candles.addColumn()
    for (let minute = 0; minute < 43; minute++) {
      candles.add(minute * 60_000, 1n, 1n, 1n, 1n, 0)
      if (minute !== 42) candles.setColumn(column, minute)
    }
    const { intervalMs, time, columns } = candles.candles()
    const minutes = intervalMs / 60_000
    expect(minutes).toBeGreaterThan(1)
    expect(columns[column]).toEqual(time.map((at) => Math.min(at / 60_000 + minutes - 1, 41)))
  })
})
