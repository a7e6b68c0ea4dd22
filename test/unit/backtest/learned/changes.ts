// Drawn minutes whose changes hang on the one before, and a learning that foretells the next from the last.

import { type Learning, ridge } from '../../../../src/backtest/index.ts'
import { toNumber } from '../../../../src/backtest/numbers/toNumber.ts'
import { Random } from '../../../../src/backtest/simulated/random.ts'
import type { Bar } from '../../../../src/backtest/strategy/bar.ts'
import { minuteBar } from './bars.ts'

export const change = (from: bigint, to: bigint) => toNumber(to) / toNumber(from) - 1

/** Learns from the last change what the next bars do. */
export const learningOfChanges = (more: Partial<Learning> = {}): Learning => ({
  ...{ horizon: 3, window: '9h', every: '2h', atLeast: 60, fit: ridge() },
  features: ({ open, close }) => [change(open, close), toNumber(close) / 20_000],
  label: (ahead, { close }) => change(close, (ahead.at(-1) as Bar).close),
  ...more,
})

export function drawnCloses(seed: string, minutes: number): number[] {
  const random = new Random(seed)
  let [price, moved] = [20_000, 0]
  return Array.from({ length: minutes }, () => {
    moved = 0.4 * moved + (random.uniform() - 0.5) * 20
    price += moved
    return price
  })
}

export const drawnMinutes = (seed: string, minutes: number): Bar[] =>
  drawnCloses(seed, minutes).map((close, minute) => ({
    ...minuteBar(minute, close),
    open: minuteBar(minute, close - 1).open,
  }))
