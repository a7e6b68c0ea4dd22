/** What a command needs to write its results is looked at before its work. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import Module from 'node:module'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { reportFailure } from '../../../src/cli/failure.ts'
import {
  CHARTS,
  mustBeInstalled,
  mustBeWritable,
  mustTakeFolder,
  SUMMARY,
  TABLES,
} from '../../../src/cli/outputs.ts'
import { whileFailing } from '../../failingCalls.ts'
import { typed } from '../../typed.ts'

test('what is installed is not asked for, and everything that is not is', () => {
  expect(() => mustBeInstalled(...CHARTS, TABLES, 'trading-signals', 'hyparquet')).not.toThrow()
  expect(() => mustBeInstalled('no-such-package', TABLES)).toThrow(
    'the package no-such-package is not installed: npm install no-such-package',
  )
  expect(() => mustBeInstalled('no-such-one', 'no-such-two')).toThrow(
    'the packages no-such-one, no-such-two are not installed: npm install no-such-one no-such-two',
  )
})

test('a package that Node does not find is told with what installs it', async () => {
  const { exitCode, stderr } = process
  const written: string[] = []
  const { write } = stderr
  stderr.write = (text: string | Uint8Array) => written.push(String(text)) > 0
  try {
    await reportFailure(async () => {
      throw new Error("Cannot find package 'csv-stringify' imported from /here/saveRun.ts")
    })
    expect(process.exitCode).toBe(2)
  } finally {
    stderr.write = write
    process.exitCode = exitCode
  }
  expect(written).toEqual(['error: the package csv-stringify is not installed: npm install csv-stringify\n'])
})

test.each([
  ...[...SUMMARY, ...CHARTS, TABLES].map((name) => [name, 'backtest --days 1 --out'] as const),
  ...CHARTS.map((name) => [name, 'report'] as const),
])('what needs %s is not begun without: %s', async (name, words) => {
  const folder = path.join(mkdtempSync(path.join(tmpdir(), 'margin-core-outputs-')), 'run')
  const resolving = Module as unknown as { _resolveFilename(asked: string, ...more: unknown[]): string }
  const found = resolving._resolveFilename
  const hiding = vi.spyOn(resolving, '_resolveFilename').mockImplementation((asked, ...more) => {
    if (asked !== name) return found(asked, ...more)
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' })
  })
  try {
    const { stdout, stderr } = await typed([...words.split(' '), folder])
    expect(stderr).toBe(`error: the package ${name} is not installed: npm install ${name}\n`)
    expect(stdout).toBe('')
  } finally {
    hiding.mockRestore()
  }
})

test.each([
  [['here', 'there'], true],
  [['here', undefined], true],
  [[undefined, 'there'], true],
  [[undefined, undefined], false],
  [[], false],
])('what writes tables is needed where one is asked for: %j', async (files, isNeeded) => {
  const resolving = Module as unknown as { _resolveFilename(asked: string, ...more: unknown[]): string }
  const hiding = vi.spyOn(resolving, '_resolveFilename').mockImplementation((asked) => {
    throw Object.assign(new Error(`Cannot find module '${asked}'`), { code: 'MODULE_NOT_FOUND' })
  })
  onTestFinished(() => hiding.mockRestore())
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-outputs-'))
  const tables = files.map((name, at) => [`--table-${at}`, name && path.join(folder, name)] as const)
  const asked = mustBeWritable({ '--json': path.join(folder, 'json') }, Object.fromEntries(tables))
  if (isNeeded) await expect(asked).rejects.toThrow(`the package ${TABLES} is not installed`)
  else await asked
})

test('help of an evaluation lists no option that it refuses', async () => {
  const { stdout } = await typed(['evaluate', '--help'])
  expect(stdout).toContain('--horizon <days>')
  expect(stdout).not.toContain('--days')
  expect((await typed(['evaluate', '--days', '3'])).stderr).toMatch(/a path is as long as --horizon says/)
})

describe('what nobody may write to', () => {
  const dir = mkdtempSync(path.join(tmpdir(), 'margin-core-outputs-'))
  const closed = path.join(dir, 'closed')
  const file = path.join(dir, 'result.json')
  mkdirSync(closed)
  writeFileSync(file, '')

  const inside = path.join(closed, 'a/b')

  test.each<[string, () => Promise<void>, string]>([
    [
      'a folder',
      () => mustTakeFolder('--save', closed, 'run.json'),
      `--save ${closed}: it may not be written to`,
    ],
    [
      'a folder that would be made in it',
      () => mustTakeFolder('--save', inside, 'run.json'),
      `--save ${inside}: no folder can be made in ${closed}`,
    ],
    ['a file', () => mustBeWritable({ '--json': file }), `--json ${file}: it may not be written to`],
    [
      'a file that would be made in it',
      () => mustBeWritable({ '--json': path.join(closed, 'x') }),
      `--json ${path.join(closed, 'x')}: the folder ${closed} may not be written to`,
    ],
  ])('is refused: %s; and taken once it may', async (_, work, told) => {
    await whileFailing('access', [closed, file], 'EROFS', () => expect(work()).rejects.toThrow(told))
    await work()
  })
})
