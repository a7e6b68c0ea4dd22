// The bars that taLib.json was made of.

import type { Candle } from '../../../../src/backtest/index.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'

/** Closes that walk, with waves of changing length in them, to the last of a millionth. */
export function taLibCandles(count: number): Candle[] {
  const random = new Random('ta-lib')
  const rounded = (value: number) => Math.round(value * 1e6) / 1e6
  let [walk, angle, close] = [100, 0, 100]
  return Array.from({ length: count }, (_, bar) => {
    const open = close
    walk *= 1 + (random.uniform() - 0.5) / 100
    angle += (2 * Math.PI) / (20 + 12 * Math.sin(bar / 70))
    close = rounded(walk + 3 * Math.sin(angle))
    const high = rounded(Math.max(open, close) + random.uniform())
    const low = rounded(Math.min(open, close) - random.uniform())
    return { open, high, low, close, volume: 1 }
  })
}
