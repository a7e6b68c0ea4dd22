/** Asks a function, or a class, and tells what it answers: what it gives or throws, calls, prints and changes of what it was given. */
import { createHash } from 'node:crypto'
import { isOutOfTime, isToCome, type Step, type Steps, walked } from './comeTo.ts'
import { Drawer } from './drawn.ts'
import type { Asked, Called, Made, Shape, Shapes, Subject } from './shape.ts'
import { placed } from './shown.ts'
import { stillTime } from './stillTime.ts'
import { written } from './written.ts'

/** So often is a thing that was given asked something. */
const FURTHER = 8
const SHOWN = 2
const LONGEST_SHOWN = 150

export type Modules = ReadonlyMap<string, Readonly<Record<string, unknown>>>

/** What Node says of a text that is no JSON differs from version to version. */
const OF_JSON =
  /\b(Unexpected|Expected|Unterminated|Bad|No number|Exponent)\b[^\n]*?\bJSON\b( input| at position \d+)?( \(line \d+ column \d+\))?/g

/** Where in a file something was thrown is told to the line, and moves with every line above it. */
const OF_PLACE = /[\w./-]+\.[mc]?[jt]sx?:\d+(:\d+)?/g

type Callable = (...given: unknown[]) => unknown

/** What all questions of one call have in common. */
interface Asking {
  readonly drawer: Drawer
  readonly shapes: Shapes
  /** What was answered so far. */
  readonly lines: string[]
}

/**
 * What it answers to one of its calls, in full.
 *
 * @param step takes a step, and may end it.
 */
export async function answerTo(
  call: number,
  subject: Subject,
  shapes: Shapes,
  modules: Modules,
  step: Step = (taken) => taken(),
): Promise<string> {
  const { file, name } = subject
  const own = modules.get(file)?.[name]
  const value = file.endsWith('.tsx') && /^[A-Z]/.test(name) ? placed(own) : own
  const constants = shapes.constants[file] ?? { numbers: [], bigints: [], strings: [], matching: [] }
  const drawer = new Drawer(
    `${name} ${call}`,
    shapes.named,
    constants,
    (of) => modules.get(of.file)?.[of.name],
  )
  const lines: string[] = []
  const asking = { drawer, shapes, lines }
  const steps =
    'call' in subject.of
      ? ask(value as Callable, subject.of.call, asking, name, 0)
      : make(value, subject.of.made, asking)
  await stillTime(
    async () => {
      try {
        await walked(steps, step)
      } catch (error) {
        if (isOutOfTime(error)) throw error
        lines.push(`undrawn ${thrown(error)}`)
      }
    },
    (text) => lines.push(`printed ${text}`),
  )
  for (const heard of drawer.heard) lines.push(`called ${written(heard)}`)
  return lines.join('\n').replace(OF_JSON, '<no JSON>').replace(OF_PLACE, '<place>')
}

/** As its answers are kept: the first as they begin, of each the digest. */
export async function keptOf(subject: Asked, shapes: Shapes, modules: Modules): Promise<string> {
  const answers: string[] = []
  for (const call of subject.calls) answers.push(await answerTo(call, subject, shapes, modules))
  const digests = answers.map((answer) => createHash('sha256').update(answer).digest('hex').slice(0, 5))
  const shown = answers
    .slice(0, SHOWN)
    .map((answer) => `  ${answer.split('\n').join(' | ').slice(0, LONGEST_SHOWN)}`)
  return [subject.name, ...shown, `  ${digests.join(' ')}`].join('\n')
}

function* ask(value: Callable, { takes, gives }: Called, asking: Asking, name: string, depth: number): Steps {
  const { drawer, lines } = asking
  const given = drawer.all(takes)
  const before = written(given)
  let result: unknown
  try {
    result = value(...given)
    if (isToCome(result)) result = yield result
    const told = written(result)
    lines.push(`${name}${before.replace(/^\[/, '(').replace(/\]$/, ')')} → ${told}`)
  } catch (error) {
    lines.push(`${name}${before} ✗ ${thrown(error)}`)
  }
  const after = written(given)
  if (after !== before) lines.push(`left ${after}`)
  if (gives !== undefined && depth < 2) yield* further(result, gives, asking, name, depth + 1)
}

/** Asks what was given, where it can be asked. */
function* further(value: unknown, shape: Shape, asking: Asking, name: string, depth: number): Steps {
  if (typeof shape === 'string' || value === null || value === undefined) return
  if ('later' in shape) return yield* further(value, shape.later, asking, name, depth)
  if ('named' in shape)
    return yield* further(value, asking.shapes.named[shape.named] ?? 'anything', asking, name, depth)
  if ('either' in shape) {
    for (const one of shape.either) yield* further(value, one, asking, name, depth)
    return
  }
  if ('call' in shape && typeof value === 'function') {
    for (let time = 0; time < FURTHER; time++)
      yield* ask(value as Callable, shape.call, asking, `${name}()`, depth)
    return
  }
  if ('made' in shape && typeof value === 'object') return yield* askMethods(value, shape.made, asking, depth)
  if (!('fields' in shape) || typeof value !== 'object') return
  for (const [field, of] of Object.entries(shape.fields)) {
    const inner = (value as Record<string, unknown>)[field]
    if (typeof inner === 'function') yield* further(inner.bind(value), of, asking, `.${field}`, depth)
  }
}

function* make(Class: unknown, made: Made, asking: Asking): Steps {
  const { drawer, lines } = asking
  const given = drawer.all(made.takes)
  lines.push(`new ${made.name} ${written(given)}`)
  let value: object
  try {
    value = new (Class as new (...all: unknown[]) => object)(...given)
  } catch (error) {
    lines.push(`✗ ${thrown(error)}`)
    return
  }
  if (value instanceof Error) lines.push(`= ${written(value)}`)
  yield* askMethods(value, made, asking, 0)
}

function* askMethods(value: object, { methods }: Made, asking: Asking, depth: number): Steps {
  const { drawer, lines } = asking
  const names = Object.keys(methods).sort()
  if (names.length === 0) return
  for (let time = 0; time < 2 * FURTHER; time++) {
    const name = drawer.pick(names)
    try {
      const member = (value as Record<string, unknown>)[name]
      if (typeof member === 'function')
        yield* ask(member.bind(value) as Callable, methods[name] as Called, asking, `.${name}`, depth + 1)
      else lines.push(`.${name} = ${written(member)}`)
    } catch (error) {
      lines.push(`.${name} ✗ ${thrown(error)}`)
    }
  }
}

/** How the language itself, and Node, say such things; that differs from version to version. */
const BY_THE_LANGUAGE =
  /^(Invalid (array|string|typed|time|date|time zone)|Maximum |The number .* cannot be converted)|out of bounds|digits argument|fraction digits|radix/

function thrown(error: unknown): string {
  if (!(error instanceof Error)) return written(error)
  const isOfLanguage = error instanceof TypeError || error instanceof SyntaxError || 'code' in error
  if (isOfLanguage || BY_THE_LANGUAGE.test(error.message)) return error.name
  return `${error.name}: ${error.message}`
}
