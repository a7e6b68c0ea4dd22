// What is one of the venue, however many shards and nodes it has: limits, history and prices.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Engine } from '../../src/engine/engine.ts'
import { marketsOf } from '../../src/engine/internals.ts'
import type { Command, SetNotionalQuota } from '../../src/events/command.ts'
import type { ShardHost } from '../../src/host/cluster/shardHost.ts'
import { type ServedNode, serveNode } from '../../src/host/index.ts'
import { whyNoServer } from '../postgres/postgresServer.ts'
import { callAt, configuration, MARKET, OPERATOR, SHARDS, TRADERS, TwoNodes, until, usd } from './twoNodes.ts'

let cluster: TwoNodes

beforeAll(async () => {
  if (whyNoServer === null) cluster = await TwoNodes.start()
})

afterAll(() => cluster?.end())

describe.skipIf(whyNoServer !== null)('open notional', () => {
  const openLong = (shard: number, amount: number) => {
    const { accountId, key } = TRADERS[shard] as (typeof TRADERS)[number]
    const order = { accountId, marketId: MARKET.id, type: 'market', direction: 'long', leverage: usd(1) }
    return cluster.served(shard % 2, 'POST', '/orders', key, { ...order, amount: usd(amount) })
  }
  /** At the latest when other shards have had the time to give. */
  const opened = (shard: number, amount: number) =>
    until(async () => (await openLong(shard, amount)).status === 201)
  const closeAll = (shard: number) => {
    const { accountId, key } = TRADERS[shard] as (typeof TRADERS)[number]
    return cluster.served(0, 'POST', `/positions/${accountId}/close-all`, key)
  }
  /** Of each shard, by its number, the engine that it was opened in last: on a busy machine who has lost it may not know yet. */
  function engines(): Engine[] {
    const newest = new Map<number, ShardHost>()
    for (const { node } of cluster.nodes)
      for (const [shard, host] of node.open)
        if (host.epoch > (newest.get(shard)?.epoch ?? 0)) newest.set(shard, host)
    return [...newest].sort(([a], [b]) => a - b).map(([, { engine }]) => engine)
  }
  function quotas(): bigint {
    return engines()
      .flatMap((engine) => [...marketsOf(engine)])
      .reduce((sum, { quota }) => sum + (quota?.long ?? 0n), 0n)
  }

  test('one shard may have all of it, none past it, whichever others held a part', async () => {
    await opened(0, 9_000)
    const refused = await openLong(1, 2_000)
    expect([refused.status, refused.body.error]).toEqual([400, 'order_exceeds_max_open_notional'])
    await opened(2, 900)
    expect(quotas()).toBeLessThanOrEqual(BigInt(usd(10_000)))
    expect((await closeAll(0)).status).toBe(200)
    await opened(1, 9_000)
    expect(quotas()).toBeLessThanOrEqual(BigInt(usd(10_000)))
  })

  test('webhooks tell what each shard tells under its name: the logs have the same sequences', async () => {
    await until(async () => new Set(cluster.told.map(({ shard }) => shard)).size >= 2)
    for (const { shard, inHead } of cluster.told) expect(inHead).toBe(String(shard))
    const ids = cluster.told.map(({ shard, id, part }) => `${shard} ${id} ${part}`)
    expect(new Set(ids).size).toBe(ids.length)
  })

  /** Repeated where it did not reach all shards, as it has to be: the lease of a node may run out on a busy machine. */
  async function maximum(amount: number): Promise<{ ok: boolean; shards: object[] }> {
    const market = { id: MARKET.id, maxOpenNotionalLong: usd(amount) }
    for (;;) {
      const [result] = (await cluster.command({ type: 'configureMarket', market })).body.results
      if (result.error !== 'shard_unavailable') return result
    }
  }

  test('another maximum holds for all shards', async () => {
    expect(await maximum(20_000)).toMatchObject({ ok: true, shards: { length: SHARDS } })
    await opened(3, 9_000)
    expect(await maximum(5_000)).toMatchObject({ ok: true })
    expect(quotas()).toBeLessThanOrEqual(BigInt(usd(5_000)))
    for (const { shard } of TRADERS) expect((await openLong(shard, 100)).status).toBe(400)
    await closeAll(1)
    await closeAll(3)
    for (const { shard } of TRADERS) await opened(shard, 900)
    expect(quotas()).toBeLessThanOrEqual(BigInt(usd(5_000)))
  })

  test('a smaller maximum leaves every shard at once what is open there, and no more than the maximum in all', async () => {
    // A shard has a second for it, which a busy machine may not give: what it does not keep is taken back, and it is asked again.
    let kept: SetNotionalQuota[] = []
    for (let tries = 0; tries < 10 && kept.length < SHARDS; tries++) {
      expect(await maximum(20_000)).toMatchObject({ ok: true })
      await until(async () => openNotionals().every(({ open, quota }) => quota >= open))
      kept = await keptUnder(10_000)
      expect(quotas()).toBeLessThanOrEqual(BigInt(usd(10_000)))
    }
    expect(kept).toHaveLength(SHARDS)
    const open = openNotionals()
    for (const [at, { quotaLong }] of kept.entries()) {
      expect(open[at]?.open).toBeGreaterThan(0n)
      expect(quotaLong).toBeGreaterThanOrEqual(open[at]?.open as bigint)
    }
    expect(kept.reduce((sum, { quotaLong }) => sum + quotaLong, 0n)).toBeLessThanOrEqual(BigInt(usd(10_000)))
  })

  function openNotionals(): { open: bigint; quota: bigint }[] {
    return engines().flatMap((engine) =>
      Array.from(marketsOf(engine), ({ openNotionalLong, quota }) => ({
        open: openNotionalLong,
        quota: quota?.long ?? 0n,
      })),
    )
  }

  /** The quotas that shards have kept in the turn of a smaller maximum, while prices arrive. */
  async function keptUnder(amount: number): Promise<SetNotionalQuota[]> {
    let isChanged = false
    const prices = async () => {
      while (!isChanged)
        await cluster.command({ type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_000) })
    }
    const arriving = Array.from({ length: 4 }, prices)
    const changed = await maximum(amount)
    isChanged = true
    await Promise.all(arriving)
    expect(changed).toMatchObject({ ok: true })
    const kept: SetNotionalQuota[] = []
    for (const engine of engines()) {
      const commands: Command[] = []
      for await (const { command } of engine.commits({ from: 1 })) commands.push(command)
      // The next commit: nothing fires between.
      const next = commands[commands.findLastIndex(({ type }) => type === 'configureMarket') + 1]
      if (next?.type === 'setNotionalQuota' && next.quotaLong > 0n) kept.push(next)
    }
    return kept
  }
})

