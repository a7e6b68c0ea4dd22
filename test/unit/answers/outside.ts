/** What of a module reads or writes files, talks to others or starts processes by itself: tests of its own ask it. */
import path from 'node:path'
import { isNode, type Node, parse, walk } from '../../tidy/sourceTree.ts'

const OUTSIDE =
  /^(node:(fs|child_process|worker_threads|net|https?|http2|tls|readline|v8|vm)|lmdb|pg|ws|undici|fastify)/

/** Whether it imports any of that itself. */
export const touchesOutside = (file: string): boolean =>
  importsIn(file).some(({ specifier }) => OUTSIDE.test(specifier))

interface Imported {
  readonly specifier: string
  /** The name there, and here. */
  readonly names: readonly (readonly [there: string | null, here: string])[]
}

function importsIn(file: string): Imported[] {
  return parse(file).nodes.flatMap((node): Imported[] => {
    if (node.type !== 'ImportDeclaration' || node.importKind === 'type') return []
    const { value } = node.source as { readonly value?: unknown }
    const names = (node.specifiers as readonly Node[]).map(
      ({ imported, local }) => [isNode(imported) ? nameOf(imported) : null, nameOf(local)] as const,
    )
    return [{ specifier: String(value), names }]
  })
}

const nameOf = (node: unknown): string => String((node as { readonly name?: unknown }).name)

const known = new Map<string, ReadonlySet<string>>()

/** The names that stand in a module and reach outside, by whatever they use of it or of modules that it imports. */
export function outsideOf(file: string): ReadonlySet<string> {
  const before = known.get(file)
  if (before !== undefined) return before
  known.set(file, new Set())
  const outside = new Set(importsIn(file).flatMap((each) => outsideNames(file, each)))
  const declared = declarationsIn(file)
  for (let size = -1; size !== outside.size; ) {
    size = outside.size
    for (const { name, uses } of declared) if (uses.some((used) => outside.has(used))) outside.add(name)
  }
  known.set(file, outside)
  return outside
}

function outsideNames(file: string, { specifier, names }: Imported): string[] {
  if (OUTSIDE.test(specifier)) return names.map(([, here]) => here)
  if (!specifier.startsWith('.') || !/\.tsx?$/.test(specifier)) return []
  const there = outsideOf(path.join(path.dirname(file), specifier))
  return names.flatMap(([name, here]) => (name !== null && there.has(name) ? [here] : []))
}

interface Declaration {
  readonly name: string
  /** Every name in it. */
  readonly uses: readonly string[]
}

function declarationsIn(file: string): Declaration[] {
  const [program] = parse(file).nodes as readonly [Node]
  return (program.body as readonly Node[])
    .map((statement) => (isNode(statement.declaration) ? statement.declaration : statement))
    .flatMap((statement) => (statement.declarations as readonly Node[] | undefined) ?? [statement])
    .flatMap((declaration) => {
      if (!isNode(declaration.id)) return []
      const uses = [...walk(declaration)].filter(({ type }) => type === 'Identifier').map(nameOf)
      return [{ name: nameOf(declaration.id), uses }]
    })
}
