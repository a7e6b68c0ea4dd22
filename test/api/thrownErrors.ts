/**
 * Which errors can leave a function: those it throws and does not catch, and those that what it calls lets out. Read off the
 * syntax (`risks.ts`) and the compiler's own resolution of names; a function of an interface throws what it says.
 *
 * Not followed: errors that say that the program itself is wrong (`Error`, `TypeError`, `ReferenceError`, a ledger that does
 * not sum to zero), which nobody prepares for; what goes by way of a table of functions, a getter, or a callback that Node or a
 * package keeps; and what Node and packages throw.
 */

import path from 'node:path'
import {
  type Expression,
  type HeritageClause,
  isVariableDeclaration,
  type Node,
  SyntaxKind,
} from 'typescript/unstable/ast'
import { API, type Symbol as NamedSymbol, type Project, SymbolFlags } from 'typescript/unstable/sync'
import { isFunction, type Risk, risksIn, risksOfMaking } from './risks.ts'

const WRONG_PROGRAM: readonly string[] = [
  'Error',
  'TypeError',
  'ReferenceError',
  'LedgerError',
  'ErrnoException',
]

/** An exported function, or a method of an exported class. */
export interface Throwing {
  /** `openFeed`, `Engine.send`. */
  readonly name: string
  readonly throws: readonly string[]
  readonly says: readonly string[]
}

/** An error that cannot leave the functions of a file, though it looks so. */
export interface Impossible {
  /** From the folder of the configuration. */
  readonly file: string
  readonly error: string
  readonly because: string
}

export class ThrownErrors {
  readonly #project: Project
  readonly #api: API
  readonly #folder: string
  readonly #risks = new Map<Node, readonly Risk[]>()
  readonly #targets = new Map<Node, Node | null>()
  readonly #escaping = new Map<Node, ReadonlySet<string>>()
  readonly #kept = new Set<Impossible>()
  readonly #typed = new Map<Node, readonly string[]>()
  readonly #types = new Map<string, Node>()
  readonly #impossible: readonly Impossible[]
  readonly #exported = new Map<string, Node>()

