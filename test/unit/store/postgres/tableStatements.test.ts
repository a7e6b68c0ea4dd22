// Rows of history as they are written and asked for, and the tables as they are made: statement by statement.

import { describe, expect, test } from 'vitest'
import { historyTables } from '../../../../src/store/postgres/historyTables.ts'
import { readRows } from '../../../../src/store/postgres/rowReading.ts'
import { checkSchema, checkVersion, inTransaction, migrate } from '../../../../src/store/postgres/tables.ts'
import { type RowQuery, type Rows, RowsLost, RowsUnreadable } from '../../../../src/store/rowStore.ts'
import { StoreConflict } from '../../../../src/store/store.ts'
import {
  HISTORY_TABLE_NAMES,
  HISTORY_TABLES,
  type HistoryTableName,
} from '../../../../src/terms/historyTables.ts'
import { RecordedPool } from './recordedPool.ts'

const [table, other] = HISTORY_TABLE_NAMES
const rowsOf = (counts: Partial<Record<HistoryTableName, number>>): Rows =>
  Object.fromEntries(
    HISTORY_TABLE_NAMES.map((name) => [
      name,
      Array.from({ length: counts[name] ?? 0 }, (_, index) => ({ sequence: index })),
    ]),
  ) as unknown as Rows

describe('the rows of a session', () => {
  const session = { epoch: 9, cursor: 40 }
  const opened = (moved = 1) => {
    const recorded = new RecordedPool(() => ({ rowCount: moved }))
    return { recorded, tables: historyTables(recorded.pool, 'venue', 2, session, null) }
  }

  test('are all written, a thousand a statement, with the cursor that moves', async () => {
    const { recorded, tables } = opened()
    expect(tables.cursor).toBe(40)
    expect(tables.read).toBeUndefined()
    await tables.write(rowsOf({ [table]: 2_001, [other]: 1_000 }), 44)
    expect(tables.cursor).toBe(44)
    const inserted = recorded.asked.filter(({ text }) => text.includes('json_populate_recordset'))
    const chunks = inserted.map(({ text, values }) => ({
      name: /^INSERT INTO venue\.(\w+)/.exec(text)?.[1],
      rows: JSON.parse(values[0] as string) as { readonly shard: number; readonly sequence: number }[],
    }))
    expect(chunks.map(({ name, rows }) => [name, rows.length])).toEqual([
      [table, 1_000],
      [table, 1_000],
      [table, 1],
      [other, 1_000],
    ])
    const written = chunks.filter(({ name }) => name === table).flatMap(({ rows }) => rows)
    expect(written).toEqual(Array.from({ length: 2_001 }, (_, sequence) => ({ shard: 2, sequence })))
    const [begin, relaxed, moved] = recorded.asked
    expect(begin?.text).toBe('BEGIN')
    expect(relaxed?.text).toBe('SET LOCAL synchronous_commit TO off')
    expect(moved?.values).toEqual([2, 40, 9, 44])
    expect(recorded.asked.at(-1)?.text).toBe('COMMIT')
    await tables.write(rowsOf({}), 45)
    expect(recorded.asked.findLast(({ text }) => text.startsWith('UPDATE'))?.values).toEqual([2, 44, 9, 45])
  })

  test('are not written, and the cursor stays, where another session came', async () => {
    const { recorded, tables } = opened(0)
    await expect(tables.write(rowsOf({ [table]: 1 }), 44)).rejects.toThrow(
      new StoreConflict('epoch 9 was fenced off from the history tables, or the log has no commit 44'),
    )
    expect(tables.cursor).toBe(40)
    expect(recorded.asked.some(({ text }) => text.includes('json_populate_recordset'))).toBe(false)
    expect(recorded.asked.at(-1)?.text).not.toBe('COMMIT')
  })

  test('are read over connections of their own', async () => {
    const [writers, readers] = [
      new RecordedPool(),
      new RecordedPool(() => ({ rows: [{ written: 1, shard: null }] })),
    ]
    const tables = historyTables(writers.pool, 'venue', 2, session, readers.pool)
    await tables.read?.({ table, where: {}, by: 'sequence', limit: 1, upTo: 1 })
    expect([writers.asked.length, readers.asked.length]).toEqual([0, 1])
  })
})

