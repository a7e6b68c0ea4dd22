// The public surface as pages of docs/api, one for each entry point.

import type { Declarations } from './declarations.ts'
import { type Declared, type Exported, Surface } from './surface.ts'

export interface EntrySurface {
  readonly entry: string
  readonly exports: readonly Exported[]
  /** What the exports name and no entry point exports. */
  readonly unexported: readonly Declared[]
}

export function surfaceOf(declarations: Declarations, entries: ReadonlyMap<string, string>): EntrySurface[] {
  const surface = new Surface(declarations)
  const shown = Array.from(entries, ([entry, file]) => ({ entry, exports: surface.exportsOf(file) }))
  const exported = new Set(shown.flatMap(({ exports }) => exports.map(({ declared }) => declared.key)))
  return shown.map(({ entry, exports }) => {
    const named = surface.namedBy(
      exports.map(({ declared }) => declared),
      exported,
    )
    return { entry, exports, unexported: named.sort((a, b) => (a.key < b.key ? -1 : 1)) }
  })
}

/** The page of an entry point, by its path from the root. */
export interface Page {
  readonly path: string
  readonly text: string
}

export function pageOf({ entry, exports, unexported }: EntrySurface): Page {
  const shown = exports.map(({ name, typeOnly, declared }) => {
    const renamed = name === declared.name ? '' : `// as ${name}\n`
    const asType = typeOnly && declared.isValue ? '// as a type alone\n' : ''
    return renamed + asType + declared.text
  })
  const parts = [
    `# ${entry}\n\nEverything this entry point exports. Written by \`npm run api -- --accept\`; the meaning of each is in its docstring.`,
    block(shown),
  ]
  if (unexported.length > 0)
    parts.push('## Named by these, exported nowhere', block(unexported.map(({ text }) => text)))
  return { path: `docs/api/${entry.replace('/', '-')}.md`, text: `${parts.join('\n\n')}\n` }
}

function block(declarations: readonly string[]): string {
  return `\`\`\`ts\n${declarations.join('\n\n')}\n\`\`\``
}

/** What differs between a page as it is kept and as it is today, a line each; none where nothing does. */
export function differences(kept: string, today: string): string[] {
  const [before, now] = [kept, today].map((text) => new Set(text.replaceAll(/^```.*\n/gm, '').split('\n\n')))
  const firstLine = (declaration: string) => declaration.split('\n').find((line) => !line.startsWith('//'))
  return [
    ...[...(before ?? [])].filter((one) => !now?.has(one)).map((one) => `- ${firstLine(one)}`),
    ...[...(now ?? [])].filter((one) => !before?.has(one)).map((one) => `+ ${firstLine(one)}`),
  ].sort((a, b) => (a.slice(2) < b.slice(2) ? -1 : 1))
}
