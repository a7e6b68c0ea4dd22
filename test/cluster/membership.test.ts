// Who owns what in a real database: each change goes through whole, or not at all.
import { expect, onTestFinished, test } from 'vitest'
import { makeCluster, PostgresMembership } from '../../src/cluster/postgresMembership.ts'
import { PostgresQuotaLedger } from '../../src/cluster/postgresQuotaLedger.ts'
import { openDatabase } from '../../src/store/postgres/database.ts'
import { storeIn } from '../../src/store/postgres/postgresStore.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'

const node = (name: string) => ({ name, life: `${name}-1`, address: `http://${name}`, leaseMs: 1_000 })

test.skipIf(whyNoServer !== null)(
  'a node is in a cluster, and a line of quotas changes in turns',
  async () => {
    const server = await PostgresServer.start()
    const database = await openDatabase(server.url)
    onTestFinished(async () => {
      await database.pool.end()
      await server.stop()
    })
    const membership = new PostgresMembership(database)

    // The number of shards is that of the beginning.
    await expect(makeCluster(database, null)).rejects.toThrow(RangeError)
    expect(await makeCluster(database, 2)).toBe(2)
    await expect(makeCluster(database, 3)).rejects.toThrow('made with 2 shards')
    expect(await makeCluster(database, null)).toBe(2)

    // One node of a name, and a shard of one owner.
    expect(await membership.join(node('a'))).toBe(true)
    expect(await membership.join({ ...node('a'), life: 'a-2' })).toBe(false)
    expect(await membership.join(node('b'))).toBe(true)
    expect([await membership.take(0, 'a-1'), await membership.take(0, 'b-1')]).toEqual([true, false])
    expect(await membership.take(1, 'c-1')).toBe(false)
    const own = await storeIn(database, 0, { owner: 'a-1' })
    const { epoch } = await own.open()
    await expect((await storeIn(database, 0, { owner: 'b-1' })).open()).rejects.toThrow('another node owns')
    await expect((await storeIn(database, 0, { owner: null })).open()).rejects.toThrow('another node owns')

    // Opened anew, it is not robbed by what was sent before.
    await own.open()
    expect(await membership.give(0, { life: 'a-1', epoch }, 'b-1')).toBe(false)
    expect(await membership.give(0, { life: 'a-1', epoch: epoch + 1 }, 'c-1')).toBe(false)

    // Who has renewed is not expelled; who is leaves its shards to anybody, and neither renews nor takes.
    expect(await membership.renew('a-1', 2)).toBe(true)
    // One that comes late does not bring back a count that somebody may have seen before.
    expect(await membership.renew('a-1', 1)).toBe(true)
    for (const seen of [0, 1]) expect(await membership.expel('a-1', seen)).toBe(false)
    expect(await membership.expel('a-1', 2)).toBe(true)
    expect([await membership.renew('a-1', 3), await membership.take(1, 'a-1')]).toEqual([false, false])
    expect(await membership.take(0, 'b-1')).toBe(true)

    expect(await membership.drain('a-1')).toBe(false)
    expect(await membership.drain('b-1')).toBe(true)
    expect([await membership.drainNamed('b'), await membership.drainNamed('a')]).toEqual([true, false])
    expect([await membership.move(1, 'b'), await membership.move(1, 'a')]).toEqual([true, false])
    expect(await membership.look()).toEqual({
      nodes: [{ ...node('b'), renewals: 0, draining: true }],
      shards: [
        { shard: 0, owner: 'b-1', wanted: null, epoch: 2, head: 0 },
        { shard: 1, owner: null, wanted: 'b', epoch: 0, head: 0 },
      ],
    })

    // What keeps a shard from being opened is its owner's to say, and began when it was said first.
    expect(await membership.troubled(0, 'a-1', 'a reason')).toBe(false)
    const troubleOf = async () => (await membership.look()).shards[0]?.trouble
    expect(await membership.troubled(0, 'b-1', 'a reason')).toBe(true)
    const first = await troubleOf()
    expect(first).toEqual({ reason: 'a reason', since: expect.any(Number) })
    expect(Math.abs(Date.now() - (first?.since as number))).toBeLessThan(60_000)
    expect(await membership.troubled(0, 'b-1', 'another')).toBe(true)
    expect(await troubleOf()).toEqual({ ...first, reason: 'another' })
    expect(await membership.troubled(0, 'b-1', null)).toBe(true)
    expect(await troubleOf()).toBeUndefined()

    // A line of quotas is changed by whoever has seen it as it is: a turn that came twice is not enough.
    const ledger = new PostgresQuotaLedger(database)
    const line = 'long of some market'
    const share = { shard: 0, epoch: 2, amount: 5n, maximum: 9n }
    const unseen = await ledger.look(line)
    expect(await ledger.change(line, unseen, share)).toBe(true)
    expect(await ledger.change(line, unseen, share)).toBe(false)
    const seen = await ledger.look(line)
    expect(seen).toEqual({ turn: 1, maximum: 9n, shares: new Map([[0, 5n]]) })
    const undone = [
      { ...seen, shares: new Map([[0, 4n]]) },
      { ...seen, maximum: null },
      { ...seen, turn: 2 },
    ]
    for (const other of undone) expect(await ledger.change(line, other, { ...share, amount: 7n })).toBe(false)
    expect(await ledger.change(line, seen, { ...share, epoch: 1, amount: 7n })).toBe(false)
    expect(await ledger.change(line, seen, { ...share, amount: 7n, maximum: null })).toBe(true)
    expect(await ledger.look(line)).toEqual({ turn: 2, maximum: 9n, shares: new Map([[0, 7n]]) })
  },
)

test.skipIf(whyNoServer !== null)(
  'a shard is given without a flush, which everything else waits for; as many connections as are wanted are there, and stay',
  async () => {
    const server = await PostgresServer.start()
    const database = await openDatabase(server.url, { connections: 3, ready: 2 })
    const { pool } = database
    onTestFinished(async () => {
      await pool.end()
      await server.stop()
    })
    expect([pool.idleCount, pool.options.min]).toEqual([2, 2])
    await makeCluster(database, 1)
    const membership = new PostgresMembership(database)
    for (const name of ['a', 'b']) await membership.join(node(name))
    await membership.take(0, 'a-1')
    const isAhead = async () => {
      const { rows } = await pool.query(
        'SELECT pg_current_wal_insert_lsn() > pg_current_wal_flush_lsn() AS ahead',
      )
      return rows[0].ahead
    }
    let [owner, seen] = ['a-1', 0]
    // The server writes what nobody waits for five times a second: now and then it has just done so.
    for (let turn = 0; turn < 40 && seen === 0; turn++) {
      const to = owner === 'a-1' ? 'b-1' : 'a-1'
      expect(await membership.give(0, { life: owner, epoch: 0 }, to)).toBe(true)
      owner = to
      seen += (await isAhead()) ? 1 : 0
    }
    expect(seen).toBe(1)
    const settings = await Promise.all([1, 2, 3].map(() => pool.query('SHOW synchronous_commit')))
    expect(settings.map(({ rows }) => rows[0].synchronous_commit)).toEqual(['on', 'on', 'on'])
  },
)
