/**
 * Makes small mistakes by itself all over src and runs what passes through them. Exits with 1 when more than `--at-least`
 * allows go unnoticed that are not among the explained ones (survivors.ts).
 *
 *     npm run mutation                                       the fixed sample
 *     npm run mutation -- --seed 7 --count 50                another one
 *     npm run mutation -- --seed new --each 30               thirty of every folder
 *     npm run mutation -- --file src/store/log/group.ts      all mistakes of a file
 *     npm run mutation -- --help
 */
import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import { candidates } from './candidates.ts'
import { refusedByTypes } from './compiles.ts'
import { cover } from './coverage.ts'
import { type Choice, draw, PAGE } from './draw.ts'
import { Judge, type Verdict } from './judge.ts'
import { answered, keep, kept, left, withRest } from './keptVerdicts.ts'
import type { Mistake } from './mistakes.ts'
import { noticedBefore, remember } from './noticedBy.ts'
import { measure, Passed } from './passed.ts'
import { areasBelow, changeOf, lineOf, table } from './report.ts'
import { SURVIVORS } from './survivors.ts'
import { TimeBound } from './timeBound.ts'
import { Workbench } from './workbench.ts'

const FIXED = 'fixed'
const FIXED_COUNT = 200

const whole = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('not a whole number above 0')
  return Number(text)
}
const several = (value: string, before: readonly string[]): string[] => [...before, value.replace(/\/$/, '')]

const options = new Command('npm run mutation --')
  .description('Makes small mistakes all over src and reports which of them the tests notice.')
  .option('--seed <text>', '"new" for a fresh one, which is printed', FIXED)
  .option(
    '--count <n>',
    'how many mistakes, spread over the folders (default: 200; with --file or --folder, all)',
    whole,
  )
  .option('--each <n>', 'so many of every folder, each of which has to reach --at-least', whole)
  .option('--file <path>', 'only mistakes in this file; may be repeated', several, [])
  .option(
    '--folder <path>',
    'only mistakes below this folder, such as src/store; may be repeated',
    several,
    [],
  )
  .option(
    '--left-by <json>',
    'go on with what an earlier run, written with --json, left unnoticed or not judged, and report of both',
  )
  .option('--all', 'every mistake there is')
  .option('--tests <path>', 'ask only test files here; may be repeated', several, [])
  .option('--patience <seconds>', 'give up on a mistake after so much time in tests', whole, 120)
  .option('--minutes <n>', 'leave what is not judged after so many minutes', whole, Number.POSITIVE_INFINITY)
  .option('--workers <n>', 'processes at a time', whole, Math.min(2, availableParallelism()))
  .option('--json <path>', 'keep every verdict in a file, and what is not judged yet')
  .option('--likely', 'ask only the test that noticed a mistake last and the likeliest files')
  .option(
    '--measure',
    'keep which test files pass through which functions, which takes as long as the suite, and end',
  )
  .option('--at-least <percent>', 'of the mistakes judged, noticed or explained', whole, 100)
  .option('--remember', 'keep which test noticed what in test/mutants/noticedBy.json')
  .parse()
  .opts<{
    seed: string
    count?: number
    each?: number
    file: string[]
    folder: string[]
    tests: string[]
    workers: number
    patience: number
    minutes: number
    all?: true
    leftBy?: string
    json?: string
    likely?: true
    measure?: true
    remember?: true
    atLeast: number
  }>()
const { seed, count, file, folder, tests, workers, patience, minutes } = options

async function main(): Promise<void> {
  const bound = new TimeBound(minutes)
  if (options.measure === true) return measured(bound)
  const earlier = options.leftBy === undefined ? null : kept(options.leftBy)
  const chosen = earlier?.choice ?? choice()
  const before = earlier === null ? [] : answered(earlier)
  const asked = earlier === null ? draw(chosen) : left(earlier)
  const drawn = [...before.map(({ mistake }) => mistake), ...asked]
  console.log(`${drawn.length} mistakes drawn with seed ${chosen.seed}`)
  if (drawn.length === 0) throw new Error('there is nothing to draw from')
  const keepWith = (now: readonly Verdict[]) => {
    if (options.json !== undefined) keep(options.json, chosen, drawn, [...before, ...now])
  }
  const verdicts = withRest(drawn, [...before, ...(await judged(asked, bound, keepWith))])
  console.log(`\n${table(verdicts)}`)
  if (options.json !== undefined) keep(options.json, chosen, drawn, verdicts)
  if (options.remember === true) remember(verdicts)
  const unexplained = verdicts.filter(({ result }) => result === 'SURVIVED' || result === 'NOT COVERED')
  for (const verdict of unexplained) console.log(`\n${lineOf(verdict)}\n${changeOf(verdict)}`)
  const judgedCount = verdicts.filter(({ result }) => result !== 'not judged').length
  if (judgedCount < drawn.length)
    console.log(`\n${judgedCount} of ${drawn.length} mistakes judged within ${minutes} minutes`)
  console.log(
    `\n${unexplained.length} of ${judgedCount} mistakes unnoticed and unexplained (seed ${chosen.seed})`,
  )
  if (options.each !== undefined) {
    const below = areasBelow(options.atLeast, verdicts)
    if (below.length > 0) console.log(`less than ${options.atLeast}% noticed: ${below.join(', ')}`)
    if (below.length > 0) process.exitCode = 1
  } else if (100 * unexplained.length > (100 - options.atLeast) * judgedCount) process.exitCode = 1
}

