// The laws that take more than a line: each looks at one file and names its offences.

import path from 'node:path'
import { isNode, type Node, type Source } from './sourceTree.ts'

/** From the top down: a layer imports only from layers above it. Layers on one line never meet. */
export const LAYERS = [
  ['quantity', 'collections', 'hashes', 'style', 'files'],
  ['terms'],
  ['events'],
  ['domain/state', 'store', 'resources'],
  ['domain/formulas', 'cluster'],
  ['domain/triggers', 'domain/evolve'],
  ['domain/flows'],
  ['domain/commands'],
  ['domain/decider'],
  ['projections'],
  ['history'],
  ['engine', 'client'],
  ['backtest', 'host'],
  ['workbench'],
  ['testing'],
  ['cli'],
]
/** The generators and laws are for users and tests, not for the product; only what asks other hosts is a command too. */
const NOT_IMPORTED = ['testing']
const COMMAND_AMONG_THEM = 'src/testing/conformance/index.ts'

/** The layer of a file: its folder below `src`, and of the rules the folder below that. */
export const layerOf = (file: string): string | undefined =>
  /^src\/(domain\/[^/]+(?=\/)|[^/]+(?=\/))/.exec(file)?.[1]
export const rankOf = (layer: string): number => LAYERS.findIndex((row) => row.includes(layer))

/** A refused import reads as a sentence; an allowed one is undefined. */
export function misdirection(file: string, specifier: string): string | undefined {
  const from = layerOf(file)
  if (from === undefined || !specifier.startsWith('.')) return undefined
  const target = path.posix.join(path.posix.dirname(file), specifier)
  const to = layerOf(target)
  if (to === from) return undefined
  if (to === undefined) {
    if (!target.startsWith('src/')) return `${from} reaches outside src: ${specifier}`
    return rankOf(from) > rankOf('engine') ? undefined : `${from} is part of ${target} and may not import it`
  }
  if (rankOf(to) === -1) return `${to} has no place in the order`
  if (NOT_IMPORTED.includes(to) && !(from === 'cli' && target === COMMAND_AMONG_THEM))
    return `nothing imports ${to}, but ${from} does`
  return rankOf(to) < rankOf(from) ? undefined : `${from} may not import ${to}`
}

/** Groups of files that import one another in a circle, types included; each as a sentence. `imports`: by file. */
export function circles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const found: string[] = []
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const visit = (file: string): number => {
    order.set(file, order.size)
    lowest.set(file, order.size - 1)
    open.push(file)
    for (const to of imports.get(file) ?? []) {
      const reaches = !order.has(to) ? visit(to) : open.includes(to) ? (order.get(to) as number) : Infinity
      lowest.set(file, Math.min(lowest.get(file) as number, reaches))
    }
    const own = lowest.get(file) as number
    if (own !== order.get(file)) return own
    const group = open.splice(open.indexOf(file))
    if (group.length > 1 || imports.get(file)?.includes(file)) found.push(group.sort().join(' ⇄ '))
    return Infinity
  }
  for (const file of imports.keys()) if (!order.has(file)) visit(file)
  return found
}

const IMPURE =
  /^(Date\.now|Math\.random|performance\b.*|process\b.*|globalThis\b.*|crypto\b.*|set(Timeout|Interval|Immediate)|fetch)$/

/** The clock, chance, the surroundings and waiting, where a rule must be a plain function of its arguments. */
export function impurities({ nodes, text, lineAt }: Source): string[] {
  const at = (node: Node) => `${text.slice(node.start, node.end).split('\n')[0]} (line ${lineAt(node.start)})`
  // A property that merely shares a name (`order.process`) is not the global.
  const names = new Set(nodes.flatMap((node) => [node.property, node.key, node.label]).filter(isNode))
  return nodes.flatMap((node) => {
    if (node.async === true || node.type === 'AwaitExpression') return [at(node)]
    if (node.type === 'ForOfStatement' && node.await === true) return [at(node)]
    if (node.type === 'NewExpression' && isNode(node.callee) && node.callee.name === 'Date') return [at(node)]
    if (node.type === 'CallExpression' && isNode(node.callee) && node.callee.name === 'Date')
      return [at(node)]
    const isGlobal = node.type === 'MemberExpression' || (node.type === 'Identifier' && !names.has(node))
    return isGlobal && IMPURE.test(text.slice(node.start, node.end)) ? [at(node)] : []
  })
}

/**
 * Products and quotients by operator, of what may be quantities. Plain numbers are told by how they are written: a numeric
 * literal, a constant in capitals, `…Ms`, what Math gives, or something made of these.
 */
export function bareProducts({ nodes, text, lineAt }: Source): string[] {
  return nodes.flatMap((node) => {
    const { operator, left, right, start } = node
    if (!['*', '/', '**', '*=', '/=', '**='].includes(String(operator))) return []
    if (isPlainNumber(left) || isPlainNumber(right)) return []
    return [`${text.slice(start, node.end)} (line ${lineAt(start)})`]
  })
}

function isPlainNumber(node: unknown): boolean {
  if (!isNode(node)) return false
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number'
    case 'Identifier':
      return /^[A-Z][A-Z0-9_]*$|Ms$/.test(String(node.name)) && node.name !== 'ONE'
    case 'MemberExpression':
      return isPlainNumber(node.property)
    case 'CallExpression':
      return isNode(node.callee) && isNode(node.callee.object) && node.callee.object.name === 'Math'
    case 'ParenthesizedExpression':
    case 'TSAsExpression':
      return isPlainNumber(node.expression)
    case 'BinaryExpression':
      return isPlainNumber(node.left) || isPlainNumber(node.right)
    default:
      return false
  }
}
