/** What a module keeps to itself is asked as well: wherever kept answers load a module of src, its functions and classes are exported. */
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import type { Plugin } from 'vitest/config'
import { root } from '../../tidy/sourceTree.ts'
import { areaOf } from './kept.ts'

interface Declared {
  readonly type: string
  readonly id?: { readonly name: string } | null
  readonly declarations?: readonly Declared[]
  readonly init?: { readonly type: string } | null
}

/** Names of the functions and classes that stand in a module and that it does not export, as they stand. */
export function innerFunctionsOf(file: string, text: string): string[] {
  const { program, module } = parseSync(file, text)
  const exported = new Set(
    module.staticExports.flatMap(({ entries }) => entries.map(({ localName }) => localName.name)),
  )
  return (program.body as readonly Declared[])
    .flatMap((statement) => statement.declarations ?? [statement])
    .filter(({ type, init }) => isFunction(type) || isFunction(init?.type))
    .flatMap(({ id }) => (id && !exported.has(id.name) ? [id.name] : []))
}

const isFunction = (type = ''): boolean =>
  ['FunctionDeclaration', 'ClassDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'].includes(type)

/** Exports them. */
export const innerFunctions = (): Plugin => ({
  name: 'inner functions',
  enforce: 'pre',
  transform(code, id) {
    const [file = ''] = path.relative(root, id).split('?')
    if (areaOf(file) === null || !/\.tsx?$/.test(file)) return
    const names = innerFunctionsOf(file, code)
    return names.length === 0 ? undefined : { code: `${code}\nexport { ${names.join(', ')} }\n`, map: null }
  },
})
