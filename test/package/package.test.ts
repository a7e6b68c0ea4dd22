// The package as its users get it: packed from a clone, installed, and every entry point used in every way there is.

import { execFileSync, spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
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
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IS_BRIEF } from '../atLength.ts'
import { blocksOf } from '../docs/examples.ts'
import { isAsShown } from '../docs/steps.ts'
import { NEEDS_NEWER_NODE, NEWER_NODE } from '../newerNode.ts'
import { builtClone, tarballIn } from './builtClone.ts'
import { importGraph } from './importGraph.ts'
import { goThrough } from './learningPaths.ts'

const root = path.resolve(import.meta.dirname, '../..')

/** Names every release must export, one set per entry point. Add to it when one gains something people rely on. */
const EXPORTS = {
  'margin-core': ['VERSION', 'createEngine', 'openEngine', 'fp9', 'parseFp9', 'reducePosition', 'ERRORS'],
  'margin-core/codec': ['encodeCommit', 'decodeCommit', 'MalformedBytes'],
  'margin-core/internal': ['earlierOutcome'],
  'margin-core/testing': ['lawful', 'drive', 'LAWS'],
  'margin-core/store-lmdb': ['openLmdbStore'],
  'margin-core/store-postgres': ['openPostgresStore'],
  'margin-core/backtest': ['runBacktest', 'openFeed', 'loadStrategy'],
  'margin-core/client': ['MarginTradingClient', 'ApiError'],
  'margin-core/host': ['marginTradingApi', 'openVenue', 'serveVenue'],
}
/** Those that need nothing but the core's packages. */
const ALONE = ['margin-core', 'margin-core/client', 'margin-core/codec', 'margin-core/internal']

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

const STRICTEST = [
  // Another file has the other processor.
  ...['--singleThreaded', '--noEmit', '--strict', '--ignoreConfig', '--target', 'es2022', '--lib', 'es2023'],
  ...['--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess'],
]

function typecheck(name: string, text: string, ...options: string[]): void {
  writeFileSync(path.join(consumer, name), text)
  const chosen = options.length > 0 ? options : ['--module', 'nodenext', '--skipLibCheck', 'false']
  run(path.join(root, 'node_modules/.bin/tsc'), [...STRICTEST, ...chosen, name], consumer)
}

/** Puts packages beside it by linking to those of the checkout: what is not put there it cannot find. */
function addPackages(...names: string[]): void {
  for (const name of names) {
    const at = path.join(consumer, 'node_modules', name)
    mkdirSync(path.dirname(at), { recursive: true })
    if (!existsSync(at)) symlinkSync(path.join(root, 'node_modules', name), at)
  }
}

const manifest = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'))

