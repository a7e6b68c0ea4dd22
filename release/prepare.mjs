// Builds what is packed: npm runs it before `npm pack`, before publishing, when the package is installed from git, and after
// `npm ci`. Only an install that leaves out what is needed to build goes on without. `--where-older` builds only what is older
// than its sources.

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
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
  await packPage('host/console', 'bundle', 'bundleConsole')
  await packPage('workbench', 'pageBundle', 'bundleWorkbench')
  await joinServe()
}

/** A page as files, beside the module that finds them there. */
async function packPage(folder, module, bundle) {
  const built = path.join(root, 'dist', folder)
  const { [bundle]: filesOf } = await import(pathToFileURL(path.join(built, `${module}.js`)).href)
  mkdirSync(path.join(built, 'packed'))
  for (const [name, text] of await filesOf(path.join(root, 'src', folder, 'page')))
    writeFileSync(path.join(built, 'packed', name), text)
}

/**
 * The command that a venue starts with, its own modules and those of typebox joined to a few files: opening 1,000 files is most
 * of what a start takes. The entry points of the package stay as they are, so that a program has one copy of everything it
 * imports; the command takes no code from its user.
 */
async function joinServe() {
  const { build } = await import('esbuild')
  const { dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
  const others = Object.keys({ ...dependencies, ...devDependencies }).filter((name) => name !== 'typebox')
  const licence = readFileSync(path.join(root, 'node_modules/typebox/license'), 'utf8').trim()
  await build({
    absWorkingDir: root,
    entryPoints: { serve: 'dist/cli/serve.js' },
    outdir: 'dist/cli',
    chunkNames: 'serve-[name]-[hash]',
    allowOverwrite: true,
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    external: others.flatMap((name) => [name, `${name}/*`]),
    banner: { js: `/*\ntypebox is part of this file.\n\n${licence}\n*/` },
    plugins: [besideItsFiles()],
    logLevel: 'warning',
  })
}

/** The module that finds the files of the console beside itself stays where it is. */
function besideItsFiles() {
  return {
    name: 'beside its files',
    setup: (joined) =>
      joined.onResolve({ filter: /\/console\/files\.js$/ }, () => ({
        path: '../host/console/files.js',
        external: true,
      })),
  }
}
