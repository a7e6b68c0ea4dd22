// How far a test file is from each file of src by its imports: where nothing was measured, the nearest are asked.

import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { sources, textOf } from '../tidy/sourceTree.ts'

const known = new Set(sources('src', 'test'))

/** What an entry point passes on is nearly everything, so that whoever imports one need not mean any of it. */
const isEntryPoint = (file: string): boolean => /^src\/(.*\/)?(index|internal)\.ts$/.test(file)

const targets = new Map<string, readonly string[]>()

/** The files of the tree that a file imports for their values. */
function importedBy(file: string): readonly string[] {
  const before = targets.get(file)
  if (before !== undefined) return before
  const { staticImports, staticExports } = parseSync(file, textOf(file)).module
  const requests = [
    ...staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ isType, moduleRequest }) => (isType ? [] : (moduleRequest?.value ?? []))),
    ),
  ]
  const imported = [...new Set(requests)]
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => path.join(path.dirname(file), specifier))
    .filter((target) => known.has(target))
  targets.set(file, imported)
  return imported
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
