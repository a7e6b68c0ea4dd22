/** The steps of a page are read as a person takes them, and the third way of the page on learning names what is there. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { MUTANTS } from '../mutants/mutants.ts'
import { isAsShown, stepsOf } from './steps.ts'

const root = path.resolve(import.meta.dirname, '../..')

test('a section gives its files, its commands and what they print, in order', () => {
  const page =
    '# A\n\n## One\n\n```ts\n// a.ts\nlet a\n```\n\n```sh\nnpm i && npx tsx a.ts\n```\n\n```\n1\n```\n\n## Two\n\n```sh\nls\n```\n'
  expect(stepsOf(page, 'One')).toEqual([
    { kind: 'save', file: 'a.ts', text: '// a.ts\nlet a\n' },
    { kind: 'type', commands: ['npm i', 'npx tsx a.ts'], prints: '1\n' },
  ])
  expect(stepsOf(page, 'Two')).toEqual([{ kind: 'type', commands: ['ls'], prints: null }])
  expect(() => stepsOf('\n## One\n\n```ts\nlet a\n```\n', 'One')).toThrow('without its name')
})

test('lines left out stand for any, and nothing else does', () => {
  expect(isAsShown('a\nb\n', 'a\nb\n')).toBe(true)
  expect(isAsShown('a\nb\nc\n', '…\nb\n…\n')).toBe(true)
  expect(isAsShown('a\nb\nc\n', '…\nx\n…\n')).toBe(false)
  expect(isAsShown('a\nb\n', 'a\n')).toBe(false)
  expect(isAsShown('axb\n', 'a.b\n')).toBe(false)
})

test('what is typed to study the project names tests, scripts and mistakes that are there', () => {
  const page = readFileSync(path.join(root, 'docs/learning.md'), 'utf8')
  const { scripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const typed = stepsOf(page, 'Study it').flatMap((step) => (step.kind === 'type' ? step.commands : []))
  expect(typed.length).toBeGreaterThan(2)
  for (const command of typed) {
    const [, test, script, word] =
      /^npx vitest run (\S+)$|^npm run (\w+) --(?: --\w+ \d+| (\w+))$/.exec(command) ?? []
    expect([command, test ?? script]).not.toContain(undefined)
    if (test !== undefined) expect([test, existsSync(path.join(root, test))]).toEqual([test, true])
    else expect(Object.keys(scripts)).toContain(script)
    if (word !== undefined) expect(JSON.stringify(MUTANTS)).toContain(word)
  }
})
