// The laws of the source tree that a linter cannot state.

import { builtinModules } from 'node:module'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { bareProducts, circles, impurities, layerOf, misdirection, rankOf } from './laws.ts'
import { pages } from './layersPicture.ts'
import { filesWithTests, hasFunctions } from './ownTests.ts'
import { files, importsOf, parse, type Source, sources, textOf } from './sourceTree.ts'

const CORE = [
  'quantity',
  'collections',
  'hashes',
  'terms',
  'events',
  'domain',
  'projections',
  'engine',
  'history',
  'store',
].map((name) => `src/${name}`)
const core = () =>
  sources('src/index.ts', 'src/internal.ts', ...CORE).filter(
    (file) => !/^src\/store\/(lmdb|postgres)\//.test(file),
  )
const CORE_PACKAGES = ['immer', 'decimal.js', 'nanoid']

/** What means something without a venue around it. */
const BY_THEMSELVES = ['src/quantity', 'src/collections', 'src/hashes', 'src/terms', 'src/domain/formulas']
const PURE = ['src/domain', 'src/events', 'src/terms', 'src/collections', 'src/hashes']
const CODE = ['src', 'test', 'bench', 'examples']

const packageOf = (specifier: string): string =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/')

/** Runs a rule over files and reads as one list of offences, which must be empty. */
const offences = (among: string[], rule: (source: Source) => string[]): string[] =>
  among.flatMap((file) => rule(parse(file)).map((offence) => `${file}: ${offence}`))

