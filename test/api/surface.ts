// What a package shows its users, read off its declaration files: every export of an entry point with its declaration,
// and the types those declarations name that no entry point exports.

import path from 'node:path'
import { isNode, type Node, parse, type Source, walk } from '../tidy/sourceTree.ts'
import type { Declarations } from './declarations.ts'

/** A declaration, wherever it stands. */
export interface Declared {
  /** Its file and the name it has there: what it is known by. */
  readonly key: string
  readonly file: string
  readonly name: string
  /** Its text without comments, private members and what is marked `@internal`. */
  readonly text: string
  /** The comment in front of it; null where there is none. */
  readonly doc: string | null
  /** Members of an interface, a class or an object type. */
  readonly members: readonly Member[]
  /** Whether there is something of it at run time. */
  readonly isValue: boolean
  /** The declarations it names, by their keys. */
  readonly names: readonly string[]
}

export interface Member {
  readonly name: string
  /** Its type, or everything behind its name. */
  readonly type: string
  readonly doc: string | null
  readonly isMethod: boolean
}

export interface Exported {
  readonly name: string
  /** Whether it can only be named as a type. */
  readonly typeOnly: boolean
  readonly declared: Declared
}

/** A name as another module sees it; null where it comes from a package. */
interface Found {
  readonly file: string
  readonly name: string
  readonly typeOnly: boolean
}

export class Surface {
  readonly #declarations: Declarations
  readonly #known = new Map<string, Declared>()

  constructor(declarations: Declarations) {
    this.#declarations = declarations
  }

  /** Everything an entry point exports, by name. */
  exportsOf(file: string): Exported[] {
    const found = [...this.#exportsOf(file)].map(([name, { file: at, name: local, typeOnly }]) => {
      const declared = this.#declared(at, local)
      return { name, typeOnly: typeOnly || !declared.isValue, declared }
    })
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** What these declarations name, and what that names in turn, but for declarations whose key is in `exported`. */
  namedBy(declared: readonly Declared[], exported: ReadonlySet<string>): Declared[] {
    const reached = new Map<string, Declared>()
    const names = declared.flatMap((one) => one.names)
    for (const key of names) {
      if (exported.has(key) || reached.has(key)) continue
      const one = this.#declared(...(key.split('#') as [string, string]))
      reached.set(key, one)
      names.push(...one.names)
    }
    return [...reached.values()]
  }

  #source(file: string): Source {
    const text = this.#declarations.get(file)
    if (text === undefined) throw new Error(`no declaration file ${file}`)
    return parse(file, text)
  }

  #exportsOf(file: string): Map<string, Found> {
    const found = new Map<string, Found>()
    for (const node of bodyOf(this.#source(file))) {
      const typeOnly = node.exportKind === 'type' && node.declaration == null
      if (node.type === 'ExportAllDeclaration')
        for (const [name, one] of this.#exportsOf(resolved(file, node)))
          found.set(name, { ...one, typeOnly: typeOnly || one.typeOnly })
      if (node.type !== 'ExportNamedDeclaration') continue
      if (isNode(node.declaration)) {
        const name = nameOf(node.declaration)
        found.set(name, { file, name, typeOnly: false })
      }
      for (const specifier of node.specifiers as Node[]) {
        const local = nameIn(specifier.local)
        const one = isNode(node.source)
          ? this.#exportsOf(resolved(file, node)).get(local)
          : this.#named(file, local)
        if (one === undefined) throw new Error(`${file} exports ${local}, which is not there`)
        const isType = typeOnly || specifier.exportKind === 'type' || one.typeOnly
        found.set(nameIn(specifier.exported), { ...one, typeOnly: isType })
      }
    }
    return found
  }

  /** What a name in a file stands for; undefined for a global, a type parameter or something of a package. */
  #named(file: string, name: string): Found | undefined {
    for (const node of bodyOf(this.#source(file))) {
      const declaration = declarationIn(node)
      if (declaration !== null && nameOf(declaration) === name) return { file, name, typeOnly: false }
      if (node.type !== 'ImportDeclaration' || !isOwn(node)) continue
      for (const { local, imported } of node.specifiers as Node[])
        if (nameIn(local) === name) return this.#exportsOf(resolved(file, node)).get(nameIn(imported))
    }
    return undefined
  }

  #declared(file: string, name: string): Declared {
    const key = `${file}#${name}`
    const known = this.#known.get(key)
    if (known !== undefined) return known
    const source = this.#source(file)
    const nodes = bodyOf(source).filter((node) => {
      const declaration = declarationIn(node)
      return declaration !== null && nameOf(declaration) === name
    })
    const members = nodes.flatMap((node) => membersOf(node))
    const hidden = members.filter((member) => isHidden(source, member))
    const shown = nodes.map((node) => textOf(source, declarationIn(node) as Node, hidden))
    const declared: Declared = {
      key,
      file,
      name,
      text: shown.join('\n'),
      doc: nodes.map((node) => docOf(source, node)).find((doc) => doc !== null) ?? null,
      members: members
        .filter((member) => !hidden.includes(member))
        .flatMap((member) => [
          memberOf(source, member),
          ...within(member).map((one) => memberOf(source, one)),
        ]),
      isValue: nodes.some((node) => !/^TS(Interface|TypeAlias)/.test(declarationIn(node)?.type ?? '')),
      names: this.#namesIn(file, nodes, hidden),
    }
    this.#known.set(key, declared)
    return declared
  }

  #namesIn(file: string, nodes: readonly Node[], hidden: readonly Node[]): string[] {
    const within = nodes.flatMap((node) => [...walk(node)])
    const seen = within.filter(
      (node) => !hidden.some((one) => one.start <= node.start && node.end <= one.end),
    )
    const found = seen.map((node) => {
      if (node.type === 'TSImportType' && isOwn(node))
        return this.#exportsOf(resolved(file, node)).get(leftmost(node.qualifier))
      return this.#named(file, leftmost(namedIn(node)))
    })
    return [...new Set(found.filter((one) => one !== undefined).map((one) => `${one.file}#${one.name}`))]
  }
}

