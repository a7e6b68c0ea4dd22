// A bar is for people at a terminal: it begins once, with the first it is told, and is gone at the end.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { CountedProgress, Progress } from '../../../src/cli/progress.ts'
import { typed } from '../../typed.ts'

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

const SETS = ['--vary', 'fast=2,3', '--vary', 'slow=5,8']

test.each([
  ['backtest'],
  ['sweep', ...SETS],
  ['search', '--space', 'fast=2:3', '--sets', '2'],
  ['walk-forward', ...SETS, '--folds', '2'],
  ['sweep', ...SETS, '--json'],
])(
  'whatever %s began at a terminal is gone before it tells what it came to, and there is nothing beside JSON',
  async (...words) => {
    Object.assign(process.stderr, { isTTY: true })
    const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-bars-'))
    try {
      const bars = Array.from(
        { length: 144 },
        (_, hour) => `${Date.UTC(2026, 0, 5) + hour * 3_600_000},9,10,8,9,1`,
      )
      const data = path.join(folder, 'hours.csv')
      writeFileSync(data, `${['open_time_ms,open,high,low,close,volume', ...bars].join('\n')}\n`)
      const { code, stderr } = await typed([...words, '--data', data])
      expect(code, stderr).toBe(0)
      const isQuiet = words.includes('--json')
      const isShort = words[0] === 'backtest'
      expect(told.at(-1)).toBe(isQuiet || (isShort && told.length === 0) ? undefined : 'stop')
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

test.each([
  ['backtest'],
  ['sweep', '--vary', 'fast=2,3'],
  ['search', '--space', 'fast=2:3', '--sets', '2'],
  ['walk-forward', '--vary', 'fast=2,3', '--folds', '2'],
  ['look-ahead'],
  ['what-if', '--stress'],
  ['evaluate', '--paths', '3', '--horizon', '2'],
])('the bar of %s is gone before it tells why it failed', async (...words) => {
  Object.assign(process.stderr, { isTTY: true })
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-bars-'))
  try {
    const bars = Array.from(
      { length: 144 },
      (_, hour) => `${Date.UTC(2026, 0, 5) + hour * 3_600_000},9,10,8,9,1`,
    )
    const [data, strategy] = [path.join(folder, 'hours.csv'), path.join(folder, 'breaks.mjs')]
    writeFileSync(data, `${['open_time_ms,open,high,low,close,volume', ...bars].join('\n')}\n`)
    writeFileSync(
      strategy,
      "export default () => ({ name: 'breaks', onBar() { throw new Error('it breaks') } })\n",
    )
    const { code, stderr } = await typed([...words, '--data', data, '--strategy', strategy])
    expect([code, stderr]).toEqual([2, expect.stringContaining('it breaks')])
    expect([told[0], told.at(-1)]).toEqual([`new ${words[0]}`, 'stop'])
  } finally {
    rmSync(folder, { recursive: true })
  }
})
