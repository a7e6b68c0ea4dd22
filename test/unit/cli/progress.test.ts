// A bar is for people at a terminal: it begins once, with the first it is told, and is gone at the end.

import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CountedProgress, Progress } from '../../../src/cli/progress.ts'

const told: string[] = []

vi.mock('cli-progress', () => ({
  SingleBar: class {
    constructor({ format }: { readonly format: string }) {
      told.push(`new ${format.split(' ')[0]}`)
    }
    start(...given: unknown[]) {
      told.push(`start ${JSON.stringify(given)}`)
    }
    update(...given: unknown[]) {
      told.push(`update ${JSON.stringify(given)}`)
    }
    stop() {
      told.push('stop')
    }
  },
}))

const { isTTY } = process.stderr
beforeEach(() => void told.splice(0))
afterEach(() => void Object.assign(process.stderr, { isTTY }))

function shown(terminal: boolean, quiet: boolean): string[] {
  Object.assign(process.stderr, { isTTY: terminal })
  const rows = new Progress('rows', quiet)
  rows.update(3, 'here')
  rows.end()
  const paths = new CountedProgress('paths', 'paths', quiet)
  paths.update({ done: 2, total: 9 })
  paths.update({ done: 4, total: 9 })
  paths.end()
  return told
}

test('at a terminal', () => {
  expect(shown(true, false)).toEqual([
    'new rows',
    'start [0,0,{"detail":""}]',
    'update [3,{"detail":"here"}]',
    'stop',
    'new paths',
    'start [9,2]',
    'update [2]',
    'update [4]',
    'stop',
  ])
})

test.each([
  [true, true],
  [false, false],
  [false, true],
])('nothing where the terminal is %s and quiet is %s', (terminal, quiet) => {
  expect(shown(terminal, quiet)).toEqual([])
})