describe.skipIf(whyNoServer !== null)('what has ended', () => {
  const { accountId, key, shard } = TRADERS[2] as (typeof TRADERS)[number]
  const stranger = TRADERS.find((trader) => trader.shard !== shard) as (typeof TRADERS)[number]

  test('is refused and listed as on a single host, written or not, here and where the shard is moved to', async () => {
    const on = { accountId, marketId: MARKET.id, direction: 'long' }
    const order = { ...on, type: 'limit', leverage: usd(1), amount: usd(10), triggerPrice: usd(1_000) }
    const ids: string[] = []
    for (let n = 0; n < 3; n++) {
      const placed = await cluster.served(0, 'POST', '/orders', key, order)
      expect([placed.status, placed.body.error]).toEqual([201, undefined])
      ids.push(placed.body.id)
    }
    for (const id of ids) expect((await cluster.served(0, 'DELETE', `/orders/${id}`, key)).status).toBe(200)
    const short = { ...on, direction: 'short', type: 'market', leverage: usd(1), amount: usd(100) }
    expect((await cluster.served(0, 'POST', '/orders', key, short)).status).toBe(201)
    expect((await cluster.served(0, 'POST', `/positions/${accountId}/close-all`, key)).status).toBe(200)
    const before = await seen()
    expect(before.orders.filter((id: string) => ids.includes(id))).toEqual(ids.toReversed())
    const told = await Promise.all(
      [0, 1].map((node) => cluster.call(node, 'GET', '/operator/health', OPERATOR)),
    )
    const head = Math.max(
      ...told.flatMap(({ body }) => body.shards).map((one) => (one.shard === shard ? one.head : 0)),
    )
    await until(async () => {
      // Rows come behind their commits: a price has them written that moves nothing else.
      await cluster.command({ type: 'updatePrice', marketId: MARKET.id, indexPrice: usd(50_000) })
      const [cursor] = await cluster.server.query(
        `SELECT seq FROM margin_core.history_cursor WHERE shard = ${shard}`,
      )
      return Number(cursor?.seq) >= head
    })
    expect(await seen()).toEqual(before)
    const owner = () => cluster.nodes.find(({ node }) => node.open.has(shard))?.node.name
    const other = owner() === 'a' ? 'b' : 'a'
    await cluster.server.query(`UPDATE margin_core.shard SET wanted = '${other}' WHERE shard = ${shard}`)
    await until(async () => owner() === other)
    expect(await seen()).toEqual(before)

    async function seen() {
      const page = (of: string) => cluster.served(1, 'GET', `${of}?limit=9`, key)
      const orders = await page(`/orders/${accountId}/BTC/history`)
      const positions = await page(`/positions/${accountId}/BTC/history`)
      const portfolio = await page(`/positions/${accountId}/portfolio/history`)
      const [position] = positions.body.data
      const events = await cluster.served(1, 'GET', `/positions/${position.idx}/history`, key)
      expect(events.body.length).toBeGreaterThan(1)
      const codes = []
      for (const [method, path, by] of [
        ['DELETE', `/orders/${ids[0]}`, key],
        ['DELETE', `/orders/${position.idx}`, key],
        ['DELETE', '/orders/90000000-0000-4000-8000-000000000009', key],
        ['PATCH', `/positions/${position.idx}/margin`, key],
        ['PATCH', `/positions/${ids[0]}/margin`, key],
        ['GET', `/positions/${ids[0]}/history`, key],
      ] as const) {
        const body = method === 'PATCH' ? { marginChange: usd(1) } : undefined
        const answer = await cluster.served(0, method, path, by, body)
        codes.push(`${answer.status} ${answer.body.error}`)
      }
      expect(codes).toEqual([
        '403 order_not_active',
        '404 order_not_found',
        '404 order_not_found',
        expect.stringMatching(/position_not_available/),
        '404 position_not_found',
        '404 position_not_found',
      ])
      const denied = await cluster.served(0, 'GET', `/orders/${accountId}/BTC/history`, stranger.key)
      const charges = await cluster.call(0, 'GET', `/operator/accounts/${accountId}`, OPERATOR)
      return {
        orders: orders.body.data.map(({ id }: { id: string }) => id),
        pages: [orders.text, positions.text, portfolio.text, events.text],
        denied: denied.body.error,
        charges: charges.body.charges,
      }
    }
  })
})