  constructor(
    configuration: string,
    impossible: readonly Impossible[] = [],
    api = new API({ cwd: path.dirname(configuration) }),
  ) {
    this.#impossible = impossible
    this.#api = api
    const project = api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration)
    if (project === undefined) throw new Error(`no project ${configuration}`)
    this.#project = project
    this.#folder = path.dirname(configuration)
  }

  close(): void {
    this.#api.close()
  }

  /** Whatever the entry points export that can be called, by the files these are in. */
  of(entries: readonly string[]): Throwing[] {
    const called = entries.flatMap((entry) => this.#calledOf(entry))
    for (const [name, node] of called) this.#exported.set(name, node)
    this.#follow(called.map(([, node]) => node))
    return [...this.#exported].map(([name, node]) => ({
      name,
      throws: [...(this.#escaping.get(node) ?? [])].sort(),
      says: [...this.#saidOf(node)].sort(),
    }))
  }

  #calledOf(entry: string): [string, Node][] {
    const { program, checker } = this.#project
    const file = program.getSourceFile(entry)
    const module = file && checker.getSymbolAtLocation(file)
    if (!module) throw new Error(`no module ${entry}`)
    return checker.getExportsOfModule(module).flatMap((symbol): [string, Node][] => {
      const declaration = this.#declarationOf(symbol)
      if (declaration === null) return []
      if (isCallable(declaration)) return [[symbol.name, declaration]]
      this.#types.set(symbol.name, declaration)
      if (declaration.kind !== SyntaxKind.ClassDeclaration) return []
      const methods: [string, Node][] = []
      declaration.forEachChild((member) => {
        const name = (member as { name?: Node }).name
        if (!isFunction(member) || name?.kind !== SyntaxKind.Identifier) return
        if (!/@internal|\bprivate\b/.test(member.getFullText().split('{')[0] ?? ''))
          methods.push([`${symbol.name}.${name.getText()}`, member])
      })
      return [[`new ${symbol.name}`, declaration], ...methods]
    })
  }

  /** Finds what is called from these, directly and by way of others, and then what leaves each until nothing changes. */
  #follow(from: readonly Node[]): void {
    const reached = new Set(from)
    for (const node of reached) {
      const risks = node.kind === SyntaxKind.ClassDeclaration ? risksOfMaking(node) : risksOfFunction(node)
      this.#risks.set(node, risks)
      const names = [...namesIn(risks)].filter((name) => !this.#targets.has(name))
      const symbols = names.length === 0 ? [] : this.#project.checker.getSymbolAtLocation(names)
      names.forEach((name, index) => {
        const symbol = symbols[index]
        const target = symbol === undefined ? null : this.#declarationOf(symbol)
        this.#targets.set(name, target)
        if (
          target !== null &&
          (isCallable(target) || target.kind === SyntaxKind.ClassDeclaration) &&
          this.#isOurs(target)
        )
          reached.add(target)
      })
    }
    for (let changed = true; changed; ) {
      changed = false
      for (const node of reached) {
        const before = this.#escaping.get(node)?.size ?? 0
        const now = new Set(this.#leaving(this.#risks.get(node) ?? []))
        for (const one of this.#impossibleIn(node)) if (now.delete(one.error)) this.#kept.add(one)
        this.#escaping.set(node, now)
        changed ||= now.size > before
      }
    }
  }

  /** What was said to be impossible, and did not look possible. */
  unneeded(): string[] {
    return this.#impossible
      .filter((one) => !this.#kept.has(one))
      .map(({ file, error }) => `${file}: ${error}`)
  }

  /** By way of which functions an error comes to leave one, from it to where it is thrown. */
  wayOf(name: string, error: string): string {
    const way: string[] = []
    const seen = new Set<Node>()
    for (let node = this.#exported.get(name); node !== undefined && !seen.has(node); ) {
      seen.add(node)
      way.push(nameOf(node))
      const called: Node[] = [...namesIn(this.#risks.get(node) ?? [])].flatMap(
        (one) => this.#targets.get(one) ?? [],
      )
      const thrown = (one: Node) => new Set(this.#thrownBy(one)).has(error) && !seen.has(one)
      node = called.find(thrown)
    }
    return way.join(' → ')
  }

  *#leaving(risks: readonly Risk[]): Generator<string> {
    for (const risk of risks)
      switch (risk.kind) {
        case 'error':
          if (!WRONG_PROGRAM.includes(risk.name)) yield risk.name
          break
        case 'typed':
          yield* this.#typesOf(risk.expression)
          break
        case 'call':
          yield* this.#thrownBy(this.#targets.get(risk.name) ?? null)
          break
        case 'callback':
          if (this.#calls(this.#targets.get(risk.to) ?? null)) yield* this.#leaving(risk.risks)
          break
        case 'rethrown': {
          const { only, but } = risk
          for (const name of this.#leaving(risk.of))
            if ((only.length === 0 || only.includes(name)) && !but.includes(name)) yield name
        }
      }
  }

  *#thrownBy(target: Node | null): Generator<string> {
    if (target === null || !this.#isOurs(target)) return
    const known = this.#escaping.get(target)
    if (known !== undefined) yield* known
    else if (!isCallable(target)) yield* this.#saidOf(target)
  }

  /** The error classes that an expression may be of; none where that is not known. */
  #typesOf(expression: Expression): readonly string[] {
    const known = this.#typed.get(expression)
    if (known !== undefined) return known
    const { checker } = this.#project
    const type = checker.getTypeAtLocation(expression)
    const names = type === undefined ? [] : checker.typeToString(type).split(' | ')
    const errors = names.filter((name) => /^[A-Z]\w+$/.test(name) && !WRONG_PROGRAM.includes(name))
    this.#typed.set(expression, errors)
    return errors
  }

  /** Whether a function calls what it is handed before it returns: ours, and those of the language. */
  #calls(target: Node | null): boolean {
    if (target === null) return false
    return this.#isOurs(target) || /\/lib\.es\d*\.[\w.]*d\.ts$/.test(target.getSourceFile().fileName)
  }

  #impossibleIn(node: Node): Impossible[] {
    const file = path.relative(this.#folder, node.getSourceFile().fileName)
    return this.#impossible.filter((one) => one.file === file)
  }

  #isOurs(node: Node): boolean {
    const { fileName } = node.getSourceFile()
    return fileName.startsWith(`${this.#folder}/`) && !fileName.includes('/node_modules/')
  }

  #declarationOf(symbol: NamedSymbol): Node | null {
    const { checker } = this.#project
    const aliased = symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol
    const declaration = (aliased.valueDeclaration ?? aliased.declarations[0])?.resolve()
    if (declaration === undefined) return null
    return isVariableDeclaration(declaration) &&
      declaration.initializer !== undefined &&
      isFunction(declaration.initializer)
      ? declaration.initializer
      : declaration
  }

  /** The errors that a docstring says are thrown, those of its class and its interface, and those of what it refers to. */
  #saidOf(node: Node, seen = new Set<Node>()): Set<string> {
    if (seen.has(node)) return new Set()
    seen.add(node)
    const said = new Set<string>()
    const add = (more: ReadonlySet<string>) => {
      for (const one of more) said.add(one)
    }
    for (const [text] of docOf(node).matchAll(THROWS)) {
      for (const [name] of text.matchAll(/\b[A-Z]\w+/g)) if (this.#canBeCaught(name)) said.add(name)
      for (const [, name = ''] of text.matchAll(/\{@link ([\w.]+)\}/g)) {
        const meant = this.#named(name)
        if (meant !== null) add(this.#saidOf(meant, seen))
      }
    }
    for (const one of this.#promisesOf(node)) add(this.#saidOf(one, seen))
    return said
  }

  /** Whether whoever calls can name a class: it is the language's, or exported. */
  #canBeCaught(name: string): boolean {
    return (
      /^(Range|Type|Syntax)?Error$/.test(name) || this.#types.get(name)?.kind === SyntaxKind.ClassDeclaration
    )
  }

  /** What else says what a method throws: its class, and the methods of the interfaces that the class has. */
  #promisesOf(method: Node): Node[] {
    const { parent, name } = method as Node & { name?: Node }
    if (parent?.kind !== SyntaxKind.ClassDeclaration || name === undefined) return []
    const { heritageClauses = [] } = parent as Node & { heritageClauses?: readonly HeritageClause[] }
    const types = heritageClauses.flatMap(({ types }) => types.map(({ expression }) => expression))
    const symbols = types.length === 0 ? [] : this.#project.checker.getSymbolAtLocation(types)
    const kept = symbols.map((symbol) => symbol && this.#declarationOf(symbol))
    return [parent, ...kept.flatMap((one) => (one ? (memberOf(one, name.getText()) ?? []) : []))]
  }

  /** `openFeed`, or `Store.read`, among the exports. */
  #named(name: string): Node | null {
    const [of = '', member] = name.split('.')
    const exported = this.#exported.get(name) ?? this.#types.get(of) ?? null
    return exported === null || member === undefined || this.#exported.has(name)
      ? exported
      : memberOf(exported, member)
  }
}

const THROWS = /(?:@throws|\bthrows\b|\brejects\b).*?(?=\n\s*\*\s*\n|@throws|@param|@returns|$)/gs

function memberOf(declaration: Node, name: string): Node | null {
  let found: Node | null = null
  declaration.forEachChild((member) => {
    if ((member as { name?: Node }).name?.getText() === name) found ??= member
  })
  return found
}

const isCallable = (node: Node): boolean => isFunction(node) && (node as { body?: Node }).body !== undefined

function risksOfFunction(node: Node): Risk[] {
  const { body } = node as { body?: Node }
  return body === undefined ? [] : risksIn(body)
}

function* namesIn(risks: readonly Risk[]): Generator<Node> {
  for (const risk of risks) {
    if (risk.kind === 'call') yield risk.name
    if (risk.kind === 'callback') yield risk.to
    if (risk.kind === 'callback') yield* namesIn(risk.risks)
    if (risk.kind === 'rethrown') yield* namesIn(risk.of)
  }
}

/** The docstring before a declaration. */
function docOf(node: Node): string {
  const statement = node.parent?.kind === SyntaxKind.VariableDeclaration ? node.parent.parent.parent : node
  const docs = (statement as { jsDoc?: readonly Node[] }).jsDoc ?? []
  return docs.map((doc) => doc.getText().replaceAll(/```.*?```/gs, '')).join('\n')
}

function nameOf(node: Node): string {
  const { name } = (isFunction(node) && node.kind === SyntaxKind.ArrowFunction ? node.parent : node) as {
    name?: Node
  }
  return `${name?.getText() ?? '?'} (${path.basename(node.getSourceFile().fileName)})`
}
