// A process that keeps one vitest warm: it runs a test file at a time, as told by the process that started it, and
// answers with what failed. Whoever started it ends it, with everything it has started, when it takes too long.

import path from 'node:path'
import { createVitest, type TestModule } from 'vitest/node'

export interface Order {
  /** From the root of the tree. */
  readonly test: string
  /** The tests of the file to run, by their full names; empty for all of them. */
  readonly names: readonly string[]
  /** Files that were written since the last order. */
  readonly changed: readonly string[]
  /** Where the test notes what it passes through; see coverage.ts. */
  readonly notes?: string
}

export interface Answer {
  /** What noticed: the name of the first test that failed, or why the file did not run. */
  readonly failed: string | null
  readonly seconds: number
}

const root = process.argv[2] as string
process.env.MARGIN_CORE_UNSHRUNK = '1'
const vitest = await createVitest(
  'test',
  {
    root,
    config: path.join(root, 'vitest.config.ts'),
    run: true,
    watch: false,
    cache: false,
    project: ['alone', 'answers', 'apart', 'suite'],
    reporters: [{}],
    maxWorkers: 1,
    bail: 1,
    execArgv: ['--max-old-space-size=2048'],
  },
  { server: { watch: null }, logLevel: 'silent' },
  { stdout: process.stderr },
)
await vitest.standalone()

async function run({ test, names, changed, notes }: Order): Promise<string | null> {
  for (const file of changed) vitest.invalidateFile(path.join(root, file))
  process.env.MARGIN_CORE_NOTES = notes ?? ''
  if (names.length === 0) vitest.resetGlobalTestNamePattern()
  else vitest.setGlobalTestNamePattern(`^(?:${names.map(patternOf).join('|')})$`)
  const specifications = await vitest.globTestSpecifications([path.join(root, test)])
  if (specifications.length !== 1) return `${specifications.length} files are called ${test}`
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
  const module = testModules.findLast(({ moduleId }) => moduleId === path.join(root, test))
  if (module === undefined) return 'it did not run'
  return failureOf(module) ?? (unhandledErrors.length > 0 ? 'an error outside any test' : null)
}

/** The pattern is held against names joined by spaces, where a full name has ` > `. */
const patternOf = (fullName: string): string =>
  fullName
    .split(' > ')
    .map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'))
    .join(' (?:> )?')

function failureOf(module: TestModule): string | null {
  const tests = [...module.children.allTests()]
  for (const test of tests) if (test.result().state === 'failed') return test.fullName
  for (const suite of module.children.allSuites()) if (suite.errors().length > 0) return suite.fullName
  if (module.errors().length > 0)
    return tests.length === 0 ? 'it does not load' : 'what comes before its tests'
  return module.state() === 'passed' || module.state() === 'skipped' ? null : `the file is ${module.state()}`
}

process.on('message', (order: Order) => {
  const began = performance.now()
  const answer = (failed: string | null) =>
    process.send?.({ failed, seconds: (performance.now() - began) / 1_000 } satisfies Answer)
  run(order).then(answer, (error: unknown) => answer(`${error}`))
})
process.on('disconnect', () => process.exit())
process.send?.('ready')
