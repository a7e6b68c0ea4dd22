// How much of the core a browser downloads, and how long people wait for the program. Starting is timed from outside, as the
// shell does; the best of some starts counts.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { buildSync } from 'esbuild'
import type { Figure, Line } from './figure.ts'

const root = path.resolve(import.meta.dirname, '..')
const program = path.join(root, 'dist/cli/main.js')

export const start: Figure = {
  name: 'start',
  about: 'compressed size of the core, and the start of the built program',
  async run({ quick }) {
    execFileSync(process.execPath, [path.join(root, 'release/prepare.mjs')], { cwd: root })
    const rounds = quick ? 2 : 7
    return [
      bundle(
        'the core, for who makes an engine',
        "export { createEngine, fp9 } from './src/index.ts'",
        '60 kB',
      ),
      bundle(
        'the core, with what prints decimals',
        "export { createEngine, formatDecimal, fp9 } from './src/index.ts'",
      ),
      bundle('the core, every export', "export * from './src/index.ts'"),
      await started('margin-core --help', '300 ms', rounds, async () => {
        spawnSync(process.execPath, [program, '--help'])
      }),
      await started('margin-core serve, to listening', '1,000 ms', rounds, () =>
        listening([program, 'serve', '--port', '0']),
      ),
    ]
  },
}

function bundle(what: string, contents: string, aim?: string): Line {
  const { outputFiles } = buildSync({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    bundle: true,
    minify: true,
    write: false,
    platform: 'browser',
    format: 'esm',
  })
  const bytes = brotliCompressSync(outputFiles[0]?.contents ?? '').length
  return { what, value: bytes / 1000, unit: ' kB', ...(aim !== undefined && { aim }) }
}

/** Beside a Node that does nothing. */
async function started(what: string, aim: string, rounds: number, once: () => Promise<void>): Promise<Line> {
  const times = { program: Number.POSITIVE_INFINITY, node: Number.POSITIVE_INFINITY }
  for (let round = 0; round < rounds; round++) {
    times.node = Math.min(
      times.node,
      await timed(async () => {
        spawnSync(process.execPath, ['--eval', '0'])
      }),
    )
    times.program = Math.min(times.program, await timed(once))
  }
  const floor = { what: 'node that does nothing', value: times.node, times: times.program / times.node }
  return { what, value: times.program, unit: ' ms', aim, floor }
}

async function timed(work: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

/** Until the server says that it listens; its end is not waited for. */
function listening(args: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    const server = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'ignore'] })
    server.stdout.on('data', (text) => {
      if (!String(text).includes('listening on')) return
      resolve()
      server.kill('SIGKILL')
    })
    server.on('error', reject)
    server.on('exit', (code) => reject(new Error(`it ended with ${code} before it listened`)))
  })
}
