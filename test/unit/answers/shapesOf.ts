// The shapes of what modules of src export, read off the compiler.

import path from 'node:path'
import fc from 'fast-check'
import {
  API,
  type Checker,
  type Symbol as NamedSymbol,
  type Project,
  SignatureKind,
  SymbolFlags,
  type Type,
  TypeFlags,
  type TypeReference,
} from 'typescript/unstable/sync'
import { stepsFrom } from '../../mutants/reach.ts'
import { type Node, parse, root, textOf } from '../../tidy/sourceTree.ts'
import { innerNamesOf } from './innerNames.ts'
import { outsideOf, touchesOutside } from './outside.ts'
import type { Called, Constants, Made, Parameter, Shape, Shapes, Subject } from './shape.ts'

const NUMBERS = /^((Big)?(Int|Uint)(8|16|32|64)|Float(32|64)|Uint8Clamped)Array$/
/** Types of the language that have a drawn value of their own. */
const LISTS = new Set(['Array', 'ReadonlyArray', 'Iterable', 'IterableIterator', 'ArrayLike', 'Generator'])
const STREAMS = new Set(['AsyncIterable', 'AsyncIterableIterator', 'AsyncGenerator'])

/** Programs and threads, which begin as they are imported. */
export const RUN_AT_ONCE: ReadonlySet<string> = new Set([
  'src/cli/main.ts',
  'src/backtest/workers/worker.ts',
  'src/backtest/learned/fitThread.ts',
  'src/host/console/page/main.tsx',
  'src/workbench/page/main.tsx',
])

/** What is not the same twice, on another machine or version of Node; what reads lines hands on a buffer whose rest is what memory held. */
export const LEFT_OUT: ReadonlySet<string> = new Set([
  'src/backtest/feed/delimitedRows.ts delimitedRows',
  'src/backtest/feed/wholeLines.ts wholeLines',
  'src/backtest/workers/taskQueue.ts packed',
  'src/backtest/workers/taskQueue.ts unpacked',
  'src/cli/dataCachePlace.ts usualDataCache',
  'src/backtest/feed/cache/cachedFeed.ts nameOf',
  'src/backtest/feed/formats/parquetPages.ts UNPACKERS',
])

/** More parts than anybody draws. */
const MOST_PARTS = 400

class Undrawable extends Error {}

export class ShapeReader {
  readonly #project: Project
  readonly #checker: Checker
  readonly #api = new API({ cwd: root })
  readonly #named = new Map<string, Shape>()
  readonly #names = new Map<number, string>()
  readonly #taken = new Set<string>()
  readonly #undrawable = new Set<number>()

  /** @param project where the settings of the compiler are. */
  constructor(project: string) {
    const configuration = path.join(root, project)
    const opened = this.#api.updateSnapshot({ openProjects: [configuration] }).getProject(configuration)
    if (opened === undefined) throw new Error(`no project ${configuration}`)
    this.#project = opened
    this.#checker = opened.checker
  }

  close(): void {
    this.#api.close()
  }

