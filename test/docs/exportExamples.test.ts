/** What the docstrings of exports show runs, and gives what they say. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { todaysSurface } from '../api/pages.ts'
import { shownBy } from '../api/shownBy.ts'
import type { Declared, Exported } from '../api/surface.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { textOf } from '../tidy/sourceTree.ts'
import { blocksOf } from './examples.ts'
import { runExamplesOf } from './exportExamples.ts'

if (whyNoServer !== null) console.warn(`examples over PostgreSQL are not run: ${whyNoServer}`)

let server: PostgresServer | null = null
beforeAll(async () => {
  if (whyNoServer === null) server = await PostgresServer.start()
}, 60_000)
afterAll(() => server?.stop())

/** The URL of a database that has nothing in it yet; null where there is no server. */
async function emptyDatabase(name: string): Promise<string | null> {
  await server?.query(`CREATE DATABASE ${name}`)
  return server === null ? null : server.url.replace(/postgres$/, name)
}

const surface = todaysSurface().filter(({ entry }) => entry !== 'margin-core/internal')

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every example in a docstring runs and gives what it states',
  async (name, entry) => {
    const database = await emptyDatabase(name.replaceAll(/\W/g, '_'))
    const compared = await runExamplesOf(entry, surface, database)
    expect(compared.map(({ line, actual }) => `${line} // → ${actual}`)).toEqual(
      compared.map(({ line, expected }) => `${line} // → ${expected}`),
    )
  },
)

/**
 * Functions and classes, and constants that are called or handed over as they are: recipes, plugins, projections. An error is
 * thrown to its reader, who meets it in the `@throws` of what throws it.
 */
const isCalled = ({ typeOnly, declared }: Exported): boolean =>
  !typeOnly &&
  /^(function|class) |^const \w+: .*(=>|Recipe;|Plugin|Projection<)/.test(declared.text) &&
  !/^class \w+ extends \w*Error /.test(declared.text)

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every export that is called or handed over has an example',
  (_, { exports }) => {
    const bare = exports.filter((one) => isCalled(one) && blocksOf(one.declared.doc ?? '').length === 0)
    expect(bare.map(({ name }) => name)).toEqual([])
  },
)

const shown = shownBy(surface)

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every type is shown by an example: its own, or that of what takes or gives it',
  (_, { exports }) => {
    const bare = exports.filter(({ typeOnly, declared }) => typeOnly && !shown.has(declared.key))
    expect(bare.map(({ name }) => name)).toEqual([])
  },
)

/** Functions that can fail by their own words; that of a promise is its rejection. */
const throwsItself = ({ file, name }: Declared): boolean => {
  const source = textOf(`src/${file.replace(/\.d\.ts$/, '.ts')}`)
  const [body = ''] = new RegExp(`^export (?:async )?function\\*? ${name}\\b.*?^}$`, 'ms').exec(source) ?? []
  return /\bthrow\b/.test(body)
}

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every function that throws says what, and when',
  (_, { exports }) => {
    const silent = exports
      .filter(
        ({ typeOnly, declared }) => !typeOnly && /^function /.test(declared.text) && throwsItself(declared),
      )
      .filter(({ declared }) => !/@throws|\bthrows\b|\brejects\b/.test(declared.doc ?? ''))
    expect(silent.map(({ name }) => name)).toEqual([])
  },
)
