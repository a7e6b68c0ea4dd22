// What operators ask of a cluster as one, with shards that answer as a test says: where a command goes, whose answer counts,
// and how every shard stands.

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Registry } from 'prom-client'
import { afterEach, expect, test } from 'vitest'
import type { ClusterNode } from '../../src/cluster/node.ts'
import { shardOf } from '../../src/cluster/shardOf.ts'
import { CLIENT_HEADER, type Sent } from '../../src/host/cluster/forward.ts'
import { LEASE_OVER, LEAVING, NAME_TAKEN, OperatorFront } from '../../src/host/cluster/operatorFront.ts'
import type { ShardHost } from '../../src/host/cluster/shardHost.ts'
import { readConfiguration } from '../../src/host/configuration.ts'
import { MOST_WRONG } from '../../src/host/wrongTokens.ts'
import { ALICE, BOB, BTC, CONFIGURATION, OPERATOR } from '../host/venue.ts'

const SHARDS = 3
type Answer = { readonly status: number; readonly body: string } | null
type Answered = (shard: number, command: Record<string, unknown>) => Answer

const done = (seq: number): Answer => ({
  status: 200,
  body: JSON.stringify({ results: [{ ok: true, seq }] }),
})
const refused = (error: string): Answer => ({
  status: 200,
  body: JSON.stringify({ results: [{ ok: false, error, message: `says ${error}` }] }),
})

let ended: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ended) await end()
  ended = []
})

