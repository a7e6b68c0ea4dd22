// The package installed whole, as strangers install it: from a tarball, from git and by its name from a registry that it was
// published to, on several versions of Node. Takes minutes and the registry, so it runs at night; what needs neither is in
// test/package.
//
//   npm run installs [-- VERSION …]

import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { LocalRegistry } from './localRegistry.ts'

const root = path.resolve(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))
/** The oldest that `engines` promises, and the last of every line. */
const VERSIONS = process.argv.length > 2 ? process.argv.slice(2) : ['20.0.0', '20', '22', '24']
const ENTRIES = Object.keys(manifest.exports)
  .filter((name) => name !== './package.json')
  .map((name) => name.replace(/^\./, manifest.name))

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-installs-'))
let failed = 0
try {
  const clone = path.join(folder, 'clone')
  run('git', ['clone', '--quiet', root, clone], folder)
  const fromGit = consumer('from-git', `git+file://${clone}`)
  attempt('from git: every entry point', () => importAll(process.execPath, fromGit))
  symlinkSync(path.join(root, 'node_modules'), path.join(clone, 'node_modules'))
  run('npm', ['pack', '--pack-destination', folder], clone)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) as string
  const installed = consumer('from-tarball', path.join(folder, tarball))
  for (const version of VERSIONS) {
    const node = nodeOf(version)
    if (node === null) continue
    const name = run(node, ['--version'], folder).trim()
    attempt(`${name}: every entry point`, () => importAll(node, installed))
    const program = path.join(installed, 'node_modules', manifest.name, manifest.bin['margin-core'])
    attempt(`${name}: margin-core --help`, () => run(node, [program, '--help'], installed))
    attempt(`${name}: margin-core backtest`, () => run(node, [program, 'backtest', '--days', '2'], installed))
    attempt(`${name}: a durable log`, () => run(node, ['durable.mjs'], installed))
  }
  await published(path.join(folder, tarball))
  for (const project of readdirSync(path.join(root, 'examples')).filter((name) => name !== 'README.md'))
    attempt(`the example ${project}`, () => runExample(project, path.join(folder, tarball)))
} finally {
  rmSync(folder, { recursive: true, force: true })
}
process.exitCode = failed === 0 ? 0 : 1

/** Published to a registry of this machine, and installed from there by its name. */
async function published(tarball: string): Promise<void> {
  const node = nodeOf('22')
  if (node === null) return
  let registry: LocalRegistry
  try {
    registry = await LocalRegistry.start(folder, node)
  } catch (error) {
    console.log(`- no registry of this machine: ${error instanceof Error ? error.message : String(error)}`)
    return
  }
  try {
    attempt('npm publish', () => run('npm', registry.publishing(tarball), folder))
    attempt('by its name: every entry point, and the program', () => {
      const at = consumer('by-name', '--registry', registry.url, manifest.name)
      importAll(process.execPath, at)
      run('npx', ['--no-install', 'margin-core', 'backtest', '--days', '2'], at)
    })
  } finally {
    await registry.stop()
  }
}

function consumer(name: string, ...packages: string[]): string {
  const at = path.join(folder, name)
  run(process.execPath, ['-e', 'fs.mkdirSync(process.argv[1])', at], folder)
  writeFileSync(path.join(at, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  // Strict: a package among all of them that asks for a newer Node ends it.
  run('npm', ['install', '--engine-strict', '--no-audit', '--no-fund', ...packages], at)
  writeFileSync(
    path.join(at, 'all.mjs'),
    ENTRIES.map((entry) => `if (Object.keys(await import('${entry}')).length === 0) throw '${entry}'`).join(
      '\n',
    ),
  )
  writeFileSync(
    path.join(at, 'durable.mjs'),
    `import { openEngine } from 'margin-core'
import { openLmdbStore } from 'margin-core/store-lmdb'
import { mkdtempSync } from 'node:fs'
const at = mkdtempSync('log-')
const store = await openLmdbStore(at)
const first = await openEngine({ seed: 'installs', store })
await first.send({ type: 'advanceTime' }, { at: Date.UTC(2026, 0, 5) })
const head = first.head
await first.close()
const again = await openLmdbStore(at)
const second = await openEngine({ store: again })
if (second.head !== head) throw new Error('the log came back with ' + second.head + ' of ' + head)
await second.close()
`,
  )
  return at
}

/** As its README says, but for where the package comes from; every script of it. */
function runExample(project: string, tarball: string): void {
  const at = path.join(folder, project)
  cpSync(path.join(root, 'examples', project), at, { recursive: true })
  run('npm', ['install', '--no-audit', '--no-fund', tarball], at)
  const { scripts } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'))
  for (const script of Object.keys(scripts)) run('npm', ['run', script], at)
}

function importAll(node: string, at: string): void {
  run(node, ['all.mjs'], at)
}

/** A version of Node as the registry has it for this machine; null, and said, where it has none. */
function nodeOf(version: string): string | null {
  const platform = process.platform === 'win32' ? 'win' : process.platform
  const name = `node-${platform}-${process.arch}`
  const at = path.join(folder, `node-${version}`)
  try {
    run('npm', ['install', '--no-save', '--no-audit', '--prefix', at, `${name}@${version}`], folder)
    return path.join(at, 'node_modules', name, 'bin/node')
  } catch {
    console.log(`- Node ${version} could not be had`)
    return null
  }
}

function attempt(what: string, work: () => void): void {
  try {
    work()
    console.log(`✓ ${what}`)
  } catch (error) {
    failed++
    console.log(`✗ ${what}\n${error instanceof Error ? error.message : String(error)}`)
  }
}

function run(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
  }
}
