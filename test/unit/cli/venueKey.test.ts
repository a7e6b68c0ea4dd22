// The key that a live run trades with: typed, in a file or in the environment; what stands in a file is never told.

import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { venueKey } from '../../../src/cli/venueKey.ts'
import { typed } from '../../typed.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-venue-key-'))
afterAll(() => rmSync(folder, { recursive: true }))
afterEach(() => vi.unstubAllEnvs())

const KEY = `mtk_${'k'.repeat(43)}`
function file(name: string, text: string, mode = 0o600): string {
  const place = path.join(folder, name)
  writeFileSync(place, text)
  chmodSync(place, mode)
  return place
}
const silent = () => {
  throw new Error('there is nothing to warn of')
}

test.each(['', '\n', '\r\n', ' \n'])('a file holds it alone, with %j behind it or nothing', async (end) => {
  vi.stubEnv('MARGIN_CORE_KEY', 'another')
  expect(await venueKey({ keyFile: file('alone', KEY + end) }, silent)).toBe(KEY)
})

test('what is typed comes before the environment, and there has to be one', async () => {
  vi.stubEnv('MARGIN_CORE_KEY', 'of-the-environment')
  expect(await venueKey({ key: 'typed' }, silent)).toBe('typed')
  expect(await venueKey({}, silent)).toBe('of-the-environment')
  vi.stubEnv('MARGIN_CORE_KEY', undefined)
  await expect(venueKey({}, silent)).rejects.toThrow(/^--live needs a key: --key-file, --key, or MARGIN_CORE/)
})

test.skipIf(process.platform === 'win32')(
  'a file that others may read is told, and read all the same',
  async () => {
    for (const [mode, isTold] of [
      [0o600, false],
      [0o400, false],
      [0o640, true],
      [0o604, true],
      [0o644, true],
    ] as const) {
      const told: string[] = []
      const place = file(`mode-${mode}`, KEY, mode)
      expect(await venueKey({ keyFile: place }, (text) => told.push(text))).toBe(KEY)
      expect(told.map((text) => text.slice(0, 200))).toEqual(
        isTold
          ? [
              expect.stringContaining(
                `${place} is open to others than its owner (mode ${mode.toString(8)}): chmod 600 it`,
              ),
            ]
          : [],
      )
      expect(told.join()).not.toContain(KEY)
    }
  },
)

test.each([
  ['empty', ''],
  ['only-blank', ' \n'],
  ['two-words', `${KEY} ${KEY}`],
  ['two-lines', `${KEY}\n${KEY}\n`],
  ['not-ascii', `${KEY}€`],
  ['no-key', 'a'.repeat(256)],
])('a file that is %s is refused in a line that does not tell it', async (name, text) => {
  const { code, stderr } = await typed([
    'backtest',
    '--live',
    'http://127.0.0.1:1',
    '--key-file',
    file(name, text),
  ])
  expect(code).toBe(2)
  expect(stderr).toMatch(/^error: --key-file \S+: it has to hold the key alone, in a line\n$/)
})

test('a key may be as long as a host takes one', async () => {
  const longest = 'a'.repeat(255)
  expect(await venueKey({ keyFile: file('longest', longest) }, silent)).toBe(longest)
})

test('one that is not there, or a folder, is named with the option', async () => {
  mkdirSync(path.join(folder, 'dir'))
  for (const [name, why] of [
    ['nowhere', 'there is no such file'],
    ['dir', 'EISDIR'],
  ] as const) {
    const { code, stderr } = await typed([
      ...['backtest', '--live', 'http://127.0.0.1:1', '--key-file', path.join(folder, name)],
    ])
    expect(code).toBe(2)
    expect(stderr).toMatch(new RegExp(`^error: --key-file \\S+${name}: it cannot be read \\(${why}`))
  }
})