  of(files: readonly string[]): Shapes {
    const subjects = files.flatMap((file) => this.#subjectsOf(file))
    const constants = Object.fromEntries(
      [...new Set(subjects.map(({ file }) => file))].map((file) => [file, constantsOf(file)]),
    )
    return { subjects, tables: {}, named: this.#reached(subjects), constants }
  }

  #subjectsOf(file: string): Subject[] {
    if (RUN_AT_ONCE.has(file)) return []
    const source = this.#project.program.getSourceFile(path.join(root, file))
    const module = source && this.#checker.getSymbolAtLocation(source)
    if (!module) return []
    const inner = innerNamesOf(file, textOf(file)).flatMap(
      (name) => this.#checker.resolveName(name, SymbolFlags.Value, source, true) ?? [],
    )
    return [...this.#checker.getExportsOfModule(module), ...inner].flatMap((symbol): Subject[] => {
      if ((symbol.flags & (SymbolFlags.Function | SymbolFlags.Variable | SymbolFlags.Class)) === 0) return []
      const { name } = symbol
      if (this.#fileOf(symbol) !== file || LEFT_OUT.has(`${file} ${name}`) || outsideOf(file).has(name))
        return []
      try {
        if ((symbol.flags & SymbolFlags.Class) !== 0)
          return [{ file, name, of: { made: this.#made(file, name, symbol) } }]
        const type = this.#checker.getTypeOfSymbol(symbol)
        const call =
          type === undefined || (this.#isLater(type) && dependsOnMore(file)) ? null : this.#call(type, true)
        return call === null ? [] : [{ file, name, of: { call } }]
      } catch (error) {
        if (error instanceof Undrawable) return []
        throw error
      }
    })
  }

  #call(type: Type, isSubject = false): Called | null {
    const [signature] = this.#checker.getSignaturesOfType(type, SignatureKind.Call)
    if (signature === undefined) return null
    const parameters = signature.getParameters()
    const takes = parameters.map(
      (parameter, index): Parameter => ({
        name: parameter.name,
        shape:
          signature.hasRestParameter && index === parameters.length - 1
            ? 'undefined'
            : this.#shape(this.#checker.getParameterType(signature, index)),
      }),
    )
    const given = this.#checker.getReturnTypeOfSignature(signature)
    const gives = isSubject ? this.#asked(given) : this.#shape(given)
    return { takes, ...(gives === null ? {} : { gives }) }
  }

  /** Whether what a function gives comes later. */
  #isLater(type: Type): boolean {
    const [signature] = this.#checker.getSignaturesOfType(type, SignatureKind.Call)
    const given = signature && this.#checker.getReturnTypeOfSignature(signature)
    return /^(Promise|Async)/.test(given?.getSymbol()?.name ?? '')
  }

  /** What of a result can be asked further. */
  #asked(type: Type | undefined): Shape | null {
    if (type === undefined) return null
    try {
      const shape = this.#shape(type)
      return isAsked(shape, this.#named) ? shape : null
    } catch (error) {
      if (error instanceof Undrawable) return null
      throw error
    }
  }

  #made(file: string, name: string, symbol: NamedSymbol): Made {
    const type = this.#checker.getTypeOfSymbol(symbol)
    const [signature] =
      type === undefined ? [] : this.#checker.getSignaturesOfType(type, SignatureKind.Construct)
    if (signature === undefined || signature.isAbstract || outsideOf(file).has(name))
      throw new Undrawable('not made')
    const takes = signature.getParameters().map(
      (parameter, index): Parameter => ({
        name: parameter.name,
        shape: this.#shape(this.#checker.getParameterType(signature, index)),
      }),
    )
    const declared = this.#checker.getDeclaredTypeOfSymbol(symbol)
    // What extends a stream or an emitter does its work later.
    if ((declared.getBaseTypes() ?? []).some((base) => this.#isForeign(base.getSymbol()) && !isFault(base)))
      throw new Undrawable(name)
    const methods: Record<string, Called> = {}
    for (const member of this.#checker.getPropertiesOfType(declared)) {
      if (!/^[a-z]\w*$/i.test(member.name)) continue
      const of = this.#checker.getTypeOfSymbol(member)
      try {
        // What a class does later goes on when nobody asks it any more.
        const call = of === undefined || this.#isLater(of) ? null : this.#call(of, true)
        if (call !== null) methods[member.name] = call
        else if (of !== undefined && (member.flags & SymbolFlags.Accessor) !== 0)
          methods[member.name] = { takes: [] }
      } catch (error) {
        if (!(error instanceof Undrawable)) throw error
      }
    }
    return { file, name, takes, methods }
  }

  #shape(type: Type | undefined): Shape {
    if (type === undefined) throw new Undrawable('no type')
    const simple = simpleShape(type)
    if (simple !== null) return simple
    if (this.#undrawable.has(type.id)) throw new Undrawable('seen before')
    const known = this.#names.get(type.id)
    if (known !== undefined) return { named: known }
    if (this.#names.size > MOST_PARTS * 50) throw new Undrawable('too much')
    const name = this.#nameOf(type)
    this.#names.set(type.id, name)
    try {
      const shape = this.#parts(type)
      this.#named.set(name, shape)
      return { named: name }
    } catch (error) {
      this.#undrawable.add(type.id)
      this.#names.delete(type.id)
      throw error
    }
  }

  #nameOf(type: Type): string {
    const told = (type.getAliasSymbol() ?? type.getSymbol())?.name ?? 'one'
    const base = /^\w+$/.test(told) && !told.startsWith('__') ? told : 'one'
    for (let number = 1; ; number++) {
      const name = number === 1 && base !== 'one' ? base : `${base} ${number}`
      if (this.#taken.has(name)) continue
      this.#taken.add(name)
      return name
    }
  }

  #parts(type: Type): Shape {
    const checker = this.#checker
    if (type.isTypeParameter()) {
      const constraint = checker.getBaseConstraintOfType(type)
      return constraint === undefined || (constraint.flags & TypeFlags.AnyOrUnknown) !== 0
        ? 'number'
        : this.#shape(constraint)
    }
    if (type.isUnionType()) {
      const shapes = type.getTypes().flatMap((one) => {
        try {
          return [this.#shape(one)]
        } catch (error) {
          if (error instanceof Undrawable) return []
          throw error
        }
      })
      if (shapes.length === 0) throw new Undrawable('none of them')
      return { either: shapes }
    }
    if (type.isIntersectionType()) {
      const simple = type
        .getTypes()
        .map(simpleShape)
        .find((shape) => shape !== null)
      if (simple !== undefined) return simple
      return this.#fields(type)
    }
    if (type.isTemplateLiteralType()) return 'string'
    if ((type.flags & TypeFlags.Object) === 0) {
      const constraint = checker.getBaseConstraintOfType(type)
      if (constraint === undefined || constraint.id === type.id) throw new Undrawable('no object')
      return this.#shape(constraint)
    }
    if (checker.isTupleType(type))
      return { row: checker.getTypeArguments(type as TypeReference).map((one) => this.#shape(one)) }
    const symbol = type.getSymbol()
    const name = symbol?.name ?? ''
    const given = () => checker.getTypeArguments(type as TypeReference)
    if (this.#isForeign(symbol)) return this.#foreign(name, given)
    if (symbol !== undefined && (symbol.flags & SymbolFlags.Class) !== 0)
      return { made: this.#made(this.#fileOf(symbol), name, symbol) }
    const call = this.#call(type)
    if (call !== null) return { call }
    return this.#fields(type)
  }

  #foreign(name: string, given: () => readonly Type[]): Shape {
    const [first, second] = ['0', '1'].map((_, index) => () => this.#shape(given()[index])) as [
      () => Shape,
      () => Shape,
    ]
    if (NUMBERS.test(name)) return { numbers: name }
    if (name === 'Buffer') return { numbers: 'Uint8Array' }
    if (LISTS.has(name)) return { list: first() }
    if (name === 'Promise' || name === 'PromiseLike') return { later: first() }
    if (name === 'AbortSignal') return { signal: true }
    if (STREAMS.has(name)) return { stream: first() }
    if (/^(Readonly)?Map$/.test(name)) return { map: [first(), second()] }
    if (/^(Readonly)?Set$/.test(name)) return { set: first() }
    throw new Undrawable(name)
  }

  #isForeign(symbol: NamedSymbol | undefined): boolean {
    const file = symbol === undefined ? '' : this.#fileOf(symbol)
    return symbol !== undefined && !symbol.name.startsWith('__') && !file.startsWith('src/')
  }

  #fileOf(symbol: NamedSymbol): string {
    const declared = (symbol.valueDeclaration ?? symbol.declarations[0])?.path ?? ''
    return path.relative(root, String(declared))
  }

  #fields(type: Type): Shape {
    const properties = this.#checker.getPropertiesOfType(type)
    const [index] = this.#checker.getIndexInfosOfType(type)
    if (properties.length === 0 && index !== undefined) return { values: this.#shape(index.valueType) }
    if (properties.length > MOST_PARTS) throw new Undrawable('too many fields')
    const fields: Record<string, Shape> = {}
    for (const property of properties) {
      if (property.name.startsWith('__')) continue
      fields[property.name] = this.#shape(this.#checker.getTypeOfSymbol(property))
    }
    return { fields }
  }

  /** Of what has a name that which subjects need. */
  #reached(subjects: readonly Subject[]): Record<string, Shape> {
    const reached = new Map<string, Shape>()
    const look = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      if ('named' in value && typeof value.named === 'string') {
        if (reached.has(value.named)) return
        const shape = this.#named.get(value.named) as Shape
        reached.set(value.named, shape)
        return look(shape)
      }
      for (const each of Object.values(value)) look(each)
    }
    look(subjects)
    return Object.fromEntries([...reached].sort(([one], [other]) => (one < other ? -1 : 1)))
  }
}

/** What is thrown says what it is at once. */
const isFault = (type: Type): boolean => /Error$/.test(type.getSymbol()?.name ?? '')

function simpleShape(type: Type): Shape | null {
  const { flags } = type
  if (type.isStringLiteralType() || type.isNumberLiteralType() || type.isBooleanLiteralType())
    return { literal: type.value }
  if (type.isBigIntLiteralType()) return { big: String(type.value) }
  if ((flags & TypeFlags.AnyOrUnknown) !== 0) return 'anything'
  if ((flags & (TypeFlags.Undefined | TypeFlags.Void)) !== 0) return 'undefined'
  if ((flags & TypeFlags.Null) !== 0) return 'null'
  if ((flags & TypeFlags.Boolean) !== 0) return 'boolean'
  if ((flags & TypeFlags.String) !== 0) return 'string'
  if ((flags & TypeFlags.Number) !== 0) return 'number'
  if ((flags & TypeFlags.BigInt) !== 0) return 'bigint'
  if ((flags & TypeFlags.Never) !== 0) return 'undefined'
  return null
}

function isAsked(shape: Shape, named: ReadonlyMap<string, Shape>, depth = 0): boolean {
  if (typeof shape === 'string' || depth > 3) return false
  if ('named' in shape) return isAsked(named.get(shape.named) ?? 'anything', named, depth)
  if ('later' in shape) return isAsked(shape.later, named, depth)
  if ('call' in shape || 'made' in shape) return true
  if ('fields' in shape) return Object.values(shape.fields).some((field) => isAsked(field, named, depth + 1))
  if ('either' in shape) return shape.either.some((one) => isAsked(one, named, depth + 1))
  return false
}

/** What is imported when it is needed comes at once where somebody else needed it before, and else not. */
const importsLater = (file: string): boolean =>
  parse(file).nodes.some(({ type }) => type === 'ImportExpression')

/** Whether what it does later hangs on more than what it is given. */
const dependsOnMore = (file: string): boolean =>
  [file, ...stepsFrom(file).keys()].some((each) => touchesOutside(each) || importsLater(each))

/** Every number, bigint and text that stands in a module. */
function constantsOf(file: string): Constants {
  const { nodes } = parse(file)
  const numbers = new Set<number>()
  const bigints = new Set<string>()
  const strings = new Set<string>()
  for (const node of nodes) {
    if (node.type === 'TemplateElement') strings.add((node.value as { cooked: string }).cooked)
    if (node.type !== 'Literal') continue
    if (typeof node.bigint === 'string') bigints.add(String(BigInt(node.bigint)))
    else if (typeof node.value === 'number') numbers.add(node.value)
    else if (typeof node.value === 'string' && !/\.tsx?$|^node:/.test(node.value)) strings.add(node.value)
  }
  const short = [...strings].filter((text) => text !== '' && text.length <= 24)
  const matching = [...new Set(nodes.flatMap(matchingTexts))]
  return { numbers: [...numbers], bigints: [...bigints], strings: short.slice(0, 40), matching }
}

/** Texts that a regular expression of a module matches; none where they cannot be drawn. */
function matchingTexts({ regex }: Node): string[] {
  if (typeof regex !== 'object' || regex === null) return []
  const { pattern, flags } = regex as { readonly pattern: string; readonly flags: string }
  try {
    const texts = fc.stringMatching(new RegExp(pattern, flags.replace(/[gimsyv]/g, '')), { size: 'xsmall' })
    return fc
      .sample(texts, { seed: 1, numRuns: 12 })
      .filter((text) => /^[\x20-\x7e]*$/.test(text) && text.length <= 80)
      .slice(0, 6)
  } catch {
    return []
  }
}
