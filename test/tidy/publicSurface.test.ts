// What the package shows its users changes only deliberately, and says what it is.

import path from 'node:path'
import { expect, test } from 'vitest'
import { surfaceChanges, todaysPages, todaysSurface } from '../api/pages.ts'
import { differences } from '../api/report.ts'
import { type Member, Surface } from '../api/surface.ts'
import { textOf } from './sourceTree.ts'

const surface = todaysSurface()

test('the public surface is the one of docs/api, and the pages that are written from tables say what those do; a change that is meant: npm run api -- --accept', () => {
  expect(surfaceChanges(todaysPages(surface))).toEqual([])
})

test('every export of every entry point has a docstring', () => {
  const bare = surface.flatMap(({ entry, exports }) =>
    exports.filter(({ declared }) => declared.doc === null).map(({ name }) => `${entry}: ${name}`),
  )
  expect(bare).toEqual([])
})

/** A number without a type of its own has to say what it counts; `Quote`, `Base`, `Price`, `Rate` and `Leverage` do. */
const UNIT =
  /\b(epoch ms|ms|milliseconds|quote|base|fp9|a count|how many|sequences?|fraction|from 0|commits|1 to 100)\b/i

const saysNoUnit = ({ type, doc, isMethod }: Member): boolean =>
  !isMethod && !type.startsWith('{') && /\b(number|bigint)\b/.test(type) && !UNIT.test(doc ?? '')

test('every number in a public type of the engine says its unit', () => {
  const types = surface
    .filter(({ entry }) => entry === 'margin-core')
    .flatMap(({ exports, unexported }) => [...exports.map(({ declared }) => declared), ...unexported])
  const silent = types.flatMap(({ name, members }) =>
    members.filter(saysNoUnit).map((member) => `${name}.${member.name}: ${member.type}`),
  )
  expect(silent).toEqual([])
})

test('what is declared without promise is what the promised entry points do not export', () => {
  const internal = surface.find(({ entry }) => entry === 'margin-core/internal')
  const promised = surface.filter((one) => one !== internal).flatMap(({ exports }) => exports)
  const keys = new Set(promised.map(({ declared }) => declared.key))
  expect(internal?.exports.filter(({ declared }) => keys.has(declared.key)).map(({ name }) => name)).toEqual(
    [],
  )
})

test('a declaration that is new, gone or another is named', () => {
  const kept = '```ts\nconst a: 1;\n\ninterface B {\n  c: 2;\n}\n```\n'
  const today = '```ts\ninterface B {\n  c: 3;\n}\n\nfunction d(): void;\n```\n'
  expect(differences(kept, kept)).toEqual([])
  expect(differences(kept, today)).toEqual([
    '- const a: 1;',
    '+ function d(): void;',
    '- interface B {',
    '+ interface B {',
  ])
})

test('the surface is read through re-exports, and what is private or internal is left out', () => {
  const declarations = new Map([
    [
      'index.d.ts',
      "export type { A } from './a.ts';\nexport * from './b.ts';\nexport { c as d } from './a.ts';\n",
    ],
    [
      'a.d.ts',
      `import type { Hidden } from './b.ts';
/** What it is. */
export declare class A {
    #private;
    /** @internal */
    constructor(parts: Unseen);
    /** Epoch ms. */
    get at(): number;
    hidden(): Hidden;
}
interface Unseen {
}
export declare const c: 1;
`,
    ],
    ['b.d.ts', 'export type B = { readonly e: { readonly f: bigint } };\nexport interface Hidden {\n}\n'],
  ])
  const [a, b, , d] = new Surface(declarations).exportsOf('index.d.ts')
  expect(a).toMatchObject({ name: 'A', typeOnly: true, declared: { doc: 'What it is.', isValue: true } })
  expect(a?.declared.text).toBe('class A {\n  get at(): number;\n  hidden(): Hidden;\n}')
  expect(a?.declared.members).toMatchObject([
    { name: 'at', type: 'number', doc: 'Epoch ms.', isMethod: false },
    { name: 'hidden', isMethod: true },
  ])
  expect(a?.declared.names).toEqual(['b.d.ts#Hidden'])
  expect(b?.declared.members.map(({ name }) => name)).toEqual(['e', 'f'])
  expect(d).toMatchObject({ name: 'd', typeOnly: false, declared: { name: 'c' } })
})

test('every entry point of package.json is looked at', () => {
  const { exports } = JSON.parse(textOf('package.json'))
  const entries = Object.keys(exports).filter((entry) => !entry.endsWith('.json'))
  expect(surface.map(({ entry }) => entry)).toEqual(
    entries.map((entry) => path.posix.join('margin-core', entry)),
  )
})
