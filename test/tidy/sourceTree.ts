// The source tree as text and syntax, for the laws in tidy.test.ts.

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'

export const root = path.resolve(import.meta.dirname, '../..')

/** Every file that is, or is about to be, under version control, as a path from the root. */
export const files: readonly string[] = execFileSync(
  'git',
  ['ls-files', '-z', '--cached', '--others', '--exclude-standard'],
  { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
)
  .split('\0')
  .filter((file) => file !== '' && existsSync(path.join(root, file)))

export const textOf = (file: string): string => readFileSync(path.join(root, file), 'utf8')

/** The TypeScript files below any of the given folders (or the files themselves). */
export const sources = (...under: string[]): string[] =>
  files.filter(
    (file) => /\.[mc]?tsx?$/.test(file) && under.some((at) => file === at || file.startsWith(`${at}/`)),
  )

/** A node of the ESTree syntax tree, seen loosely. */
export type Node = { type: string; start: number; end: number; [key: string]: unknown }

type Comment = { readonly value: string; readonly start: number; readonly end: number }

export type Source = {
  readonly file: string
  readonly text: string
  readonly nodes: readonly Node[]
  readonly comments: readonly Comment[]
  readonly lineAt: (offset: number) => number
}

const parsed = new Map<string, Source>()

export function parse(file: string, text = textOf(file)): Source {
  const known = parsed.get(file)
  if (known?.text === text) return known
  const { program, errors, comments } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`)
  const source: Source = {
    file,
    text,
    nodes: [...walk(program)],
    comments,
    lineAt: (offset) => text.slice(0, offset).split('\n').length,
  }
  parsed.set(file, source)
  return source
}

export function* walk(value: unknown): Generator<Node> {
  if (typeof value !== 'object' || value === null) return
  if ('type' in value && typeof value.type === 'string') yield value as Node
  for (const child of Object.values(value)) yield* walk(child)
}

export type Import = { readonly specifier: string; readonly typeOnly: boolean; readonly line: number }

/** What a file imports or re-exports, statically, dynamically or as `import('…')` types. */
export function importsOf({ nodes, lineAt }: Source): Import[] {
  return nodes.flatMap((node): Import[] => {
    const { source, importKind, exportKind } = node
    if (!isNode(source) || typeof source.value !== 'string') return []
    const typeOnly = importKind === 'type' || exportKind === 'type' || node.type === 'TSImportType'
    return [{ specifier: source.value, typeOnly, line: lineAt(node.start) }]
  })
}

export const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value
