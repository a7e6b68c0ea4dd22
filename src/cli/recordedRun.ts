/** A run with everything that a report and the files of a folder need. */
import type { Recording } from '../backtest/recording/recording.ts'
import type { PathComparison } from '../backtest/run/bothPaths.ts'
import type { BacktestOptions, BacktestResult } from '../backtest/run/run.ts'

export interface RecordedResult {
  readonly result: BacktestResult
  readonly recording: Recording
  readonly comparison: PathComparison | null
}

/** `options` is called once for each run: strategies remember what they saw. */
export async function recordedRun(options: () => BacktestOptions, both: boolean): Promise<RecordedResult> {
  if (both) {
    const { runBothPaths } = await import('../backtest/run/bothPaths.ts')
    const comparison = await runBothPaths(options)
    return { result: comparison.adverse, recording: comparison.adverseRecording, comparison }
  }
  const [{ runBacktest }, { Recording }] = await Promise.all([
    import('../backtest/run/run.ts'),
    import('../backtest/recording/recording.ts'),
  ])
  const recording = new Recording()
  return { result: await runBacktest({ ...options(), recorder: recording }), recording, comparison: null }
}