describe('a query', () => {
  const withCursor = (page: string, by: string) =>
    `SELECT cursor.seq AS written, page.* FROM venue.history_cursor AS cursor LEFT JOIN (${page}) AS page ON true ` +
    `WHERE cursor.shard = $1 ORDER BY page.${by} DESC`
  const asked = async (query: RowQuery) => {
    const recorded = new RecordedPool(() => ({ rows: [{ written: 50, shard: null }] }))
    await readRows(recorded.pool, 'venue', 2, query)
    return recorded.asked[0]
  }

  test('has each value in its parameter, in the order in which they are named', async () => {
    const least = await asked({ table, where: {}, by: 'version', limit: 10, upTo: 50 })
    expect(least?.text).toBe(
      withCursor(
        `SELECT * FROM venue.${table} WHERE shard = $1 AND seq <= $2 ORDER BY version DESC OFFSET $3 LIMIT $4`,
        'version',
      ),
    )
    expect(least?.values).toEqual([2, 50, 0, 10])
    const most = await asked({
      table,
      where: { account: 'a', kind: ['x', 'y'] },
      whereNot: { status: 'open' },
      by: 'sequence',
      below: 0,
      skip: 5,
      limit: 10,
      upTo: 50,
    })
    expect(most?.text).toBe(
      withCursor(
        `SELECT * FROM venue.${table} WHERE shard = $1 AND seq <= $2 AND account = $3 AND kind = ANY ($4) ` +
          'AND status <> $5 AND sequence < $6 ORDER BY sequence DESC OFFSET $7 LIMIT $8',
        'sequence',
      ),
    )
    expect(most?.values).toEqual([2, 50, 'a', ['x', 'y'], 'open', 0, 5, 10])
  })

  test('names no table and no column that there cannot be', async () => {
    const one = { where: {}, by: 'sequence', limit: 1, upTo: 1 } as const
    await expect(asked({ ...one, table: 'pg_user' as HistoryTableName })).rejects.toThrow(
      new RangeError('there is no history table pg_user'),
    )
    await expect(asked({ ...one, table, where: { 'a = a OR a': 1 } })).rejects.toThrow(
      new RangeError('a = a OR a cannot be a column'),
    )
    await expect(asked({ ...one, table, whereNot: { 'b;': '' } })).rejects.toThrow(RangeError)
  })

  test('gives instants as milliseconds and counts as numbers, where there are any', async () => {
    const count = HISTORY_TABLE_NAMES.flatMap((name) => [...HISTORY_TABLES[name].columns]).find(
      ([, kind]) => kind === 'count',
    )?.[0] as string
    const recorded = new RecordedPool(() => ({
      rows: [
        {
          written: '1',
          shard: 2,
          at: new Date(1_234),
          [count]: '56',
          amount: '7.000000000',
          note: null,
          flag: true,
        },
        { written: '1', shard: 2, at: null, [count]: null, amount: null, note: 'n', flag: false },
      ],
    }))
    expect(
      await readRows(recorded.pool, 'venue', 2, { table, where: {}, by: 'sequence', limit: 2, upTo: 1 }),
    ).toEqual([
      { shard: 2, at: 1_234, [count]: 56, amount: '7.000000000', note: null, flag: true },
      { shard: 2, at: null, [count]: null, amount: null, note: 'n', flag: false },
    ])
  })

  test('that finds nothing has no row; one of tables that do not reach as far as was written says that rows are lost', async () => {
    const found = (rows: readonly object[], upTo: number) =>
      readRows(new RecordedPool(() => ({ rows })).pool, 'venue', 2, {
        table,
        where: {},
        by: 'sequence',
        limit: 1,
        upTo,
      })
    expect(await found([{ written: '7', shard: null, seq: null }], 7)).toEqual([])
    await expect(found([{ written: '6', shard: 2, seq: '5' }], 7)).rejects.toThrow(RowsLost)
    await expect(found([], 1)).rejects.toThrow(RowsLost)
  })

  test('that fails says that nothing can be read, and why', async () => {
    const cause = new Error('gone')
    const recorded = new RecordedPool(() => Promise.reject(cause))
    const failure = await readRows(recorded.pool, 'venue', 2, {
      table,
      where: {},
      by: 'sequence',
      limit: 1,
      upTo: 1,
    }).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(RowsUnreadable)
    expect((failure as Error).cause).toBe(cause)
  })
})

