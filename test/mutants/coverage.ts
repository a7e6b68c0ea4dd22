// Which test files pass through which mistakes: a note beside each place, taken once per process.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { parseSync } from 'oxc-parser'
import { isNode, type Node, textOf } from '../tidy/sourceTree.ts'
import type { Mistake } from './mistakes.ts'
import { type Splice, splice } from './splice.ts'
import type { TimeBound } from './timeBound.ts'
import type { Workbench } from './workbench.ts'

/** The files of some mistakes with a note where each of them would be; the number of a note is the mistake's index. */
function noted(mistakes: readonly Mistake[], noteModule: string): Map<string, string> {
  const files = new Set(mistakes.map(({ file }) => file))
  return new Map(
    [...files].map((file) => {
      const text = textOf(file)
      const places = placesIn(file, text)
      const numbers = new Map<Place, number[]>()
      for (const [index, mistake] of mistakes.entries()) {
        if (mistake.file !== file) continue
        const place = innermost(places, (mistake.splices[0] as Splice).start)
        if (place !== undefined) numbers.set(place, [...(numbers.get(place) ?? []), index])
      }
      const notes = [...numbers].flatMap(([place, indices]) => noteAt(place, indices))
      return [file, `${splice(text, notes)}\nimport { noteMistakes } from ${JSON.stringify(noteModule)}\n`]
    }),
  )
}

interface Place {
  readonly start: number
  readonly end: number
  readonly isStatement: boolean
}

function noteAt({ start, end, isStatement }: Place, indices: readonly number[]): Splice[] {
  const note = `noteMistakes(${indices.join(', ')})`
  if (isStatement) return [{ start, end: start, text: `${note}; ` }]
  return [
    { start, end: start, text: `(${note}, ` },
    { start: end, end, text: ')' },
  ]
}

const innermost = (places: readonly Place[], at: number): Place | undefined =>
  places
    .filter(({ start, end }) => start <= at && at < end)
    .reduce<Place | undefined>(
      (a, b) => (a === undefined || b.end - b.start <= a.end - a.start ? b : a),
      undefined,
    )

/** Statements of a list, and bodies of arrows that are expressions. */
function placesIn(file: string, text: string): Place[] {
  const places: Place[] = []
  const add = ({ start, end }: Node, isStatement: boolean) => places.push({ start, end, isStatement })
  const walk = (node: Node) => {
    const { type, body, consequent } = node
    if (type === 'Program' || type === 'BlockStatement' || type === 'StaticBlock')
      for (const statement of body as Node[]) if (statement.type !== 'ImportDeclaration') add(statement, true)
    if (type === 'SwitchCase') for (const statement of consequent as Node[]) add(statement, true)
    if (type === 'ArrowFunctionExpression' && isNode(body) && body.type !== 'BlockStatement') add(body, false)
    for (const child of Object.values(node))
      for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) walk(each)
  }
  walk(parseSync(file, text).program as unknown as Node)
  return places
}

export interface Covering {
  readonly test: string
  readonly seconds: number
}

/**
 * Runs test files with the notes in place: which of them pass through which mistake, and how long each takes. A test that
 * fails without any mistake proves nothing, so it is an error. Null when there was no time for all of them.
 */
export async function cover(
  mistakes: readonly Mistake[],
  tests: readonly string[],
  benches: readonly Workbench[],
  bound: TimeBound,
  told: (test: string, seconds: number) => void,
): Promise<Covering[][] | null> {
  const covering: Covering[][] = mistakes.map(() => [])
  const waiting = [...tests]
  const work = async (bench: Workbench) => {
    const files = noted(mistakes, path.join(bench.tree.root, 'test/mutants/note.ts'))
    const undo = [...files].map(([file, text]) => bench.replace(file, text))
    const notes = path.join(bench.tree.root, 'notes.txt')
    for (let test = waiting.shift(); test !== undefined; test = waiting.shift()) {
      rmSync(notes, { force: true })
      const { result, by, seconds } = await bench.run(test, 1_200, { notes, within: bound.left })
      if (bound.isOver) break
      if (result !== 'passed') throw new Error(`without any mistake ${test} fails: ${by}`)
      const text = existsSync(notes) ? readFileSync(notes, 'utf8') : ''
      for (const index of new Set(text.split('\n').filter(Boolean).map(Number)))
        covering[index]?.push({ test, seconds })
      told(test, seconds)
    }
    for (const back of undo) back()
  }
  await Promise.all(benches.map(work))
  return bound.isOver ? null : covering
}
