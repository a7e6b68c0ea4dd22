/**
 * Rows of a projection as bytes, one after another: the key, then the row as JSON in which texts begin with `s` and bigints
 * with `n`.
 */
import { freeze } from 'immer'
import { type ByteReader, MalformedBytes } from '../events/codec/byteReader.ts'
import type { ByteWriter } from '../events/codec/byteWriter.ts'
import type { SavedRow } from './projection.ts'

/** Changes with the form: what was saved in another is not read. */
export const ROWS_FORM = 'rows-1'

/** @throws TypeError for a row that would not read as it is. */
export function writeRow(writer: ByteWriter, [key, row]: SavedRow): void {
  writer.text(key)
  writer.text(JSON.stringify(row, taggedText))
}

/** @throws MalformedBytes, RangeError or SyntaxError where the bytes hold no row. */
export function readRow(reader: ByteReader): SavedRow {
  const key = reader.text()
  return [key, freeze(JSON.parse(reader.text(), untagged), true)]
}

function taggedText(this: Record<string, unknown>, name: string): unknown {
  // What comes as the second argument has been through `toJSON`.
  const value = this[name]
  switch (typeof value) {
    case 'string':
      return `s${value}`
    case 'bigint':
      return `n${value}`
    case 'boolean':
      return value
    case 'number':
      if (Number.isFinite(value)) return value
      break
    case 'undefined':
      // A field that is left out reads as one that is undefined.
      if (!Array.isArray(this) && name !== '') return value
      break
    case 'object':
      if (value === null || Array.isArray(value) || Object.getPrototypeOf(value) === Object.prototype)
        return value
  }
  throw new TypeError(`not plain data: ${String(value)}`)
}

function untagged(_: string, value: unknown): unknown {
  if (typeof value !== 'string') return value
  if (value.startsWith('n')) return BigInt(value.slice(1))
  if (value.startsWith('s')) return value.slice(1)
  throw new MalformedBytes('a text of no kind')
}
