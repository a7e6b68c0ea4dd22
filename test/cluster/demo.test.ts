// `npm run cluster` gives its verdict and leaves nothing behind, interrupted as well.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { whyNoServer } from '../postgres/postgresServer.ts'

/** It takes most of a minute. */
const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'

if (NIGHTLY && whyNoServer !== null) console.warn(`the demo of a cluster is not tested: ${whyNoServer}`)

/** Runs it in a folder of its own; `interrupt` is the line at which it is interrupted. */
async function demo(interrupt: string | null) {
  const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-demo-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  // The database runs as another user.
  await chmod(folder, 0o755)
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', path.join(import.meta.dirname, 'demo.ts'), '--seconds', '1'],
    { env: { ...process.env, TMPDIR: folder } },
  )
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
    if (interrupt !== null && out.includes(interrupt)) child.kill('SIGINT')
  })
  const [code] = await once(child, 'close')
  // What the loader of TypeScript keeps is its own.
  const left = (await readdir(folder)).filter((name) => name.startsWith('margin-core'))
  return { out, code, left }
}

test.runIf(NIGHTLY && whyNoServer === null)(
  'the demo ends with its verdict, or at once where it is interrupted',
  async () => {
    const [whole, interrupted] = await Promise.all([demo(null), demo('kill -9')])
    expect(whole.out).toContain('verdict: nothing acknowledged was lost')
    expect([whole.code, interrupted.code]).toEqual([0, 130])
    expect([whole.left, interrupted.left]).toEqual([[], []])
    expect(interrupted.out).not.toContain('verdict')
  },
)
