// Which test files pass through which functions of src: measured once and kept beside the dependencies, so that a mistake is
// asked of those files and of no others.

import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { isNode, type Node, parse, root, type Source, sources, textOf } from '../tidy/sourceTree.ts'
import type { Mistake } from './mistakes.ts'
import { wholeOf } from './reach.ts'
import { type Splice, splice } from './splice.ts'
import type { TimeBound } from './timeBound.ts'
import type { Workbench } from './workbench.ts'

const FILE = path.join(root, 'node_modules/.cache/mutation/passed.json')

interface Measured {
  readonly seconds: number
  /** Of the test's own text at the time. */
  readonly text: string
  /** Places, each by its number. */
  readonly through: readonly number[]
}

interface Kept {
  readonly places: string[]
  readonly tests: Record<string, Measured>
}

/** What was measured; empty where nothing was. */
export class Passed {
  readonly #seconds = new Map<string, number>()
  readonly #byPlace = new Map<string, Set<string>>()
  readonly #texts = new Map<string, string>()

  constructor({ places, tests }: Kept = kept()) {
    for (const [test, { seconds, text, through }] of Object.entries(tests)) {
      this.#seconds.set(test, seconds)
      this.#texts.set(test, text)
      for (const number of through) {
        const place = places[number] as string
        for (const name of [place, place.split('#')[0] as string])
          this.#byPlace.set(name, (this.#byPlace.get(name) ?? new Set()).add(test))
      }
    }
  }

  /** Undefined where the test file was not measured. */
  secondsOf(test: string): number | undefined {
    return this.#seconds.get(test)
  }

  /** Whether a test file was never measured, or has another text now, so that it may pass through more. */
  isStale(test: string): boolean {
    return this.#texts.get(test) !== hashOf(test)
  }

  /**
   * The test files that pass through the function that a mistake is in; of a mistake in none, or in a function that is new,
   * those that pass through its file. Null where nothing is known of the file.
   */
  through({ file, splices }: Mistake): ReadonlySet<string> | null {
    const place = placeAt(parse(file), (splices[0] as Splice).start)
    return this.#byPlace.get(place) ?? this.#byPlace.get(file) ?? null
  }
}

const hashes = new Map<string, string>()

/** Of a test file with the modules of `test` that it imports. */
export function hashOf(test: string): string {
  const known = hashes.get(test)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for (const file of wholeOf(test)) hash.update(textOf(file))
  const text = hash.digest('hex')
  hashes.set(test, text)
  return text
}

function kept(): Kept {
  if (!existsSync(FILE)) return { places: [], tests: {} }
  return JSON.parse(readFileSync(FILE, 'utf8')) as Kept
}

/** Runs test files with a note in every function of src, and keeps after each what is known so far; of the others what was. */
export async function measure(
  tests: readonly string[],
  benches: readonly Workbench[],
  bound: TimeBound,
  told: (test: string, seconds: number, by: string) => void,
): Promise<void> {
  const before = kept()
  const files = sources('src').filter((file) => file.endsWith('.ts') && !file.includes('/page/'))
  const places = [...new Set(files.flatMap((file) => functionsIn(parse(file)).map(({ place }) => place)))]
  const numbers = new Map(places.map((place, number) => [place, number]))
  const results = Object.fromEntries(
    Object.entries(before.tests).map(([test, { through, ...measured }]) => {
      const known = through.flatMap((number) => numbers.get(before.places[number] as string) ?? [])
      return [test, { ...measured, through: known }]
    }),
  )
  const waiting = [...tests]
  const work = async (bench: Workbench) => {
    const note = path.join(bench.tree.root, 'test/mutants/note.ts')
    const undo = files.map((file) => bench.replace(file, noted(parse(file), numbers, note)))
    const notes = path.join(bench.tree.root, 'notes.txt')
    for (let test = waiting.shift(); test !== undefined && !bound.isOver; test = waiting.shift()) {
      rmSync(notes, { force: true })
      const { by, seconds } = await bench.run(test, 1_200, { notes, within: bound.left })
      told(test, seconds, by)
      // What fails for the notes alone, such as under a bound of bytes, still passes through what it does: whoever asks it looks
      // whether it passes.
      const lines = existsSync(notes) ? readFileSync(notes, 'utf8') : ''
      const through = [...new Set(lines.split('\n').filter(Boolean).map(Number))]
      results[test] = { seconds, text: hashOf(test), through }
      mkdirSync(path.dirname(FILE), { recursive: true })
      writeFileSync(FILE, JSON.stringify({ places, tests: results } satisfies Kept))
    }
    for (const back of undo) back()
  }
  await Promise.all(benches.map(work))
}

interface Place {
  /** The file, and the names around the function. */
  readonly place: string
  readonly start: number
  readonly end: number
  readonly body: Node
}

/** Functions with a body of statements, and arrows that have a name of their own; those without count to what is around them. */
function functionsIn({ file, text }: Source): Place[] {
  const found: Place[] = []
  const walk = (node: Node, within: string, isNamed: boolean) => {
    const { start, end, type, body } = node
    const name = nameOf(node)
    const place = name === null ? within : `${within}.${name}`
    if (type.includes('Function') && isNode(body) && (isNamed || body.type === 'BlockStatement'))
      found.push({ place, start, end, body })
    for (const child of Object.values(node))
      for (const each of Array.isArray(child) ? child : [child])
        if (isNode(each)) walk(each, place, name !== null)
  }
  walk(parseSync(file, text).program as unknown as Node, `${file}#`, false)
  return found
}

const NAMED_BY = ['id', 'key']

function nameOf(node: Node): string | null {
  for (const field of NAMED_BY) {
    const name = node[field]
    if (isNode(name) && (name.type === 'Identifier' || name.type === 'PrivateIdentifier'))
      return String(name.name)
  }
  return null
}

function placeAt(source: Source, at: number): string {
  const around = functionsIn(source).filter(({ start, end }) => start <= at && at < end)
  return (
    around.reduce<Place | null>((a, b) => (a === null || b.start >= a.start ? b : a), null)?.place ??
    source.file
  )
}

function noted(source: Source, numbers: ReadonlyMap<string, number>, note: string): string {
  const notes = functionsIn(source).flatMap(({ place, body: { type, start, end } }): Splice[] => {
    const call = `noteMistakes(${numbers.get(place)})`
    if (type === 'BlockStatement') return [{ start: start + 1, end: start + 1, text: ` ${call};` }]
    return [
      { start, end: start, text: `(${call}, ` },
      { start: end, end, text: ')' },
    ]
  })
  return `${splice(source.text, notes)}\nimport { noteMistakes } from ${JSON.stringify(note)}\n`
}
