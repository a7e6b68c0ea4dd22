/** The page on the laws lists them all, as they state themselves, and its programs run. */
import { readFile } from 'node:fs/promises'
import { expect, test, vi } from 'vitest'
import { LAWS } from '../../src/testing/index.ts'
import { blocksOf, runProgram } from './examples.ts'

const PAGE = new URL('../../docs/laws.md', import.meta.url)
const TESTING = new URL('../../src/testing/index.ts', import.meta.url).pathname

test('every law is on the page, and no other', async () => {
  const listed = (await readFile(PAGE, 'utf8')).split('\n').filter((line) => line.startsWith('- **'))
  expect(listed).toEqual(LAWS.map(({ name, statement }) => `- **${name}**: ${statement}`))
})

test('the programs on the page run as shown', async () => {
  const program = blocksOf(await readFile(PAGE, 'utf8')).join('\n')
  const log = vi.spyOn(console, 'log').mockImplementation(() => {})
  try {
    await runProgram(program.replaceAll("'margin-core/testing'", `'${TESTING}'`))
    expect(log.mock.calls.join()).toMatch(/^3 runs, \d+ commands/)
  } finally {
    log.mockRestore()
  }
})