async function served(answer: Answered, node: object = {}, configuration: object = {}) {
  const asked: { readonly shard: number; readonly sent: Sent; readonly command: Record<string, unknown> }[] =
    []
  const view = {
    shards: [0, 1, 2].map((shard) => ({
      shard,
      owner: ['x', 'y', 'gone'][shard],
      epoch: shard + 5,
      head: 10 * shard,
    })),
    nodes: [
      { life: 'x', name: 'here', address: 'http://here' },
      { life: 'y', name: 'there', address: 'http://there' },
    ],
  }
  const own = { epoch: 6, engine: { head: 71, durableHead: 70, now: 7_000 } }
  const front = new OperatorFront(
    {
      leaseLeft: 1,
      name: 'here',
      isLeaving: false,
      open: new Map([[0, own]]),
      ...node,
      get view() {
        return (node as { view?: typeof view }).view ?? view
      },
    } as never as ClusterNode<ShardHost>,
    readConfiguration(Buffer.from(JSON.stringify({ ...CONFIGURATION, ...configuration }))),
    SHARDS,
    {
      ask: async (shard, sent) => {
        const [command] = [JSON.parse(String(sent.body) || '[]')].flat()
        asked.push({ shard, sent, command })
        return answer(shard, command)
      },
      standingsAt: async (address) =>
        address === 'http://there' ? [{ shard: 1, epoch: 9, head: 31, durableHead: 30, at: 3_000 }] : [],
      metrics: new Registry(),
    },
  )
  const server = createServer((request, response) => {
    front.answers(request, response).then((isAnswered) => isAnswered || response.writeHead(418).end())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ended.push(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const call = async (
    method: string,
    path: string,
    body?: unknown,
    token = OPERATOR,
    client = '192.0.2.7',
  ) => {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, connection: 'close', [CLIENT_HEADER]: client },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: text.startsWith('{') ? JSON.parse(text) : text,
    }
  }
  return { front, asked, call, command: (...body: object[]) => call('POST', '/operator/commands', body) }
}

const price = { type: 'updatePrice', marketId: BTC, indexPrice: '1000000000' }
const adjusted = (accountId: string) => ({ type: 'adjustBalance', accountId, amount: '1000000000' })
const shardsOf = (asked: readonly { readonly shard: number }[]) => asked.map(({ shard }) => shard)
const STRANGER = 'a0000000-0000-4000-8000-00000000ffff'

test('a node that has just begun, and has not seen the database, knows of every shard all the same', async () => {
  const seen = { shards: [0, 1, 2].map((shard) => ({ shard, owner: null, epoch: 5, head: 9 })), nodes: [] }
  const node = {
    view: { shards: [], nodes: [] } as object,
    open: new Map(),
    look: async () => {
      node.view = seen
    },
  }
  const { asked, call, command } = await served((shard) => done(40 + shard), node)
  expect((await command(price)).body.results[0].shards.map(({ shard }: { shard: number }) => shard)).toEqual([
    0, 1, 2,
  ])
  expect(shardsOf(asked)).toEqual([0, 1, 2])
  const { body } = await call('GET', '/operator/health')
  expect(body.shards.map(({ shard }: { shard: number }) => shard)).toEqual([0, 1, 2])
})

test('what is about the whole venue goes to every shard in turn, and tells where it is in each log', async () => {
  const { asked, command } = await served((shard) => done(40 + shard))
  const { status, body } = await command(price)
  expect([status, body.results]).toEqual([
    200,
    [{ ok: true, seq: 40, shards: [0, 1, 2].map((shard) => ({ shard, seq: 40 + shard })) }],
  ])
  expect(shardsOf(asked)).toEqual([0, 1, 2])
  for (const { sent, command: sentOn } of asked) {
    expect(sent).toMatchObject({ method: 'POST', url: '/operator/commands' })
    expect(sent.headers['content-length']).toBeUndefined()
    expect(sent.headers.authorization).toBe(`Bearer ${OPERATOR}`)
    expect(sentOn).toEqual(price)
  }
})

test('an account of the configuration and a user have their shard at once', async () => {
  const { asked, command } = await served(() => done(8))
  const { body } = await command(adjusted(ALICE.accountId), adjusted(BOB.accountId))
  const expected = [ALICE, BOB].map(({ userId }) => shardOf(userId, SHARDS))
  expect(shardsOf(asked)).toEqual(expected)
  expect(body.results).toEqual(expected.map((shard) => ({ ok: true, seq: 8, shards: [{ shard, seq: 8 }] })))
})

test('an account that nobody knows is looked for, the shard that has it has the say, and is remembered', async () => {
  const { asked, command } = await served((shard) => (shard === 1 ? done(17) : refused('account_not_found')))
  expect((await command(adjusted(STRANGER))).body.results).toEqual([
    { ok: true, seq: 17, shards: [{ shard: 1, seq: 17 }] },
  ])
  expect(shardsOf(asked)).toEqual([0, 1])
  await command(adjusted(STRANGER))
  expect(shardsOf(asked)).toEqual([0, 1, 1])
})

test('of refusals that of the shard that it is about counts; of none, the first; one out of reach says so', async () => {
  const nowhere = await served(() => refused('account_not_found'))
  expect((await nowhere.command(adjusted(STRANGER))).body.results).toMatchObject([
    { ok: false, error: 'account_not_found', message: 'says account_not_found', shards: [] },
  ])
  expect(shardsOf(nowhere.asked)).toEqual([0, 1, 2])
  const there = await served((shard) => refused(shard === 1 ? 'insufficient_balance' : 'account_not_found'))
  expect((await there.command(adjusted(STRANGER))).body.results[0].error).toBe('insufficient_balance')
  const away = await served((shard) => (shard === 2 ? null : done(4)))
  expect((await away.command(price)).body.results[0]).toMatchObject({
    ok: false,
    error: 'shard_unavailable',
    shards: [
      { shard: 0, seq: 4 },
      { shard: 1, seq: 4 },
    ],
  })
  const busy = await served((shard) => (shard === 0 ? { status: 503, body: '{}' } : done(4)))
  expect((await busy.command(price)).body.results[0].error).toBe('shard_unavailable')
})

test('a market is configured at the first shard, and nowhere else where that refuses', async () => {
  const market = { type: 'setMarketStatus', marketId: BTC, status: 'paused' }
  const { asked, command } = await served(() => refused('market_not_found'))
  await command(market)
  expect(shardsOf(asked)).toEqual([0, 1, 2])
  const { id: _, ...configured } = CONFIGURATION.markets[0] as { id: string }
  const first = await served(() => refused('validation_failed'))
  const { body } = await first.command({ type: 'configureMarket', market: { id: BTC, ...configured } })
  expect(shardsOf(first.asked)).toEqual([0])
  expect(body.results[0]).toMatchObject({ ok: false, shards: [] })
})

test('a shard that refuses the whole request has its answer passed on; what is no command the first shard tells', async () => {
  const { asked, command, call } = await served((shard) =>
    shard === 1 ? { status: 403, body: '{"error":"not_allowed"}' } : done(1),
  )
  expect(await command(price, price)).toMatchObject({ status: 403, body: { error: 'not_allowed' } })
  expect(shardsOf(asked)).toEqual([0, 1])
  const odd = await served(() => ({ status: 400, body: '{"error":"validation_failed"}' }))
  expect(await odd.command({ type: 'gravity' })).toMatchObject({ status: 400 })
  expect(shardsOf(odd.asked)).toEqual([0])
  const away = await served(() => null)
  expect(await away.command({ type: 'gravity' })).toMatchObject({ status: 503, body: {} })
  expect((await call('POST', '/operator/other', {})).status).toBe(418)
  expect((await call('GET', '/operator/commands')).status).toBe(418)
})

test('what only a manager may do, a reader’s request does nowhere: the first shard refuses all of it', async () => {
  const readers = [{ name: 'r', token: 'reader-secret', role: 'read' }]
  const { asked, call } = await served(() => ({ status: 403, body: '{}' }), {}, { operatorTokens: readers })
  expect((await call('POST', '/operator/commands', [price], 'reader-secret')).status).toBe(403)
  expect(shardsOf(asked)).toEqual([0])
})

test('a preview is that of the shard that it is about, or of all of them', async () => {
  const told = (result: string, error: string | null, seq: number) => ({
    status: 200,
    body: JSON.stringify({
      ...{
        seq,
        at: `2026-01-0${seq}T00:00:00.000Z`,
        result,
        error,
        message: null,
        events: [seq],
        postings: [],
        accounts: [],
      },
      house: { was: '10', would: '11' },
    }),
  })
  const all = await served((shard) => told('accepted', null, shard + 1))
  expect((await all.call('POST', '/operator/preview', price)).body).toMatchObject({
    result: 'accepted',
    at: '2026-01-03T00:00:00.000Z',
    events: [1, 2, 3],
    house: { was: '30', would: '33' },
    shards: [0, 1, 2].map((shard) => ({ shard, seq: shard + 1 })),
  })
  const one = await served((shard) =>
    shard === 1 ? told('accepted', null, 2) : told('refused', 'account_not_found', 1),
  )
  expect((await one.call('POST', '/operator/preview', adjusted(STRANGER))).body.shards).toEqual([
    { shard: 1, seq: 2 },
  ])
  expect(shardsOf(one.asked)).toEqual([0, 1])
  const away = await served(() => null)
  for (const body of [price, { type: 'gravity' }])
    expect(await away.call('POST', '/operator/preview', body)).toMatchObject({
      status: 503,
      body: { error: 'shard_unavailable' },
    })
  const no = await served(() => ({ status: 409, body: '{"error":"busy"}' }))
  expect(await no.call('POST', '/operator/preview', price)).toMatchObject({
    status: 409,
    body: { error: 'busy' },
  })
  expect(shardsOf(no.asked)).toEqual([0])
})

test('health tells of every shard what its owner says, or what the database was last heard to say', async () => {
  const shards = [
    { shard: 0, epoch: 6, head: 71, durableHead: 70, at: '1970-01-01T00:00:07.000Z', owner: 'here' },
    { shard: 1, epoch: 9, head: 31, durableHead: 30, at: '1970-01-01T00:00:03.000Z', owner: 'there' },
    { shard: 2, epoch: 7, head: 20, durableHead: 20, at: null, owner: null },
  ]
  const health = async (node: object) => (await served(() => null, node)).call('GET', '/operator/health')
  expect(await health({})).toMatchObject({
    status: 200,
    body: { status: 'ok', reason: null, node: 'here', shards },
  })
  expect(await health({ isLeaving: true })).toMatchObject({
    status: 200,
    body: { status: 'ok', reason: LEAVING },
  })
  for (const leaseLeft of [0, -1])
    expect(await health({ leaseLeft })).toMatchObject({
      status: 503,
      body: { status: 'failed', reason: LEASE_OVER },
    })
  expect(await health({ leaseLeft: 0, isNameTaken: true })).toMatchObject({
    status: 503,
    body: { status: 'failed', reason: NAME_TAKEN },
  })
})

test('whoever is no operator is left to a shard, and is kept waiting after as many wrong tokens as there', async () => {
  const { call } = await served(() => done(1))
  expect((await call('POST', '/operator/commands', [price], 'wrong')).status).toBe(418)
  expect((await call('GET', '/operator/metrics')).type).toContain('text/plain')
  for (let time = 1; time < MOST_WRONG; time++)
    expect((await call('GET', '/operator/health', undefined, `wrong-${time}`)).status).toBe(418)
  // A good one is not known by its answer either.
  for (const token of ['wrong', OPERATOR]) {
    expect((await call('GET', '/operator/health', undefined, token)).status).toBe(429)
    expect((await call('POST', '/operator/commands', [price], token)).status).toBe(429)
  }
  expect((await call('GET', '/operator/health', undefined, OPERATOR, '198.51.100.9')).status).toBe(200)
})

test('of a body as much is read as whoever sends it may send', async () => {
  const { front } = await served(() => null)
  const mostFor = (authorization: string) => front.mostOf({ headers: { authorization } } as never)
  expect(mostFor(`Bearer ${OPERATOR}`)).toBeGreaterThan(mostFor('Bearer wrong'))
})
