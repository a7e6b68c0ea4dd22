// The package as its users get it: built, packed, installed without any optional peer, imported and typechecked.

import { execFileSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { importGraph } from './importGraph.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Names every release must export. Add to the list when an entry point gains something people rely on. */
const EXPORTS = {
  'margin-core': [
    'VERSION',
    'createEngine',
    'openEngine',
    'fp9',
    'parseFp9',
    'reducePosition',
    'ERRORS',
    'MemoryStore',
  ],
}

/** What the core may load at run time, and nothing else. */
const CORE_PACKAGES = ['immer', 'decimal.js', 'nanoid']

let consumer: string

function run(command: string, args: string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')}\n${stdout}\n${stderr}`)
  }
}

function typecheck(name: string, text: string): void {
  writeFileSync(path.join(consumer, name), text)
  const tsc = path.join(root, 'node_modules/.bin/tsc')
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2023', '--module', 'nodenext']
  run(tsc, [...options, '--ignoreConfig', '--skipLibCheck', 'false', name], consumer)
}

beforeAll(() => {
  consumer = mkdtempSync(path.join(tmpdir(), 'margin-core-consumer-'))
  run('npm', ['run', 'build'], root)
  run('npm', ['pack', '--ignore-scripts', '--pack-destination', consumer], root)
  const tarball = readdirSync(consumer).find((name) => name.endsWith('.tgz'))
  writeFileSync(path.join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const omit = ['--omit=optional', '--omit=peer', '--ignore-scripts', '--prefer-offline']
  run('npm', ['install', ...omit, '--no-audit', '--no-fund', `./${tarball}`], consumer)
})

afterAll(() => rmSync(consumer, { recursive: true, force: true }))

test('installs only the three run-time dependencies', () => {
  const installed = readdirSync(path.join(consumer, 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(installed.sort()).toEqual(['margin-core', ...CORE_PACKAGES].sort())
})

test.each(Object.entries(EXPORTS))('%s exports what it promises to a plain module', (entry, names) => {
  const text = `import * as entry from '${entry}'\nconsole.log(JSON.stringify(Object.keys(entry)))\n`
  writeFileSync(path.join(consumer, 'consumer.mjs'), text)
  const exported = JSON.parse(run('node', ['consumer.mjs'], consumer))
  expect(exported).toEqual(expect.arrayContaining(names))
})

test('margin-core typechecks for a strict consumer without Node types', () => {
  typecheck(
    'core.ts',
    `import { createEngine, fp9, type OrderRecord, type Outcome } from 'margin-core'
const engine = createEngine({ seed: 'typed' })
const outcome = engine.dispatch({ type: 'cancelOrder', orderId: 'none' })
export const code: string = outcome.ok ? (outcome.value satisfies OrderRecord).id : outcome.error.code
export const price: bigint = fp9('1.5')
export type Any = Outcome<{ type: 'closeAll'; accountId: string }>
`,
  )
})

test('margin-core/testing typechecks for a strict consumer that has fast-check', () => {
  mkdirSync(path.join(consumer, 'node_modules'), { recursive: true })
  symlinkSync(path.join(root, 'node_modules/fast-check'), path.join(consumer, 'node_modules/fast-check'))
  typecheck(
    'testing.ts',
    "import type * as testing from 'margin-core/testing'\nexport type Names = keyof typeof testing\n",
  )
})

test('every entry point and binary of package.json is in the tarball', () => {
  const at = path.join(consumer, 'node_modules/margin-core')
  const { exports, bin } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'))
  const targets = JSON.stringify([Object.values(exports), bin]).match(/\.\/[^"]+/g) ?? []
  const shipped = readdirSync(at, { recursive: true, encoding: 'utf8' }).map((file) => `./${file}`)
  expect(targets.filter((target) => !shipped.includes(target))).toEqual([])
})

test('the core loads no Node built-in and no package beyond its three', () => {
  const { external } = importGraph(path.join(root, 'dist/index.js'))
  expect([...external].filter((name) => !CORE_PACKAGES.includes(name))).toEqual([])
})
