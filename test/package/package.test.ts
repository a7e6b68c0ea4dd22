// The package as its users get it: built, packed, installed without any optional peer, imported and typechecked.

import { execFileSync, spawnSync } from 'node:child_process'
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
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { blocksOf } from '../docs/examples.ts'
import { NEEDS_NEWER_NODE, NEWER_NODE } from '../newerNode.ts'
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
  'margin-core/codec': ['encodeCommit', 'decodeCommit', 'MalformedBytes'],
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
  const stricter = ['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false']
  run(tsc, [...options, ...stricter, '--ignoreConfig', name], consumer)
}

/** Installs optional peers by linking to those of the checkout. */
function addPeers(...names: string[]): void {
  mkdirSync(path.join(consumer, 'node_modules'), { recursive: true })
  for (const name of names)
    symlinkSync(path.join(root, 'node_modules', name), path.join(consumer, 'node_modules', name))
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

test('the embedding example of the README typechecks for the strictest consumer', () => {
  const [example = ''] = blocksOf(readFileSync(path.join(root, 'README.md'), 'utf8'))
  typecheck(
    'readme.ts',
    `declare const console: { log(...values: unknown[]): void }\n${example}\nexport {}\n`,
  )
})

test('margin-core/testing typechecks for a strict consumer that has fast-check', () => {
  addPeers('fast-check')
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

describe('the command line of the installed package', () => {
  /** Types that are only types: Node from 22.18 on can strip them. */
  const STRATEGY = `import type { Strategy } from 'margin-core/backtest'

export const parameters = { fall: 3 }

export default function pullback({ asset, fall }: { asset: string; fall: number }): Strategy {
  let last = 0n
  return {
    name: 'buys every fall',
    async onBar(bar, context) {
      const fell = last > 0n && bar.close * 1000n < last * BigInt(1000 - fall)
      last = bar.close
      if (!fell || context.positions(asset).length > 0) return
      const stopLoss = (bar.close * 98n) / 100n
      const takeProfit = (bar.close * 103n) / 100n
      const sizeBy = { risk: '0.5%' }
      await context.open({ asset, direction: 'long', sizeBy, leverage: '5', stopLoss, takeProfit })
    },
  }
}
`
  const WORK = {
    sweep: ['--days', '2', '--vary', 'fall=1,2,3,4'],
    evaluate: ['--horizon', '2', '--paths', '20'],
  }

  function marginCore(node: string, ...args: string[]) {
    const program = path.join(consumer, 'node_modules/margin-core/dist/cli/main.js')
    const { status, stdout, stderr } = spawnSync(node, [program, ...args], {
      cwd: consumer,
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  function inWorkers(work: keyof typeof WORK, strategy: string, workers: number, node = process.execPath) {
    const options = ['--strategy', strategy, '--workers', String(workers), '--json']
    const { status, stdout, stderr } = marginCore(node, work, ...WORK[work], ...options)
    expect([status, stdout === '' ? stderr : 'printed']).toEqual([0, 'printed'])
    return stdout
  }

  test('names the packages it needs where they are not installed', () => {
    expect(marginCore(process.execPath, 'backtest')).toEqual({
      status: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: .*: npm install commander [^\n]+\n$/),
    })
    addPeers('commander', 'asciichart', 'cli-progress', 'picocolors', 'trading-signals')
    expect(marginCore(process.execPath, 'backtest', '--days', '1').status).toBe(0)
  })

  test('names tsx where a strategy needs it', () => {
    // An enum is more than a type: no version of Node takes it by itself.
    writeFileSync(
      path.join(consumer, 'enum.ts'),
      'enum Side { Long }\nexport default () => ({ name: Side[0] })\n',
    )
    const { status, stderr } = marginCore(process.execPath, 'backtest', '--strategy', './enum.ts')
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: .*npm install tsx[^\n]*\n$/)])
    addPeers('tsx')
    expect(marginCore(process.execPath, 'backtest', '--days', '1', '--strategy', './enum.ts').status).toBe(0)
  })

  test.each(['sweep', 'evaluate'] as const)(
    '%s: the same bytes from one worker and from several, with a strategy of TypeScript or JavaScript',
    (work) => {
      writeFileSync(path.join(consumer, 'mine.ts'), STRATEGY)
      const untyped = STRATEGY.replace(/^import type.*\n/, '').replace(
        /: Strategy|: \{ asset: .* \}(?=\))/g,
        '',
      )
      writeFileSync(path.join(consumer, 'mine.mjs'), untyped)
      const alone = inWorkers(work, './mine.ts', 1)
      expect(inWorkers(work, './mine.ts', 2)).toBe(alone)
      expect(inWorkers(work, './mine.mjs', 3)).toBe(inWorkers(work, './mine.mjs', 1))
    },
  )

  test.skipIf(NEWER_NODE === null).each(['sweep', 'evaluate'] as const)(
    `%s: the same bytes on a newer Node (${NEEDS_NEWER_NODE})`,
    (work) => {
      writeFileSync(path.join(consumer, 'mine.ts'), STRATEGY)
      expect(inWorkers(work, './mine.ts', 2, NEWER_NODE as string)).toBe(inWorkers(work, './mine.ts', 2))
    },
  )
})
