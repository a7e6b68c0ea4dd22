// A feed in columns: which are none, and which commits a row says all of.

import { expect, test } from 'vitest'
import type { Commit } from '../../../src/events/commit.ts'
import { checkColumns, isPlainTick, tickCommand, tickCommit } from '../../../src/events/tickColumns.ts'

const columns = {
  at: Float64Array.of(1, 2, 3),
  indexPrice: BigInt64Array.of(10n, 20n, 30n),
  market: Uint16Array.of(1, 0, 1),
  marketIds: ['first', 'second'],
}

test('columns of one length, of markets that are listed once, and rows that are there', () => {
  for (const [from, to] of [
    [0, 3],
    [0, 0],
    [3, 3],
    [1, 2],
  ] as const)
    expect(() => checkColumns(columns, from, to)).not.toThrow()
  for (const [from, to] of [
    [-1, 2],
    [2, 1],
    [0, 4],
    [Number.NaN, 2],
    [0, Number.NaN],
  ] as const)
    expect(() => checkColumns(columns, from, to)).toThrow(`no rows ${from} to ${to}`)
  for (const short of [{ indexPrice: BigInt64Array.of(1n) }, { market: Uint16Array.of(0) }])
    expect(() => checkColumns({ ...columns, ...short }, 0, 1)).toThrow('different lengths')
  expect(() => checkColumns({ ...columns, marketIds: ['first', 'first'] }, 0, 1)).toThrow('listed twice')
})

test('the command of a row is its own', () => {
  expect([0, 1, 2].map((row) => tickCommand(columns, row))).toEqual([
    { type: 'updatePrice', marketId: 'second', indexPrice: 10n },
    { type: 'updatePrice', marketId: 'first', indexPrice: 20n },
    { type: 'updatePrice', marketId: 'second', indexPrice: 30n },
  ])
})

test('a row says all of a commit that a price alone made, and that 64 bits hold', () => {
  const largest = 2n ** 63n - 1n
  const plain = tickCommit(7, 5, 'm', 3n)
  const [told] = plain.events
  for (const price of [1n, largest]) expect(isPlainTick(tickCommit(7, 5, 'm', price))).toBe(true)
  const others: Commit[] = [
    tickCommit(7, 5, 'm', largest + 1n),
    { ...plain, by: { userId: 'somebody' } as NonNullable<Commit['by']> },
    { ...plain, command: { type: 'advanceTime', ms: 1 } },
    { ...plain, events: [] },
    { ...plain, events: [...plain.events, ...plain.events] },
    { ...plain, command: { type: 'updatePrice', marketId: 'other', indexPrice: 3n } },
    { ...plain, command: { type: 'updatePrice', marketId: 'm', indexPrice: 4n } },
    { ...plain, events: [{ ...told, type: 'marketStatusChanged' } as unknown as Commit['events'][number]] },
  ]
  expect(others.filter(isPlainTick)).toEqual([])
})
