/** `margin-core entries`: whether what a strategy enters, when and on which side, does better than chance would. */
import { writeFile } from 'node:fs/promises'
import { Command, InvalidArgumentError } from 'commander'
import type { EntrySignificance } from '../backtest/entries/entrySignificance.ts'
import type { RunPlan } from '../backtest/plan/plan.ts'
import { reportFailure } from './failure.ts'
import { mustBeWritable } from './outputs.ts'
import { planFor } from './partners.ts'
import { type PlanOptions, positiveCount, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { type WorkPlaces, withWorkOptions, workPlaces } from './workOptions.ts'
import { writeCases } from './writeCases.ts'
import { mustTakeStudy, writeStudy } from './writeStudy.ts'

interface Options extends PlanOptions, WorkPlaces {
  readonly hold?: readonly number[]
  readonly draws: number
  readonly report?: string
  readonly csv?: string
  readonly out?: string
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core entries --data BTCUSDT-1m.csv.gz --strategy ./mine.ts
  $ margin-core entries --config run.json --hold 60,240,1440 --draws 999 --report entries.html
  $ margin-core entries --config run.json --json | jq '.tests[0].times.p'

Exits and sizes of the strategy play no part: each entry is of the same value and held for as many bars.`

export function entriesCommand(): Command {
  return withWorkOptions(withPlanOptions(new Command('entries')))
    .option(
      '--hold <bars>',
      'for how many bars entries are held; several, 60,240, are a test each (default: the middle one of the positions that the strategy closed)',
      holds,
    )
    .option('--draws <count>', 'how often chance decides, for each test', positiveCount, 199)
    .option('--report <file>', 'an HTML page: what the entries came to among what chance came to')
    .option('--csv <file>', 'write each draw as a line of a table')
    .option('--out <folder>', 'write the page, every table of it and everything as JSON to a folder')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) => reportFailure(() => testEntries(options, command)))
}

function holds(text: string): number[] {
  const bars = text.split(',').map(positiveCount)
  if (new Set(bars).size < bars.length) throw new InvalidArgumentError('Each length is tested once.')
  return bars
}

async function testEntries(options: Options, command: Command): Promise<void> {
  const { hold, draws, report, csv, out } = options
  await mustBeWritable({ '--report': report }, { '--csv': csv })
  if (out !== undefined) await mustTakeStudy(out)
  const { entrySignificance } = await import('../backtest/entries/entrySignificance.ts')
  const plan = await planFor(options, command)
  const progress = new CountedProgress('entries', 'draws', options.json === true)
  let found: EntrySignificance
  try {
    found = await entrySignificance({
      ...{ plan, draws, ...workPlaces(options) },
      ...(hold === undefined ? {} : { holds: hold }),
      onProgress: (state) => progress.update(state),
    })
  } finally {
    progress.end()
  }
  if (csv !== undefined) await writeCases(csv, drawLines(found))
  const { datedPlan } = await import('../backtest/plan/dataPeriod.ts')
  const said = { plan: await datedPlan(plan), ...found }
  if (report !== undefined) {
    await writeFile(report, await pageOf(said.plan, found))
    process.stderr.write(`report: ${report}\n`)
  }
  if (out !== undefined)
    await writeStudy(out, await pageOf(said.plan, found), said, {
      tests: testLines(found),
      draws: drawLines(found),
    })
  const { entryLines } = await import('../backtest/entries/entryLines.ts')
  const text = options.json ? JSON.stringify(said, null, 2) : entryLines(found).join('\n')
  process.stdout.write(`${text}\n`)
}

async function pageOf(plan: RunPlan, found: EntrySignificance): Promise<string> {
  const { renderEntryReport } = await import('../backtest/report/entryReport.ts')
  return renderEntryReport({ strategy: plan.strategy, plan, found })
}

function testLines({ tests }: EntrySignificance): object[] {
  return tests.flatMap(({ times, sides, ...test }) =>
    Object.entries({ times, sides }).flatMap(([chance, found]) => {
      if (found === null) return []
      const { draws, mean: meanOfDraws, asGood, p } = found
      return [{ chance, ...test, draws, meanOfDraws, asGood, p }]
    }),
  )
}

/** The entries as they were first, as draw 0. */
function drawLines({ tests }: EntrySignificance): object[] {
  return tests.flatMap(({ hold, mean, times, sides }) =>
    Object.entries({ times, sides }).flatMap(([chance, test]) =>
      test === null
        ? []
        : [mean, ...test.drawn].map((brought, draw) => ({ hold, chance, draw, mean: brought })),
    ),
  )
}
