// Snapshots in rows: cut into rows of bounded size, read back whole and newest first.

import { expect, test } from 'vitest'
import { SnapshotTable } from '../../../../src/store/postgres/snapshotTable.ts'
import { joined } from '../../../../src/store/store.ts'
import { RecordedPool } from './recordedPool.ts'

const ROW = 1 << 20
const collect = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

/** Pieces of these lengths, every byte its own number. */
const piecesOf = (lengths: readonly number[]): Uint8Array[] => {
  let at = 0
  return lengths.map((length) => Uint8Array.from({ length }, () => at++ % 251))
}

test.each([
  { lengths: [] },
  { lengths: [1] },
  { lengths: [ROW - 1, 1] },
  { lengths: [ROW] },
  { lengths: [ROW + 1, 5] },
  { lengths: [400_000, 400_000, 400_000, 400_000, 7] },
])('pieces of $lengths bytes become rows that are full, but for the last', async ({ lengths }) => {
  const pieces = piecesOf(lengths)
  const recorded = new RecordedPool()
  await new SnapshotTable(recorded.pool, 'venue', 3, 'lists').saveSnapshot({ seq: 9, schema: 'two', pieces })

  const rows = recorded.asked.filter(({ text }) => text.startsWith('INSERT INTO venue.snapshot_piece'))
  const bytes = rows.map(({ values }) => values[5] as Uint8Array)
  expect(rows.map(({ values }) => values.slice(0, 5))).toEqual(
    rows.map((_, piece) => [3, 'lists', 9, piece, 'two']),
  )
  expect(Buffer.compare(joined(bytes), joined(pieces))).toBe(0)
  const longest = Math.max(0, ...lengths)
  for (const row of bytes.slice(0, -1)) {
    expect(row.length).toBeGreaterThanOrEqual(ROW)
    expect(row.length).toBeLessThan(ROW + longest)
  }
  expect(bytes.at(-1)?.length).toBeLessThan(ROW)
  // What was kept under the sequence goes before, and what is too old after, in the one transaction.
  expect(recorded.verbs).toEqual([
    'BEGIN',
    'DELETE FROM',
    ...rows.map(() => 'INSERT INTO'),
    'DELETE FROM',
    'COMMIT',
  ])
  expect(new Set(recorded.asked.map(({ connection }) => connection))).toEqual(new Set([1]))
  const [before, after] = recorded.asked.filter(({ text }) => text.startsWith('DELETE'))
  expect(before?.values).toEqual([3, 'lists', 9])
  expect(after?.values).toEqual([3, 'lists'])
  expect(after?.text).toContain('ORDER BY seq DESC LIMIT 2)')
})

test('snapshots are read newest first, each of its own rows, without those that have gone meanwhile', async () => {
  const rows: Record<string, object[]> = {
    30: [
      { schema: 'a', bytes: Uint8Array.of(1, 2) },
      { schema: 'a', bytes: Uint8Array.of(3) },
    ],
    20: [],
    10: [{ schema: 'b', bytes: Uint8Array.of(4) }],
  }
  const recorded = new RecordedPool(({ text, values }) =>
    text.startsWith('SELECT DISTINCT')
      ? { rows: ['30', '20', '10'].map((seq) => ({ seq })) }
      : { rows: rows[String(values[2])] as object[] },
  )
  const found = await collect(new SnapshotTable(recorded.pool, 'venue', 3, '').snapshots())
  expect(found).toEqual([
    { seq: 30, schema: 'a', bytes: Uint8Array.of(1, 2, 3) },
    { seq: 10, schema: 'b', bytes: Uint8Array.of(4) },
  ])
  for (const { values } of recorded.asked) expect(values.slice(0, 2)).toEqual([3, ''])
})
