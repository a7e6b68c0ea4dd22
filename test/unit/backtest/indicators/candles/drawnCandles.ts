// Bars by chance, with all that patterns of candles look at: bodies and shadows of every length, gaps, prices that are met again. None
// closes where it opened.

import { CANDLE_PATTERN_NAMES, type CandlePrices } from '../../../../../src/backtest/index.ts'
import { Random } from '../../../../../src/backtest/simulated/random.ts'
import { exampleOf, pricesOf } from './examples.ts'

const MIDDLE = 5_000_000

export function drawnCandles(seed: string, count: number): CandlePrices[] {
  const random = new Random(seed)
  const below = (limit: number) => Math.floor(random.uniform() * limit)
  const oneOf = (list: readonly (() => number)[]) => list[below(list.length)]?.() ?? 0
  let [before, close, way] = [MIDDLE, MIDDLE, 1]
  return Array.from({ length: count }, () => {
    if (random.uniform() < 0.3) way = -way
    if (Math.abs(close - MIDDLE) > MIDDLE / 2) [before, close] = [MIDDLE, MIDDLE]
    const [top, bottom] = [Math.max(before, close), Math.min(before, close)]
    const near = (price: number) => price + below(60) - 30
    const open = oneOf([
      ...[() => near(close), () => near(before), () => bottom + below(top - bottom + 1)],
      ...[() => top + below(1_500), () => bottom - below(1_500), () => close + way * below(1_200)],
    ])
    const body = oneOf([
      ...[() => 1, () => below(80), () => below(400), () => below(2_000)],
      ...[() => 2_000 + below(3_000), () => 4_000 + below(4_000)],
    ])
    const shadow = () => oneOf([() => 0, () => below(150), () => below(1_200), () => 1_500 + below(4_000)])
    const end = random.uniform() < 0.12 ? near(close) : open + way * body
    before = open
    close = end === open ? open + way : end
    return pricesOf(open, Math.max(open, close) + shadow(), Math.min(open, close) - shadow(), close)
  })
}

/** Those that TA-Lib was asked of: by chance, and then each drawing of a pattern. */
export function comparedCandles(): CandlePrices[] {
  return [...drawnCandles('TA-Lib', 3_000), ...CANDLE_PATTERN_NAMES.flatMap(exampleOf)]
}
