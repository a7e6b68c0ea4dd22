/** What a module keeps to itself is asked as well: wherever kept answers load a module of src, what stands in it is exported. */
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Plugin } from 'vitest/config'
import { root } from '../../tidy/sourceTree.ts'
import { areaOf } from './kept.ts'

interface Declared {
  readonly type: string
  /** Without a name where several are taken out of one value. */
  readonly id?: { readonly name?: string } | null
  readonly declarations?: readonly Declared[]
  readonly declaration?: Declared | null
  readonly declare?: boolean
}

/** Names of the functions, classes and constants that stand in a module and that it does not export, as they stand. */
export function innerNamesOf(file: string, text: string): string[] {
  const { module } = parseSync(file, text)
  const exported = new Set(
    module.staticExports.flatMap(({ entries }) => entries.map(({ localName }) => localName.name)),
  )
  return declaredIn(file, text).filter((name) => !exported.has(name))
}

/** Names of all that stand in a module. */
export function declaredIn(file: string, text: string): string[] {
  const { body } = parseSync(file, text).program as { readonly body: readonly Declared[] }
  return body
    .map((statement) => statement.declaration ?? statement)
    .filter(({ declare }) => declare !== true)
    .flatMap((statement) => statement.declarations ?? [statement])
    .flatMap(({ type, id }) => (DECLARED.has(type) && id?.name ? [id.name] : []))
}

const DECLARED = new Set(['FunctionDeclaration', 'ClassDeclaration', 'VariableDeclarator'])

/** The file of src that a module was loaded from; null where it is of no area. */
export function fileOf(id: string): string | null {
  const [file = ''] = path.relative(root, id).split('?')
  return areaOf(file) !== null && /\.tsx?$/.test(file) ? file : null
}

/** Exports them. */
export const innerNames = (): Plugin => ({
  name: 'inner names',
  enforce: 'pre',
  transform(code, id) {
    const file = fileOf(id)
    if (file === null) return
    const names = innerNamesOf(file, code)
    return names.length === 0 ? undefined : { code: `${code}\nexport { ${names.join(', ')} }\n`, map: null }
  },
})
