// What is told of a node: each figure under its name, of shards whose figures all differ.

import { expect, test } from 'vitest'
import { NodeMetrics } from '../../../../src/host/cluster/nodeMetrics.ts'

type Node = ConstructorParameters<typeof NodeMetrics>[0]

const shard = (epoch: number, head: number, durableHead: number, taken: number, given: number) => ({
  epoch,
  engine: { head, durableHead },
  quotas: { keeper: { moves: { taken, given, refused: 99 } } },
})

const node = {
  leaseLeft: 2_500,
  takeoversOf: new Map([
    [0, 3],
    [4, 1],
  ]),
  failuresOf: new Map([[2, 4]]),
  open: new Map([
    [0, shard(7, 100, 90, 5, 6)],
    [4, shard(8, 200, 190, 20, 30)],
  ]),
}

const metricsOf = (changed: Partial<typeof node> = {}) =>
  new NodeMetrics({ ...node, ...changed } as unknown as Node)

/** Each line of a metric by what stands before its value. */
async function valuesOf(metrics: NodeMetrics): Promise<Record<string, number>> {
  const lines = (await metrics.registry.metrics()).split('\n').filter((line) => /^margin_core/.test(line))
  return Object.fromEntries(
    lines.map((line) => {
      const at = line.lastIndexOf(' ')
      return [line.slice('margin_core_'.length, at), Number(line.slice(at + 1))]
    }),
  )
}

test('each figure of a shard stands under its name, and none of a shard that has gone', async () => {
  const metrics = metricsOf()
  const told = {
    'shard_takeovers_total{shard="0"}': 3,
    'shard_takeovers_total{shard="4"}': 1,
    'shard_open_failures{shard="2"}': 4,
    'shard_epoch{shard="0"}': 7,
    'shard_epoch{shard="4"}': 8,
    'shard_head{shard="0"}': 100,
    'shard_head{shard="4"}': 200,
    'shard_durable_head{shard="0"}': 90,
    'shard_durable_head{shard="4"}': 190,
    'shard_quota_moves{shard="0"}': 11,
    'shard_quota_moves{shard="4"}': 50,
    lease_margin_seconds: 2.5,
  }
  expect(await valuesOf(metrics)).toEqual(told)
  // However often it is asked.
  expect(await valuesOf(metrics)).toEqual(told)
  const open = new Map(node.open)
  const later = metricsOf({ open })
  await valuesOf(later)
  open.delete(0)
  const names = Object.keys(await valuesOf(later)).filter((name) => !name.startsWith('shard_takeovers'))
  expect(names.filter((name) => name.includes('shard="0"'))).toEqual([])
  expect(names.filter((name) => name.includes('shard="4"')).length).toBe(4)
})

test.each([
  [-1, 0],
  [0, 0],
  [1, 0.001],
])('a lease that has %i ms left has %f s', async (leaseLeft, seconds) => {
  expect((await valuesOf(metricsOf({ leaseLeft }))).lease_margin_seconds).toBe(seconds)
})

test('appends are summed up by shard and counted by how long they took, and so is what was sent on', async () => {
  const metrics = metricsOf({ open: new Map(), takeoversOf: new Map() })
  metrics.appended(0, { commits: 2, bytes: 300, seconds: 0.002 })
  metrics.appended(0, { commits: 3, bytes: 500, seconds: 0.2 })
  metrics.appended(4, { commits: 1, bytes: 70, seconds: 7 })
  metrics.forwarded(4)
  metrics.forwarded(4)
  const told = await valuesOf(metrics)
  const buckets = (number: string) =>
    Object.entries(told).flatMap(([name, value]) =>
      name.startsWith('shard_append_seconds_bucket') && name.includes(`shard="${number}"`)
        ? [[/le="([^"]+)"/.exec(name)?.[1], value]]
        : [],
    )
  expect(buckets('0')).toEqual([
    ['0.001', 0],
    ['0.0025', 1],
    ['0.005', 1],
    ['0.01', 1],
    ['0.025', 1],
    ['0.05', 1],
    ['0.1', 1],
    ['0.25', 2],
    ['1', 2],
    ['5', 2],
    ['+Inf', 2],
  ])
  expect(buckets('4').map(([, count]) => count)).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1])
  expect(told).toMatchObject({
    'shard_append_seconds_sum{shard="0"}': 0.202,
    'shard_append_bytes_total{shard="0"}': 800,
    'shard_append_bytes_total{shard="4"}': 70,
    'shard_commits_total{shard="0"}': 5,
    'shard_commits_total{shard="4"}': 1,
    'forwarded_requests_total{shard="4"}': 2,
  })
})
