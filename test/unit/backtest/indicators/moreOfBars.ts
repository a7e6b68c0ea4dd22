// What the strength, the stops and the levels of the package are, by their formulas over all of the bars.

import type { Candle } from '../../../../src/backtest/index.ts'

type Bars = readonly Candle[]
type Lines = readonly (readonly number[])[]
type Formula = (bars: Bars) => Lines

const NONE = Number.NaN
const at = (values: readonly number[], index: number) => values[index] ?? NONE
const total = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0)
const average = (values: readonly number[]) => total(values) / values.length
const spread = (values: readonly number[]) =>
  Math.sqrt(average(values.map((value) => value * value)) - average(values) ** 2)
const closesOf = (bars: Bars) => bars.map(({ close }) => close)
const median = (values: readonly number[]) => {
  const sorted = [...values].sort((one, another) => one - another)
  return (at(sorted, (sorted.length - 1) >> 1) + at(sorted, sorted.length >> 1)) / 2
}

/** Of each bar and the so many before it; NaN where one of them is not there. */
const over =
  (count: number, of: (last: readonly number[]) => number) =>
  (values: readonly number[]): number[] =>
    values.map((_, bar) => {
      const last = Array.from({ length: count }, (_unused, index) => at(values, bar - count + 1 + index))
      return last.some(Number.isNaN) ? NONE : of(last)
    })

/** An average of exponential weights from the first value there is. */
const exponential = (length: number) => (values: readonly number[]) => {
  let before = NONE
  return values.map((value) => {
    const share = 2 / (length + 1)
    before = Number.isNaN(before) ? value : share * value + (1 - share) * before
    return before
  })
}

/** Wilder's: the mean of the first so many, then a part of the way. */
const wilder = (length: number) => (values: readonly number[]) => {
  const start = values.findIndex((value) => !Number.isNaN(value))
  let before = NONE
  return values.map((value, bar) => {
    if (bar < start + length - 1) return NONE
    before =
      bar === start + length - 1 ? average(values.slice(start, bar + 1)) : before + (value - before) / length
    return before
  })
}

const trueRanges = (bars: Bars) =>
  bars.map(({ high, low }, bar) => {
    const { close = NONE } = bars[bar - 1] ?? {}
    return Math.max(high - low, Math.abs(high - close), Math.abs(low - close))
  })
const highest = (count: number) => over(count, (last) => Math.max(...last))
const lowest = (count: number) => over(count, (last) => Math.min(...last))
const hull = (values: readonly number[], near: readonly number[], far: readonly number[]) =>
  values.map((_, bar) => 2 * at(near, bar) - at(far, bar))
const linear = (count: number) =>
  over(count, (last) => total(last.map((value, index) => value * (index + 1))) / ((count * (count + 1)) / 2))

const bandPass = (period: number, width: number, values: readonly number[], gain = 2 * Math.PI) => {
  const beta = Math.cos((2 * Math.PI) / period)
  const gamma = 1 / Math.cos((gain * width) / period)
  const a = gamma - Math.sqrt(gamma * gamma - 1)
  const wave: number[] = []
  for (const [bar, value] of values.entries())
    wave.push(
      0.5 * (1 - a) * (value - (values[bar - 2] ?? at(values, 0))) +
        beta * (1 + a) * (wave[bar - 1] ?? 0) -
        a * (wave[bar - 2] ?? 0),
    )
  return wave
}
const highPass = (angle: number, values: readonly number[]) => {
  const a = (Math.cos(angle) + Math.sin(angle) - 1) / Math.cos(angle)
  const wave: number[] = []
  for (const [bar, value] of values.entries())
    wave.push((1 - a / 2) * (value - (values[bar - 1] ?? value)) + (1 - a) * (wave[bar - 1] ?? 0))
  return wave
}

const reaches = (bars: Bars, of: (bar: Candle, before: Candle) => number) =>
  bars.map((bar, index) => (index === 0 ? NONE : Math.max(of(bar, bars[index - 1] as Candle), 0)))
const meanOfThose = over(22, (last) => {
  const those = last.filter((reach) => reach > 0)
  return those.length === 0 ? 0 : average(those)
})