function choice(): Choice {
  const under = [...file, ...folder]
  return {
    seed: seed === 'new' ? String(Date.now()) : seed,
    count: count ?? (options.all === true || under.length > 0 ? Number.POSITIVE_INFINITY : FIXED_COUNT),
    under,
    ...(options.each === undefined ? {} : { each: options.each }),
  }
}

async function measured(bound: TimeBound): Promise<void> {
  const benches = Array.from({ length: workers }, () => new Workbench())
  try {
    await measure(candidates(tests).filter(isRunByNode), benches, bound, (test, seconds, by) =>
      console.log(`${seconds.toFixed(1).padStart(6)} s  ${test}${by === '' ? '' : `  (with notes: ${by})`}`),
    )
  } finally {
    await Promise.all(benches.map((bench) => bench.close()))
  }
}

/** Notes do not come out of a browser. */
const isRunByNode = (test: string): boolean => !test.startsWith('test/browser/')

const explanation = ({ file, before, after }: Mistake): string | undefined =>
  SURVIVORS.find((kept) => kept.file === file && kept.before === before && kept.after === after)?.why

/** @param keepWith Told after each verdict of all there are: a run may be broken off. */
async function judged(
  drawn: readonly Mistake[],
  bound: TimeBound,
  keepWith: (verdicts: readonly Verdict[]) => void,
): Promise<Verdict[]> {
  const verdicts: Verdict[] = []
  const say = (verdict: Verdict) => {
    verdicts.push(verdict)
    keepWith(verdicts)
    console.log(lineOf(verdict))
    if (verdict.result === 'SURVIVED') console.log(changeOf(verdict))
  }
  const explained = drawn.filter((mistake) => explanation(mistake) !== undefined)
  for (const mistake of explained)
    say({ mistake, result: 'explained', by: explanation(mistake) ?? '', seconds: 0 })
  const open = new Set(drawn.filter((mistake) => !explained.includes(mistake)))
  const refuse = (mistakes: Iterable<Mistake>) => {
    for (const mistake of mistakes) {
      say({ mistake, result: 'does not compile', by: '', seconds: 0 })
      open.delete(mistake)
    }
  }
  // Nearly all of them are refused, so they are not asked of any test.
  refuse(refusedByTypes([...open].filter(({ kind }) => kind === 'arguments swapped')))

  const benches = Array.from({ length: workers }, () => new Workbench())
  try {
    const judge = new Judge(benches, patience, bound, noticedBefore(), new Passed(), (verdict) => {
      say(verdict)
      open.delete(verdict.mistake)
    })
    const asked = candidates(tests)
    const runByNode = asked.filter(isRunByNode)
    await judge.whereNoticed([...open], asked)
    // Of a known sample it is mostly these that are left. Of a new one they are asked last, as what survives is little.
    if (options.likely === true) refuse(refusedByTypes([...open]))
    await judge.whereLikely([...open], asked, (mistake, by, seconds) => {
      if (options.likely === true || mistake.file.startsWith(PAGE))
        say({ mistake, result: 'SURVIVED', by, seconds })
    })
    if (options.likely !== true && open.size > 0 && !bound.isOver) {
      const left = [...open].filter(({ file }) => !file.startsWith(PAGE))
      console.log(`${left.length} left: what ${runByNode.length} test files pass through`)
      const covering = await cover(left, runByNode, benches, bound, (test, seconds) =>
        console.log(`  ${seconds.toFixed(1).padStart(6)} s  ${test}`),
      )
      if (covering !== null) await judge.wherePassed(left, covering)
    }
    for (const mistake of options.likely === true && !bound.isOver ? judge.unasked : [])
      say({ mistake, result: 'not judged', by: 'no likely test file could be asked', seconds: 0 })
    for (const [test, by] of judge.failing)
      console.log(`not asked: ${test} fails without any mistake (${by})`)
  } finally {
    await Promise.all(benches.map((bench) => bench.close()))
  }
  const survived = verdicts.filter(({ result }) => result === 'SURVIVED').map(({ mistake }) => mistake)
  // With `--likely` every one was compiled before it was asked.
  const refused = options.likely === true ? new Set<Mistake>() : refusedByTypes(survived)
  return verdicts.map((verdict) =>
    refused.has(verdict.mistake) ? { ...verdict, result: 'does not compile' } : verdict,
  )
}

await main()