describe.skipIf(whyNoServer !== null)('prices', () => {
  test('one feed moves all shards, and goes on with the next owner of the first; operators have an address apart', async () => {
    await cluster.server.query('CREATE DATABASE fed')
    const postgres = cluster.server.url.replace(/postgres$/, 'fed')
    const fed = {
      ...configuration,
      clock: { mode: 'system', start: null },
      operatorListen: { host: '127.0.0.1', port: 0 },
      feed: { kind: 'simulated', seed: 'a walk', intervalMs: 100, step: 1_000_000n },
    } as const
    const [first, second] = [
      await serveNode({ configuration: fed, postgres, name: 'a', port: 0, leaseMs: 2_000 }),
      await serveNode({ configuration: fed, postgres, name: 'b', port: 0, leaseMs: 2_000 }),
    ]
    const operatorsAt = (node: ServedNode) => ({ url: node.operatorUrl as string })
    /** As the log of a shard has them. */
    async function pricesOf(shard: number, at: ServedNode): Promise<string[]> {
      const { body } = await callAt(
        operatorsAt(at),
        'GET',
        `/operator/commits?shard=${shard}&limit=9999`,
        OPERATOR,
      )
      const commits = body.data as { command: { type: string; indexPrice: string } }[]
      return commits.flatMap(({ command }) => (command.type === 'updatePrice' ? [command.indexPrice] : []))
    }
    async function follows(shard: number, at: ServedNode): Promise<boolean> {
      const heard = (await pricesOf(shard, at)).slice(-5)
      const given = (await pricesOf(0, at)).join()
      return heard.length === 5 && given.includes(heard.join())
    }
    try {
      await until(async () => second.node.open.size === 2 && first.node.open.size === 2)
      for (const { shard } of TRADERS) await until(() => follows(shard, second))
      for (const at of [first, second]) {
        const path = '/operator/commands'
        const command = { type: 'setMarketStatus', marketId: MARKET.id, status: 'open' }
        expect((await callAt(at, 'POST', path, OPERATOR, command)).status).toBe(401)
        const { body } = await callAt(operatorsAt(at), 'POST', path, OPERATOR, command)
        expect(body.results).toMatchObject([{ ok: true, shards: { length: SHARDS } }])
        expect((await callAt(operatorsAt(at), 'GET', '/operator/health', OPERATOR)).status).toBe(200)
        const { accountId, key } = TRADERS[0] as (typeof TRADERS)[number]
        const trading = `/orders/${accountId}/active`
        expect((await callAt(operatorsAt(at), 'GET', trading, key)).status).toBe(403)
        expect((await callAt(at, 'GET', trading, key)).status).toBe(200)
      }
      const before = (await pricesOf(0, second)).length
      const feeding = first.node.open.has(0) ? first : second
      const other = feeding === first ? second : first
      await feeding.close()
      await until(
        async () => other.node.open.size === SHARDS && (await pricesOf(0, other)).length > before + 5,
      )
      for (const { shard } of TRADERS) await until(() => follows(shard, other))
    } finally {
      await Promise.all([first.close(), second.close()].map((closed) => closed.catch(() => {})))
    }
  })
})
