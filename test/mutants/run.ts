/**
 * Seeds one mistake after the other into a copy of the tree and shows that the suite notices each. Prints a table and
 * exits with 1 when a mistake goes unnoticed, or when the text it replaces is no longer there.
 *
 *     npm run mutants                       all of them
 *     npm run mutants -- funding 'a day'    those whose sentence, file or tests contain one of the words
 *     npm run mutants -- --minutes 2        as many as fit, in an order drawn anew
 */
import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import type { Mutant } from './mutant.ts'
import { MUTANTS } from './mutants.ts'
import { mutate } from './mutate.ts'
import { TimeBound } from './timeBound.ts'
import { forEach, Workbench } from './workbench.ts'

/** Seconds that a test file may take. */
const LIMIT = 300

interface Verdict {
  readonly mutant: Mutant
  readonly result: 'caught' | 'SURVIVED' | 'NOT FOUND' | 'BROKEN'
  readonly by: string
  readonly seconds: number
}

async function judge(bench: Workbench, mutant: Mutant): Promise<Verdict> {
  let seconds = 0
  const verdict = (result: Verdict['result'], by = ''): Verdict => ({ mutant, result, by, seconds })
  const mutated = mutate(bench.tree.read(mutant.file), mutant.edits)
  if (mutated === null) return verdict('NOT FOUND')
  const undo = bench.replace(mutant.file, mutated)
  try {
    for (const test of mutant.tests) {
      const outcome = await bench.run(`test/${test}`, LIMIT)
      seconds += outcome.seconds
      if (outcome.result === 'failed' && outcome.by === 'it does not load')
        return verdict('BROKEN', outcome.by)
      if (outcome.result !== 'passed') return verdict('caught', outcome.by)
    }
    return verdict('SURVIVED')
  } finally {
    undo()
  }
}

/** What is caught proves nothing unless the same tests pass without any mistake. */
async function checkUnmutated(benches: readonly Workbench[], mutants: readonly Mutant[]): Promise<void> {
  const tests = [...new Set(mutants.flatMap(({ tests }) => tests))]
  await forEach(benches, tests, async (bench, test) => {
    const { result, by } = await bench.run(`test/${test}`, LIMIT)
    if (result !== 'passed') throw new Error(`without a mistake ${test} fails: ${by}`)
  })
}

function print({ mutant, result, by, seconds }: Verdict): void {
  const mark = result === 'caught' ? 'caught   ' : result
  console.log(`${mark}  ${seconds.toFixed(1).padStart(5)} s  ${mutant.breaks}`)
  if (by !== '') console.log(`${' '.repeat(20)}${by}`)
}

const aboveZero = (text: string): number => {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('not a whole number above 0')
  return Number(text)
}
const command = new Command('npm run mutants --')
  .description('Puts in one seeded mistake after the other, and shows that the suite notices each.')
  .argument('[words...]', 'only those whose sentence, file or tests contain one of the words')
  .option('--minutes <n>', 'as many as fit, in an order drawn anew', aboveZero)
  .parse()

/** In any order. */
function shuffled<T>(items: readonly T[]): T[] {
  const places = items.map((item) => ({ item, place: Math.random() }))
  return places.sort((a, b) => a.place - b.place).map(({ item }) => item)
}

async function main(words: readonly string[], minutes: number | undefined): Promise<void> {
  const named = MUTANTS.filter(
    ({ breaks, file, tests }) =>
      words.length === 0 || words.some((word) => [breaks, file, ...tests].join(' ').includes(word)),
  )
  const chosen = minutes === undefined ? named : shuffled(named)
  const bound = new TimeBound(minutes ?? Number.POSITIVE_INFINITY)
  const benches = Array.from({ length: Math.min(2, availableParallelism()) }, () => new Workbench())
  try {
    // In a share of the time the suite itself, which runs beside, shows that its tests pass without any mistake.
    if (minutes === undefined) await checkUnmutated(benches, chosen)
    const verdicts: Verdict[] = []
    await forEach(benches, chosen, async (bench, mutant) => {
      if (bound.isOver) return
      const verdict = await judge(bench, mutant)
      verdicts.push(verdict)
      print(verdict)
    })
    const caught = verdicts.filter(({ result }) => result === 'caught').length
    console.log(`\n${caught} of ${verdicts.length} mistakes caught`)
    if (caught < verdicts.length) process.exitCode = 1
  } finally {
    await Promise.all(benches.map((bench) => bench.close()))
  }
}

await main(command.args, command.opts<{ minutes?: number }>().minutes)
