/** A run with everything that a report and the files of a folder need. */
import type { AgainstMarkets } from '../backtest/beside/againstMarkets.ts'
import type { Beside } from '../backtest/beside/beside.ts'
import type { NamedPeriod } from '../backtest/plan/periods.ts'
import type { Recording } from '../backtest/recording/recording.ts'
import type { PathComparison } from '../backtest/run/bothPaths.ts'
import type { BacktestOptions, BacktestResult } from '../backtest/run/run.ts'

export interface RecordedResult {
  readonly result: BacktestResult
  readonly recording: Recording
  readonly comparison: PathComparison | null
  readonly beside: Beside
  readonly against: AgainstMarkets
}

/** `options` is called once for each run: strategies remember what they saw. */
export async function recordedRun(
  options: () => BacktestOptions,
  both: boolean,
  periods: readonly NamedPeriod[] = [],
): Promise<RecordedResult> {
  const { againstMarkets } = await import('../backtest/beside/againstMarkets.ts')
  const { besideOf } = await import('../backtest/beside/beside.ts')
  if (both) {
    const { runBothPaths } = await import('../backtest/run/bothPaths.ts')
    const comparison = await runBothPaths(options)
    const { adverse: result, adverseRecording: recording } = comparison
    const beside = await besideOf(options(), result)
    return { result, recording, comparison, beside, against: againstMarkets(result, recording, periods) }
  }
  const [{ runBacktest }, { Recording }] = await Promise.all([
    import('../backtest/run/run.ts'),
    import('../backtest/recording/recording.ts'),
  ])
  const recording = new Recording()
  const result = await runBacktest({ ...options(), recorder: recording })
  const beside = await besideOf(options(), result)
  return { result, recording, comparison: null, beside, against: againstMarkets(result, recording, periods) }
}
