/** A run with everything that a report and the files of a folder need. */
import type { Beside } from '../backtest/beside/beside.ts'
import type { Recording } from '../backtest/recording/recording.ts'
import type { PathComparison } from '../backtest/run/bothPaths.ts'
import type { BacktestOptions, BacktestResult } from '../backtest/run/run.ts'

export interface RecordedResult {
  readonly result: BacktestResult
  readonly recording: Recording
  readonly comparison: PathComparison | null
  readonly beside: Beside
}

/** `options` is called once for each run: strategies remember what they saw. */
export async function recordedRun(options: () => BacktestOptions, both: boolean): Promise<RecordedResult> {
  const { besideOf } = await import('../backtest/beside/beside.ts')
  if (both) {
    const { runBothPaths } = await import('../backtest/run/bothPaths.ts')
    const comparison = await runBothPaths(options)
    const { adverse: result, adverseRecording: recording } = comparison
    return { result, recording, comparison, beside: await besideOf(options(), result) }
  }
  const [{ runBacktest }, { Recording }] = await Promise.all([
    import('../backtest/run/run.ts'),
    import('../backtest/recording/recording.ts'),
  ])
  const recording = new Recording()
  const result = await runBacktest({ ...options(), recorder: recording })
  return { result, recording, comparison: null, beside: await besideOf(options(), result) }
}
