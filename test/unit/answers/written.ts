import { shown } from './shown.ts'

const DEEPEST = 7
const MOST_ITEMS = 60
const LONGEST = 6_000
/** What is computed with logarithms, powers and the like differs in the last digits between versions of Node. */
const DIGITS = 11
/** Below it lies what is left of two numbers that are nearly the same. */
const LEAST = 1e-10

/** Any value as text: the same for what cannot be told apart. */
export function written(value: unknown): string {
  const text = writtenAt(value, 0, [])
  return text.length <= LONGEST ? text : `${text.slice(0, LONGEST)}… ${text.length}`
}

function writtenAt(value: unknown, depth: number, above: readonly object[]): string {
  if (typeof value === 'bigint') return `${value}n`
  if (typeof value === 'string') return JSON.stringify(value)
  if (typeof value === 'number') return Object.is(value, -0) ? '-0' : numberWritten(value)
  if (typeof value === 'function') return 'ƒ'
  if (typeof value !== 'object' || value === null) return String(value)
  if (above.includes(value)) return '↑'
  if (depth > DEEPEST) return '…'
  const inner = (each: unknown) => writtenAt(each, depth + 1, [...above, value])
  try {
    return objectWritten(value, inner)
  } catch (error) {
    return `✗ ${(error as Error).name}`
  }
}

function numberWritten(value: number): string {
  if (Math.abs(value) < LEAST) return '0'
  return String(Number(value.toPrecision(DIGITS)))
}

function objectWritten(value: object, inner: (each: unknown) => string): string {
  if (Symbol.asyncIterator in value) return 'stream'
  const html = shown(value)
  if (html !== null) return html
  if (value instanceof Promise) {
    value.catch(() => undefined)
    return 'later'
  }
  if (value instanceof Error) return `${value.name}: ${value instanceof TypeError ? '' : value.message}`
  if (value instanceof Date || value instanceof RegExp) return String(Number(value) || value)
  if (Array.isArray(value)) return `[${few(value, inner)}]`
  if (ArrayBuffer.isView(value) && !(value instanceof DataView))
    return `${value.constructor.name}[${few(value as unknown as Iterable<unknown>, inner)}]`
  if (value instanceof Map)
    return `Map{${few(
      [...value].map(([key, of]) => `${inner(key)}: ${inner(of)}`),
      String,
    )}}`
  if (value instanceof Set) return `Set{${few(value, inner)}}`
  if (Symbol.iterator in value) return `each[${few(value as Iterable<unknown>, inner)}]`
  const fields = Object.keys(value).map(
    (name) => `${name}: ${inner((value as Record<string, unknown>)[name])}`,
  )
  const { name = '' } = value.constructor ?? {}
  return `${name === 'Object' ? '' : name}{${few(fields, String)}}`
}

function few(values: Iterable<unknown>, inner: (each: unknown) => string): string {
  const texts: string[] = []
  try {
    for (const value of values) {
      if (texts.push(inner(value)) > MOST_ITEMS) break
    }
  } catch (error) {
    texts.push(`✗ ${(error as Error).name}`)
  }
  return texts.join(', ')
}
