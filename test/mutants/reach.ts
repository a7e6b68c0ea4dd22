// How far a test file is from each file of src by its imports: where nothing was measured, the nearest are asked.

import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { sources, textOf } from '../tidy/sourceTree.ts'

const known = new Set(sources('src', 'test'))

/** Passes on what others declare, nearly everything of its folders, so that whoever imports some of it need not mean the rest. */
const isEntryPoint = (file: string): boolean => /^src\/(.*\/)?(index|internal)\.ts$/.test(file)

type Module = ReturnType<typeof parseSync>['module']
const modules = new Map<string, Module>()

function moduleOf(file: string): Module {
  const read = modules.get(file) ?? parseSync(file, textOf(file)).module
  modules.set(file, read)
  return read
}

/** The file of the tree that a specifier names; null where it is a package or no TypeScript. */
function fileAt(from: string, specifier: string | undefined): string | null {
  if (specifier?.startsWith('.') !== true) return null
  const file = path.join(path.dirname(from), specifier)
  return known.has(file) ? file : null
}

/** Where these names are declared, or passed on by what is no entry point. */
function declaring(file: string, names: readonly (string | undefined)[]): string[] {
  if (!isEntryPoint(file)) return [file]
  const entries = moduleOf(file).staticExports.flatMap((statement) => statement.entries)
  return entries.flatMap(({ isType, exportName, importName, moduleRequest }) => {
    const target = isType ? null : fileAt(file, moduleRequest?.value)
    if (target === null || (exportName.name !== null && !names.includes(exportName.name))) return []
    return declaring(target, importName.name === null ? names : [importName.name])
  })
}

const targets = new Map<string, readonly string[]>()

/** The files of the tree that a file imports for their values. */
function importedBy(file: string): readonly string[] {
  const before = targets.get(file)
  if (before !== undefined) return before
  const { staticImports, staticExports } = moduleOf(file)
  const imported = staticImports.flatMap(({ moduleRequest, entries }) => {
    const target = fileAt(file, moduleRequest.value)
    const values = entries.filter(({ isType }) => !isType)
    if (target === null || (entries.length > 0 && values.length === 0)) return []
    return declaring(
      target,
      values.map(({ importName }) => importName.name ?? undefined),
    )
  })
  const passedOn = staticExports.flatMap(({ entries }) =>
    entries.flatMap(({ isType, moduleRequest }) =>
      isType ? [] : (fileAt(file, moduleRequest?.value) ?? []),
    ),
  )
  const all = [...new Set([...imported, ...passedOn])]
  targets.set(file, all)
  return all
}

/** A test file, and the modules of `test` that it imports, itself or by way of others: what a test does is often written there. */
export function wholeOf(test: string): readonly string[] {
  const whole = [test]
  for (const file of whole)
    for (const target of importedBy(file))
      if (target.startsWith('test/') && !whole.includes(target)) whole.push(target)
  return whole
}

const reached = new Map<string, ReadonlyMap<string, number>>()

/** Of each file of src that a test reaches, by how many imports it does: one where the test, or a module of `test`, imports it. */
export function stepsFrom(test: string): ReadonlyMap<string, number> {
  const before = reached.get(test)
  if (before !== undefined) return before
  const steps = new Map<string, number>()
  let edge = wholeOf(test).flatMap(importedBy)
  for (let step = 1; edge.length > 0; step++) {
    const fresh = [...new Set(edge)].filter((file) => file.startsWith('src/') && !steps.has(file))
    for (const file of fresh) steps.set(file, step)
    edge = fresh.filter((file) => !isEntryPoint(file)).flatMap(importedBy)
  }
  reached.set(test, steps)
  return steps
}
