/**
 * Draws values of a shape. Few different ones, those that a module's own comparisons are about among them, so that what is
 * compared is often equal, or next to it; lists beside each other mostly as long as each other, and times in order.
 */
import { Random } from '../../../src/backtest/simulated/random.ts'
import type { Called, Constants, Made, Parameter, Shape } from './shape.ts'

const DEEPEST = 9
/** Parts of all that is given to one call: after so many, lists have an item at most. */
const MANY = 250
const AT = Date.UTC(2026, 0, 5)
const STEPS = [0, 1, 999, 1_000, 59_999, 60_000, 3_600_000, 43_200_000, 86_399_999, 86_400_000, 172_800_000]
const NUMBERS = [0, 1, 2, 3, 4, 5, -1, -2, 0.5, 1.5, -0.25, 10, 7, 100]
const BIGINTS = [0n, 1n, -1n, 2n, 3n, 10n, 1_000_000_000n, 5_000_000_000n, -2_000_000_000n, 2_500_000_000n]
const STRINGS = [
  '',
  'a',
  'b',
  '0',
  '1',
  '1.5',
  '-2',
  'BTC',
  'ETH',
  'x=1',
  '2026-01-05',
  '2026-01-05T12:30:00Z',
]
const ID = (number: number) => `00000000-0000-4000-8000-00000000000${number}`
/** So often are drawn functions called; what asks on and on is ended. */
const MOST_CALLS = 2_000
/** So many passes at most, of what a number may count. */
const MOST = 5_000

const TIME = /(^|[a-z])(at|time|times|now|from|to|until|since|start|end|begin|ends|day|instant|midnight)$/i
const SPAN = /ms$/i
/** Amounts and times as the venue tells them to its clients: text, of amounts the integer of billionths. */
const TOLD_AMOUNT =
  /(price|amount|margin|size|notional|pnl|leverage|fee|fees|rate|balance|equity|reserve|loss|profit|distance|spread|floor|funding|total|allocated|penalty|coefficient|collateral)(long|short|percent|rate)?$/i
const TOLD_AMOUNTS = [
  '0',
  '1',
  '9000000',
  '10000000',
  '1500000000',
  '-2250000000',
  '10000000000',
  '99500000000',
  '100000000001',
  '25000000000000',
  '-500000000',
]
const TOLD_TIME = /[a-z](At|Time|Until)$/
const TOLD_TIMES = [
  '2026-01-05T12:00:00.000Z',
  '2026-01-05T11:59:00.001Z',
  '2026-01-05T00:00:00.000Z',
  '2026-01-06T12:00:00.000Z',
]

export class Drawer {
  readonly random: Random
  readonly #named: Readonly<Record<string, Shape>>
  readonly #classOf: (made: Made) => unknown
  readonly #constants: Constants
  /** What was called of what was drawn, and with what. */
  readonly heard: unknown[] = []
  #length: number | null = null
  #parts = 0
  #calls = 0
  /** What most numbers of one call are like. */
  #usual: (() => number) | undefined
  /** Whether its amounts and times are as a venue tells them, all of them: one that is none is enough for a refusal. */
  #isTold = false

  constructor(
    seed: string,
    named: Readonly<Record<string, Shape>>,
    constants: Constants,
    classOf: (made: Made) => unknown,
  ) {
    this.random = new Random(seed)
    this.#named = named
    this.#constants = constants
    this.#classOf = classOf
  }

