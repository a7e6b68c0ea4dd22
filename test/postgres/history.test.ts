// History as tables: after kills between a commit and its rows, and takeovers, they hold what the memory says of the same
// log, row by row, and what is made anew from it; whoever was fenced off writes nothing; and the queries of docs/cluster.md run.
import { readFile } from 'node:fs/promises'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Position } from '../../src/domain/state/position.ts'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { writeHistoryRows } from '../../src/engine/historyRows.ts'
import { queryPast } from '../../src/engine/internals.ts'
import { answerQuery } from '../../src/engine/queries.ts'
import { PagedHistory } from '../../src/history/pagedHistory.ts'
import { fp9, openEngine, StoreConflict } from '../../src/index.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { readGroups } from '../../src/store/postgres/groupReading.ts'
import { compareHistory } from '../../src/store/postgres/historyComparison.ts'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import { storeIn } from '../../src/store/postgres/postgresStore.ts'
import { isReadable } from '../../src/store/rowStore.ts'
import { sampleCommits } from '../../src/testing/index.ts'
import { type ListMaker, listFeatures } from '../history/listFeatures.ts'
import { ACCOUNTS, Chance, drive, GENESIS, MARKETS } from '../store/traffic.ts'
import { PostgresServer, whyNoServer } from './postgresServer.ts'

if (whyNoServer !== null) console.warn(`history in PostgreSQL is not tested: ${whyNoServer}`)

const SHARD = 2

