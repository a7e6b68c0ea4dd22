// Builds what is packed: npm runs it before `npm pack`, before publishing, when the package is installed from git, and after
// `npm ci`. Only an install that leaves out what is needed to build goes on without. `--where-older` builds only what is older
// than its sources.

import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'

const root = path.resolve(import.meta.dirname ?? path.dirname(new URL(import.meta.url).pathname), '..')
const withoutTools = (process.env.npm_config_omit ?? '').split(/\s+/).includes('dev')

if (process.argv.includes('--where-older') && isBuiltSince(path.join(root, 'src'))) process.exit(0)

if (withoutTools && !existsSync(path.join(root, 'node_modules/typescript')))
  console.error('dist is not built: development dependencies are left out of this install')
else await build()

function isBuiltSince(sources) {
  const built = path.join(root, 'dist/index.js')
  if (!existsSync(built)) return false
  const { mtimeMs } = statSync(built)
  return readdirSync(sources, { recursive: true }).every(
    (file) => statSync(path.join(sources, file)).mtimeMs <= mtimeMs,
  )
}

async function build() {
  rmSync(path.join(root, 'dist'), { recursive: true, force: true })
  const manifest = createRequire(path.join(root, 'package.json')).resolve('typescript/package.json')
  const compiler = path.join(path.dirname(manifest), 'bin/tsc')
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], { cwd: root, stdio: 'inherit' })
  for (const page of ['backtest/report/page', 'style'])
    cpSync(path.join(root, 'src', page), path.join(root, 'dist', page), {
      recursive: true,
      filter: (file) => !file.endsWith('.ts'),
    })
  await packConsole()
}

async function packConsole() {
  const built = path.join(root, 'dist/host/console')
  const { bundleConsole } = await import(pathToFileURL(path.join(built, 'bundle.js')).href)
  mkdirSync(path.join(built, 'packed'))
  for (const [name, text] of await bundleConsole(path.join(root, 'src/host/console/page')))
    writeFileSync(path.join(built, 'packed', name), text)
}
