/** `margin-core look-ahead`: whether what a strategy decides follows from what it was told, and how much data it needs before. */
import { Command } from 'commander'
import type { LookAhead, LookAheadRun } from '../backtest/lookAhead/lookAhead.ts'
import { moment, plural, span } from '../backtest/output/presentation.ts'
import { reportFailure } from './failure.ts'
import { mustBeWritable } from './outputs.ts'
import { planFor } from './partners.ts'
import { type PlanOptions, positiveCount, withPlanOptions } from './planOptions.ts'
import { CountedProgress } from './progress.ts'
import { percent, tableLines } from './table.ts'
import { writeCases } from './writeCases.ts'
import { writePrinted } from './writePrinted.ts'
import { mustTakeStudy } from './writeStudy.ts'

interface Options extends PlanOptions {
  readonly cuts: number
  readonly csv?: string
  readonly out?: string
  readonly json?: boolean
}

const EXAMPLES = `
Examples:
  $ margin-core look-ahead --data BTCUSDT-1m.csv.gz --strategy ./mine.ts
  $ margin-core look-ahead --config run.json --cuts 50 --json | jq .seesNothingAhead

Exit code 1 where a decision changed with data that came after it, or the same run came to something else the second time.`

export function lookAheadCommand(): Command {
  return withPlanOptions(new Command('look-ahead'))
    .option('--cuts <count>', 'at how many of its decisions the data is cut off', positiveCount, 10)
    .option('--csv <file>', 'write each run as a line of a table')
    .option('--out <folder>', 'write a page of it, the table and everything as JSON to a folder')
    .option('--json', 'print everything as JSON')
    .addHelpText('after', EXAMPLES)
    .action((options: Options, command: Command) => reportFailure(() => look(options, command)))
}

async function look(options: Options, command: Command): Promise<void> {
  const { csv, out } = options
  await mustBeWritable({}, { '--csv': csv })
  if (out !== undefined) await mustTakeStudy(out)
  const { lookAhead } = await import('../backtest/lookAhead/lookAhead.ts')
  const plan = await planFor(options, command)
  const progress = new CountedProgress('look-ahead', 'runs', options.json === true)
  let found: LookAhead
  try {
    found = await lookAhead({ plan, cuts: options.cuts, onProgress: (state) => progress.update(state) })
  } finally {
    progress.end()
  }
  if (csv !== undefined) await writeCases(csv, found.runs)
  if (out !== undefined)
    await writePrinted(out, {
      ...{ kind: 'Look-ahead', plan, lines: foundLines(found), found, tables: { runs: found.runs } },
      caution: 'A mistake that this data does not call up stays unseen.',
    })
  const text = options.json ? JSON.stringify(found, null, 2) : foundLines(found).join('\n')
  process.stdout.write(`${text}\n`)
  if (!found.repeats || !found.seesNothingAhead) process.exitCode = 1
}

function foundLines(found: LookAhead): string[] {
  if (found.decisions === 0) return ['The strategy asked for nothing: there is nothing to compare.']
  const head = ['run again', 'to be the same', 'same', 'first that differs']
  return [
    ...tableLines([head, ...found.runs.map(runCells)]),
    '',
    repeatLine(found),
    aheadLine(found),
    ...blindLines(found),
    warmUpLine(found),
  ]
}

function runCells(run: LookAheadRun): string[] {
  const { compared, same, firstDifference } = run
  return [changeText(run), String(compared), String(same), differenceText(firstDifference)]
}

function changeText({ change, at, warmUpMs }: LookAheadRun): string {
  switch (change) {
    case 'again':
      return 'with nothing changed'
    case 'cut':
      return `data ends ${moment((at ?? 0) + 1)}`
    case 'mirrored':
      return `mirrored from ${moment(at ?? 0)} on`
    case 'warm-up':
      return warmUpMs === 0 ? 'begins without warm-up' : `begins after ${span(warmUpMs ?? 0)} of warm-up`
  }
}

function differenceText(difference: LookAheadRun['firstDifference']): string {
  if (difference === null) return '–'
  const { at, was, would } = difference
  return `${moment(at)}: ${was ?? 'nothing'}, now ${would ?? 'nothing'}`
}

function repeatLine({ repeats }: LookAhead): string {
  return repeats
    ? 'It does the same twice.'
    : 'It does not do the same twice: chance, the clock, or something kept from run to run decides with it. What is below means little.'
}

function aheadLine({ runs, seesNothingAhead }: LookAhead): string {
  const changed = runs.filter(({ change }) => change === 'cut' || change === 'mirrored')
  const differ = changed.filter(({ firstDifference }) => firstDifference !== null).length
  return seesNothingAhead
    ? `No decision changed with what came after it, in ${changed.length} ${plural(changed.length, 'run')}.`
    : `Other data after a moment changed decisions before it, in ${differ} of ${changed.length} ${plural(changed.length, 'run')}: it knows what comes.`
}

/** A share from which on it is said that the strategy hardly looks at prices. */
const BLIND = 0.75

function blindLines({ blindShare }: LookAhead): string[] {
  if (blindShare === null) return []
  const share = `Of what it did after the middle, ${percent(blindShare, 0)} was the same in a market that moved the other way`
  return [
    blindShare < BLIND
      ? `${share}.`
      : `${share}: it goes by the clock, or by something that it reads itself. A file that was made from the whole of the data shows like this.`,
  ]
}

function warmUpLine({ runs, enoughWarmUpMs }: LookAhead): string {
  const { furthestIndicator } = runs.at(-1) ?? { furthestIndicator: null }
  const indicator =
    furthestIndicator === null
      ? ''
      : ` After the longest of these ${furthestIndicator.name} is ${percent(furthestIndicator.by, 3)} away from its value after all of the data.`
  return enoughWarmUpMs === null
    ? `Each warm-up tried changed what it did: more data before the begin is needed (--warm-up).${indicator}`
    : enoughWarmUpMs === 0
      ? 'It needs no warm-up.'
      : `A warm-up of ${span(enoughWarmUpMs)} is enough: decisions are those of a longer one.${indicator}`
}
