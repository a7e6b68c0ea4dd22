// Small mistakes, found in the syntax of a file: an operator, a boundary, a constant, a statement that is not there.

import { existsSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { isNode, type Node, parse, root, type Source, textOf } from '../tidy/sourceTree.ts'
import { type Splice, splice } from './splice.ts'

export interface Mistake {
  readonly file: string
  /** One-based, of the first character that changes. */
  readonly line: number
  /** The kind of mistake, in a word or two. */
  readonly kind: string
  /** The line as it stands and as it would stand, without indentation. */
  readonly before: string
  readonly after: string
  /** What sets it apart from every other mistake, whatever else moves in the file. */
  readonly key: string
  readonly splices: readonly Splice[]
}

const OPERATORS: Readonly<Record<string, readonly [kind: string, ...instead: string[]]>> = {
  '<': ['boundary', '<='],
  '<=': ['boundary', '<'],
  '>': ['boundary', '>='],
  '>=': ['boundary', '>'],
  '===': ['comparison', '!=='],
  '!==': ['comparison', '==='],
  '+': ['arithmetic', '-'],
  '-': ['arithmetic', '+'],
  '*': ['arithmetic', '/'],
  '/': ['arithmetic', '*'],
  '%': ['arithmetic', '*'],
  '&': ['bits', '|'],
  '|': ['bits', '&'],
  '^': ['bits', '|'],
  '<<': ['bits', '>>'],
  '>>': ['bits', '<<'],
  '>>>': ['bits', '>>'],
  '&&': ['logic', '||'],
  '||': ['logic', '&&'],
  '+=': ['arithmetic', '-='],
  '-=': ['arithmetic', '+='],
  '|=': ['bits', '&='],
  '^=': ['bits', '|='],
  '++': ['arithmetic', '--'],
  '--': ['arithmetic', '++'],
}

const OPPOSITES = new Map([
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
  ['round', 'floor'],
  ['some', 'every'],
  ['every', 'some'],
  ['push', 'unshift'],
  ['unshift', 'push'],
  ['shift', 'pop'],
  ['pop', 'shift'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['indexOf', 'lastIndexOf'],
  ['lastIndexOf', 'indexOf'],
])

type Found = { readonly kind: string; readonly splices: readonly Splice[] }

/** Every mistake that can be made in a file, in the order of the text. */
export function mistakesIn(file: string): Mistake[] {
  const source = parse(file)
  const found: Found[] = []
  visit(parseSync(file, source.text).program as unknown as Node, (node) =>
    found.push(...mistakesAt(node, source)),
  )
  const seen = new Map<string, number>()
  return found
    .map((mistake) => described(source, mistake))
    .sort((a, b) => a.line - b.line)
    .map((mistake) => {
      const count = (seen.get(mistake.key) ?? 0) + 1
      seen.set(mistake.key, count)
      return count === 1 ? mistake : { ...mistake, key: `${mistake.key} #${count}` }
    })
}

/** The text of a file with a mistake in it; null where it would not even parse. */
export function withMistake({ file, splices }: Mistake): string | null {
  const text = splice(textOf(file), splices)
  return parseSync(file, text).errors.length === 0 ? text : null
}

function described({ file, text, lineAt }: Source, { kind, splices }: Found): Mistake {
  const place = splices[0] as Splice
  const from = text.lastIndexOf('\n', place.start - 1) + 1
  const lineEnd = text.indexOf('\n', place.end)
  const to = lineEnd === -1 ? text.length : lineEnd
  const oneLine = (lines: string) => lines.replace(/\s*\n\s*/g, ' ').trim()
  const before = oneLine(text.slice(from, to))
  const after = oneLine(text.slice(from, place.start) + place.text + text.slice(place.end, to))
  return {
    file,
    line: lineAt(place.start),
    kind,
    before,
    after,
    key: `${file}: ${before} => ${after}`,
    splices,
  }
}

/** Types are judged by the compiler, names of imports and of fields are no choices. */
const UNSEEN = new Set([
  'typeAnnotation',
  'returnType',
  'typeParameters',
  'typeArguments',
  'superTypeArguments',
])
const SEEN_TYPES = new Set([
  'TSAsExpression',
  'TSNonNullExpression',
  'TSSatisfiesExpression',
  'TSParameterProperty',
])

function visit(node: Node, see: (node: Node) => void): void {
  if (node.type.startsWith('TS') && !SEEN_TYPES.has(node.type)) return
  if (node.type === 'ImportDeclaration') return
  see(node)
  for (const [name, child] of Object.entries(node)) {
    if (UNSEEN.has(name) || (name === 'key' && node.computed !== true)) continue
    const children = Array.isArray(child) && child.length > LONGEST_TABLE ? ends(child) : child
    for (const each of Array.isArray(children) ? children : [children]) if (isNode(each)) visit(each, see)
  }
}

/** A table of constants would drown everything else; its two ends stand for it. */
const LONGEST_TABLE = 16
const ends = (table: unknown[]): unknown[] =>
  table.every((each) => isNode(each) && each.type === 'Literal') ? [table[0], table.at(-1)] : table

function mistakesAt(node: Node, source: Source): Found[] {
  switch (node.type) {
    case 'BinaryExpression':
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return operators(node, source)
    case 'UpdateExpression':
      return [...updates(node)]
    case 'UnaryExpression':
      return unary(node)
    case 'Literal':
      return constants(node)
    case 'IfStatement':
      return [...negated(node, source), ...earlyExit(node)]
    case 'ConditionalExpression':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return negated(node, source)
    case 'ExpressionStatement':
      return dropped(node, source)
    case 'ThrowStatement':
      return [only('dropped throw', node, ';')]
    case 'CallExpression':
    case 'NewExpression':
      return [...swapped(node, source), ...renamed(node, source)]
    default:
      return []
  }
}

const only = (kind: string, { start, end }: Pick<Node, 'start' | 'end'>, text: string): Found => ({
  kind,
  splices: [{ start, end, text }],
})

function operators(node: Node, { text }: Source): Found[] {
  const [left, right] = [node.left, node.right] as [Node, Node]
  const operator = node.operator as string
  if (operator === '??')
    return [
      only(
        'fallback dropped',
        { start: left.end, end: node.end },
        text.slice(left.end, right.start).replace(/\S+/g, '').trim(),
      ),
      only('fallback alone', { start: node.start, end: right.start }, ''),
    ]
  const [kind, ...instead] = OPERATORS[operator] ?? []
  if (kind === undefined || ((operator === '+' || operator === '+=') && (isText(left) || isText(right))))
    return []
  const start = text.indexOf(operator, left.end)
  return instead.map((other) => only(kind, { start, end: start + operator.length }, other))
}

const isText = (node: Node): boolean =>
  node.type === 'TemplateLiteral' ||
  (node.type === 'Literal' && typeof node.value === 'string') ||
  (node.type === 'BinaryExpression' && (isText(node.left as Node) || isText(node.right as Node)))

function* updates(node: Node): Generator<Found> {
  const operator = node.operator as string
  const start = node.prefix === true ? node.start : node.end - 2
  yield only('arithmetic', { start, end: start + 2 }, OPERATORS[operator]?.[1] ?? operator)
}

function unary({ start, operator, argument }: Node): Found[] {
  const kind = operator === '!' ? 'negation dropped' : operator === '-' ? 'sign' : undefined
  return kind === undefined ? [] : [only(kind, { start, end: (argument as Node).start }, '')]
}

function constants(node: Node): Found[] {
  const { value, bigint, raw } = node
  if (typeof value === 'boolean') return [only('constant', node, String(!value))]
  if (typeof bigint === 'string')
    return [1n, -1n].map((by) => only('constant', node, `${BigInt(bigint) + by}n`))
  if (typeof value !== 'number' || /^0[xb]/i.test(String(raw))) return []
  return [1, -1].map((by) => only('constant', node, String(value + by)))
}

function negated(node: Node, { text }: Source): Found[] {
  const test = node.test as Node
  if (test.type === 'Literal') return []
  if (test.type === 'UnaryExpression' && test.operator === '!') return []
  return [only('condition negated', test, `!(${text.slice(test.start, test.end)})`)]
}

const EXITS = new Set(['ReturnStatement', 'ThrowStatement', 'ContinueStatement', 'BreakStatement'])

/** An `if` that leaves early, and does so no more. */
function earlyExit(node: Node): Found[] {
  const consequent = node.consequent as Node
  const last = consequent.type === 'BlockStatement' ? (consequent.body as Node[]).at(-1) : consequent
  if (last === undefined || !EXITS.has(last.type) || isNode(node.alternate)) return []
  return [only('early exit dropped', node.test as Node, 'false')]
}

function dropped(node: Node, { text }: Source): Found[] {
  if (typeof node.directive === 'string') return []
  const expression = node.expression as Node
  const found = [only('dropped statement', node, ';')]
  if (expression.type !== 'AwaitExpression') return found
  const awaited = expression.argument as Node
  return [...found, only('not awaited', node, `void ${text.slice(awaited.start, awaited.end)}`)]
}

const SWAPPABLE = new Set(['Identifier', 'MemberExpression', 'ChainExpression', 'CallExpression', 'Literal'])

/** In either order the same. */
const COMMUTATIVE = /^(Math\.(min|max|hypot|imul)|scaled(Down|Up))$/

function swapped({ callee, arguments: given }: Node, { text }: Source): Found[] {
  const called = callee as Node
  if (COMMUTATIVE.test(text.slice(called.start, called.end))) return []
  return (given as Node[]).flatMap((second, index) => {
    const first = (given as Node[])[index - 1]
    if (first === undefined || !SWAPPABLE.has(first.type) || !SWAPPABLE.has(second.type)) return []
    const [a, b] = [text.slice(first.start, first.end), text.slice(second.start, second.end)]
    if (a === b || isText(first) || isText(second)) return []
    const between = text.slice(first.end, second.start)
    return [only('arguments swapped', { start: first.start, end: second.end }, b + between + a)]
  })
}

/** Another rounding, or the other of two opposites. */
function renamed({ callee }: Node, source: Source): Found[] {
  const called = callee as Node
  if (called.type === 'MemberExpression' && called.computed !== true) {
    const property = called.property as Node
    const other = OPPOSITES.get(property.name as string)
    return other === undefined ? [] : [only('opposite', property, other)]
  }
  if (called.type !== 'Identifier') return []
  const name = called.name as string
  const other = name.endsWith('Up') ? name.replace(/Up$/, 'Down') : name.replace(/Down$/, 'Up')
  if (other === name) return []
  const place = { start: called.start, end: called.end, text: other }
  if (isKnown(other, source)) return [{ kind: 'rounding', splices: [place] }]
  const imported = importable(name, other, source)
  return imported === undefined ? [] : [{ kind: 'rounding', splices: [place, imported] }]
}

const isKnown = (name: string, { nodes }: Source): boolean =>
  nodes.some(
    ({ type, id, local }) =>
      ((type === 'FunctionDeclaration' || type === 'VariableDeclarator') && isNode(id) && id.name === name) ||
      (type === 'ImportSpecifier' && isNode(local) && local.name === name),
  )

/** The other name beside the imported one, where the module has it. */
function importable(name: string, other: string, { file, nodes }: Source): Splice | undefined {
  for (const { type, source, specifiers } of nodes) {
    if (type !== 'ImportDeclaration' || !isNode(source)) continue
    const specifier = (specifiers as Node[]).find(({ local }) => isNode(local) && local.name === name)
    if (specifier === undefined) continue
    const module = path.join(path.dirname(file), source.value as string)
    if (!existsSync(path.join(root, module))) return undefined
    if (!new RegExp(`export (function|const) ${other}\\b`).test(textOf(module))) return undefined
    return { start: specifier.end, end: specifier.end, text: `, ${other}` }
  }
  return undefined
}
