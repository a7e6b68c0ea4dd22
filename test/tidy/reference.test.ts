/** The reference says of every number what it is, and of everything which rules decide it; every rule is found from it. */
import { expect, test } from 'vitest'
import { unsaidNumbers } from '../api/numbers.ts'
import { todaysSurface } from '../api/pages.ts'
import { exportsByRule, rulesOfExport } from '../api/rulesOfExports.ts'
import type { Declared, Member } from '../api/surface.ts'
import { page, rulesOf } from './rulePage.ts'

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

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every number that is a member or a parameter says what it is, in which unit and range',
  (_, { exports }) => expect(exports.flatMap(({ declared }) => unsaidNumbers(declared))).toEqual([]),
)

test('what says nothing of a number is noticed, and what says it is not', () => {
  const declared = (text: string, doc: string, members: Partial<Member>[] = []): Declared => ({
    ...{ key: '', file: '', name: 'of', text, doc, isValue: true, names: [] },
    members: members.map((one) => ({ name: 'n', type: 'number', doc: null, isMethod: false, ...one })),
  })
  const member = (doc: string | null, type = 'number') => unsaidNumbers(declared('', '', [{ doc, type }]))
  expect(member(null)).toEqual(['of.n'])
  expect(member('As it is. Default 30.')).toEqual(['of.n'])
  expect(member('Of its life, epoch ms.')).toEqual([])
  expect(member('Orders that rest.')).toEqual([])
  expect(member(null, 'Price')).toEqual([])
  expect(unsaidNumbers(declared('', 'A table, amounts in fp9.', [{ type: 'bigint' }]))).toEqual([])
  const twice = 'function of(from: number, to: number): void'
  expect(unsaidNumbers(declared(twice, 'From `from` to `to`.'))).toEqual(['of(from)', 'of(to)'])
  expect(unsaidNumbers(declared(twice, 'From the sequence `from` on.\n\n@param to how many.'))).toEqual([])
  expect(unsaidNumbers(declared('function of(value: bigint): string', 'An fp9 value, written.'))).toEqual([])
  expect(unsaidNumbers(declared('function of(value: bigint): string', 'A value, written.'))).toEqual([
    'of(value)',
  ])
  const wait = { name: 'wait', type: '(ms: number): void', isMethod: true }
  expect(unsaidNumbers(declared('class of', '', [wait]))).toEqual(['of.wait(ms)'])
  expect(unsaidNumbers(declared('class of', '', [{ ...wait, doc: 'Waits so many ms.' }]))).toEqual([])
})