describe.skipIf(whyNoServer !== null)('history as tables', () => {
  let server: PostgresServer
  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server?.stop())

  const opened = async (schema: string) =>
    openEngine({ ...GENESIS, store: await openPostgresStore(server.url, { schema, shard: SHARD }) })

  test.each(process.env.MARGIN_CORE_NIGHTLY === '1' ? [1, 2, 3] : [1])(
    'they hold what the memory says, whoever was killed or taken over (%s)',
    async (seed) => {
      const schema = `law_${seed}`
      const chance = new Chance(seed)
      const reached = { cut: 0, takenOver: 0, closed: 0 }
      let engine = await opened(schema)
      for (let part = 0; part < 9; part++) {
        drive(engine, chance, 60)
        await engine.whenDurable()
        if (part % 3 === 0) {
          // What is durable has not become rows yet when the writer dies.
          const cursor = await held(`SELECT * FROM ${schema}.history_cursor FOR UPDATE`)
          const before = await cursorOf(schema)
          while (engine.failure === null && (await waitingWriters()) === 0) {
            drive(engine, chance, 10)
            await engine.whenDurable()
          }
          await server.query(
            `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
          )
          await until(async () => engine.failure !== null)
          await cursor.release()
          expect(await cursorOf(schema)).toBe(before)
          await engine.close()
          engine = await opened(schema)
          reached.cut += 1
        } else if (part % 3 === 1) {
          const former = engine
          drive(former, chance, 30)
          const taking = opened(schema)
          drive(former, chance, 30)
          await former.whenDurable().catch(() => {})
          engine = await taking
          // It may have found out already, by rows it had to write.
          const goesOn = async () => {
            drive(former, chance, 10)
            await former.whenDurable()
          }
          await expect(goesOn()).rejects.toThrow()
          await former.close()
          reached.takenOver += 1
        } else {
          await engine.close()
          engine = await opened(schema)
          reached.closed += 1
        }
      }
      const { head } = engine
      await engine.close()
      expect(reached).toEqual({ cut: 3, takenOver: 3, closed: 3 })
      expect(await cursorOf(schema)).toBe(head)
      await isWhatMemorySays(schema)
      const { upTo, tables } = await compared(schema, false)
      expect(upTo).toBe(head)
      for (const { rows, missing, surplus } of tables) {
        expect([missing, surplus]).toEqual([0, 0])
        expect(rows).toBeGreaterThan(0)
      }
    },
  )

  describe('lists over them', () => {
    let schemas = 0
    const maker: ListMaker<Position> = {
      async create() {
        schemas += 1
        const database = await openDatabase(server.url, { schema: `lists_${schemas}` })
        const opened = async () => {
          const store = await storeIn(database, SHARD, { owner: null, readers: database.pool })
          // Rows are of commits that are there: a log without any has as many as it says while it is open.
          const heads = `UPDATE ${database.schema}.shard SET head =`
          await database.pool.query(`${heads} 0`)
          const { epoch } = await store.open()
          await database.pool.query(`${heads} 1000000`)
          const rows = await store.rows?.(epoch)
          if (rows === undefined || !isReadable(rows)) throw new Error('nobody can read the rows')
          return new PagedHistory(rows)
        }
        return { lists: await opened(), reopen: opened, dispose: () => database.pool.end() }
      },
    }
    for (const { name, run } of listFeatures(maker, 1)) test(name, run)
  })

  test('an owner reads its lists from the tables, as they are in memory, and takes over from a snapshot', async () => {
    const schema = 'paged'
    const database = await openDatabase(server.url, { schema })
    const readers = database.pool
    const store = () => storeIn(database, SHARD, { owner: null, readers })
    const chance = new Chance(11)
    let engine = await openEngine({ ...GENESIS, store: await store() })
    for (let part = 0; part < 3; part++) {
      drive(engine, chance, 150)
      await engine.whenDurable()
      if (part === 1) await engine.saveSnapshot()
      if (part > 0) continue
      // A new owner has but the log and the rows.
      engine = await openEngine({ store: await store() })
    }
    engine = await openEngine({ store: await store() })
    expect(engine.recovery?.snapshotSeq).toBeGreaterThan(0)
    expect(engine.recovery?.ignored).toEqual([])
    const memory = new Folded((world) => new LevelTriggers(world))
    for await (const commit of engine.commits({ from: 1 })) memory.fold(commit)
    expect(engine.stateHash()).toBe(memory.stateHash())
    let entries = 0
    for (const accountId of ACCOUNTS)
      for (const asset of ['BTC', 'GOLD'])
        for (const type of ['orderHistory', 'positionHistory', 'portfolio'] as const)
          for (let offset = 0; offset < 60; offset += 7) {
            const query = { type, accountId, asset, limit: 7, offset } as const
            const due = answerQuery(memory.world, memory.read, query, null)
            expect(await queryPast(engine, query, null)).toEqual(due)
            if (due.ok) entries += due.value.data.length
          }
    expect(entries).toBeGreaterThan(50)
    for (const accountId of ACCOUNTS)
      for (const { id: positionId } of memory.read.portfolio(accountId, { limit: 100, offset: 0 }).data) {
        const found = await queryPast(engine, { type: 'positionEventRuns', positionId }, null)
        const events: unknown[] = []
        if (found.ok) for await (const run of found.value) events.push(...run)
        expect(events).toEqual(memory.read.positionEvents(positionId))
      }
    expect(() => engine.read.portfolio(ACCOUNTS[0])).toThrow(/in its database/)
    await engine.close()
    await database.pool.end()
  })

  test('a server that is killed under a write stops the engine and nothing else, and the rows come after all', async () => {
    const schema = 'killed'
    let engine = await opened(schema)
    await held(`SELECT * FROM ${schema}.history_cursor FOR UPDATE`)
    const chance = new Chance(6)
    while ((await waitingWriters()) === 0) {
      drive(engine, chance, 10)
      await engine.whenDurable()
    }
    await server.kill()
    await until(async () => engine.failure !== null)
    await engine.close()
    await server.run()
    engine = await opened(schema)
    const { head } = engine
    await engine.close()
    expect(await cursorOf(schema)).toBe(head)
    expect((await compared(schema, false)).tables.every((it) => it.missing + it.surplus === 0)).toBe(true)
  })

  test('rows that were changed, lost or invented are found, and put right from the log', async () => {
    const schema = 'tampered'
    const engine = await opened(schema)
    drive(engine, new Chance(4), 300)
    await engine.close()
    const before = await everyRow(schema)
    await server.query(`UPDATE ${schema}.orders SET amount = amount + 1
      WHERE sequence = (SELECT min(sequence) FROM ${schema}.orders)`)
    await server.query(`DELETE FROM ${schema}.position_events WHERE version = 1`)
    await server.query(`INSERT INTO ${schema}.positions
      SELECT (json_populate_record(p, json_build_object('id', gen_random_uuid(), 'sequence', 0))).* FROM ${schema}.positions p LIMIT 1`)
    const { tables } = await compared(schema, true)
    expect(tables.map(({ missing, surplus }) => [missing > 0, surplus > 0])).toEqual([
      [true, true],
      [false, true],
      [true, false],
    ])
    expect(await everyRow(schema)).toEqual(before)
    expect((await compared(schema, false)).tables.every((it) => it.missing + it.surplus === 0)).toBe(true)
  })

  test('a former session writes no rows, and a late one moves no cursor', async () => {
    const schema = 'fenced'
    const store = await openPostgresStore(server.url, { schema })
    const first = await store.rows?.((await store.open()).epoch)
    const { epoch } = await store.open()
    const second = await store.rows?.(epoch)
    await store.append(sampleCommits(1, 5), 0, epoch)
    const none = { orders: [], positions: [], position_events: [] }
    await expect(first?.write(none, 5)).rejects.toThrow(StoreConflict)
    await second?.write(none, 3)
    await expect(store.rows?.(1)).rejects.toThrow(StoreConflict)
    expect(await cursorOf(schema)).toBe(3)
    // A row that cannot be written takes the cursor back with it.
    await expect(second?.write({ ...none, orders: [{ sequence: 1 }] }, 4)).rejects.toThrow(/null value/)
    expect(await cursorOf(schema)).toBe(3)
    await store.close()
  })

  test('no row is of a commit that the log has not: its database was set back under whoever had written it', async () => {
    const schema = 'set_back'
    const store = await openPostgresStore(server.url, { schema })
    const { epoch } = await store.open()
    const rows = await store.rows?.(epoch)
    await store.append(sampleCommits(1, 5), 0, epoch)
    await server.query(`DELETE FROM ${schema}.commit_group; UPDATE ${schema}.shard SET head = 0`)
    await expect(rows?.write({ orders: [], positions: [], position_events: [] }, 5)).rejects.toThrow(
      'or the log has no commit 5',
    )
    expect(await cursorOf(schema)).toBe(0)
    await store.close()
  })

  test('a role reads the tables and nothing else, each column says what it is, and the examples run', async () => {
    const schema = 'margin_core'
    const engine = await opened(schema)
    drive(engine, new Chance(5), 300)
    await engine.close()
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const { rows: silent } = await client.query(
      `SELECT attrelid::regclass, attname FROM pg_attribute WHERE attnum > 0
       AND attrelid = ANY (ARRAY['${schema}.orders', '${schema}.positions', '${schema}.position_events',
         '${schema}.history_cursor']::regclass[])
       AND col_description(attrelid, attnum) IS NULL`,
    )
    expect(silent).toEqual([])
    await client.query('SET ROLE margin_core_reader')
    const examples = await documentedQueries()
    expect(examples.length).toBeGreaterThan(2)
    for (const query of examples) expect((await client.query(query)).fields.length).toBeGreaterThan(1)
    await expect(client.query(`DELETE FROM ${schema}.orders`)).rejects.toThrow(/permission denied/)
    await expect(client.query(`SELECT * FROM ${schema}.commit_group`)).rejects.toThrow(/permission denied/)
    await client.end()
  })

  async function held(lock: string): Promise<{ release(): Promise<void> }> {
    const client = new pg.Client({ connectionString: server.url })
    client.on('error', () => {})
    await client.connect()
    await client.query('BEGIN')
    await client.query(lock)
    return {
      release: async () => {
        await client.query('ROLLBACK')
        await client.end()
      },
    }
  }

  async function waitingWriters(): Promise<number> {
    return (await server.query(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`)).length
  }

  async function until(holds: () => Promise<boolean>): Promise<void> {
    while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5))
  }

  async function cursorOf(schema: string): Promise<number> {
    return Number((await server.query(`SELECT seq FROM ${schema}.history_cursor`))[0]?.seq)
  }

  async function compared(schema: string, replace: boolean) {
    const database = await openDatabase(server.url, { schema })
    const log = readGroups({ ...database, shard: SHARD }, 1)
    try {
      return await compareHistory(
        database,
        SHARD,
        (tables, upTo) => writeHistoryRows(log, tables, upTo),
        replace,
      )
    } finally {
      await database.pool.end()
    }
  }

  function everyRow(schema: string) {
    return Promise.all(
      [
        `orders ORDER BY sequence`,
        `positions ORDER BY sequence`,
        `position_events ORDER BY sequence, version`,
      ].map((what) => server.query(`SELECT * FROM ${schema}.${what}`)),
    )
  }

  /** Of the phase that each account is in: that is what the memory keeps. */
  async function isWhatMemorySays(schema: string): Promise<void> {
    const database = await openDatabase(server.url, { schema })
    const folded = new Folded((world) => new LevelTriggers(world))
    for await (const run of readGroups({ ...database, shard: SHARD }, 1))
      for (const commit of run) folded.fold(commit)
    const { world, read } = folded
    const select = async (what: string) => (await database.pool.query(`SELECT * FROM ${schema}.${what}`)).rows
    const whole = { limit: 10_000, offset: 0 }
    for (const accountId of ACCOUNTS) {
      const phase = world.accounts.get(accountId)?.phaseOrdinal
      const ofPhase = `account_id = '${accountId}' AND phase_ordinal = ${phase}`
      for (const marketId of MARKETS) {
        const orders = folded.history.orders(accountId, marketId, whole).data
        const rows = await select(
          `orders WHERE ${ofPhase} AND market_id = '${marketId}' AND status <> 'canceled_by_update' ORDER BY sequence DESC`,
        )
        expect(orders.map(asRow)).toEqual(rows.map((row) => asFields(row, ['ended_at'])))
        const positions = folded.history.closedPositions(accountId, marketId, whole).data
        const closed = await select(
          `positions WHERE ${ofPhase} AND market_id = '${marketId}' ORDER BY sequence DESC`,
        )
        expect(positions.map(asRow)).toEqual(closed.map((row) => asFields(row, [])))
      }
      for (const { id } of folded.history.portfolio(accountId, whole).data) {
        const events = read.positionEvents(id) ?? []
        const rows = await select(`position_events WHERE position_id = '${id}' ORDER BY version DESC`)
        expect(
          events.map(({ order, id: positionId, ...event }) =>
            asRow({ ...event, positionId, orderId: order?.id ?? null }),
          ),
        ).toEqual(rows.map((row) => asFields(row, [])))
      }
    }
    await database.pool.end()
  }
})

