// History in tables is compared with what the log comes to, up to the commit that they have it to.

import { EventEmitter } from 'node:events'
import type { Pool } from 'pg'
import { expect, test } from 'vitest'
import { compareHistory } from '../../../../src/store/postgres/historyComparison.ts'

/** A database whose tables are as they should be, with a cursor or without one. */
function databaseWith(cursor: string | null) {
  const client = Object.assign(new EventEmitter(), {
    query: async (text: string) => {
      if (text.includes('history_cursor')) return { rows: cursor === null ? [] : [{ seq: cursor }] }
      return { rows: [{ rows: '7', missing: '0', surplus: '0' }] }
    },
    release: () => {},
  })
  return { pool: { connect: async () => client } as unknown as Pool, schema: 's' }
}

test.each([
  [null, 0],
  ['41', 41],
])('with the cursor %s they are made again up to commit %d', async (cursor, expected) => {
  const made: number[] = []
  const compared = await compareHistory(
    databaseWith(cursor) as Parameters<typeof compareHistory>[0],
    3,
    async (_, upTo) => void made.push(upTo),
    true,
  )
  expect([made, compared.upTo]).toEqual([[expected], expected])
  expect(compared.tables.length).toBeGreaterThan(0)
  for (const table of compared.tables) expect(table).toMatchObject({ rows: 7, missing: 0, surplus: 0 })
})
