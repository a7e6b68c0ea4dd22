/** Constants of a module that hold several values: what is declared, listed or named side by side. */
import { createHash } from 'node:crypto'
import { root } from '../../tidy/sourceTree.ts'
import { written } from './written.ts'

const LONGEST_SHOWN = 150

/** Whether it is such a table: what is empty as a module begins is filled later. */
export function isTable(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false
  const isPlain = [Object, Array, Map, Set].some((kind) => value.constructor === kind)
  const text = written(value)
  return isPlain && text.length > 2 && !/^(Map|Set)\{\}$/.test(text) && !text.includes(root)
}

/** As it is kept: how it begins, and the digest of all its lines. */
export function keptTable(name: string, value: unknown): string {
  const lines = linesOf(value)
  const digest = createHash('sha256').update(lines.join('\n')).digest('hex').slice(0, 5)
  return `${name} = ${written(value).slice(0, LONGEST_SHOWN)} ${digest}`
}

/** Each of its values by itself: of one that is long no more is written than can be read. */
function linesOf(value: unknown): string[] {
  if (value instanceof Map || value instanceof Set) return [...value].map(written)
  if (typeof value !== 'object' || value === null) return [written(value)]
  return Object.entries(value).map(written)
}
