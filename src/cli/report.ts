/** `margin-core report`: the report of a saved run or of the journal of a live one; or a run made again and compared. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import type { JournalEvent } from '../backtest/live/journal.ts'
import { mustBeRegular } from '../files/regularFile.ts'
import { reportFailure, UsageError } from './failure.ts'
import { CHARTS, mustBeInstalled } from './outputs.ts'
import { Progress } from './progress.ts'
import { recordedRun } from './recordedRun.ts'

interface Options {
  readonly out?: string
  readonly rerun?: boolean
  readonly periods?: string
}

const EXAMPLES = `
Examples:
  $ margin-core report runs/today                            report.html again, without the market data
  $ margin-core report --rerun runs/today                    the run again, from the same files: the same bytes?
  $ margin-core report live.jsonl --out runs/live            a live run: report.html, tables, events and everything as JSON
  $ margin-core report live.jsonl --out live.html            its report alone`

export function reportCommand(): Command {
  return new Command('report')
    .argument('<saved>', 'the folder, or its result.json; or the journal of a live run')
    .option(
      '--out <file>',
      'where to write the report (default: report.html beside the result); of a journal a folder, or an .html file',
    )
    .option(
      '--periods <file>',
      'of a journal: tell how the run fared in periods of your own, a JSON list of { "name", "from", "to" }',
    )
    .option('--rerun', 'run it again as it says it was made, and compare every file of the folder')
    .addHelpText('after', EXAMPLES)
    .action((saved: string, options: Options) =>
      reportFailure(async () => {
        mustBeInstalled(...CHARTS)
        if (saved.endsWith(JOURNAL)) return journalReport(saved, options)
        if (options.periods !== undefined)
          throw new UsageError('a saved run has the periods that `backtest --periods` told it of')
        return options.rerun === true ? rerun(saved) : report(saved, options)
      }),
    )
}

/** How the name of a journal ends. */
const JOURNAL = '.jsonl'

/** Of the journal of a live run, which may still be running. */
async function journalReport(file: string, { out, rerun, periods }: Options): Promise<void> {
  if (rerun === true) throw new UsageError('a live run cannot be made again')
  const [
    { readJournalRun },
    { liveReport },
    { renderReport },
    { saveLiveRun },
    { summary },
    { readPeriods },
    { againstMarkets },
  ] = await Promise.all([
    import('../backtest/live/journalRun.ts'),
    import('../backtest/live/liveReport.ts'),
    import('../backtest/report/render.ts'),
    import('../backtest/export/saveLiveRun.ts'),
    import('../backtest/output/summary.ts'),
    import('../backtest/plan/periods.ts'),
    import('../backtest/beside/againstMarkets.ts'),
  ])
  const events: JournalEvent[] = []
  const named = periods === undefined ? [] : await readPeriods(periods)
  const run = await readJournalRun(file, (entry) => {
    if (entry.type === 'event') events.push(entry)
  })
  const against = againstMarkets(run.result, run.recording, named)
  const place = out ?? file.slice(0, -JOURNAL.length)
  if (place.endsWith('.html')) await writeFile(place, renderReport(liveReport(run, against)))
  else await saveLiveRun(place, run, events, named)
  const { incidents } = run
  process.stdout.write(`${summary(run.result, { against }).join('\n')}\n`)
  for (const kind of new Set(incidents.map((incident) => incident.kind)))
    process.stdout.write(`${kind}: ${incidents.filter((incident) => incident.kind === kind).length}\n`)
  process.stdout.write(`${place.endsWith('.html') ? 'report' : 'saved'}: ${place}\n`)
}

async function report(saved: string, options: Options): Promise<void> {
  const [{ readSavedReport }, { renderReport }, { REPORT_FILE }] = await Promise.all([
    import('../backtest/report/savedReport.ts'),
    import('../backtest/report/render.ts'),
    import('../backtest/export/saveRun.ts'),
  ])
  const folder = saved.endsWith('.json') ? path.dirname(saved) : saved
  const file = options.out ?? path.join(folder, REPORT_FILE)
  await writeFile(file, renderReport(await readSavedReport(saved)))
  process.stdout.write(`report: ${file}\n`)
}

/** Ends with 1 where a file differs. */
async function rerun(saved: string): Promise<void> {
  const [{ readProvenance }, { mustBeUnchanged }, { optionsOf, preparePlan }, { saveRun }] =
    await Promise.all([
      import('../backtest/report/savedReport.ts'),
      import('../backtest/plan/provenance.ts'),
      import('../backtest/plan/options.ts'),
      import('../backtest/export/saveRun.ts'),
    ])
  const madeBy = await readProvenance(saved)
  await mustBeUnchanged(madeBy)
  const { plan, bothPaths } = madeBy
  const prepared = await preparePlan(plan)
  const progress = new Progress('rerun')
  const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-rerun-'))
  try {
    const { result, recording, comparison, beside, against } = await recordedRun(
      () => ({
        ...optionsOf(plan, prepared),
        onProgress: ({ rows, time }) => progress.update(rows, new Date(time).toISOString().slice(0, 10)),
      }),
      bothPaths,
      prepared.periods,
    )
    await saveRun(folder, result, recording, comparison, madeBy, beside, against)
    progress.end()
    const lines = await comparedFiles(folder, saved.endsWith('.json') ? path.dirname(saved) : saved)
    process.stdout.write(`${lines.map(({ text }) => text).join('\n')}\n`)
    if (lines.some(({ isSame }) => !isSame)) process.exitCode = 1
  } finally {
    progress.end()
    await rm(folder, { recursive: true, force: true })
  }
}

async function comparedFiles(made: string, saved: string) {
  const names = (await readdir(made)).sort()
  return Promise.all(
    names.map(async (name) => {
      const file = path.join(saved, name)
      await mustBeRegular(file)
      const there = await readFile(file).catch(() => null)
      const isSame = there?.equals(await readFile(path.join(made, name))) ?? false
      return {
        isSame,
        text: `${name}: ${isSame ? 'the same bytes' : there === null ? 'missing' : 'DIFFERENT'}`,
      }
    }),
  )
}