beforeAll(() => {
  consumer = mkdtempSync(path.join(tmpdir(), 'margin-core-consumer-'))
  writeFileSync(path.join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const at = path.join(consumer, 'node_modules', manifest.name)
  mkdirSync(at, { recursive: true })
  run('tar', ['-xzf', tarballIn(builtClone()), '-C', at, '--strip-components=1'], consumer)
  addPackages(...CORE_PACKAGES)
}, 600_000)

afterAll(() => rmSync(consumer, { recursive: true, force: true }))

const exportedBy = (program: string): string[] => {
  const file = `consumer.${program.includes('require(') ? 'cjs' : 'mjs'}`
  writeFileSync(path.join(consumer, file), program)
  return JSON.parse(run('node', [file], consumer))
}

const listed = (entries: string[]) =>
  JSON.stringify(entries.map((entry) => EXPORTS[entry as keyof typeof EXPORTS]))

/** Prints what is missing of what the entry points promise. */
const missingOf = (entries: string[], modules: string) =>
  `${modules}\nconst promised = ${listed(entries)}\nconsole.log(JSON.stringify(promised.flatMap((names, at) => names.filter((name) => !(name in modules[at])))))\n`

const asModule = (entries: string[]) =>
  missingOf(
    entries,
    `${entries.map((entry, n) => `import * as m${n} from '${entry}'`).join('\n')}\nconst modules = [${entries.map((_, n) => `m${n}`)}]`,
  )

const asCommonJs = (entries: string[]) =>
  missingOf(entries, `const modules = [${entries.map((entry) => `require('${entry}')`)}]`)

test('the entry points of the core work with its three packages alone', () => {
  expect(exportedBy(asModule(ALONE))).toEqual([])
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

test('every entry point and binary of package.json is in the tarball', () => {
  const at = path.join(consumer, 'node_modules/margin-core')
  const { exports, bin } = JSON.parse(readFileSync(path.join(at, 'package.json'), 'utf8'))
  const targets = JSON.stringify([Object.values(exports), bin]).match(/\.\/[^"]+/g) ?? []
  const shipped = readdirSync(at, { recursive: true, encoding: 'utf8' }).map((file) => `./${file}`)
  expect(targets.filter((target) => !shipped.includes(target))).toEqual([])
})

test('nothing that is installed with it asks for a newer Node than it does itself', () => {
  const { packages } = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8'))
  const [oldest] = /\d+/.exec(manifest.engines.node) ?? []
  const asking = Object.entries<{ dev?: true; devOptional?: true; engines?: { node?: string } }>(packages)
    .filter(([at, { dev, devOptional }]) => at !== '' && !dev && !devOptional)
    .filter(([, { engines }]) => !allows(engines?.node ?? '*', Number(oldest)))
  expect(asking.map(([at]) => at)).toEqual([])
})

/** Whether one of the ranges begins at the first version of a line, or before it. */
const allows = (ranges: string, line: number): boolean =>
  ranges.split('||').some((range) => {
    const [, kind, major, rest] = /^\s*(>=|\^|~)?\s*(\d+)([.\d]*)/.exec(range) ?? []
    if (major === undefined) return range.trim() === '*'
    if (Number(major) === line) return /^[.0]*$/.test(rest as string)
    return kind === '>=' && Number(major) < line
  })

test('the core loads no Node built-in and no package beyond its three', () => {
  const { external } = importGraph(path.join(consumer, 'node_modules/margin-core/dist/index.js'))
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

  const program = () => path.join(consumer, 'node_modules/margin-core/dist/cli/main.js')

  function marginCore(node: string, ...args: string[]) {
    const { status, stdout, stderr } = spawnSync(node, [program(), ...args], {
      cwd: consumer,
      encoding: 'utf8',
    })
    return { status, stdout, stderr }
  }

  const printed = new Map<string, string>()
  /** What a study prints; the same one is run once. */
  function inWorkers(work: keyof typeof WORK, strategy: string, workers: number, node = process.execPath) {
    const study = [work, strategy, workers, node].join(' ')
    const before = printed.get(study)
    if (before !== undefined) return before
    const options = ['--strategy', strategy, '--workers', String(workers), '--json']
    const { status, stdout, stderr } = marginCore(node, work, ...WORK[work], ...options)
    expect([status, stdout === '' ? stderr : 'printed']).toEqual([0, 'printed'])
    printed.set(study, stdout)
    return stdout
  }

  test('needs nothing that was not installed with it', () => {
    addPackages(...Object.keys(manifest.dependencies))
    expect(marginCore(process.execPath, 'backtest', '--days', '1').status).toBe(0)
  })

  test('serves a venue with its console and its pages', async () => {
    const served = spawn(process.execPath, [program(), 'serve', '--port', '0'], { cwd: consumer })
    try {
      const url = await new Promise<string>((resolve, reject) => {
        served.stdout.on('data', (text) => {
          const [, address] = /^listening on (\S+)$/m.exec(String(text)) ?? []
          if (address !== undefined) resolve(address)
        })
        served.on('exit', (code) => reject(new Error(`it ended with ${code} before it listened`)))
      })
      const pages = ['/console', '/console/console.js', '/console/charts.js', '/docs', '/docs/swagger-ui.css']
      const answers = await Promise.all(pages.map((page) => fetch(`${url}${page}`)))
      expect(answers.map(({ status }) => status)).toEqual(pages.map(() => 200))
    } finally {
      served.kill('SIGKILL')
    }
  })

  test('a venue starts from a few files: none of typebox, whose hundreds are part of them', () => {
    const { modules, external } = importGraph(path.join(path.dirname(program()), 'serve.js'))
    expect([...external].filter((name) => name.startsWith('typebox'))).toEqual([])
    expect(modules.length).toBeLessThan(20)
  })

  test('names tsx where a strategy needs it', () => {
    // An enum is more than a type: no version of Node takes it by itself.
    writeFileSync(
      path.join(consumer, 'enum.ts'),
      'enum Side { Long }\nexport default () => ({ name: Side[0] })\n',
    )
    const { status, stderr } = marginCore(process.execPath, 'backtest', '--strategy', './enum.ts')
    expect([status, stderr]).toEqual([2, expect.stringMatching(/^error: .*npm install tsx[^\n]*\n$/)])
    addPackages('tsx')
    expect(marginCore(process.execPath, 'backtest', '--days', '1', '--strategy', './enum.ts').status).toBe(0)
  })

  test.skipIf(IS_BRIEF).each(['sweep', 'evaluate'] as const)(
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
      expect(inWorkers(work, './mine.mjs', 3).replaceAll('mine.mjs', 'mine.ts')).toBe(alone)
    },
  )

  test.skipIf(IS_BRIEF || NEWER_NODE === null).each(['sweep', 'evaluate'] as const)(
    `%s: the same bytes on a newer Node (${NEEDS_NEWER_NODE})`,
    (work) => {
      writeFileSync(path.join(consumer, 'mine.ts'), STRATEGY)
      expect(inWorkers(work, './mine.ts', 2, NEWER_NODE as string)).toBe(inWorkers(work, './mine.ts', 2))
    },
  )
})

describe('with its dependencies', () => {
  beforeAll(() => addPackages(...Object.keys(manifest.dependencies)))

  const everything = Object.keys(EXPORTS)

  test('every entry point of package.json is asked for here', () => {
    const entries = Object.keys(manifest.exports).filter((name) => name !== './package.json')
    expect(entries.map((name) => name.replace(/^\./, 'margin-core')).sort()).toEqual(everything.sort())
  })

  test.skipIf(IS_BRIEF).each([
    ['Embed it', 5],
    ['Trade with it', 4],
  ])('docs/learning.md, %s: what is typed compiles, runs and prints what the page says', (way, programs) => {
    addPackages('tsx', '@types/node')
    const { folder, saved, ran, notRun } = goThrough(way, consumer)
    for (const { command, printed, shown } of ran)
      expect([command, shown !== null && isAsShown(printed, shown) ? shown : printed]).toEqual([
        command,
        shown,
      ])
    expect(ran).toHaveLength(programs)
    expect(notRun.filter((command) => !/^npm |^npx margin-core serve$/.test(command))).toEqual([])
    const settings = [
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
      '--types',
      'node',
    ]
    run(path.join(root, 'node_modules/.bin/tsc'), [...STRICTEST, ...settings, ...saved], folder)
  })

  test('every entry point works from a module', () => {
    expect(exportedBy(asModule(everything))).toEqual([])
  })

  test('every entry point works from CommonJS where Node can require modules', () => {
    if (process.features.require_module !== undefined) expect(exportedBy(asCommonJs(everything))).toEqual([])
    const imported = `const modules = await Promise.all([${everything.map((entry) => `import('${entry}')`)}])`
    writeFileSync(path.join(consumer, 'later.cjs'), `(async () => {${missingOf(everything, imported)}})()`)
    expect(JSON.parse(run('node', ['later.cjs'], consumer))).toEqual([])
  })

  test.each<[resolution: string, file: string]>([
    ['node16', 'module.mts'],
    ['nodenext', 'module.mts'],
    // Looks into the declarations of all packages.
    ...(IS_BRIEF ? [] : ([['nodenext', 'common.cts']] as [string, string][])),
    ['bundler', 'bundled.ts'],
  ])('every entry point has types under the strictest settings: %s, %s', (resolution, file) => {
    addPackages('@types/node')
    const uses = everything.map(
      (entry, n) => `import { ${EXPORTS[entry as keyof typeof EXPORTS][0]} as e${n} } from '${entry}'`,
    )
    const module = resolution === 'bundler' ? ['esnext', '--moduleResolution', 'bundler'] : [resolution]
    const skip = ['--skipLibCheck', String(file !== 'common.cts'), '--types', 'node']
    typecheck(
      file,
      `${uses.join('\n')}\nexport const used = [${everything.map((_, n) => `e${n}`)}]\n`,
      '--module',
      ...module,
      ...skip,
    )
  })

  test('whatever a declaration imports comes with types, and with the package', () => {
    const dist = path.join(consumer, 'node_modules/margin-core/dist')
    const declarations = readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.d.ts'),
    )
    const imported = declarations.flatMap((name) =>
      [...readFileSync(path.join(dist, name), 'utf8').matchAll(/^[^*]* from '([^.'][^']*)'/gm)].map(
        ([, from = '']) => /^(@[^/]+\/)?[^/]+/.exec(from)?.[0] ?? from,
      ),
    )
    const packages = [...new Set(imported)].filter((name) => !name.startsWith('node:'))
    expect(packages).toEqual(expect.arrayContaining(['fastify', 'pg']))
    const { dependencies } = manifest as { dependencies: object }
    const untyped = packages.filter((name) => {
      const own = JSON.parse(readFileSync(path.join(root, 'node_modules', name, 'package.json'), 'utf8'))
      const hasTypes = 'types' in own || 'typings' in own || JSON.stringify(own.exports ?? '').includes('.d.')
      return !((hasTypes && name in dependencies) || `@types/${name}` in dependencies)
    })
    expect(untyped).toEqual([])
  })

  test('the core bundles for a browser, and runs without anything of Node', async () => {
    writeFileSync(
      path.join(consumer, 'browser.js'),
      `import { createEngine, VERSION } from 'margin-core'
globalThis.result = [VERSION, createEngine({ seed: 'browser' }).head]`,
    )
    const { outputFiles } = await build({
      entryPoints: [path.join(consumer, 'browser.js')],
      bundle: true,
      write: false,
      minify: true,
      platform: 'browser',
      format: 'iife',
    })
    const [bundled] = outputFiles
    const page: { result?: unknown; crypto: unknown } = { crypto: globalThis.crypto }
    runInNewContext(bundled?.text ?? '', page)
    expect(JSON.stringify(page.result)).toBe(JSON.stringify([manifest.version, 1]))
  })
})
