// What `npm start` starts, and when it builds before.

import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { builtClone } from '../package/builtClone.ts'
import { startedBy } from './startedBy.ts'

test('npm start passes its options and its signals on', { timeout: 600_000 }, async () => {
  const { url, stop } = await startedBy({ cwd: builtClone() }, 'npm', 'start', '--', '--port', '0')
  expect((await fetch(url)).status).toBe(200)
  expect(await stop('SIGTERM')).toBe(0)
  await expect(fetch(url)).rejects.toThrow()
})

const [EARLIER, BUILT, LATER] = [1_000, 2_000, 3_000]

test.each([
  ['nothing is built', null, [EARLIER, EARLIER], true],
  ['every source is older', BUILT, [EARLIER, EARLIER], false],
  ['a source is as old', BUILT, [EARLIER, BUILT], false],
  ['a source is newer', BUILT, [EARLIER, LATER], true],
])('where %s', (_, built, sources, builds) => {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-start-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const write = (name: string, seconds: number) => {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, '')
    utimesSync(file, seconds, seconds)
  }
  for (const [at, seconds] of sources.entries()) write(`src/${at}/index.ts`, seconds)
  if (built !== null) write('dist/index.js', built)
  for (const at of sources.keys()) utimesSync(path.join(folder, 'src', String(at)), EARLIER, EARLIER)
  utimesSync(path.join(folder, 'src'), EARLIER, EARLIER)
  cpSync(
    path.join(import.meta.dirname, '../../release/prepare.mjs'),
    path.join(folder, 'release/prepare.mjs'),
  )
  // Without a compiler it says what it leaves out.
  const env = { ...process.env, npm_config_omit: 'dev' }
  const { status, stderr } = spawnSync(process.execPath, ['release/prepare.mjs', '--where-older'], {
    cwd: folder,
    env,
    encoding: 'utf8',
  })
  expect([status, /^dist is not built: /.test(stderr)]).toEqual([0, builds])
})
