// Measures every figure that is published, each in a process of its own, and prints one table, backtests included.
//
//   npm run bench -- [--quick] [--only NAME]
//   npm run bench -- --against REV [--quick] [--only NAME] [--at-least RATIO]
//
// The second measures this tree and another commit in turns, and ends with 1 where something has less than that ratio of
// the other's speed. The lines of the first also go to bench/results/latest.json. What each figure means is in bench/README.md.

import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { Command, InvalidArgumentError, Option } from 'commander'
import { WORKS } from './against/works.ts'
import { against } from './against.ts'
import { crash } from './crash.ts'
import type { Figure, Line } from './figure.ts'
import { funding } from './funding.ts'
import { memory } from './memory.ts'
import { peaks } from './peaks.ts'
import { peers } from './peers.ts'
import { replay } from './replay.ts'
import { resting } from './resting.ts'
import { start } from './start.ts'
import { ticks } from './ticks.ts'
import { trades } from './trades.ts'

const FIGURES: readonly Figure[] = [
  ticks,
  peaks,
  crash,
  trades,
  resting,
  replay,
  funding,
  memory,
  start,
  peers,
]

const BACKTEST = path.join(import.meta.dirname, 'backtest.ts')
/** Those that do not take minutes. */
const SHORT_BACKTESTS = ['bars', 'fills', 'ticks']

interface Options {
  readonly quick?: true
  readonly only?: string
  readonly against?: string
  readonly atLeast: number
  readonly json?: true
}

const ratio = (text: string): number => {
  if (!(Number(text) > 0)) throw new InvalidArgumentError('not a number above 0')
  return Number(text)
}
const names = (of: readonly { readonly name: string }[]) => of.map(({ name }) => name).join(', ')
const command = new Command('npm run bench --')
  .description(
    'Measures what is published and prints it as a table; or compares this tree with another commit.',
  )
  .option('--quick', 'smaller sizes')
  .option('--only <name>', `one of ${names(FIGURES)}; of two commits ${Object.keys(WORKS).join(', ')}`)
  .option(
    '--against <rev>',
    'measures this tree and that commit in turns and prints the ratio of their speeds',
  )
  .option('--at-least <ratio>', 'ends with 1 where something has less of the other commit’s speed', ratio, 0)
  .addOption(new Option('--json', 'prints the lines of the one that is named').hideHelp())
  .allowExcessArguments(false)
  .parse()
const { quick = false, only, against: revision, atLeast, json: alone = false } = command.opts<Options>()

if (revision !== undefined) {
  if (only !== undefined && !(only in WORKS))
    command.error(`no work ${only}; there are ${Object.keys(WORKS).join(', ')}`)
  process.exit(against({ revision, quick, only, atLeast }) ? 0 : 1)
}

const chosen = FIGURES.filter(({ name }) => only === undefined || name === only)
if (chosen.length === 0) command.error(`no figure ${only}; there are ${names(FIGURES)}`)

if (alone) {
  const [figure] = chosen as [Figure]
  process.stdout.write(JSON.stringify(await figure.run({ quick })))
} else report()

function report(): void {
  const results = chosen.map((figure) => ({
    name: figure.name,
    about: figure.about,
    lines: measured(figure),
  }))
  printTable(results.flatMap(({ lines }) => lines))
  if (only === undefined)
    spawnSync(process.execPath, ['--import', 'tsx', BACKTEST, ...SHORT_BACKTESTS], { stdio: 'inherit' })
  const file = path.join(import.meta.dirname, 'results', 'latest.json')
  mkdirSync(path.dirname(file), { recursive: true })
  const [cpu] = os.cpus()
  const machine = { node: process.version, cpu: cpu?.model, cores: os.cpus().length, load: os.loadavg() }
  writeFileSync(
    file,
    `${JSON.stringify({ at: new Date().toISOString(), quick, machine, results }, null, 2)}\n`,
  )
}

/** In the form of bench/README.md, below when it was and what it ran beside. */
function printTable(lines: readonly Line[]): void {
  const [minute] = os.loadavg() as [number]
  console.log(
    `${new Date().toISOString()}, Node ${process.version}, ${os.cpus()[0]?.model}, a load of ${minute.toFixed(1)}${quick ? ', quick sizes' : ''}\n`,
  )
  console.log('| figure | aim | reading | beside |\n|---|---|---|---|')
  for (const line of lines) console.log(row(line))
}

/** A process per figure: what one leaves on the heap, or teaches the compiler, is not measured in the next. */
function measured({ name }: Figure): readonly Line[] {
  const child = spawnSync(
    process.execPath,
    [
      '--expose-gc',
      '--max-old-space-size=12000',
      '--import',
      'tsx',
      path.join(import.meta.dirname, 'main.ts'),
      '--only',
      name,
      '--json',
      ...(quick ? ['--quick'] : []),
    ],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
  )
  if (child.status !== 0) return [{ what: 'could not be measured', value: Number.NaN, unit: '' }]
  return JSON.parse(child.stdout) as Line[]
}

function row({ what, value, unit, aim = '', floor }: Line): string {
  const beside =
    floor === undefined ? '' : `${times(floor.times)}× of ${floor.what} (${amount(floor.value)}${unit})`
  return `| ${what} | ${aim} | ${amount(value)}${unit} | ${beside} |`
}

function times(value: number): string {
  return value >= 0.1 ? value.toFixed(2) : value.toPrecision(2)
}

function amount(value: number): string {
  if (value >= 1e6) return `${(value / 1e6).toFixed(2)}M`
  if (value >= 1e4) return `${(value / 1e3).toFixed(0)}k`
  return value >= 100 ? value.toFixed(0) : value.toFixed(2)
}