const bodyOf = ({ nodes }: Source): Node[] => nodes[0]?.body as Node[]

/** The declaration of a statement, exported or not. */
function declarationIn(statement: Node): Node | null {
  if (statement.type === 'ExportNamedDeclaration')
    return isNode(statement.declaration) ? statement.declaration : null
  return /Declaration$/.test(statement.type) && !/^(Import|Export)/.test(statement.type) ? statement : null
}

function nameOf(declaration: Node): string {
  const named =
    declaration.type === 'VariableDeclaration' ? (declaration.declarations as Node[])[0] : declaration
  return nameIn(named?.id)
}

const nameIn = (node: unknown): string => (isNode(node) ? String(node.name) : '')

const isOwn = ({ source }: Node): boolean => isNode(source) && String(source.value).startsWith('.')

function resolved(file: string, node: Node): string {
  const specifier = String((node.source as Node).value)
  return path.posix.join(path.posix.dirname(file), specifier).replace(/\.[jt]s$/, '.d.ts')
}

/** What a node of a type names. */
function namedIn(node: Node): unknown {
  switch (node.type) {
    case 'TSTypeReference':
      return node.typeName
    case 'TSTypeQuery':
      return node.exprName
    case 'TSInterfaceHeritage':
    case 'TSClassImplements':
      return node.expression
    case 'ClassDeclaration':
      return node.superClass
    default:
      return null
  }
}

function leftmost(name: unknown): string {
  if (!isNode(name)) return ''
  return name.type === 'TSQualifiedName' ? leftmost(name.left) : String(name.name)
}

function membersOf(statement: Node): Node[] {
  const declaration = declarationIn(statement) as Node
  const body = isNode(declaration.body) ? declaration.body.body : undefined
  const literal = isNode(declaration.typeAnnotation) ? declaration.typeAnnotation.members : undefined
  return (body ?? literal ?? []) as Node[]
}

/** The members of an object type that a member is of. */
function within(member: Node): Node[] {
  const type = (member.typeAnnotation as Node | undefined)?.typeAnnotation
  return isNode(type) && type.type === 'TSTypeLiteral' ? (type.members as Node[]) : []
}

function isHidden(source: Source, member: Node): boolean {
  const isPrivate = (member.key as Node | undefined)?.type === 'PrivateIdentifier'
  return isPrivate || member.accessibility === 'private' || /@internal\b/.test(docOf(source, member) ?? '')
}

function memberOf(source: Source, member: Node): Member {
  const { key, end } = member as Node & { key?: Node }
  const name = key === undefined ? '' : source.text.slice(key.start, key.end)
  const method = /Method|Call|Construct/.test(member.type) && member.kind !== 'get'
  const type = source.text.slice(key?.end ?? member.start, end).replace(/^\??(\(\))?: |;$/g, '')
  return { name, type: type.replace(/;$/, ''), doc: docOf(source, member), isMethod: method }
}

/** The comment that ends where a node begins. */
function docOf({ text, comments }: Source, { start }: Node): string | null {
  const doc = comments.findLast(({ end }) => end <= start && text.slice(end, start).trim() === '')
  return doc?.value.startsWith('*') ? doc.value.replaceAll(/^\s*\*? ?/gm, '').trim() : null
}

function textOf({ text, comments }: Source, node: Node, hidden: readonly Node[]): string {
  const cut = [...comments, ...hidden].filter(({ start, end }) => start >= node.start && end <= node.end)
  let shown = text.slice(node.start, node.end)
  for (const { start, end } of cut.sort((a, b) => b.start - a.start))
    shown = shown.slice(0, start - node.start) + shown.slice(end - node.start)
  return shown
    .replaceAll(/\n\s*(?=\n)/g, '')
    .replaceAll('    ', '  ')
    .replace(/^declare /, '')
}
