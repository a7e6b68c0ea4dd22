// The list itself; `npm run mutants` runs it, every night.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { citedIn, page, rulesOf } from '../tidy/rulePage.ts'
import { files } from '../tidy/sourceTree.ts'
import { candidates, likely } from './candidates.ts'
import { answered, left, withRest } from './keptVerdicts.ts'
import { type Mistake, mistakesIn } from './mistakes.ts'
import { MUTANTS } from './mutants.ts'
import { mutate } from './mutate.ts'
import { hashOf, Passed } from './passed.ts'
import { type GroupMember, ProcessGroup } from './processGroup.ts'
import { SURVIVORS } from './survivors.ts'
import { TreeCopy } from './tree.ts'

const root = path.resolve(import.meta.dirname, '../..')

test.each(MUTANTS.map((mutant) => [mutant.breaks, mutant] as const))(
  'still has its place: %s',
  (_breaks, mutant) => {
    const text = readFileSync(path.join(root, mutant.file), 'utf8')
    const mutated = mutate(text, mutant.edits)
    expect(mutated).not.toBeNull()
    expect(mutated).not.toBe(text)
    for (const file of mutant.tests) expect(existsSync(path.join(root, 'test', file))).toBe(true)
  },
)

test('every mistake is another one', () => {
  expect(new Set(MUTANTS.map(({ breaks }) => breaks)).size).toBe(MUTANTS.length)
  expect(new Set(MUTANTS.map(({ file, edits }) => file + JSON.stringify(edits))).size).toBe(MUTANTS.length)
})

test('every promise under load, fault and attack (K) has mistakes here that break it', () => {
  const broken = new Set(MUTANTS.flatMap(({ breaks }) => [...citedIn(breaks)]))
  const promises = rulesOf(page()).filter(({ id }) => id.startsWith('K'))
  expect(promises.map(({ id }) => id).filter((id) => !broken.has(id))).toEqual([])
  expect(promises.length).toBe(16)
})

test.each(SURVIVORS.map((kept) => [kept.file, kept.before, kept.after, kept.why] as const))(
  'can still be made, and is explained: %s: %s => %s',
  (file, before, after, why) => {
    const found = mistakesIn(file).find((mistake) => mistake.before === before && mistake.after === after)
    expect(found).toBeDefined()
    expect(why).not.toBe('')
  },
)

test('a test that asks which files there are is told the same in a copy that has a mistake in it', () => {
  const copy = new TreeCopy()
  try {
    const asked = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const told = execFileSync('git', asked, { cwd: copy.root, encoding: 'utf8', maxBuffer: 1 << 28 })
    const inCopy = new Set(told.split('\0'))
    expect(files.filter((file) => !inCopy.has(file))).toEqual([])
    expect(inCopy.size).toBe(files.length + 1)
  } finally {
    copy.remove()
  }
})

test('drawn mistakes are set apart by their texts', () => {
  const keys = ['src/quantity/products.ts', 'src/store/log/group.ts']
    .flatMap(mistakesIn)
    .map(({ key }) => key)
  expect(new Set(keys).size).toBe(keys.length)
})

test.each([
  { measured: 'as it is now', isAsked: false },
  { measured: 'before it was written anew', isAsked: true },
  { measured: 'never', isAsked: true },
])(
  'a test that was measured $measured, and passes through a file no more than by importing it, is asked: $isAsked',
  ({ measured, isAsked }) => {
    const [file, near, through] = [
      'src/quantity/products.ts',
      'test/unit/quantity/products.test.ts',
      'test/unit/quantity/units.test.ts',
    ]
    const entry = (test: string, text: string, places: number[]) => ({
      [test]: { seconds: 1, text, through: places },
    })
    const passed = new Passed({
      places: [`${file}#`],
      tests: {
        ...entry(through, hashOf(through), [0]),
        ...(measured === 'never' ? {} : entry(near, isAsked ? 'another text' : hashOf(near), [])),
      },
    })
    const mistake = mistakesIn(file)[0] as Mistake
    const asked = likely(mistake, candidates(['test/unit/quantity']), new Map(), passed)
    expect(asked).toContain(through)
    expect(asked.includes(near)).toBe(isAsked)
  },
)

test('a run that ended early is gone on with: what was not judged or not noticed is left, and what was answered is kept', () => {
  const drawn = mistakesIn('src/quantity/products.ts').slice(0, 4)
  const [noticed, survived, ...rest] = drawn as [Mistake, Mistake, ...Mistake[]]
  const verdicts = withRest(drawn, [
    { mistake: noticed, result: 'noticed', by: 'a test', seconds: 1 },
    { mistake: survived, result: 'SURVIVED', by: 'two tests', seconds: 1 },
  ])
  const kept = { choice: { seed: 'a', count: 4, under: [] }, verdicts }
  expect(answered(kept).map(({ mistake }) => mistake)).toEqual([noticed])
  expect(left(kept)).toEqual([survived, ...rest])
  expect(verdicts.map(({ mistake }) => mistake)).toEqual(drawn)
})

test('a run takes the time that was its own: what it waits for a processor is not counted, what it waits for an answer is', () => {
  let now = 100
  let members: GroupMember[] = [{ pid: 1, waited: 40, bytes: 5 }]
  const group = new ProcessGroup(
    1,
    () => now,
    () => members,
  )
  const look = (at: number, ...waits: readonly (readonly [pid: number, waited: number])[]) => {
    now = at
    members = waits.map(([pid, waited]) => ({ pid, waited, bytes: 7 }))
    return group.look()
  }
  expect(look(110, [1, 40])).toBe(10)
  expect(look(120, [1, 48])).toBe(12)
  // Two that wait at once, one of which is new.
  expect(look(130, [1, 54], [2, 7])).toBe(15)
  // One that has ended, and more waited than there was time for, as clocks are read one after the other.
  expect(look(140, [2, 18])).toBe(15)
  expect(look(150)).toBe(25)
  expect(look(160, [3, 4])).toBe(31)
  expect(group.bytes).toBe(7)
})
