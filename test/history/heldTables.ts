// Tables of history in memory, whose writes and answers wait until they are let go.

import { expect } from 'vitest'
import { fp9 } from '../../src/index.ts'
import type { ReadableRows, ReadRow, Row, RowQuery, Rows } from '../../src/store/rowStore.ts'

export class HeldTables implements ReadableRows {
  cursor = 0
  readonly rows = { orders: [] as Row[], positions: [] as Row[], position_events: [] as Row[] }
  readonly asked: RowQuery[] = []
  #held: (() => void)[] = []
  #open = true

  hold(): void {
    this.#open = false
  }

  letGo(): void {
    this.#open = true
    for (const go of this.#held.splice(0)) go()
  }

  async #gate(): Promise<void> {
    if (!this.#open) await new Promise<void>((resolve) => void this.#held.push(resolve))
    await Promise.resolve()
  }

  async write(rows: Rows, upTo: number): Promise<void> {
    await this.#gate()
    for (const table of ['orders', 'positions', 'position_events'] as const)
      this.rows[table].push(...rows[table])
    this.cursor = upTo
  }

  async read(query: RowQuery): Promise<readonly ReadRow[]> {
    this.asked.push(query)
    await this.#gate()
    const { table, where, whereNot = {}, by, below, skip = 0, limit, upTo } = query
    return this.rows[table]
      .filter((row) => Number(row.seq) <= upTo && (below === undefined || Number(row[by]) < below))
      .filter((row) =>
        Object.entries(where).every(([column, is]) =>
          Array.isArray(is) ? is.includes(row[column]) : row[column] === is,
        ),
      )
      .filter((row) => Object.entries(whereNot).every(([column, is]) => row[column] !== is))
      .sort((a, b) => Number(b[by]) - Number(a[by]))
      .slice(skip, skip + limit)
      .map(asRead)
  }
}

/** As a database gives back what was written. */
function asRead(row: Row): ReadRow {
  const read: Record<string, ReadRow[string]> = {}
  for (const [column, cell] of Object.entries(row)) {
    if (typeof cell === 'string' && cell.endsWith('e-9')) read[column] = decimal(BigInt(cell.slice(0, -3)))
    else read[column] = typeof cell === 'string' && /^\d{4}-.*Z$/.test(cell) ? Date.parse(cell) : cell
  }
  return read
}

function decimal(value: bigint): string {
  const digits = String(value < 0n ? -value : value).padStart(10, '0')
  const text = `${value < 0n ? '-' : ''}${digits.slice(0, -9)}.${digits.slice(-9)}`
  expect(fp9(text)).toBe(value)
  return text
}
