/** What stands beside a run, in words. */
import type { Beside } from '../beside/beside.ts'
import { change, NO_VALUE, ratio, share } from '../output/presentation.ts'
import type { BacktestResult } from '../run/run.ts'
import type { Interval, RunConfidence } from '../statistics/confidence.ts'

/** Rows as they are shown. */
export interface BesideSection {
  /** Name, net profit, return, drawdown, Sharpe ratio, evaluation; the run itself first. */
  readonly rows: readonly (readonly string[])[]
  readonly sentence: string
}

export function besideSection(result: BacktestResult, { benchmarks, confidence }: Beside): BesideSection {
  const { statistics, verdict } = result
  const own = {
    name: 'this run',
    netProfit: statistics.netProfit,
    totalReturn: statistics.totalReturn,
    maxDrawdown: statistics.maxDrawdown?.depth ?? 0,
    sharpeRatio: statistics.sharpeRatio,
    outcome: verdict.outcome,
  }
  return {
    rows: [own, ...benchmarks].map(({ name, netProfit, totalReturn, maxDrawdown, sharpeRatio, outcome }) => [
      name,
      change(netProfit),
      share(totalReturn),
      share(maxDrawdown),
      ratio(sharpeRatio),
      outcome,
    ]),
    sentence: confidenceSentence(confidence),
  }
}

function confidenceSentence({ shareWithProfit, draws, blockDays }: RunConfidence): string {
  return shareWithProfit === null
    ? 'The run has too few days to be drawn from: how far its figures would scatter is not known.'
    : `Of ${draws.toLocaleString('en-US')} redraws of the run's own days, in blocks of ${blockDays.toFixed(1)} days, ${share(shareWithProfit, 0)} end with a profit.`
}

/** The intervals under the names of the headline figures. */
export function headlineIntervals(confidence: RunConfidence): Readonly<Record<string, string>> {
  const { totalReturn, maxDrawdown, sharpeRatio, winRate, profitFactor, netProfit } = confidence
  return {
    'Net profit': intervalText(netProfit, (value) => change(BigInt(Math.round(value * 100)) * 10_000_000n)),
    'Total return': intervalText(totalReturn, share),
    'Max drawdown': intervalText(maxDrawdown, share),
    'Sharpe ratio': intervalText(sharpeRatio, ratio),
    'Win rate': intervalText(winRate, (value) => share(value, 0)),
    'Profit factor': intervalText(profitFactor, ratio),
  }
}

function intervalText(interval: Interval | null, text: (value: number) => string): string {
  return interval === null ? NO_VALUE : `${text(interval.low)} to ${text(interval.high)}`
}
