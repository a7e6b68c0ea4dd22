// A program of many files as one, which starts in less than half of the processor time: for tests that start it often.

import { copyFileSync, existsSync, symlinkSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buildSync } from 'esbuild'
import { madeOnce } from './madeOnce.ts'

const root = path.resolve(import.meta.dirname, '..')

/** Some packages in it are not modules, and ask for each other as such packages do. */
const REQUIRE =
  "import { createRequire as asPackagesDo } from 'node:module'; const require = asPackagesDo(import.meta.url);"

/** Bundles what begins in `entry`, a path from the root, into a file in `folder`; gives the file to run. */
export function bundle(entry: string, folder: string, extension = 'mjs'): string {
  const modules = path.join(folder, 'node_modules')
  if (!existsSync(modules)) symlinkSync(path.join(root, 'node_modules'), modules)
  const outfile = path.join(folder, `${path.basename(entry, '.ts')}.${extension}`)
  const made = madeOnce(`${entry}.${extension}`, (file) => build(entry, file))
  if (made === null) build(entry, outfile)
  else copyFileSync(made, outfile)
  return outfile
}

/** Of another tree of sources, where one is named. */
export function build(entry: string, outfile: string, tree = root): void {
  buildSync({
    entryPoints: [path.join(tree, entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    banner: { js: REQUIRE },
    // Has parts in C, which it looks for beside itself.
    external: ['lmdb'],
  })
}

/** The command with the file of its threads, which it looks for beside itself. */
export function bundleWithThreads(folder: string): string {
  writeFileSync(path.join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  bundle('src/backtest/workers/worker.ts', folder, 'js')
  return bundle('src/cli/main.ts', folder)
}