/** What every history table has beside the record. */
const PLACE = ['shard', 'seq', 'sequence', 'phase_ordinal']

function asFields(row: Record<string, unknown>, without: readonly string[]): Record<string, unknown> {
  const fields: Record<string, unknown> = {}
  for (const [column, value] of Object.entries(row)) {
    if (PLACE.includes(column) || without.includes(column)) continue
    fields[column] = value instanceof Date ? value.getTime() : value
  }
  return fields
}

/** Numerics and bigints come as text. */
function asRow(record: object): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const [field, value] of Object.entries(record)) {
    const column = field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
    row[column] =
      typeof value === 'bigint' ? decimal(value) : COUNTS.has(field) && value !== null ? String(value) : value
  }
  return row
}

const COUNTS = new Set(['version', 'holdingTimeMs'])

function decimal(value: bigint): string {
  const [sign, digits] = [value < 0n ? '-' : '', String(value < 0n ? -value : value).padStart(10, '0')]
  const text = `${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`
  if (fp9(text) !== value) throw new RangeError(text)
  return text
}

async function documentedQueries(): Promise<string[]> {
  const page = await readFile(new URL('../../docs/cluster.md', import.meta.url), 'utf8')
  const [, section = ''] = page.split('## History as tables')
  const [own = ''] = section.split('\n## ')
  return [...own.matchAll(/```sql\n([\s\S]*?)```/g)].map(([, query]) => query as string)
}
