/** The examples of the README run as shown, and print what the README says. */
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test, vi } from 'vitest'
import { blocksOf, runProgram } from './examples.ts'

test('the embedding example runs as shown', async () => {
  const page = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const [example] = blocksOf(page)
  const stated = /It prints `([^`]+)`/.exec(page)?.[1]
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runProgram(example as string)
    expect(log.mock.calls.map((call) => call.join(' '))).toEqual([stated])
  } finally {
    log.mockRestore()
  }
})

test('the embedding example is short', async () => {
  const page = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  expect((blocksOf(page)[0] as string).trim().split('\n').length).toBeLessThanOrEqual(24)
})

test("the example of a read model of one's own is short", async () => {
  const example = new URL('../../examples/own-read-model/main.ts', import.meta.url)
  const [model] = /^const volume = .*?^}\)$/ms.exec(await readFile(example, 'utf8')) ?? []
  expect((model as string).split('\n').length).toBeLessThanOrEqual(20)
})

test('the backtest prints what is shown, and writes its report', async () => {
  const page = await readFile(new URL('../../README.md', import.meta.url), 'utf8')
  const command = /^npm run backtest -- (.*) --out runs\/first$/m.exec(page)?.[1] as string
  const shown = /and prints\n\n```\n([\s\S]*?)```/.exec(page)?.[1]
  const folder = await mkdtemp(join(tmpdir(), 'margin-core-readme-'))
  const program = ['--import', 'tsx', 'src/cli/main.ts', 'backtest', ...command.split(' '), '--out', folder]
  try {
    const cwd = new URL('../..', import.meta.url).pathname
    const { stdout } = await promisify(execFile)(process.execPath, program, { cwd })
    expect(stdout).toBe(shown)
    expect(await readdir(folder)).toContain('report.html')
  } finally {
    await rm(folder, { recursive: true })
  }
})
