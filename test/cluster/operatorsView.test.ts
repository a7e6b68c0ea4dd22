// What operators see of a venue of several nodes, whichever of them they ask.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ShardHost } from '../../src/host/cluster/shardHost.ts'
import type { ServedNode } from '../../src/host/index.ts'
import { whyNoServer } from '../postgres/postgresServer.ts'
import { MARKET, OPERATOR, SHARDS, statusOf, TRADERS, TwoNodes, until, usd } from './twoNodes.ts'

let cluster: TwoNodes

beforeAll(async () => {
  if (whyNoServer === null) cluster = await TwoNodes.start()
})

afterAll(() => cluster?.end())

describe.skipIf(whyNoServer !== null)('what operators see', () => {
  const operator = (node: number, path: string) => cluster.call(node, 'GET', `/operator/${path}`, OPERATOR)

  test.each(['/operator/commands', '/%6fperator/commands', '/operator/c%6Fmmands?x=1'])(
    'a command for all goes to all, however its path is spelt: %s',
    async (path) => {
      const price = { type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_000) }
      const { status, body } = await cluster.call(0, 'POST', path, OPERATOR, price)
      expect([status, body?.results?.[0]?.shards?.length]).toEqual([200, SHARDS])
    },
  )

  test.each(['-1', '0.5', '1e0', '99', '', '%31x'])(
    'shard=%s names none, and is refused at once',
    async (named) => {
      const { status, body } = await cluster.call(0, 'GET', `/operator/health?shard=${named}`, OPERATOR)
      expect([status, body.error, body.details]).toEqual([400, 'validation_failed', ['shard']])
    },
  )

  test('what is no path of any route is refused as on a single host', async () => {
    for (const target of ['//', '/%', '/operator/%', 'http://elsewhere/operator/commands/'])
      expect([target, await statusOf(cluster.nodes[0] as ServedNode, target)]).toEqual([target, 401])
    expect(await statusOf(cluster.nodes[0] as ServedNode, 'http://elsewhere/operator/health', OPERATOR)).toBe(
      200,
    )
  })

  test('health tells of every shard, wherever it is, as its owner sees it', async () => {
    const told = await Promise.all([0, 1].map((node) => operator(node, 'health')))
    for (const { status, body } of told) {
      expect(status).toBe(200)
      expect(body.shards.map(({ shard }: { shard: number }) => shard)).toEqual([0, 1, 2, 3])
      for (const { shard, owner, ...standing } of body.shards) {
        const { node } = cluster.nodes[owner === 'a' ? 0 : 1] as ServedNode
        const { engine, epoch } = node.open.get(shard) as ShardHost
        expect(standing).toEqual({
          epoch,
          head: engine.head,
          durableHead: engine.durableHead,
          at: new Date(engine.now).toISOString(),
        })
      }
    }
    expect(new Set(told[0]?.body.shards.map(({ owner }: { owner: string }) => owner)).size).toBe(2)
  })

  test('the exposure of a shard has its quotas beside the maximum', async () => {
    const { status, body } = await operator(0, 'exposure?shard=1')
    expect([status, body.markets[0]]).toMatchObject([200, { maxOpenNotionalShort: null, quotaShort: '0' }])
    expect(BigInt(body.markets[0].quotaLong)).toBeLessThanOrEqual(BigInt(body.markets[0].maxOpenNotionalLong))
  })

  test('a preview tells of every shard that the command would reach, and nothing happens on any', async () => {
    const preview = (body: object, query = '') =>
      cluster.served(1, 'POST', `/operator/preview${query}`, OPERATOR, body)
    const heads = async () => {
      const { shards } = (await cluster.served(0, 'GET', '/operator/health', OPERATOR)).body
      return shards.map(({ head }: { head: number }) => head)
    }
    const before = await heads()
    const price = { type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_001) }
    const { body: everywhere } = await preview(price)
    expect(everywhere.shards).toEqual(before.map((seq: number, shard: number) => ({ shard, seq })))
    const moved = everywhere.events.filter(({ type }: { type: string }) => type === 'priceUpdated')
    expect([everywhere.result, moved.length]).toEqual(['accepted', SHARDS])
    expect((await preview(price, '?shard=2')).body).toMatchObject({ seq: before[2], result: 'accepted' })
    for (const { accountId, shard } of TRADERS) {
      const { body } = await preview({ type: 'adjustBalance', accountId, amount: usd(5) })
      expect(body).toMatchObject({ result: 'accepted', seq: before[shard], shards: [{ shard }] })
      expect(body.accounts.map((account: { accountId: string }) => account.accountId)).toEqual([accountId])
    }
    const nobodys = { type: 'adjustBalance', accountId: TRADERS[0]?.id, amount: usd(5) }
    expect((await preview(nobodys)).body).toMatchObject({ result: 'refused', error: 'account_not_found' })
    expect((await preview([price])).body).toMatchObject({ error: 'validation_failed', details: ['body'] })
    expect(await heads()).toEqual(before)
  })

  test('commits name the epoch that they were appended under', async () => {
    const [shard, from] = [1, 2]
    const { body } = await operator(0, `commits?shard=${shard}&from=${from}`)
    const rows = await cluster.server.query(
      `SELECT first_seq, last_seq, epoch FROM margin_core.commit_group WHERE shard = ${shard}`,
    )
    const epochOf = (seq: number) =>
      Number(rows.find((row) => Number(row.first_seq) <= seq && seq <= Number(row.last_seq))?.epoch)
    expect(body.data[0].seq).toBe(from)
    for (const { seq, epoch } of body.data) expect(epoch).toBe(epochOf(seq))
  })

  test('metrics tell of a node by shard, and of one shard where that is named', async () => {
    const { text } = await operator(0, 'metrics')
    const open = [...(cluster.nodes[0] as ServedNode).node.open.keys()]
    for (const shard of open)
      for (const name of ['shard_append_seconds_count', 'shard_append_bytes_total', 'shard_takeovers_total'])
        expect(text).toMatch(new RegExp(`^margin_core_${name}\\{shard="${shard}"\\} [1-9]`, 'm'))
    expect(text).toMatch(/^margin_core_forwarded_requests_total\{shard="\d"\} [1-9]/m)
    expect(text).toMatch(/^margin_core_lease_margin_seconds [01]\.\d/m)
    const one = await operator(0, 'metrics?shard=3')
    expect(one.text).toMatch(/^margin_core_head \d/m)
  })

  test('a node is ready while it can serve', async () => {
    for (const path of ['/live', '/ready']) {
      const { status, body } = await cluster.call(0, 'GET', path, '')
      expect([status, body.status]).toEqual([200, 'ok'])
    }
  })

  test('a shard that cannot be reached is named by its absence, and the command may be repeated', async () => {
    // A node that will not answer, and is not expelled for a minute.
    await cluster.server.query(
      `INSERT INTO margin_core.node (life, name, address, lease_ms, draining) VALUES ('ghost', 'ghost', 'http://127.0.0.1:9', 60000, true)`,
    )
    await cluster.server.query(
      `UPDATE margin_core.shard SET owner = 'ghost', epoch = epoch + 1 WHERE shard = 3`,
    )
    const price = {
      ...{ type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_001) },
      commandId: 'a price',
    }
    const [first] = (await cluster.command(price)).body.results
    expect(first).toMatchObject({ ok: false, error: 'shard_unavailable' })
    expect(first.shards.map(({ shard }: { shard: number }) => shard)).toEqual([0, 1, 2])
    const { accountId, key } = TRADERS[3] as (typeof TRADERS)[number]
    const read = await cluster.call(0, 'GET', `/orders/${accountId}/active`, key)
    expect([read.status, read.body.error, read.headers.get('retry-after')]).toEqual([
      503,
      'shard_unavailable',
      '2',
    ])
    await cluster.server.query(`DELETE FROM margin_core.node WHERE life = 'ghost'`)
    await until(async () => (await cluster.call(0, 'GET', `/orders/${accountId}/active`, key)).status === 200)
    const [second] = (await cluster.command(price)).body.results
    expect(second).toMatchObject({ ok: true, shards: { length: SHARDS } })
    expect(second.shards.slice(0, 3)).toEqual(first.shards)
  })
})
