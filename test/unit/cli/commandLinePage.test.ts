// Every option with its values, its default and what it says stands on the page that is written from the tables of options.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { commandLinePage } from '../../api/commandLinePage.ts'

test('the page of the command line says what the commands take', () => {
  const { path: file, text } = commandLinePage()
  expect(readFileSync(path.join(import.meta.dirname, '../../..', file), 'utf8')).toBe(text)
})
