// The pictures of docs/architecture.md, the layers and the way of a command, made from the imports there are: `npm run layers --
// --accept` draws them anew. An arrow that follows from others is left out.

import { writeFileSync } from 'node:fs'
import path from 'node:path'
import { LAYERS, layerOf } from './laws.ts'
import { importsOf, parse, root, sources, textOf } from './sourceTree.ts'

const PAGE = 'docs/architecture.md'
const placeOf = (what: string) =>
  [`<!-- ${what}: npm run layers -- --accept -->\n`, `<!-- end of ${what} -->`] as const

/** The files that a market order passes through, from the bus to what is stored, told and folded. */
const WAY = [
  'engine/engine',
  'domain/commands/decide',
  'domain/commands/placeOrder',
  'domain/flows/createOrder',
  'domain/flows/increasePosition',
  'domain/flows/attachedOrders',
  'domain/flows/riskChecks',
  'domain/flows/liquidatePosition',
  'domain/flows/decision',
  'domain/evolve/apply',
  'domain/evolve/applyOrderEvent',
  'domain/evolve/applyPositionEvent',
  'domain/evolve/positionReducers',
  'domain/evolve/ledger',
  'engine/journal',
  'store/store',
  'engine/audience',
  'engine/projections',
  'engine/subscriptions',
] as const

/** Which of these each of them imports; `partOf` says to which a file belongs. */
function imported(
  parts: readonly string[],
  partOf: (file: string) => string | undefined,
): Map<string, Set<string>> {
  const found = new Map(parts.map((part): [string, Set<string>] => [part, new Set()]))
  for (const file of sources('src')) {
    const from = partOf(file)
    if (from === undefined) continue
    for (const { specifier } of importsOf(parse(file))) {
      const to = partOf(path.posix.join(path.posix.dirname(file), specifier))
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

const idOf = (part: string): string => part.replaceAll('/', '_')

function picture(
  direction: 'BT' | 'TB',
  parts: readonly string[],
  shownAs: (part: string) => string,
  arrows: Map<string, Set<string>>,
): string {
  const boxes = parts.map((part) => `  ${idOf(part)}["${shownAs(part)}"]`)
  const lines = reduced(arrows).map(([from, to]) => `  ${idOf(from)} --> ${idOf(to)}`)
  return ['```mermaid', `flowchart ${direction}`, ...boxes, ...lines, '```', ''].join('\n')
}

function layers(): string {
  const parts = LAYERS.flat()
  return picture('BT', parts, (layer) => `src/${layer}`, imported(parts, layerOf))
}

/** @throws Error for a file of the way that is not there. */
function way(): string {
  const inTree = new Set(sources('src'))
  const gone = WAY.filter((part) => !inTree.has(`src/${part}.ts`))
  if (gone.length > 0) throw new Error(`the way of a command has no ${gone}`)
  const parts: readonly string[] = WAY
  const partOf = (file: string) => parts.find((part) => file === `src/${part}.ts`)
  return picture('TB', parts, (part) => `${part}.ts`, imported(parts, partOf))
}

/** The page as it is, and as it has to be. */
export function pages(): { readonly now: string; readonly wanted: string } {
  const now = textOf(PAGE)
  const wanted = drawnIn(drawnIn(now, 'layers', layers()), 'the way', way())
  return { now, wanted }
}

function drawnIn(page: string, what: string, drawn: string): string {
  const [begin, end] = placeOf(what)
  const [before, rest] = page.split(begin)
  const after = rest?.split(end)[1]
  if (before === undefined || after === undefined)
    throw new Error(`${PAGE} has no place for the picture of ${what}`)
  return `${before}${begin}\n${drawn}\n${end}${after}`
}

if (process.argv[1] === import.meta.filename) {
  const { now, wanted } = pages()
  if (process.argv.includes('--accept')) writeFileSync(path.join(root, PAGE), wanted)
  console.log(
    now === wanted
      ? 'the pictures are those of the imports'
      : wanted === textOf(PAGE)
        ? 'drawn'
        : 'other pictures',
  )
}