const kaseStop =
  (deviation: (ranges: readonly number[]) => number): Formula =>
  (bars) => {
    const ranges = bars.map(({ high, low }, bar) => {
      const before = bars[bar - 1]
      return Math.max(high, before?.high ?? NONE) - Math.min(low, before?.low ?? NONE)
    })
    const room = over(20, (last) => average(last) + 2 * deviation(last))(ranges)
    return [
      highest(20)(bars.map(({ high }, bar) => high - at(room, bar))),
      lowest(20)(bars.map(({ low }, bar) => low + at(room, bar))),
    ]
  }

/** Of a bar by hand: what is said of it in words, in its order of lines. */
const ofOne =
  (of: (bar: Candle) => readonly number[]): Formula =>
  (bars) => {
    const rows = bars.map(of)
    return (rows[0] ?? []).map((_, line) => rows.map((row) => at(row, line)))
  }

const slope = (points: readonly (readonly [number, number])[]) => {
  const [x, y] = [points.map(([one]) => one), points.map(([, other]) => other)]
  return (
    (points.length * total(points.map(([one, other]) => one * other)) - total(x) * total(y)) /
    (points.length * total(x.map((one) => one * one)) - total(x) ** 2)
  )
}

/** By how it is made in the list: its lines, in their order. */
export const MORE_OF_BARS: Readonly<Record<string, Formula>> = {
  'indicators.naturalAverage(40)': (bars) => [
    over(41, (last) => {
      let [top, all] = [0, 0]
      for (let age = 0; age < 40; age++) {
        const move = Math.abs(Math.log(at(last, 40 - age)) - Math.log(at(last, 39 - age)))
        top += move * (Math.sqrt(age + 1) - Math.sqrt(age))
        all += move
      }
      return at(last, 1) * (top / all) + at(last, 0) * (1 - top / all)
    })(closesOf(bars)),
  ],
  'indicators.exponentialHull(55)': (bars) => {
    const closes = closesOf(bars)
    return [exponential(7)(hull(closes, exponential(27)(closes), exponential(55)(closes)))]
  },
  'indicators.threefoldHull(55)': (bars) => {
    const closes = closesOf(bars)
    const [sixth, fourth, half] = [linear(9)(closes), linear(13)(closes), linear(27)(closes)]
    return [linear(27)(closes.map((_, bar) => 3 * at(sixth, bar) - at(fourth, bar) - at(half, bar)))]
  },
  'indicators.averageBands(10, 50, 1, 1)': (bars) => {
    const [fast, slow] = [exponential(10)(closesOf(bars)), exponential(50)(closesOf(bars))]
    const away = over(10, (last) => Math.sqrt(total(last) / 10))(
      fast.map((value, bar) => (value - at(slow, bar)) ** 2),
    )
    return [
      slow.map((value, bar) => value + at(away, bar)),
      fast,
      slow.map((value, bar) => value - at(away, bar)),
    ]
  },
  'indicators.normalisedBandPass(20, 0.3)': (bars) => {
    const long = highPass((2 * Math.PI) / 267, closesOf(bars)).slice(266)
    let peak = 0
    const wave = bandPass(20, 0.3, long).map((value) => {
      peak = Math.abs(value) > 0.991 * peak ? Math.abs(value) : 0.991 * peak
      return peak === 0 ? 0 : value / peak
    })
    const late = (values: readonly number[]) => bars.map((_, bar) => at(values, bar - 266))
    return [late(wave), late(highPass((2 * Math.PI * 0.45) / 20, wave))]
  },
  'indicators.empiricalModes(20, 0.5, 0.1)': (bars) => {
    const wave = bandPass(
      20,
      0.5,
      bars.map(({ high, low }) => (high + low) / 2),
      4 * Math.PI,
    )
    const turns = (sign: number) => {
      let last = 0
      return wave.map((value, bar) => {
        const [one, two] = [wave[bar - 1] ?? 0, wave[bar - 2] ?? 0]
        if (sign * one > sign * value && sign * one > sign * two) last = one
        return 0.1 * last
      })
    }
    return [over(50, average)(turns(1)), over(40, average)(wave), over(50, average)(turns(-1))]
  },
  'indicators.hurst(129)': (bars) => [
    over(129, (last) => {
      const steps = last.slice(1).map((close, index) => close - at(last, index))
      return slope(
        [8, 16, 32, 64, 128].map((size) => {
          const ranges = Array.from({ length: 128 / size }, (_, piece) => {
            const own = steps.slice(piece * size, (piece + 1) * size)
            const sums = own.map(
              (_unused, index) => total(own.slice(0, index + 1)) - (index + 1) * average(own),
            )
            return (Math.max(...sums) - Math.min(...sums)) / spread(own)
          })
          return [Math.log(size), Math.log(average(ranges))]
        }),
      )
    })(closesOf(bars)),
  ],
  "indicators.hurst(128, 'movingAverage')": (bars) => [
    over(128, (last) =>
      slope(
        [8, 16, 32, 64].map((length) => {
          const away = last
            .slice(63)
            .map((close, index) => close - average(last.slice(64 + index - length, 64 + index)))
          return [Math.log(length), Math.log(Math.sqrt(total(away.map((value) => value * value))))]
        }),
      ),
    )(closesOf(bars)),
  ],
  "indicators.hurst(128, 'variations')": (bars) => [
    over(128, (last) => {
      const variation = (step: number) =>
        average(
          last
            .slice(2 * step)
            .map((close, index) => (close + at(last, index) - 2 * at(last, index + step)) ** 2),
        )
      return 0.5 * Math.log2(variation(2) / variation(1))
    })(closesOf(bars)),
  ],
  'indicators.fractalDimension(30)': (bars) => {
    const reach = (count: number) => {
      const [top, bottom] = [
        highest(count)(bars.map(({ high }) => high)),
        lowest(count)(bars.map(({ low }) => low)),
      ]
      return top.map((value, bar) => value - at(bottom, bar))
    }
    const [half, all] = [reach(15), reach(30)]
    return [
      all.map(
        (value, bar) =>
          (Math.log(at(half, bar) / 15 + at(half, bar - 15) / 15) - Math.log(value / 30)) / Math.log(2),
      ),
    ]
  },
  'indicators.safeZoneStop(22, 2.5, 3)': (bars) => {
    const below = meanOfThose(reaches(bars, (bar, before) => before.low - bar.low))
    const above = meanOfThose(reaches(bars, (bar, before) => bar.high - before.high))
    return [
      highest(3)(bars.map(({ low }, bar) => low - 2.5 * at(below, bar))),
      lowest(3)(bars.map(({ high }, bar) => high + 2.5 * at(above, bar))),
    ]
  },
  'indicators.deviationStop(20, 2)': kaseStop(spread),
  "indicators.deviationStop(20, 2, 'mean')": kaseStop((ranges) =>
    average(ranges.map((range) => Math.abs(range - average(ranges)))),
  ),
  "indicators.deviationStop(20, 2, 'median')": kaseStop((ranges) =>
    median(ranges.map((range) => Math.abs(range - median(ranges)))),
  ),
  "indicators.pivotPoints('floor')": ofOne(({ high, low, close }) => {
    const p = (high + low + close) / 3
    return [p, p + (p - low), p - (high - p), p + high - low, p - high + low]
  }),
  "indicators.pivotPoints('fibonacci')": ofOne(({ high, low, close }) => {
    const p = (high + low + close) / 3
    return [p, ...[0.382, 0.618, 1].flatMap((ratio) => [p + ratio * (high - low), p - ratio * (high - low)])]
  }),
  "indicators.pivotPoints('demark')": ofOne(({ open, high, low, close }) => {
    const x =
      close < open ? high + 2 * low + close : close > open ? 2 * high + low + close : high + low + 2 * close
    return [x / 4, x / 2 - low, x / 2 - high]
  }),
  "indicators.pivotPoints('camarilla')": ofOne(({ high, low, close }) => [
    (high + low + close) / 3,
    ...[12, 6, 4, 2].flatMap((part) => [
      close + (1.1 / part) * (high - low),
      close - (1.1 / part) * (high - low),
    ]),
  ]),
  "indicators.pivotPoints('woodie')": ofOne(({ open, high, low }) => {
    const p = (high + low) / 4 + open / 2
    return [
      ...[p, 2 * p - low, 2 * p - high, p + high - low, p - high + low],
      ...[
        2 * p + high - 2 * low,
        2 * p + low - 2 * high,
        2 * p + 2 * high - 3 * low,
        2 * p + 2 * low - 3 * high,
      ],
    ]
  }),
  'indicators.smoothedStrength(14)': (bars) => {
    const smooth = (values: readonly number[]) => {
      const once = (inputs: readonly number[]) => {
        const own: number[] = []
        for (const input of inputs) own.push((3 / 16) * input + (13 / 16) * (own.at(-1) ?? 0))
        return own
      }
      let now = values
      for (let round = 0; round < 3; round++) {
        const [first, second] = [once(now), once(once(now))]
        now = first.map((value, bar) => (3 * value - at(second, bar)) / 2)
      }
      return now
    }
    const moves = closesOf(bars).map((close, bar) => close - (bars[bar - 1]?.close ?? close))
    const [moved, size] = [smooth(moves), smooth(moves.map(Math.abs))]
    return [moved.map((value, bar) => Math.min(100, Math.max(0, 50 + (50 * value) / at(size, bar))))]
  },
  'indicators.inverseFisher(5, 9)': (bars) => {
    const moves = bars.map(({ close }, bar) => close - (bars[bar - 1]?.close ?? NONE))
    const rises = wilder(5)(moves.map((move) => (move < 0 ? 0 : move)))
    const falls = wilder(5)(moves.map((move) => (move > 0 ? 0 : -move)))
    const strength = rises.map((rise, bar) => 0.1 * (100 - 100 / (1 + rise / at(falls, bar)) - 50))
    return [linear(9)(strength).map((value) => (Math.exp(2 * value) - 1) / (Math.exp(2 * value) + 1))]
  },
  'indicators.volumeOscillator(2, 5)': (bars) => {
    const volumes = bars.map(({ volume }) => volume)
    const [short, long] = [over(2, average)(volumes), over(5, average)(volumes)]
    return [short.map((value, bar) => 100 * (value / at(long, bar) - 1))]
  },
  'indicators.volumeMacd(12, 26, 9)': (bars) => {
    const by = (count: number) => {
      const [top, all] = [
        over(count, total)(bars.map(({ close, volume }) => close * volume)),
        over(count, total)(bars.map(({ volume }) => volume)),
      ]
      return top.map((value, bar) => value / at(all, bar))
    }
    const [near, far] = [by(12), by(26)]
    const macd = near.map((value, bar) => value - at(far, bar))
    const signal = exponential(9)(macd)
    return [macd, signal, macd.map((value, bar) => value - at(signal, bar))]
  },
  'indicators.volatilityMeter(13, 20, 40, 100, 1.4)': (bars) => {
    const [few, many] = [wilder(13)(trueRanges(bars)), wilder(40)(trueRanges(bars))]
    const volatility: number[] = []
    for (const bar of bars.keys())
      volatility.push(
        bar < 99 ? 0 : at(few, bar) / at(many, bar) + (at(volatility, bar - 1) - at(volatility, bar - 3)) / 2,
      )
    const [near, usual] = [over(20, spread)(closesOf(bars)), over(100, spread)(closesOf(bars))]
    return [volatility, near.map((value, bar) => 1.4 - value / at(usual, bar))]
  },
  'indicators.squeeze(20, 2, 1.5)': (bars) => {
    const closes = closesOf(bars)
    const mean = over(20, average)(closes)
    const ranges = trueRanges(bars).map((range, bar) =>
      bar === 0 ? (bars[0]?.high ?? 0) - (bars[0]?.low ?? 0) : range,
    )
    const [deviation, range] = [over(20, spread)(closes), over(20, average)(ranges)]
    const [top, bottom] = [highest(20)(bars.map(({ high }) => high)), lowest(20)(bars.map(({ low }) => low))]
    const away = closes.map(
      (close, bar) => close - ((at(top, bar) + at(bottom, bar)) / 2 + at(mean, bar)) / 2,
    )
    const momentum = over(20, (last) => {
      const points = last.map((value, index) => [index, value] as const)
      return average(last) + slope(points) * 9.5
    })(away)
    return [deviation.map((value, bar) => Math.sign(2 * value - 1.5 * at(range, bar))), momentum]
  },
  'indicators.stiffness(100, 60, 3)': (bars) => {
    const closes = closesOf(bars)
    const bound = over(100, (last) => average(last) - 0.2 * spread(last))(closes)
    const above = closes.map((close, bar) =>
      Number.isNaN(at(bound, bar)) ? NONE : Number(close > at(bound, bar)),
    )
    return [exponential(3)(over(60, (last) => (100 * total(last)) / 60)(above))]
  },
}
