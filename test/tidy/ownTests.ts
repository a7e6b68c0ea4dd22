// Which files of src a test imports, itself or by name from an entry point.

import path from 'node:path'
import { importsOf, isNode, type Node, parse, sources } from './sourceTree.ts'

const targetOf = (file: string, specifier: string): string =>
  path.posix.join(path.posix.dirname(file), specifier)

const nameOf = (node: unknown): string => (isNode(node) ? String(node.name ?? node.value) : '')

/** The declarations of a file that name something of another: imports, or exports of an entry point. */
function named(file: string, type: string): { readonly from: string; readonly names: readonly string[] }[] {
  return parse(file).nodes.flatMap((node) => {
    if (node.type !== type || !isNode(node.source)) return []
    const names = (node.specifiers as readonly Node[]).map(({ exported, imported }) =>
      nameOf(exported ?? imported),
    )
    return [{ from: targetOf(file, String(node.source.value)), names }]
  })
}

/** Where the names that an entry point exports are declared. */
function declaredBy(entryPoint: string): ReadonlyMap<string, string> {
  const exports = named(entryPoint, 'ExportNamedDeclaration')
  return new Map(exports.flatMap(({ from, names }) => names.map((name): [string, string] => [name, from])))
}

/** The files of src that the test files import. */
export function filesWithTests(): ReadonlySet<string> {
  const entryPoints = new Map(['src/index.ts', 'src/internal.ts'].map((file) => [file, declaredBy(file)]))
  const found = new Set<string>()
  for (const file of sources('test').filter((name) => name.endsWith('.test.ts'))) {
    for (const { specifier, typeOnly } of importsOf(parse(file)))
      if (specifier.startsWith('.') && !typeOnly) found.add(targetOf(file, specifier))
    for (const { from, names } of named(file, 'ImportDeclaration'))
      for (const name of names) found.add(entryPoints.get(from)?.get(name) ?? from)
  }
  return found
}

/** Whether a file has functions of its own to be tested; types and tables are held by the compiler and by who reads them. */
export function hasFunctions(file: string): boolean {
  return parse(file).nodes.some(
    ({ type, body, value }) =>
      (type === 'FunctionDeclaration' && isNode(body)) || (type === 'MethodDefinition' && isNode(value)),
  )
}
