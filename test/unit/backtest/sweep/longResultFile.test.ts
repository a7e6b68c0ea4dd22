// Results of a study that is longer than what is read at once: every line is found again, and one that was cut off is dropped.

import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { ResultFile, type StoredRow } from '../../../../src/backtest/sweep/resultFile.ts'

const ROWS = 450
const MIB = 2 ** 20

test('lines that lie on both sides of what is read at once are whole', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-results-'))
  try {
    const file = path.join(folder, 'results.jsonl')
    const written = new ResultFile(file)
    const rowOf = (number: number) => {
      const figures = { stateHash: `hash ${number}`, note: 'é'.repeat(9_000 + (number % 97)) }
      return { key: `key ${number}`, parameters: { number }, figures } as unknown as StoredRow
    }
    for (let number = 0; number < ROWS; number++) written.append(rowOf(number))
    const { size } = statSync(file)
    expect(size).toBeGreaterThan(7 * MIB)
    appendFileSync(file, '{"key":"key 900","parameters":{"nu')
    const read = new ResultFile(file)
    for (let number = 0; number < ROWS; number++) expect(read.find(`key ${number}`)).toEqual(rowOf(number))
    expect(statSync(file).size).toBe(size)
    appendFileSync(file, 'no result\n')
    expect(() => new ResultFile(file)).toThrow(`${file}:${ROWS + 1}: not a result of a sweep`)
  } finally {
    rmSync(folder, { recursive: true })
  }
})
