/** The market a backtest runs on when it is given no data: thirty days of seeded one-minute bars. */
import { fp9 } from '../../quantity/decimal.ts'
import type { BarFeed } from '../feed/feed.ts'
import { jumpDiffusion } from './jumpDiffusion.ts'
import { simulatedFeed } from './simulatedBars.ts'

const MINUTE_MS = 60_000
const DAYS = 30

/** The same seed gives the same bars on every machine. */
export function demoFeed(seed: string, days = DAYS): BarFeed {
  return simulatedFeed({
    seed,
    startTime: Date.UTC(2026, 0, 5),
    intervalMs: MINUTE_MS,
    length: days * 1440,
    model: jumpDiffusion({
      drift: 0.2,
      volatility: 0.6,
      jumpsPerYear: 50,
      jumpMean: -0.005,
      jumpDeviation: 0.01,
    }),
    startPrice: fp9('50000'),
    tickSize: fp9('0.1'),
    meanVolume: 20,
  })
}
