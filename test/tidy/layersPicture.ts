// The picture of the layers in docs/architecture.md, made from the imports there are: `npm run layers -- --accept` draws it
// anew. An arrow that follows from others is left out.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { LAYERS, layerOf } from './laws.ts'
import { importsOf, parse, root, sources, textOf } from './sourceTree.ts'

const PAGE = 'docs/architecture.md'
const [BEGIN, END] = ['<!-- layers: npm run layers -- --accept -->\n', '<!-- end of layers -->']

/** Which layers each layer imports. */
function imported(): Map<string, Set<string>> {
  const found = new Map(LAYERS.flat().map((layer): [string, Set<string>] => [layer, new Set()]))
  for (const file of sources('src')) {
    const from = layerOf(file)
    if (from === undefined) continue
    for (const { specifier } of importsOf(parse(file))) {
      const to = layerOf(path.posix.join(path.posix.dirname(file), specifier))
      if (specifier.startsWith('.') && to !== undefined && to !== from) found.get(from)?.add(to)
    }
  }
  return found
}

/** The same without what follows: where a imports b and b comes to c, a's own arrow to c says nothing new. */
function reduced(all: Map<string, Set<string>>): [from: string, to: string][] {
  const comesTo = (from: string, to: string): boolean =>
    [...(all.get(from) ?? [])].some((next) => next === to || comesTo(next, to))
  return [...all].flatMap(([from, targets]) =>
    [...targets]
      .filter((to) => ![...targets].some((other) => other !== to && comesTo(other, to)))
      .map((to): [string, string] => [from, to]),
  )
}

function picture(): string {
  const id = (layer: string) => layer.replace('/', '_')
  const rows = LAYERS.flatMap((row) => row.map((layer) => `  ${id(layer)}["src/${layer}"]`))
  const arrows = reduced(imported()).map(([from, to]) => `  ${id(from)} --> ${id(to)}`)
  return ['```mermaid', 'flowchart BT', ...rows, ...arrows, '```', ''].join('\n')
}

/** The page as it is, and as it has to be. */
export function pages(): { readonly now: string; readonly wanted: string } {
  const now = textOf(PAGE)
  const [before, rest] = now.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error(`${PAGE} has no place for the picture`)
  return { now, wanted: `${before}${BEGIN}\n${picture()}\n${END}${after}` }
}

if (process.argv[1] === import.meta.filename) {
  const { now, wanted } = pages()
  if (process.argv.includes('--accept')) writeFileSync(path.join(root, PAGE), wanted)
  console.log(
    now === wanted
      ? 'the picture is that of the imports'
      : wanted === textOf(PAGE)
        ? 'drawn'
        : 'another picture',
  )
}
