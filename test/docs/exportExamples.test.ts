/** What the docstrings of exports show runs, and gives what they say. */
import { expect, test } from 'vitest'
import { todaysSurface } from '../api/pages.ts'
import type { Exported } from '../api/surface.ts'
import { blocksOf } from './examples.ts'
import { runExamplesOf } from './exportExamples.ts'

/** Those without an example, which needs a database. Nothing is added. */
const WITHOUT: Readonly<Record<string, readonly string[]>> = {
  'margin-core/store-postgres': ['openPostgresStore'],
  'margin-core/host': ['serveNode'],
}

const surface = todaysSurface().filter(({ entry }) => entry !== 'margin-core/internal')

test.each(surface.map((entry) => [entry.entry, entry] as const))(
  '%s: every example in a docstring runs and gives what it states',
  async (_, entry) => {
    const compared = await runExamplesOf(entry, surface)
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
  '%s: every export that is called or handed over has an example, but for those known',
  (entry, { exports }) => {
    const bare = exports.filter((one) => isCalled(one) && blocksOf(one.declared.doc ?? '').length === 0)
    expect(bare.map(({ name }) => name)).toEqual(WITHOUT[entry] ?? [])
  },
)
