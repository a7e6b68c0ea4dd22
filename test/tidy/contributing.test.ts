// What contributors are told to run is there to be run, and a release has what its page says it has.

import { expect, test } from 'vitest'
import { VERSION } from '../../src/version.ts'
import { files, textOf } from './sourceTree.ts'

const { version, scripts } = JSON.parse(textOf('package.json'))
const PAGES = ['README.md', 'CONTRIBUTING.md', 'docs/versions.md', 'docs/install.md', 'bench/README.md']

test.each(PAGES)('every script and file that %s tells to run exists', (page) => {
  const text = textOf(page)
  const run = [...text.matchAll(/\bnpm run (?!-)([\w:-]+)/g)].map(([, name]) => name as string)
  expect(run.filter((name) => !Object.hasOwn(scripts, name))).toEqual([])
  const programs = [...text.matchAll(/\bnpx (?:tsx|vitest run) ((?:test|bench|release)\/[\w./-]+)/g)]
  const isThere = (named: string) => files.some((file) => file.startsWith(named))
  expect(programs.filter(([, named]) => !isThere(named as string)).map(([whole]) => whole)).toEqual([])
})

test('the version in hand says the same everywhere, and has its golden logs', () => {
  expect(VERSION).toBe(version)
  expect(files.some((file) => file.startsWith(`test/golden/${version}/`))).toBe(true)
})
