// docs/security.md has for every rule of section K what keeps it, a test that there is and that cites it, and a command that runs.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { citedIn, page, rulesOf, saidBy } from './rulePage.ts'
import { files, parse, textOf } from './sourceTree.ts'

const ROW = /^\| \[(K\d+)\]\(rules\.md#k\d+\) \| (.+) \| (\[.+\)) \| (.+: `[^`]+`) \|$/gm
const rows = [...textOf('docs/security.md').matchAll(ROW)].map(
  ([, id = '', protects = '', tests = '', figure = '']) => ({ id, protects, tests, figure }),
)
const promised = rulesOf(page()).flatMap(({ id }) => (id.startsWith('K') ? [id] : []))

test('each is there, once and in order', () => {
  expect(rows.map(({ id }) => id)).toEqual(promised)
  expect(promised.length).toBe(16)
})

test('each names tests that there are, and that cite it', () => {
  const faults = rows.flatMap(({ id, tests }) => {
    const links = [...tests.matchAll(/\[(.+?)\]\(\.\.\/([^)]+)\)/g)]
    if (links.length === 0) return [`${id} names no test`]
    return links.flatMap(([, title = '', file = '']) => {
      if (!/^test\/.*\.test\.ts$/.test(file) || !files.includes(file)) return [`${id}: no test ${file}`]
      const said = saidBy(parse(file), title)
      if (said === undefined) return [`${id}: ${file} has no test "${title}"`]
      return citedIn(said).has(id) ? [] : [`${id}: "${title}" of ${file} does not cite it`]
    })
  })
  expect(faults).toEqual([])
})

test('each has a command, of a program that is there', () => {
  const programs = rows.map(
    ({ figure }) => /`npx (?:tsx|vitest run) (\S+)[^`]*`$/.exec(figure)?.[1] ?? figure,
  )
  expect(programs.filter((file) => !existsSync(path.resolve(import.meta.dirname, '../..', file)))).toEqual([])
})
