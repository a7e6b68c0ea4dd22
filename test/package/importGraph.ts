// What a module loads, followed through the files of the package to the packages it names.

import { readFileSync } from 'node:fs'
import path from 'node:path'
import { importsOf, parse } from '../tidy/sourceTree.ts'

export type ImportGraph = { readonly modules: readonly string[]; readonly external: ReadonlySet<string> }

/** `types`: whether what is imported for its types alone counts. */
export function importGraph(entry: string, { types = true } = {}): ImportGraph {
  const modules = [path.resolve(entry)]
  const external = new Set<string>()
  for (const file of modules) {
    for (const { specifier, typeOnly } of importsOf(parse(file, readFileSync(file, 'utf8')))) {
      if (typeOnly && !types) continue
      const target = path.resolve(path.dirname(file), specifier)
      if (!specifier.startsWith('.')) external.add(specifier)
      else if (!modules.includes(target)) modules.push(target)
    }
  }
  return { modules, external }
}
