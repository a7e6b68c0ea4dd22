// src/resources/meanings.ts: what the fields of commands mean, from the docstrings of their types, for whoever reads the
// API description. There is no rule book beside it, so the ids of the rules are left out.

import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { meaningOf } from './referenceText.ts'
import type { EntrySurface, Page } from './report.ts'

/** Commands, and parts of them, whose fields an HTTP body carries; each with the types that document them. */
const DOCUMENTED: Readonly<Record<string, readonly string[]>> = {
  placeOrder: ['Placement'],
  editOrder: ['EditOrder'],
  changeMargin: ['ChangeMargin'],
  market: ['MarketParameters', 'MarketConfiguration'],
  account: ['AccountParameters', 'AccountConfiguration'],
}

const FILE = 'src/resources/meanings.ts'
const root = path.resolve(import.meta.dirname, '../..')

export function meaningsFile(surface: readonly EntrySurface[]): Page {
  const core = surface.find(({ entry }) => entry === 'margin-core')?.exports ?? []
  const types = new Map(core.map(({ name, declared }) => [name, declared]))
  const platform = (types.get('PlatformCommand')?.names ?? []).map((key) => key.slice(key.indexOf('#') + 1))
  const commands = platform.map(
    (name) => [`${name[0]?.toLowerCase()}${name.slice(1)}`, ['Repeatable', name]] as const,
  )
  const documented = { ...DOCUMENTED, ...Object.fromEntries(commands) }
  const meanings = Object.entries(documented).map(([of, names]) => {
    const members = names.flatMap((name) => types.get(name)?.members ?? [])
    const fields = members.filter(({ name, doc }) => name !== 'type' || doc !== null)
    const said = new Map(fields.map((member) => [member.name, withoutRules(meaningOf(member.name, member))]))
    const about = types.get(names.at(-1) as string)?.doc ?? ''
    return [of, { '': withoutRules(about), ...Object.fromEntries(said) }]
  })
  const text = `/** What the fields of commands mean, \`''\` the whole. Written by \`npm run api -- --accept\` from the docstrings of their types. */
export const MEANINGS = ${JSON.stringify(Object.fromEntries(meanings), null, 2)} as const
`
  return { path: FILE, text: formatted(text) }
}

/** `(F11, F13)` and `(D2–D4)` stand for nothing here, and times are told in ISO 8601 where JSON carries them. */
function withoutRules(text: string): string {
  return text
    .replaceAll('\n', ' ')
    .replaceAll(', epoch ms', '')
    .replaceAll(/\{@link ([\w.]+)\}/g, '`$1`')
    .replaceAll(/ ?\((?:[A-K]\d{1,2}(?:, |–)?)+\)/g, '')
}

function formatted(text: string): string {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  const options = { cwd: root, input: text, encoding: 'utf8' } as const
  return execFileSync(process.execPath, [biome, 'format', `--stdin-file-path=${FILE}`], options)
}
