/**
 * The results of a sweep in a file of JSON lines, appended as they come. A line that a crash cut off is dropped when the
 * file is opened again; whole lines are found by their key, so that a sweep goes on where it ended.
 */
import { appendFileSync, closeSync, existsSync, openSync, readSync, truncateSync } from 'node:fs'
import { mustBeRegularNow } from '../../files/regularFile.ts'
import type { StrategyParameters } from '../strategies/parameterValue.ts'
import type { VariantFigures } from './variantFigures.ts'

export interface StoredRow {
  /** Hash of everything the run depends on. */
  readonly key: string
  readonly parameters: StrategyParameters
  readonly figures: VariantFigures
}

/** A file that holds something else than the results of a sweep. */
export class ResultFileError extends Error {
  override readonly name = 'ResultFileError'
}

export class ResultFile {
  readonly #path: string
  readonly #rows = new Map<string, StoredRow>()

  /** @throws ResultFileError for a whole line that is no result. */
  constructor(path: string) {
    this.#path = path
    if (!existsSync(path)) return
    mustBeRegularNow(path)
    let [number, whole] = [0, 0]
    let rest: Buffer = Buffer.alloc(0)
    for (const bytes of partsOf(path)) {
      const known = Buffer.concat([rest, bytes])
      const end = known.lastIndexOf(NEWLINE) + 1
      for (const line of known.toString('utf8', 0, end).split('\n').slice(0, -1)) this.#keep(line, ++number)
      whole += end
      rest = known.subarray(end)
    }
    // Only now: a file that is not a sweep's is left as it is.
    if (rest.length > 0) {
      if (number === 0 && !rest.toString('utf8').startsWith('{"key":'))
        throw new ResultFileError(`${path}:1: not a result of a sweep`)
      truncateSync(path, whole)
    }
  }

  find(key: string): StoredRow | undefined {
    return this.#rows.get(key)
  }

  /** The sets that there are results of, whatever else they depend on; as JSON. */
  sets(): ReadonlySet<string> {
    return new Set([...this.#rows.values()].map(({ parameters }) => JSON.stringify(parameters)))
  }

  append(row: StoredRow): void {
    this.#rows.set(row.key, row)
    appendFileSync(this.#path, `${JSON.stringify(row)}\n`)
  }

  #keep(line: string, number: number): void {
    let row: unknown
    try {
      row = JSON.parse(line)
    } catch {
      row = null
    }
    if (!isStored(row)) throw new ResultFileError(`${this.#path}:${number}: not a result of a sweep`)
    this.#rows.set(row.key, row)
  }
}

const NEWLINE = 0x0a
const PART_BYTES = 1 << 22

/** A study of 100,000 runs is longer than a text can be. */
function* partsOf(path: string): Generator<Buffer> {
  const file = openSync(path, 'r')
  try {
    for (;;) {
      const bytes = Buffer.allocUnsafe(PART_BYTES)
      const length = readSync(file, bytes)
      if (length === 0) return
      yield bytes.subarray(0, length)
    }
  } finally {
    closeSync(file)
  }
}

/** The key is a hash over everything that figures depend on, the version too: what stands under it has the form of today. */
function isStored(row: unknown): row is StoredRow {
  if (!isObject(row) || !isObject(row.parameters) || !isObject(row.figures)) return false
  return typeof row.key === 'string' && typeof row.figures.stateHash === 'string'
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
