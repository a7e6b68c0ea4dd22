// What a request of a node says of itself: others than nodes are believed nothing, and its token alone says where it belongs.

import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ClusterNode } from '../../../../src/cluster/node.ts'
import { shardBits, shardOf } from '../../../../src/cluster/shardOf.ts'
import { Addressing } from '../../../../src/host/cluster/addressing.ts'
import {
  CLIENT_HEADER,
  NODE_HEADER,
  OPERATORS_HEADER,
  SHARD_HEADER,
} from '../../../../src/host/cluster/forward.ts'
import type { ShardHost } from '../../../../src/host/cluster/shardHost.ts'
import { TokenShards } from '../../../../src/host/cluster/tokenShards.ts'
import type { UserConfiguration } from '../../../../src/host/configuration.ts'
import { newApiKey, newClusterKey } from '../../../../src/host/secret.ts'

const SECRET = 'of-the-cluster'
const SHARDS = 5
const USERS = ['0f7e4f3a-6c2e-4a54-9d7f-2b8a41c6e001', 'b2'].map((id, index) => ({
  id,
  sessionToken: index === 0 ? 'a-session' : null,
  apiKeys: [{ key: `key-of-${id}` }],
})) as unknown as UserConfiguration[]

function addressing(open: readonly number[] = [3, 1]) {
  const node = {
    view: { shards: Array.from({ length: SHARDS }) },
    open: new Map(open.map((shard) => [shard, null])),
  } as unknown as ClusterNode<ShardHost>
  const nodes: unknown[] = []
  const of = new Addressing(node, new TokenShards(USERS, SHARDS), SECRET)
  of.onNode = (connection) => nodes.push(connection)
  return { of, nodes }
}

const request = (headers: Record<string, string>, url = '/') =>
  ({ url, headers: { ...headers }, socket: { remoteAddress: '192.0.2.7' } }) as unknown as IncomingMessage

test('only who knows the secret of the cluster is a node, and what a client says for one is taken away', () => {
  const said = fc.record(
    {
      [NODE_HEADER]: fc.constantFrom(SECRET, `${SECRET}x`, SECRET.slice(1), ''),
      [SHARD_HEADER]: fc.constantFrom('0', '4', '17'),
      [OPERATORS_HEADER]: fc.constant('1'),
      [CLIENT_HEADER]: fc.constant('203.0.113.9'),
      'x-forwarded-host': fc.constant('elsewhere'),
      'x-forwarded-proto': fc.constant('https'),
      forwarded: fc.constant('for=203.0.113.9'),
      authorization: fc.constant('Bearer key'),
    },
    { requiredKeys: [] },
  )
  const reached = { node: 0, client: 0 }
  fc.assert(
    fc.property(said, fc.constantFrom('main' as const, 'operators' as const), (headers, came) => {
      const { of, nodes } = addressing()
      const asked = request(headers)
      const taken = of.taken(asked, came)
      const isNode = headers[NODE_HEADER] === SECRET
      reached[isNode ? 'node' : 'client'] += 1
      expect(taken.wasForwarded).toBe(isNode)
      expect(nodes).toEqual(isNode ? [asked.socket] : [])
      expect(taken.address).toBe(isNode && headers[OPERATORS_HEADER] !== undefined ? 'operators' : came)
      if (headers[SHARD_HEADER] !== undefined) expect(taken.named).toBe(Number(headers[SHARD_HEADER]))
      else expect(taken.named).toBeNaN()
      const client = isNode ? headers[CLIENT_HEADER] : '192.0.2.7'
      expect(asked.headers).toEqual({
        ...(headers.authorization !== undefined && { authorization: headers.authorization }),
        ...(client !== undefined && { [CLIENT_HEADER]: client }),
      })
    }),
  )
  expect(Math.min(reached.node, reached.client)).toBeGreaterThan(10)
})

test.each([
  ['/operator/health?shard=4', 4, '/operator/health'],
  ['/operator/accounts?limit=5&shard=0&search=a', 0, '/operator/accounts?limit=5&search=a'],
  ['/%6fperator/health?shard=2', 2, '/%6fperator/health'],
  ['/operator/health?shard=5', null, '/operator/health?shard=5'],
  ['/operator/health?shard=-1', null, '/operator/health?shard=-1'],
  ['/operator/health?shard=', null, '/operator/health?shard='],
  ['/operator/health?shard=0000000000', null, '/operator/health?shard=0000000000'],
  ['/operator/health', null, '/operator/health'],
  ['/accounts?shard=1', null, '/accounts?shard=1'],
  ['/operators?shard=1', null, '/operators?shard=1'],
])('%s names shard %s', (url, shard, left) => {
  const asked = request({}, url)
  expect(addressing().of.shardNamed(asked)).toBe(shard)
  expect(asked.url).toBe(left)
})

describe('where a request belongs', () => {
  const [first, second] = USERS as [UserConfiguration, UserConfiguration]
  const OF = [
    ['a-session', shardOf(first.id, SHARDS)],
    [`key-of-${first.id}`, shardOf(first.id, SHARDS)],
    [`key-of-${second.id}`, shardOf(second.id, SHARDS)],
    [newClusterKey(second.id), shardBits(second.id) % SHARDS],
  ] as const

  test.each(OF)('%s says it', (token, shard) => {
    const { of } = addressing()
    for (const text of [`Bearer ${token}`, `bearer  ${token} `])
      expect(of.shardOf(request({ authorization: text }))).toBe(shard)
    expect(of.shardOfToken(token)).toBe(shard)
  })

  test('an operator says it before any token', () => {
    const asked = request({ authorization: 'Bearer a-session' }, '/operator/health?shard=4')
    expect(addressing().of.shardOf(asked)).toBe(4)
  })

  test('what belongs to none is answered by one that is here, where one is', () => {
    for (const authorization of ['', 'Basic a-session', 'Bearer', `Bearer ${newApiKey()}`, 'Bearer x y'])
      for (const [open, shard] of [[[3, 1], 3] as const, [[], 0] as const]) {
        const { of } = addressing(open)
        expect(of.shardOf(request({ authorization }))).toBe(shard)
        expect(of.shardOf(request({}))).toBe(shard)
        expect(of.shardOfToken('unknown')).toBe(shard)
      }
  })
})
