/** The examples in the docstrings of exports: each block of TypeScript there is run, after the setting that all of them share. */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SETTING } from '../../site/reference.ts'
import type { EntrySurface } from '../api/report.ts'
import { blocksOf, type Compared, compareStated, runProgram } from './examples.ts'

/** Where entry points begin among the sources. */
const SOURCES: Readonly<Record<string, string>> = {
  'margin-core': 'index.ts',
  'margin-core/codec': 'events/codec/index.ts',
  'margin-core/store-lmdb': 'store/lmdb/index.ts',
  'margin-core/store-postgres': 'store/postgres/index.ts',
  'margin-core/backtest': 'backtest/index.ts',
  'margin-core/client': 'client/index.ts',
  'margin-core/host': 'host/index.ts',
  'margin-core/testing': 'testing/index.ts',
}

const IDS = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`)

/**
 * Runs the examples of an entry point, which may name what any entry point exports; what each states, beside what it is.
 * Without the URL of a `database` those that ask for one are left out.
 */
export async function runExamplesOf(
  entry: EntrySurface,
  surface: readonly EntrySurface[],
  database: string | null,
): Promise<readonly Compared[]> {
  const folder = await mkdtemp(join(tmpdir(), 'margin-core-examples-'))
  try {
    const { compared } = (await runProgram(programOf(entry, surface, folder, database))) as {
      compared: Compared[]
    }
    return compared
  } finally {
    await rm(folder, { recursive: true })
  }
}

function programOf(
  entry: EntrySurface,
  surface: readonly EntrySurface[],
  folder: string,
  database: string | null,
): string {
  const examples = entry.exports
    .flatMap(({ name, declared }) => blocksOf(declared.doc ?? '').map((text) => ({ name, text })))
    .filter(({ text }) => database !== null || !/\bdatabase\b/.test(text))
  const used = new Set(`${SETTING}\n${examples.map(({ text }) => text).join('\n')}`.match(/\b[A-Za-z_]\w*/g))
  return [
    ...importsOf([entry, ...surface], used),
    "import fc from 'fast-check'",
    "import Fastify from 'fastify'",
    "import { mkdirSync } from 'node:fs'",
    `const [BTC, ALICE, USER] = ${JSON.stringify(IDS)}`,
    'const at = Date.UTC(2026, 0, 5, 12)',
    'const console = { log() {} }',
    `const database = ${JSON.stringify(database)}`,
    'export const compared = []',
    'const compare = (line, value, expected) => compared.push({ line, actual: String(value), expected })',
    'let folders = 0',
    `const emptyFolder = () => { const at = \`${folder}/\${folders++}\`; mkdirSync(at); return at }`,
    ...examples.map(exampleProgram),
  ].join('\n')
}

function exampleProgram({ name, text }: { readonly name: string; readonly text: string }): string {
  return `try {
const [directory, copy] = [emptyFolder(), emptyFolder()]
${SETTING}
{
${compareStated(text)}
}
} catch (error) { compare('${name}', error, 'an example that runs') }`
}

/** Each name from the first entry point that has it. */
function importsOf(entries: readonly EntrySurface[], used: Set<string>): string[] {
  return entries.map(({ entry, exports }) => {
    const names = exports
      .filter(({ name, typeOnly }) => !typeOnly && used.delete(name))
      .map(({ name }) => name)
    const file = new URL(`../../src/${SOURCES[entry]}`, import.meta.url).pathname
    return names.length === 0 ? '' : `import { ${names.join(', ')} } from '${file}'`
  })
}
