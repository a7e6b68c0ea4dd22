/** Where a rule of docs/rules.md decides what is exported, the docstring cites it; and every rule is found from the reference. */
import { expect, test } from 'vitest'
import { todaysSurface } from '../api/pages.ts'
import { exportsByRule, rulesOfExport } from '../api/rulesOfExports.ts'
import type { Declared } from '../api/surface.ts'
import { page, rulesOf } from '../tidy/rulePage.ts'

const surface = todaysSurface().filter(({ entry }) => entry !== 'margin-core/internal')
const exported = new Map(surface.flatMap(({ exports }) => exports.map((one) => [one.name, one.declared])))
const rules = rulesOf(page())

test('every rule is cited by something that is exported', () => {
  const cited = exportsByRule(surface)
  expect(rules.map(({ id }) => id).filter((id) => !cited.has(id))).toEqual([])
})

test('what a docstring cites is a rule', () => {
  const known = new Set(rules.map(({ id }) => id))
  expect([...exportsByRule(surface).keys()].filter((id) => !known.has(id))).toEqual([])
})

test('what the page of rules names as the code of a rule cites it, where that is exported', () => {
  const named = rules.flatMap(({ id, code }) =>
    code.flatMap(({ label, file }) => {
      const declared = exported.get(label.replaceAll('`', '').split('.')[0] ?? '')
      return declared !== undefined && `src/${declared.file.replace('.d.ts', '.ts')}` === file
        ? [{ id, label, declared }]
        : []
    }),
  )
  expect(named.length).toBeGreaterThan(12)
  const silent = named.filter(({ id, declared }) => !rulesOfExport(declared).has(id))
  expect(silent.map(({ id, label }) => `${label} does not cite ${id}`)).toEqual([])
})

const isDecided = ({ file, members }: Declared): boolean =>
  /^events\/(\w+Events|command|placeOrder)\.d\.ts$/.test(file) && members.some(({ name }) => name === 'type')

test('every command and every event cites the rules that decide it', () => {
  const decided = [...exported].filter(([, declared]) => isDecided(declared))
  expect(decided.length).toBeGreaterThan(60)
  const silent = decided.filter(([, declared]) => rulesOfExport(declared).size === 0)
  // No rule of the venue speaks of it: an operator's own id keeps a command from being done twice.
  expect(silent.map(([name]) => name)).toEqual(['CommandRefused'])
})
