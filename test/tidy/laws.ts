// The laws that take more than a line: each looks at one file and names its offences.

import path from 'node:path'
import { isNode, type Node, type Source } from './sourceTree.ts'

/** From the top down: a folder imports only from folders above it. Folders on one line never meet. */
const ORDER = [
  ['quantity'],
  ['events'],
  ['domain'],
  ['projections'],
  ['store'],
  ['engine'],
  ['testing'],
  ['backtest', 'host'],
  ['cli'],
]
/** What takes no part in the order: the generators and laws are for users and tests, not for the product. */
const NOT_IMPORTED = ['testing']

export const folderOf = (file: string): string | undefined => /^src\/([^/]+)\//.exec(file)?.[1]
export const rankOf = (folder: string): number => ORDER.findIndex((row) => row.includes(folder))
/** A refused import reads as a sentence; an allowed one is undefined. */
export function misdirection(file: string, specifier: string, typeOnly: boolean): string | undefined {
  const from = folderOf(file)
  if (from === undefined || !specifier.startsWith('.')) return undefined
  const target = path.posix.join(path.posix.dirname(file), specifier)
  const to = folderOf(target)
  if (to === from) return undefined
  if (to === undefined) {
    if (!target.startsWith('src/')) return `${from} reaches outside src: ${specifier}`
    return rankOf(from) > rankOf('engine') ? undefined : `${from} is part of ${target} and may not import it`
  }
  if (rankOf(to) === -1) return `${to} has no place in the order`
  if (from === 'events' && to === 'domain' && typeOnly) return undefined
  if (NOT_IMPORTED.includes(to)) return `nothing imports ${to}, but ${from} does`
  return rankOf(to) < rankOf(from) ? undefined : `${from} may not import ${to}`
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

/** Products and quotients by operator. A numeric literal operand, or `// number`, says it is not a quantity. */
export function bareProducts({ nodes, text, lineAt }: Source): string[] {
  const lines = text.split('\n')
  const isNumber = (node: unknown) =>
    isNode(node) && node.type === 'Literal' && typeof node.value === 'number'
  return nodes.flatMap((node) => {
    const { operator, left, right, start, end } = node
    if (!['*', '/', '**', '*=', '/=', '**='].includes(String(operator))) return []
    if (isNumber(left) || isNumber(right)) return []
    const [first, last] = [lineAt(start), lineAt(end)]
    if (lines.slice(first - 1, last).some((line) => /\/\/ number\b/.test(line))) return []
    return [`${text.slice(start, end)} (line ${first})`]
  })
}
