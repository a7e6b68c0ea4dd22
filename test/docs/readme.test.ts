/** The embedding example of the README runs as shown, and prints what the README says. */
import { readFile } from 'node:fs/promises'
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
