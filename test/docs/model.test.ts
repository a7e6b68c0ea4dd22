/** The blocks of docs/model.md run as they stand, and say what the page says. */
import { readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'
import { runExamples } from './examples.ts'

test('every worked example of the model gives the figure that the page states', async () => {
  const page = await readFile(new URL('../../docs/model.md', import.meta.url), 'utf8')
  const compared = await runExamples(page)
  expect(compared.filter(({ actual, expected }) => actual !== expected)).toEqual([])
  expect(compared.length).toBeGreaterThan(30)
})