describe('a transaction', () => {
  test('gives its connection back, and hears of it no longer', async () => {
    const recorded = new RecordedPool()
    const done = await inTransaction(recorded.pool, async (client) => {
      await client.query('ONE')
      return 'done'
    })
    expect(done).toBe('done')
    expect(recorded.asked.map(({ text }) => text)).toEqual(['BEGIN', 'ONE', 'COMMIT'])
    expect(recorded.released).toEqual([undefined])
    expect(recorded.connections[0]?.listenerCount('error')).toBe(0)
  })

  test('that fails closes its connection, whose end concerns nobody', async () => {
    const recorded = new RecordedPool()
    const failure = new Error('no')
    const failing = inTransaction(recorded.pool, () => {
      expect(recorded.connections[0]?.listenerCount('error')).toBe(1)
      return Promise.reject(failure)
    })
    await expect(failing).rejects.toBe(failure)
    expect(recorded.asked.map(({ text }) => text)).toEqual(['BEGIN'])
    expect(recorded.released).toEqual([failure])
    expect(recorded.connections[0]?.emit('error', new Error('ended'))).toBe(true)
  })
})

describe('the tables', () => {
  const at = (version: number, found: string | null = 'venue.migration') =>
    new RecordedPool(({ text }) => ({
      rows: [text.includes('to_regclass') ? { found } : { version }],
    }))
  /** The versions that were applied to those of one. */
  const applied = async (version: number) => {
    const recorded = at(version)
    await migrate(recorded.pool, 'venue')
    return recorded.asked
      .filter(({ text }) => text.startsWith('INSERT INTO migration'))
      .map(({ values }) => values[0] as number)
  }

  test('are made step by step, under a lock, from wherever they are', async () => {
    const all = await applied(0)
    expect(all).toEqual(all.map((_, index) => index + 1))
    expect(all.length).toBeGreaterThan(1)
    expect(await applied(all.length - 1)).toEqual([all.length])
    expect(await applied(all.length)).toEqual([])
    const recorded = at(all.length - 1)
    await migrate(recorded.pool, 'venue')
    expect(recorded.asked.slice(2, 6).map(({ text }) => text)).toEqual([
      'BEGIN',
      'SELECT pg_advisory_xact_lock($1)',
      'CREATE SCHEMA IF NOT EXISTS venue',
      'SET LOCAL search_path TO venue',
    ])
    await expect(applied(all.length + 1)).rejects.toThrow('use the newer release')
  })

  test('are only read where nothing has to be made: who may use them needs no right to make them', async () => {
    const recorded = at((await applied(0)).length)
    await migrate(recorded.pool, 'venue')
    expect(recorded.asked.map(({ text }) => text.split(' ')[0])).toEqual(['SELECT', 'SELECT'])
  })

  test('are read at the version of this release only', async () => {
    const newest = (await applied(0)).length
    await checkVersion(at(newest).pool, 'venue')
    await expect(checkVersion(at(newest - 1).pool, 'venue')).rejects.toThrow(
      `has version ${newest - 1}, this release reads ${newest}: start the venue with this release first`,
    )
    await expect(checkVersion(at(newest + 1).pool, 'venue')).rejects.toThrow('use the newer release')
    await expect(checkVersion(at(newest, null).pool, 'venue')).rejects.toThrow(
      'there is no venue in the schema venue',
    )
    await expect(checkVersion(at(newest).pool, 'Venue')).rejects.toThrow(
      'Venue cannot be the name of a schema',
    )
  })

  test('are in a schema whose name is a plain word of 63 characters at most', () => {
    for (const name of ['a', 'a1_', 'a'.repeat(63)]) checkSchema(name)
    for (const name of ['', '1a', '_a', 'a-b', 'a b', 'a;', 'a'.repeat(64)])
      expect(() => checkSchema(name)).toThrow(RangeError)
  })
})