  all(takes: readonly Parameter[]): unknown[] {
    this.#parts = 0
    this.#usual = this.pick<(() => number) | undefined>([
      undefined,
      undefined,
      () => this.random.below(1_000) / 1_000,
      () => 100 + this.random.below(40) / 8,
      () => this.random.below(12),
    ])
    this.#isTold = this.#odds(0.85)
    this.#length = this.#odds(0.8) ? this.#lengthOfList() : null
    const values = takes.map(({ name, shape }) => this.value(shape, name, 0))
    return values
  }

  #odds(share: number): boolean {
    return this.random.uniform() < share
  }

  pick<T>(values: readonly T[]): T {
    return values[this.random.below(values.length)] as T
  }

  #lengthOfList(): number {
    return this.#odds(0.85) ? this.random.below(6) : this.pick([12, 24, 40])
  }

  value(shape: Shape, name: string, depth: number): unknown {
    this.#parts += 1
    if (typeof shape === 'string') return this.#simple(shape, name)
    if ('named' in shape) return this.value(this.#named[shape.named] as Shape, name, depth)
    if ('literal' in shape) return shape.literal
    if ('big' in shape) return BigInt(shape.big)
    if ('either' in shape) return this.#either(shape.either, name, depth)
    if (depth > DEEPEST) return undefined
    if ('list' in shape) return this.#list(shape.list, name, depth)
    if ('numbers' in shape) return this.#numbers(shape.numbers, name)
    if ('row' in shape) return shape.row.map((one) => this.value(one, name, depth + 1))
    if ('fields' in shape) return this.#fields(shape.fields, depth)
    if ('values' in shape)
      return Object.fromEntries(
        this.#few(() => [this.#simple('string', 'key'), this.value(shape.values, name, depth + 1)]),
      )
    if ('map' in shape) {
      const [key, value] = shape.map
      return new Map(
        this.#few(() => [this.value(key, name, depth + 1), this.value(value, name, depth + 1)] as const),
      )
    }
    if ('set' in shape) return new Set(this.#few(() => this.value(shape.set, name, depth + 1)))
    if ('later' in shape) return Promise.resolve(this.value(shape.later, name, depth))
    if ('signal' in shape) return this.#odds(0.8) ? new AbortController().signal : AbortSignal.abort()
    if ('stream' in shape) return streamOf(this.#list(shape.stream, name, depth))
    if ('call' in shape) return this.#stub(shape.call, name, depth)
    const { made } = shape
    const Class = this.#classOf(made) as new (...given: unknown[]) => unknown
    return new Class(...made.takes.map((one) => this.value(one.shape, one.name, depth + 1)))
  }

  #few<T>(one: () => T): T[] {
    return Array.from({ length: this.#parts > MANY ? 1 : this.random.below(4) }, one)
  }

  #simple(shape: Extract<Shape, string>, name: string): unknown {
    switch (shape) {
      case 'number':
        return this.#number(name)
      case 'bigint':
        return this.#bigint(name)
      case 'string':
        return this.#string(name)
      case 'boolean':
        return this.#odds(0.5)
      case 'null':
        return null
      case 'undefined':
        return undefined
      case 'anything':
        return this.pick<unknown>([
          this.#number(name),
          this.#string(name),
          null,
          true,
          [],
          [1, 2],
          {},
          { a: 1 },
        ])
    }
  }

  #number(name: string): number {
    const { numbers } = this.#constants
    const usual = this.#usual?.()
    if (name === 'length' && this.#length !== null) return this.#length
    if (TIME.test(name) && this.#odds(0.8)) return AT + this.pick(STEPS) * this.random.below(3)
    if (SPAN.test(name) && this.#odds(0.7)) return this.pick(STEPS)
    if (numbers.length > 0 && this.#odds(0.35)) {
      const constant = this.pick(numbers) + this.pick([-1, 0, 0, 1])
      if (Math.abs(constant) <= MOST || SPAN.test(name)) return constant
    }
    if (usual !== undefined && this.#odds(0.9)) return usual
    if (this.#odds(0.15)) return Math.round((this.random.uniform() * 20 - 6) * 1e4) / 1e4
    return this.pick(NUMBERS)
  }

  #bigint(_: string): bigint {
    const { bigints } = this.#constants
    if (bigints.length > 0 && this.#odds(0.3))
      return BigInt(this.pick(bigints)) + this.pick([-1n, 0n, 0n, 1n])
    if (this.#odds(0.15)) return BigInt(this.random.below(2_000_000)) * 9_999n - 3_000_000_000n
    return this.pick(BIGINTS)
  }

  #string(name: string): string {
    const { strings, matching } = this.#constants
    if (/id$/i.test(name) && this.#odds(0.8)) return ID(this.random.below(3))
    if (this.#isTold && TOLD_TIME.test(name)) return this.pick(TOLD_TIMES)
    if (this.#isTold && TOLD_AMOUNT.test(name)) return this.pick(TOLD_AMOUNTS)
    if (matching.length > 0 && this.#odds(0.25)) return this.pick(matching)
    const one = () => (strings.length > 0 && this.#odds(0.5) ? this.pick(strings) : this.pick(STRINGS))
    if (!this.#odds(0.4)) return one()
    // An amount or a name, and behind it a sign that is looked for.
    if (strings.length > 0 && this.#odds(0.5)) return this.pick(STRINGS) + this.pick(strings)
    return this.#odds(0.5) ? one() + one() : one() + one() + one()
  }

  #either(shapes: readonly Shape[], name: string, depth: number): unknown {
    const simple = shapes.filter((shape) => typeof shape === 'string' || 'literal' in shape)
    const among = (depth > DEEPEST / 2 || this.#parts > 2 * MANY) && simple.length > 0 ? simple : shapes
    const given = among.filter((shape) => shape !== 'undefined' && shape !== 'null')
    // What may be left out is there three times of four.
    if (given.length > 0 && given.length < among.length && this.#odds(0.75))
      return this.value(this.pick(given), name, depth)
    return this.value(this.pick(among), name, depth)
  }

  #list(shape: Shape, name: string, depth: number): unknown[] {
    const wanted = depth < 3 && this.#length !== null ? this.#length : this.#lengthOfList()
    const length = this.#parts > MANY ? Math.min(1, wanted) : wanted
    const items = Array.from({ length: depth > 3 ? Math.min(length, 3) : length }, () =>
      this.value(shape, name, depth + 1),
    )
    const isInOrder = items.every((item) => typeof item === 'number') && TIME.test(name) && this.#odds(0.8)
    return isInOrder ? items.sort((one, other) => Number(one) - Number(other)) : items
  }

  #numbers(kind: string, name: string): unknown {
    const length = this.#length ?? this.#lengthOfList()
    const isBig = kind.startsWith('Big')
    const items: unknown[] = Array.from({ length }, () =>
      isBig
        ? this.#bigint(name)
        : kind === 'Uint8Array'
          ? this.pick([0, 1, 10, 34, 44, 48, 49, 50, 57, 97, 127, 128, 255])
          : this.#number(name),
    )
    if (TIME.test(name) && this.#odds(0.8)) items.sort((one, other) => Number(one) - Number(other))
    const Kind = (globalThis as unknown as Record<string, { from: (of: unknown[]) => unknown }>)[kind]
    return Kind?.from(items)
  }

  #fields(fields: Readonly<Record<string, Shape>>, depth: number): object {
    const value: Record<string, unknown> = {}
    for (const [name, shape] of Object.entries(fields)) {
      const field = this.value(shape, name, depth + 1)
      if (field !== undefined) value[name] = field
    }
    return value
  }

  /** A function that notes what it was called with, and answers by what it gives. */
  #stub({ gives }: Called, name: string, depth: number): unknown {
    const answers = gives === undefined ? [] : [0, 1, 2].map(() => this.value(gives, name, depth + 2))
    let calls = 0
    return (...given: unknown[]) => {
      if (++this.#calls > MOST_CALLS) throw new Error('asked on and on')
      if (this.heard.length < 200) this.heard.push([name, ...given])
      return answers[calls++ % Math.max(1, answers.length)]
    }
  }
}

async function* streamOf(items: readonly unknown[]): AsyncGenerator<unknown> {
  yield* items
}
