/**
 * npx tsx bench/study.ts [runs] [days]
 *
 * What a study of so many runs takes when it is gone on with: 100,000 runs over 365 days, whose results lie in a file. A sweep finds
 * all of them there, orders them and says what the choice of the best is worth. Told are the file's size, the seconds, and the most memory that
 * the process ever had.
 */
import { createWriteStream } from 'node:fs'
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { runSweep } from '../src/backtest/index.ts'
import { fingerprintOf, textHash } from '../src/backtest/plan/fingerprint.ts'
import type { RunPlan } from '../src/backtest/plan/plan.ts'
import { normal } from '../src/backtest/simulated/normal.ts'
import { Random } from '../src/backtest/simulated/random.ts'
import { evidenceOf } from '../src/backtest/sweep/evidence.ts'
import { combinations } from '../src/backtest/sweep/grid.ts'
import { orderedRows } from '../src/backtest/sweep/order.ts'
import { variantRunner } from '../src/backtest/sweep/variant.ts'
import type { VariantFigures } from '../src/backtest/sweep/variantFigures.ts'

const RUNS = Number(process.argv[2] ?? 100_000)
const DAYS = Number(process.argv[3] ?? 365)
const FAST = 100

const plan: RunPlan = { markets: [{ asset: 'BTC', days: 2 }], strategy: 'ema-cross' }
const vary = {
  fast: Array.from({ length: FAST }, (_, index) => 2 + index),
  slow: Array.from({ length: Math.ceil(RUNS / FAST) }, (_, index) => 200 + index),
}

/** Results as runs would have left them, the figures of one run with returns of their own. */
async function writeResults(file: string): Promise<void> {
  const fingerprint = await fingerprintOf(plan)
  const one = await (await variantRunner(plan))({ parameters: { fast: 2, slow: 200 } })
  const random = new Random('study')
  const out = createWriteStream(file)
  for (const parameters of combinations(vary)) {
    const dailyReturns = Array.from({ length: DAYS }, () => Math.round(normal(random) * 1e7) / 1e9)
    const figures: VariantFigures = { ...one, totalReturn: dailyReturns[0] as number, dailyReturns }
    const row = { key: textHash([fingerprint, parameters, undefined]), parameters, figures }
    if (!out.write(`${JSON.stringify(row)}\n`))
      await new Promise<void>((drained) => out.once('drain', () => drained()))
  }
  await new Promise<void>((ended) => out.end(() => ended()))
}

const MIB = 2 ** 20
const megabytes = (bytes: number) => `${Math.round(bytes / MIB).toLocaleString('en-US')} MiB`

const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-study-'))
try {
  const file = process.env.STUDY_FILE ?? path.join(folder, 'results.jsonl')
  if (process.env.STUDY_FILE === undefined) await writeResults(file)
  const before = process.resourceUsage().maxRSS * 1024
  const begun = performance.now()
  const { rows, reused } = await runSweep({ plan, vary, resultFile: file, workers: 1 })
  const read = performance.now()
  const best = orderedRows(rows, { by: ['totalReturn'], plateau: false, constraints: [] })
  const evidence = evidenceOf(rows, best[0])
  const judged = performance.now()
  process.stdout.write(
    `${reused.toLocaleString('en-US')} runs of ${DAYS} days in ${megabytes((await stat(file)).size)}: ` +
      `read in ${((read - begun) / 1_000).toFixed(1)} s, judged in ${((judged - read) / 1_000).toFixed(1)} s ` +
      `(best by luck ${evidence?.byLuck?.toFixed(2)}, overfitting ${evidence?.overfitting.toFixed(2)}); ` +
      `at most ${megabytes(process.resourceUsage().maxRSS * 1024)}, ${megabytes(before)} of them before\n`,
  )
} finally {
  await rm(folder, { recursive: true })
}
