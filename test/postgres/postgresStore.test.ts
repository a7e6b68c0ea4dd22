// The store over PostgreSQL: the contract of every store, and what happens when connection, owner or server go.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Commit, StoreConflict, StoreDamaged } from '../../src/index.ts'
import { groupBytes } from '../../src/store/postgres/commitGroup.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { chainAfter, GENESIS_CHAIN, readGroups } from '../../src/store/postgres/groupReading.ts'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import { readAhead } from '../../src/store/postgres/logAhead.ts'
import { storeIn } from '../../src/store/postgres/postgresStore.ts'
import { MIGRATION_LOCK } from '../../src/store/postgres/tables.ts'
import { commitsOf, type StoreMaker, sampleCommits, storeFeatures } from '../../src/testing/index.ts'
import { PostgresServer, whyNoServer } from './postgresServer.ts'

if (whyNoServer !== null) console.warn(`the store over PostgreSQL is not tested: ${whyNoServer}`)

describe.skipIf(whyNoServer !== null)('the postgres store', () => {
  let server: PostgresServer
  let schemas = 0
  const newSchema = () => `venue_${++schemas}`

  beforeAll(async () => {
    server = await PostgresServer.start()
  })
  afterAll(() => server?.stop())

  const maker: StoreMaker = {
    async create() {
      const schema = newSchema()
      let store = await openPostgresStore(server.url, { schema })
      return {
        store,
        async reopen() {
          await store.close()
          store = await openPostgresStore(server.url, { schema })
          return store
        },
        dispose: () => store.close(),
      }
    },
  }

  test.each(storeFeatures(maker).map((feature) => [feature.name, feature] as const))('%s', (_name, feature) =>
    feature.run(),
  )

  test('a second owner fences the first, in another process as here', async () => {
    const schema = newSchema()
    const [one, other] = [
      await openPostgresStore(server.url, { schema }),
      await openPostgresStore(server.url, { schema }),
    ]
    const first = await one.open()
    await one.append(sampleCommits(1, 2), 0, first.epoch)
    const second = await other.open()
    expect(second).toMatchObject({ head: 2, epoch: first.epoch + 1 })
    await expect(one.append(sampleCommits(3, 3), 2, first.epoch)).rejects.toThrow(StoreConflict)
    await other.append(sampleCommits(3, 4), 2, second.epoch)
    expect(await commitsOf(one)).toEqual(sampleCommits(1, 4))
    await one.close()
    await other.close()
  })

  test('of a log that was read before it was opened only the end is read, and the snapshot is that of then', async () => {
    const database = await openDatabase(server.url, { schema: newSchema() })
    const store = await storeIn(database, 0, { owner: null })
    const { epoch } = await store.open()
    for (const [from, to] of [
      [1, 2],
      [3, 4],
      [5, 6],
    ] as const)
      await store.append(sampleCommits(from, to), from - 1, epoch)
    await store.saveSnapshot({ seq: 3, schema: 'one', pieces: [new Uint8Array([1, 2])] })
    const ahead = await readAhead(database, 0)
    await store.append(sampleCommits(7, 8), 6, epoch)
    await database.pool.query(`DELETE FROM ${database.schema}.commit_group WHERE last_seq < 6`)
    await database.pool.query(`DELETE FROM ${database.schema}.snapshot_piece`)

    const next = await storeIn(database, 0, { owner: null, ahead, endsPool: true })
    expect((await next.open()).head).toBe(8)
    const snapshots = []
    for await (const { seq } of next.snapshots()) snapshots.push(seq)
    expect(snapshots).toEqual([3])
    const read = []
    for await (const run of next.read(4)) read.push(...run)
    expect(read).toEqual(sampleCommits(4, 8))
    await next.close()
  })

  test('a log of many small groups is read in few statements, large groups a few at a time', async () => {
    const database = await openDatabase(server.url, { schema: newSchema() })
    const { pool, schema } = database
    const groups = [
      ...Array.from({ length: 2_500 }, (_, index) => [index + 1, index + 1] as const),
      ...Array.from({ length: 6 }, (_, index) => [2_501 + index * 5_000, 7_500 + index * 5_000] as const),
      // More than ends a statement, by itself.
      [32_501, 62_500] as const,
    ]
    let chain = GENESIS_CHAIN
    const rows = groups.map(([first, last]) => {
      const { crc, bytes } = groupBytes(sampleCommits(first, last))
      chain = chainAfter(chain, bytes)
      return { first, last, crc, chain, bytes }
    })
    await (await storeIn(database, 0, { owner: null })).open()
    await pool.query(
      `INSERT INTO ${schema}.commit_group (shard, first_seq, last_seq, epoch, crc, chain, commits)
       SELECT 0, *  FROM unnest($1::bigint[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bytea[], $6::bytea[])`,
      [
        rows.map(({ first }) => first),
        rows.map(({ last }) => last),
        rows.map(() => 1),
        rows.map(({ crc }) => crc),
        rows.map(({ chain }) => chain),
        rows.map(({ bytes }) => bytes),
      ],
    )
    const statements: number[] = []
    const counted = {
      query: async (text: string, values: unknown[]) => {
        const told = await pool.query(text, values)
        statements.push(told.rows.reduce((sum, { commits }) => sum + (commits?.length ?? 0), 0))
        return told
      },
    } as typeof pool
    const head = groups.at(-1)?.[1] as number
    const read: Commit[] = []
    for await (const run of readGroups({ pool: counted, schema, shard: 0 }, 2, undefined, { head, rows: [] }))
      read.push(...run)
    expect(read).toEqual(sampleCommits(2, head))
    const total = rows.reduce((sum, { bytes }) => sum + bytes.length, 0)
    const largest = Math.max(...rows.map(({ bytes }) => bytes.length))
    expect(largest).toBeGreaterThan(1_048_576)
    expect(statements.length).toBeLessThanOrEqual(Math.ceil(2_500 / 1_024) + Math.ceil(total / 1_048_576))
    expect(Math.max(...statements)).toBeLessThan(1_048_576 + largest)
    await pool.end()
  })

  test('a log that is another than what was read of it before is read anew', async () => {
    const databases = []
    // As one of two primaries had it, and as the other has it.
    for (const groups of [
      [[1, 4]],
      [
        [1, 2],
        [3, 4],
      ],
    ] as const) {
      const database = await openDatabase(server.url, { schema: newSchema() })
      const store = await storeIn(database, 0, { owner: null })
      const { epoch } = await store.open()
      for (const [from, to] of groups) await store.append(sampleCommits(from, to), from - 1, epoch)
      databases.push(database)
    }
    const [deposed, primary] = databases as [(typeof databases)[0], (typeof databases)[0]]
    const ahead = { ...(await readAhead(deposed, 0)), runs: [sampleCommits(1, 3)] }
    const store = await storeIn(primary, 0, { owner: null, ahead })
    await store.open()
    expect(await commitsOf(store)).toEqual(sampleCommits(1, 4))
    for (const { pool } of databases) await pool.end()
  })

  test('shards of one venue have nothing to do with each other', async () => {
    const schema = newSchema()
    const stores = [
      await openPostgresStore(server.url, { schema, shard: 0 }),
      await openPostgresStore(server.url, { schema, shard: 1 }),
    ]
    for (const [index, store] of stores.entries())
      await store.append(sampleCommits(1, index + 1), 0, (await store.open()).epoch)
    for (const [index, store] of stores.entries()) {
      expect(await commitsOf(store)).toEqual(sampleCommits(1, index + 1))
      await store.close()
    }
  })

  test('a connection lost in the middle of an append: nothing more until it is opened, and then one truth', async () => {
    const schema = newSchema()
    const store = await openPostgresStore(server.url, { schema })
    const { epoch } = await store.open()
    await store.append(sampleCommits(1, 1), 0, epoch)
    const holder = await blocked(schema)
    const lost = store.append(sampleCommits(2, 3), 1, epoch)
    const failed = expect(lost).rejects.toThrow()
    await cut()
    await failed
    await holder()
    await expect(store.append(sampleCommits(2, 2), 1, epoch)).rejects.toThrow(/outcome/)
    const session = await store.open()
    expect([1, 3]).toContain(session.head)
    expect(await commitsOf(store)).toEqual(sampleCommits(1, session.head))
    await store.append(sampleCommits(session.head + 1, 5), session.head, session.epoch)
    expect(await commitsOf(store)).toEqual(sampleCommits(1, 5))
    await store.close()
  })

  test('a connection lost with two appends under way: both, the first or neither', async () => {
    const schema = newSchema()
    const store = await openPostgresStore(server.url, { schema })
    const { epoch } = await store.open()
    await store.append(sampleCommits(1, 1), 0, epoch)
    const holder = await blocked(schema)
    const failed = [
      expect(store.append(sampleCommits(2, 3), 1, epoch)).rejects.toThrow(),
      expect(store.append(sampleCommits(4, 5), 3, epoch)).rejects.toThrow(),
    ]
    await cut()
    await Promise.all(failed)
    await holder()
    await expect(store.append(sampleCommits(2, 2), 1, epoch)).rejects.toThrow(/outcome/)
    const session = await store.open()
    expect([1, 3, 5]).toContain(session.head)
    await store.append(sampleCommits(session.head + 1, 6), session.head, session.epoch)
    // Reading follows the chain from group to group.
    expect(await commitsOf(store)).toEqual(sampleCommits(1, 6))
    await store.close()
  })

  test('an owner that is fenced between two of its appends keeps what came first, and no more', async () => {
    const schema = newSchema()
    const [one, other] = [
      await openPostgresStore(server.url, { schema }),
      await openPostgresStore(server.url, { schema }),
    ]
    const { epoch } = await one.open()
    const holder = await blocked(schema)
    const first = one.append(sampleCommits(1, 2), 0, epoch)
    const reached = one.append(sampleCommits(3, 4), 2, epoch).then(
      () => 4,
      (error: unknown) => {
        expect(error).toBeInstanceOf(StoreConflict)
        return 2
      },
    )
    await waiting(1)
    const opening = other.open()
    await waiting(2)
    await holder()
    const [, session, last] = await Promise.all([first, opening, reached])
    expect(session.head).toBeLessThanOrEqual(last)
    await expect(one.append(sampleCommits(last + 1, last + 1), last, epoch)).rejects.toThrow(StoreConflict)
    await other.append(sampleCommits(last + 1, 6), last, session.epoch)
    expect(await commitsOf(other)).toEqual(sampleCommits(1, 6))
    await one.close()
    await other.close()
  })

  test('a statement that takes too long changes nothing', async () => {
    const schema = newSchema()
    const store = await openPostgresStore(server.url, { schema, timeout: 1_500 })
    const { epoch } = await store.open()
    const holder = await blocked(schema)
    await expect(store.append(sampleCommits(1, 1), 0, epoch)).rejects.toThrow(/timeout/)
    // Here it was given up; the server gives it up by its own clock, and would carry it out if the lock were let go of before.
    await waiting(0)
    await holder()
    expect((await store.open()).head).toBe(0)
    await store.close()
  })

  test('after the server was killed everything acknowledged is there', async () => {
    const schema = newSchema()
    const store = await openPostgresStore(server.url, { schema })
    const { epoch } = await store.open()
    for (let head = 0; head < 20; head += 2)
      await store.append(sampleCommits(head + 1, head + 2), head, epoch)
    await server.kill()
    await expect(store.append(sampleCommits(21, 21), 20, epoch)).rejects.toThrow()
    await server.run()
    expect(await store.open()).toMatchObject({ head: 20 })
    expect(await commitsOf(store)).toEqual(sampleCommits(1, 20))
    await store.close()
  })

  test.each([
    ['a group that is missing', 'DELETE FROM $.commit_group WHERE first_seq = 3', 3, 2],
    ['the last group missing', 'DELETE FROM $.commit_group WHERE first_seq = 5', 5, 4],
    [
      'a byte that changed',
      'UPDATE $.commit_group SET commits = set_byte(commits, 9, 255) WHERE first_seq = 3',
      3,
      2,
    ],
  ])('%s is told, after everything before it', async (_name, damage, seq, whole) => {
    const schema = newSchema()
    const store = await openPostgresStore(server.url, { schema })
    const { epoch } = await store.open()
    for (let head = 0; head < 6; head += 2) await store.append(sampleCommits(head + 1, head + 2), head, epoch)
    await server.query(damage.replace('$', schema))
    const read: unknown[] = []
    const reading = (async () => {
      for await (const run of store.read(1)) read.push(...run)
    })()
    await expect(reading).rejects.toThrow(new StoreDamaged(seq, '').message.slice(0, 24))
    expect(read).toEqual(sampleCommits(1, whole))
    await store.close()
  })

  test('tables of a newer release, and a database that does not flush, are refused', async () => {
    const schema = newSchema()
    await (await openPostgresStore(server.url, { schema })).close()
    await server.query(`INSERT INTO ${schema}.migration VALUES (99)`)
    await expect(openPostgresStore(server.url, { schema })).rejects.toThrow(/version 99/)
    const url = `${server.url}?options=-c%20synchronous_commit%3Doff`
    await expect(openPostgresStore(url, { schema: newSchema() })).rejects.toThrow(/synchronous_commit is off/)
    await expect(openPostgresStore(server.url, { schema: 'a; drop' })).rejects.toThrow(RangeError)
    for (const shard of [-1, 0.5, 2 ** 31, Number.NaN])
      await expect(openPostgresStore(server.url, { schema, shard })).rejects.toThrow(/cannot be a shard/)
  })

  test('tables are not looked at while another changes them', async () => {
    const { default: pg } = await import('pg')
    const other = new pg.Client({ connectionString: server.url })
    await other.connect()
    await other.query('BEGIN')
    await other.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK])
    const url = `${server.url}?options=-c%20lock_timeout%3D50`
    await expect(openPostgresStore(url, { schema: newSchema() })).rejects.toThrow(/lock timeout/)
    await other.end()
  })

  /** Holds the row of the shard, so that an append waits in the middle of its statement. @returns lets go */
  async function blocked(schema: string): Promise<() => Promise<void>> {
    const { default: pg } = await import('pg')
    const client = new pg.Client({ connectionString: server.url, application_name: 'holder' })
    await client.connect()
    await client.query('BEGIN')
    await client.query(`SELECT * FROM ${schema}.shard FOR UPDATE`)
    return async () => {
      await client.query('ROLLBACK')
      await client.end()
    }
  }

  /** Resolves once so many connections wait for a lock. */
  async function waiting(count: number): Promise<void> {
    const found = `SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock'`
    while ((await server.query(found)).length !== count)
      await new Promise((resolve) => setTimeout(resolve, 10))
  }

  /** Ends every connection that waits for a lock, once there is one. */
  async function cut(): Promise<void> {
    for (let ended = 0; ended === 0; )
      ended = (
        await server.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event_type = 'Lock'`,
        )
      ).length
  }
})
