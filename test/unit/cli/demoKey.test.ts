// The key of a demo beside its log: kept for its owner alone, and what is no key is told instead of being passed over.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { keepKey, keptKey, keyOpenToOthers } from '../../../src/cli/demoKey.ts'

const root = mkdtempSync(path.join(tmpdir(), 'margin-core-demo-key-'))
afterAll(() => rmSync(root, { recursive: true }))
const KEY = `mtk_${'a'.repeat(42)}-`

function folder(name: string): { readonly directory: string; readonly file: string } {
  const directory = path.join(root, name)
  mkdirSync(directory)
  return { directory, file: path.join(directory, 'demo-key') }
}

test('what was kept is there again, and nobody else may read it', async () => {
  const { directory, file } = folder('kept')
  expect(await keptKey(directory)).toBeNull()
  expect(await keepKey(directory, KEY)).toBeNull()
  expect(await keptKey(directory)).toBe(KEY)
  expect(statSync(file).mode & 0o777).toBe(0o600)
})

test.skipIf(process.platform === 'win32')(
  'a file that others may read or write is told, and one that none may is not',
  async () => {
    const { directory, file } = folder('open')
    await keepKey(directory, KEY)
    for (const mode of [0o600, 0o400, 0o700]) {
      chmodSync(file, mode)
      expect(await keyOpenToOthers(directory)).toBeNull()
    }
    for (const mode of [0o644, 0o640, 0o604, 0o620, 0o601]) {
      chmodSync(file, mode)
      expect(await keyOpenToOthers(directory)).toContain(
        `${file} is open to others than its owner (mode ${mode.toString(8)}): chmod 600 it`,
      )
    }
  },
)

test('a key that is there already is not written over, and that is told', async () => {
  const { directory, file } = folder('there')
  writeFileSync(file, 'of somebody else')
  expect(await keepKey(directory, KEY)).toContain(
    'the key is not kept, and the next start draws another (EEXIST',
  )
  expect(readFileSync(file, 'utf8')).toBe('of somebody else')
})

test.each([
  ['nothing', ''],
  ['half a key', KEY.slice(0, 20)],
  ['more than a key', `${KEY}b`],
  ['two keys', `${KEY}\n${KEY}`],
])('a file that holds %s is no key, and is named', async (name, text) => {
  const { directory, file } = folder(name)
  writeFileSync(file, text)
  await expect(keptKey(directory)).rejects.toThrow(
    `${file} holds no key of a demo: remove it and start again for another`,
  )
})

test('a file that cannot be read is named', async () => {
  const { directory, file } = folder('unreadable')
  mkdirSync(file)
  await expect(keptKey(directory)).rejects.toThrow(`${file}: the key of the demo cannot be read (EISDIR`)
})
