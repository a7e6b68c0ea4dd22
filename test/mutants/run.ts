/**
 * Seeds one mistake after the other into a copy of the tree and shows that the suite notices each. Prints a table and
 * exits with 1 when a mistake goes unnoticed, or when the text it replaces is no longer there.
 *
 *     npm run mutants            all of them
 *     npm run mutants -- funding those whose sentence or file contains the word
 */
import { execFile } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { MUTANTS, type Mutant } from './mutants.ts'
import { mutate } from './mutate.ts'

const root = path.resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

interface Verdict {
  readonly mutant: Mutant
  readonly result: 'caught' | 'SURVIVED' | 'NOT FOUND' | 'BROKEN'
  readonly by: string
  readonly seconds: number
}

/** A tree of its own with everything the tests need; dependencies are shared. */
function copyTree(): string {
  const copy = mkdtempSync(path.join(tmpdir(), 'margin-core-mutants-'))
  for (const entry of ['src', 'test', 'docs', 'package.json', 'tsconfig.json', 'vitest.config.ts'])
    cpSync(path.join(root, entry), path.join(copy, entry), { recursive: true })
  symlinkSync(path.join(root, 'node_modules'), path.join(copy, 'node_modules'))
  return copy
}

interface Report {
  readonly numFailedTests: number
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly { status: string; fullName: string }[]
  }[]
}

/** Runs test files in a copy, up to the first failure. */
async function runTests(copy: string, tests: readonly string[]): Promise<Report> {
  const output = path.join(copy, 'report.json')
  rmSync(output, { force: true })
  const vitest = path.join(copy, 'node_modules/vitest/vitest.mjs')
  const files = tests.map((test) => `test/${test}`)
  const options = ['--bail=1', '--reporter=json', `--outputFile=${output}`, '--maxWorkers=1']
  const failed = run(process.execPath, [vitest, 'run', ...files, ...options], { cwd: copy }).catch(
    () => undefined,
  )
  await failed
  return JSON.parse(readFileSync(output, 'utf8')) as Report
}

async function judge(copy: string, mutant: Mutant): Promise<Verdict> {
  const began = performance.now()
  const verdict = (result: Verdict['result'], by = ''): Verdict => ({
    mutant,
    result,
    by,
    seconds: (performance.now() - began) / 1_000,
  })
  const file = path.join(copy, mutant.file)
  const original = readFileSync(file, 'utf8')
  const mutated = mutate(original, mutant.edits)
  if (mutated === null) return verdict('NOT FOUND')
  writeFileSync(file, mutated)
  try {
    const report = await runTests(copy, mutant.tests)
    const results = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    if (results.length === 0) return verdict('BROKEN', 'the mutated tree does not even load')
    const noticed = results.find(({ status }) => status === 'failed')
    return noticed === undefined ? verdict('SURVIVED') : verdict('caught', noticed.fullName)
  } finally {
    writeFileSync(file, original)
  }
}

/** What is caught proves nothing unless the same tests pass without any mistake. */
async function checkUnmutated(copy: string, mutants: readonly Mutant[]): Promise<void> {
  const tests = [...new Set(mutants.flatMap(({ tests }) => tests))]
  const { numFailedTests, numPassedTests } = await runTests(copy, tests)
  if (numFailedTests > 0 || numPassedTests === 0)
    throw new Error(`without a mistake ${numFailedTests} tests fail and ${numPassedTests} pass`)
}

function print({ mutant, result, by, seconds }: Verdict): void {
  const mark = result === 'caught' ? 'caught   ' : result
  console.log(`${mark}  ${seconds.toFixed(1).padStart(5)} s  ${mutant.breaks}`)
  if (by !== '') console.log(`${' '.repeat(20)}${by}`)
}

async function main(word = ''): Promise<void> {
  const chosen = MUTANTS.filter(({ breaks, file }) => `${breaks} ${file}`.includes(word))
  const copies = Array.from({ length: Math.min(2, availableParallelism()) }, copyTree)
  try {
    await checkUnmutated(copies[0] as string, chosen)
    const waiting = [...chosen]
    const verdicts: Verdict[] = []
    const work = async (copy: string) => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        const verdict = await judge(copy, next)
        verdicts.push(verdict)
        print(verdict)
      }
    }
    await Promise.all(copies.map(work))
    const caught = verdicts.filter(({ result }) => result === 'caught').length
    console.log(`\n${caught} of ${verdicts.length} mistakes caught`)
    if (caught < verdicts.length) process.exitCode = 1
  } finally {
    for (const copy of copies) rmSync(copy, { recursive: true, force: true })
  }
}

await main(process.argv[2])