describe('tidy', () => {
  test('layers import only from the layers above them', () => {
    const found = offences(sources('src'), (source) =>
      importsOf(source).flatMap(({ specifier, line }) => {
        const rejection = misdirection(source.file, specifier)
        return rejection === undefined ? [] : [`${rejection} (line ${line})`]
      }),
    )
    expect(found).toEqual([])
  })

  test('the picture of the layers is that of the imports: npm run layers -- --accept', () => {
    const { now, wanted } = pages()
    expect(now).toBe(wanted)
  })

  test('no file imports itself by way of others', () => {
    const among = sources('src')
    const imports = among.map((file): [string, string[]] => {
      const targets = importsOf(parse(file)).map(({ specifier }) =>
        path.posix.join(path.posix.dirname(file), specifier),
      )
      return [file, targets.filter((target) => among.includes(target))]
    })
    expect(circles(new Map(imports))).toEqual([])
  })

  test('every folder of src has its place in the order, and every rule its layer', () => {
    const layers = new Set(sources('src').map(layerOf))
    expect([...layers].filter((layer) => layer !== undefined && rankOf(layer) === -1)).toEqual([])
  })

  test('the core imports no Node built-in and no package beyond its three', () => {
    const found = offences(core(), (source) =>
      importsOf(source)
        .filter(({ specifier }) => !specifier.startsWith('.'))
        .filter(
          ({ specifier }) =>
            builtinModules.includes(specifier) || !CORE_PACKAGES.includes(packageOf(specifier)),
        )
        .map(({ specifier, line }) => `${specifier} (line ${line})`),
    )
    expect(found).toEqual([])
  })

  test('the rules and the events know no clock, no chance, no surroundings and no waiting', () => {
    expect(offences(sources(...PURE), impurities)).toEqual([])
  })

  test('stores know no trading but the bytes of a tick', () => {
    const traded = /(account|position|order|market)_?id|position_|trader|leverage|funding|pnl|market/i
    expect(sources('src/store').filter((file) => traded.test(textOf(file)))).toEqual([
      'src/store/commitLog.ts',
      'src/store/log/tickRun.ts',
      'src/store/memoryStore.ts',
    ])
  })

  test('quantities are multiplied and divided only in src/quantity', () => {
    const among = sources('src/terms', 'src/domain', 'src/events', 'src/projections', 'src/engine')
    expect(offences(among, bareProducts)).toEqual([])
  })

  test('whatever means something without a venue around it has a test that imports it', () => {
    const tested = filesWithTests()
    expect(sources(...BY_THEMSELVES).filter((file) => hasFunctions(file) && !tested.has(file))).toEqual([])
  })

  test('every file and folder is named for its concept', () => {
    const vague = /(^|[^a-z]|[a-z](?=[A-Z]))(utils?|helpers?|managers?|common)$/i
    const names = files
      .filter((file) => CODE.some((folder) => file.startsWith(`${folder}/`)))
      .flatMap((file) => file.split('/').map((part) => ({ file, stem: part.replace(/\..*$/, '') })))
    expect(names.filter(({ stem }) => vague.test(stem)).map(({ file }) => file)).toEqual([])
  })

  test('every file starts with what it is for, or with its imports and exports', () => {
    const opening = /^(#!.*\n+)?(\/\/|\/\*|import\b|export\b)(?![^\n]*(copyright|licen[cs]e|spdx))/i
    expect(sources('src').filter((file) => !opening.test(textOf(file)))).toEqual([])
  })

  test('nothing is left for later and no type error is hushed', () => {
    const marks = new RegExp(
      [
        ['TO', 'DO'],
        ['FIX', 'ME'],
        ['@ts-', 'ignore'],
        ['@ts-', 'nocheck'],
      ]
        .map((m) => m.join(''))
        .join('|'),
    )
    expect(sources(...CODE).filter((file) => marks.test(textOf(file)))).toEqual([])
  })

  test('no file mentions the place where it was written', () => {
    const words = new RegExp(
      [
        ['farm', 'studio'],
        ['farm', 'bench'],
      ]
        .map((word) => word.join('-'))
        .join('|'),
      'i',
    )
    expect(files.filter((file) => words.test(file) || words.test(textOf(file)))).toEqual([])
  })
})

describe('the laws themselves refuse what they should', () => {
  test.each([
    [{ a: ['b'], b: ['c'], c: ['a'], d: ['a'] }, ['a ⇄ b ⇄ c']],
    [{ a: ['b', 'c'], b: ['a'], c: ['d'], d: ['c'] }, ['c ⇄ d', 'a ⇄ b']],
    [{ a: ['a'] }, ['a']],
    [{ a: ['b', 'c'], b: ['c'], c: [] }, []],
  ])('circles: %j', (imports, expected) => {
    expect(circles(new Map(Object.entries(imports)))).toEqual(expected)
  })
  const source = (text: string) => parse('example.ts', text)

  test.each([
    ['src/domain/state/a.ts', '../../engine/b.ts'],
    ['src/domain/state/a.ts', '../../index.ts'],
    ['src/domain/state/a.ts', '../formulas/b.ts'],
    ['src/domain/formulas/a.ts', '../evolve/b.ts'],
    ['src/domain/evolve/a.ts', '../triggers/b.ts'],
    ['src/domain/evolve/a.ts', '../flows/b.ts'],
    ['src/domain/flows/a.ts', '../commands/b.ts'],
    ['src/domain/a.ts', '../terms/b.ts'],
    ['src/events/a.ts', '../domain/state/b.ts'],
    ['src/events/a.ts', '../projections/b.ts'],
    ['src/host/a.ts', '../backtest/b.ts'],
    ['src/backtest/a.ts', '../host/b.ts'],
    ['src/store/lmdb/a.ts', '../../engine/b.ts'],
    ['src/store/lmdb/a.ts', '../../domain/state/b.ts'],
    ['src/store/lmdb/a.ts', '../../history/b.ts'],
    ['src/cli/a.ts', '../testing/index.ts'],
    ['src/host/a.ts', '../testing/conformance/index.ts'],
    ['src/engine/a.ts', '../../test/b.ts'],
  ])('%s may not import %s', (file, specifier) => {
    expect(misdirection(file, specifier) ?? (rankOf(layerOf(file) ?? '') === -1 || undefined)).toBeDefined()
  })

  test.each([
    ['src/domain/formulas/a.ts', '../../quantity/b.ts'],
    ['src/domain/commands/a.ts', '../state/b.ts'],
    ['src/domain/flows/a.ts', './b.ts'],
    ['src/testing/a.ts', '../engine/b.ts'],
    ['src/history/a.ts', '../store/b.ts'],
    ['src/host/a.ts', '../index.ts'],
    ['src/cli/a.ts', '../host/index.ts'],
    ['src/cli/a.ts', '../testing/conformance/index.ts'],
    ['src/index.ts', './engine/index.ts'],
  ])('%s may import %s', (file, specifier) => {
    expect(misdirection(file, specifier)).toBeUndefined()
  })

  test.each([
    'Date.now()',
    'new Date(0)',
    'Math.random()',
    'performance.now()',
    'process.env.A',
    'const now = Math.random',
    'globalThis.Date',
    'setTimeout(f, 1)',
    'crypto.randomUUID()',
    'const f = async () => 1',
    'async function f() {}',
    'await f()',
  ])('impure: %s', (text) => expect(impurities(source(text))).not.toEqual([]))

  test.each([
    "const a = 'Date.now()' // await Math.random()",
    'order.process(1)',
    'const a = { process: 1 }',
  ])('pure: %s', (text) => expect(impurities(source(text))).toEqual([]))

  test.each(['a * b', 'a / b', 'a ** b', 'a *= b', 'f(a) /\n g(b)', 'a * 2n', 'a * ONE', '(a + b) * c'])(
    'a product by operator: %s',
    (text) => expect(bareProducts(source(`let a = 1\n${text}`))).not.toEqual([]),
  )

  test.each([
    "export * from 'a'",
    '/** a * b */',
    'const a = /x*y/',
    "'a * b'",
    'function* f() { yield* g() }',
    'minutes * 60_000',
    'Math.floor(now / market.parameters.fundingIntervalMs)',
    '(byte & 0x7f) * scale',
    'block * PER_BLOCK',
  ])('no product by operator: %s', (text) => expect(bareProducts(source(text))).toEqual([]))

  test('imports are found however they are written', () => {
    const text = `
      import a from 'one'
      import type { B } from 'two'
      export * from 'three'
      export { c } from 'four'
      const d = await import('five')
      type E = import('six').E
    `
    expect(importsOf(source(text)).map(({ specifier, typeOnly }) => `${specifier} ${typeOnly}`)).toEqual([
      'one false',
      'two true',
      'three false',
      'four false',
      'five false',
      'six true',
    ])
  })
})
