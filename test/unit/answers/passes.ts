/**
 * Where a call passes through: each branch of a module's own, and each way in which two compared values lie to each other, which
 * a boundary that is off by one is noticed by. Calls are chosen by it; the answers that are kept are those of the module as it is.
 */

import { parseSync } from 'oxc-parser'
import type { Plugin } from 'vitest/config'
import { isNode, type Node } from '../../tidy/sourceTree.ts'
import { fileOf } from './innerNames.ts'

const COMPARED = new Set(['<', '<=', '>', '>=', '===', '!=='])
/** Whether something is so is asked of these too, wherever they stand. */
const ASKED = /^(startsWith|endsWith|includes|test|has|some|every|isInteger|isSafeInteger|isFinite|isArray)$/
/** Equal, a little below or above, further below or above; or false and true. */
const WAYS = 5

/** Notes of everything that is passed since they were last taken. */
export class Passes {
  readonly #isPassed = new Uint8Array(1 << 20)
  #fresh: number[] = []
  #places = 0
  /** The places of each file: the first, and the one behind its last. */
  readonly #filesPlaces = new Map<string, readonly [number, number]>()

  /** What was passed since, of one file. */
  taken(file: string): number[] {
    const [from, to] = this.#filesPlaces.get(file) ?? [0, 0]
    const passed = this.#fresh
    for (const way of passed) this.#isPassed[way] = 0
    this.#fresh = []
    return passed.filter((way) => way >= from * WAYS && way < to * WAYS)
  }

  /** Calls of this are put into the modules. */
  readonly note = {
    at: (place: number) => this.#pass(place, 0),
    test: <T>(place: number, value: T): T => {
      this.#pass(place, value ? 1 : 0)
      return value
    },
    compare: (place: number, one: unknown, other: unknown, how: string): boolean => {
      const [a, b] = [one as number, other as number]
      this.#pass(place, a === b ? 0 : (isNear(a, b) ? 1 : 3) + (a < b ? 0 : 1))
      if (how === '<') return a < b
      if (how === '<=') return a <= b
      if (how === '>') return a > b
      if (how === '>=') return a >= b
      return (how === '===') === (a === b)
    },
  }

  #pass(place: number, way: number): void {
    const number = place * WAYS + way
    if (this.#isPassed[number] === 1) return
    this.#isPassed[number] = 1
    this.#fresh.push(number)
  }

  /** Puts the notes into every module whose functions are asked. */
  plugin(): Plugin {
    Object.assign(globalThis, { notePasses: this.note })
    return {
      name: 'passes',
      enforce: 'pre',
      transform: (code, id) => {
        const file = fileOf(id)
        if (file === null) return
        const from = this.#places
        const noted = this.#noted(file, code)
        this.#filesPlaces.set(file, [from, this.#places])
        return { code: noted, map: null }
      },
    }
  }

  #noted(file: string, code: string): string {
    const inserts: Insert[] = []
    const around = ({ start, end }: Node, before: string, after: string, depth: number) => {
      inserts.push({ at: start, text: before, order: depth })
      inserts.push({ at: end, text: after, order: -depth, isEnd: true })
    }
    const note = (what: string) => `notePasses.${what}(${this.#places++}`
    const look = (node: Node, depth: number) => {
      const { type, test, right, left, operator, callee } = node
      const isTested = /^(If|While|DoWhile|For)Statement$/.test(type) || type === 'ConditionalExpression'
      if (isTested && isNode(test)) around(test, `${note('test')}, (`, '))', depth)
      if ((type === 'LogicalExpression' || type === 'AssignmentPattern') && isNode(right))
        around(right, `(${note('at')}), `, ')', depth)
      if (type === 'BinaryExpression' && COMPARED.has(String(operator)) && isNode(left) && isNode(right)) {
        around(node, `${note('compare')}, (`, `), '${operator}')`, depth)
        inserts.push({ at: left.end, upTo: right.start, text: '), (', order: 0 })
      }
      const { property } = (callee ?? {}) as { readonly property?: { readonly name?: string } }
      if (type === 'CallExpression' && ASKED.test(property?.name ?? ''))
        around(node, `${note('test')}, (`, '))', depth)
      const [first] = (type === 'SwitchCase' ? (node.consequent as readonly Node[]) : []) ?? []
      if (first !== undefined) inserts.push({ at: first.start, text: `${note('at')});`, order: depth })
      for (const child of Object.values(node))
        for (const each of Array.isArray(child) ? child : [child]) if (isNode(each)) look(each, depth + 1)
    }
    look(parseSync(file, code).program as unknown as Node, 0)
    return inserted(code, inserts)
  }
}

/** By at most one: what a constant that is off by one makes a difference for. */
function isNear(one: unknown, other: unknown): boolean {
  if (typeof one === 'bigint' && typeof other === 'bigint') return one - other <= 1n && other - one <= 1n
  return typeof one === 'number' && typeof other === 'number' && Math.abs(one - other) <= 1
}

interface Insert {
  readonly at: number
  /** What stands there up to here is left out. */
  readonly upTo?: number
  readonly text: string
  /** Of those that begin at one place the outermost comes first, of those that end the innermost. */
  readonly order: number
  readonly isEnd?: true
}

function inserted(code: string, inserts: readonly Insert[]): string {
  const rank = ({ isEnd, upTo }: Insert) => (isEnd ? 0 : upTo === undefined ? 2 : 1)
  const sorted = [...inserts].sort((a, b) => a.at - b.at || rank(a) - rank(b) || a.order - b.order)
  let result = ''
  let at = 0
  for (const { at: start, upTo = start, text } of sorted) {
    result += code.slice(at, start) + text
    at = Math.max(at, upTo)
  }
  return result + code.slice(at)
}
