// `margin-core cluster` before a cluster that is told what to do: what it asks for, what it prints and how it ends.

import { beforeEach, expect, test, vi } from 'vitest'
import { statusJson, statusText } from '../../../src/cli/clusterStatus.ts'
import type { ClusterView } from '../../../src/cluster/membership.ts'
import { typed } from '../../typed.ts'

const { cluster } = vi.hoisted(() => {
  const cluster = {
    view: { nodes: [], shards: [] } as unknown as ClusterView,
    asked: [] as unknown[],
    /** What becomes of the cluster once it was asked; false: it refuses. */
    becomes: (): ClusterView | false => false,
    opened: [] as unknown[],
    ended: 0,
  }
  return { cluster }
})

vi.mock('../../../src/store/postgres/database.ts', async (original) => ({
  ...(await original<object>()),
  openExistingDatabase: async (...given: unknown[]) => {
    cluster.opened.push(given)
    const end = async () => {
      cluster.ended += 1
    }
    return { pool: { end } }
  },
}))
vi.mock('../../../src/cluster/postgresMembership.ts', () => {
  const doing =
    (what: string) =>
    async (...given: unknown[]) => {
      cluster.asked.push([what, ...given])
      const view = cluster.becomes()
      if (view === false) return false
      cluster.view = view
      return true
    }
  return {
    makeCluster: async (_database: unknown, shards: unknown) => void cluster.asked.push(['made for', shards]),
    PostgresMembership: class {
      readonly drainNamed = doing('drain')
      readonly move = doing('move')
      readonly look = async () => cluster.view
    },
  }
})

const node = (name: string, draining = false) => ({
  ...{ name, life: `${name}-1`, address: `http://${name}`, draining, leaseMs: 1_000, renewals: 1 },
})
const of = (owners: readonly string[], nodes: readonly ReturnType<typeof node>[]): ClusterView => ({
  nodes,
  shards: owners.map((name, shard) => ({
    shard,
    owner: `${name}-1`,
    wanted: null,
    epoch: 1,
    head: 10 + shard,
  })),
})
const before = of(['a', 'a', 'b'], [node('a'), node('b')])
const DATABASE = ['--postgres', 'postgres://me@here/venue']

beforeEach(() => {
  Object.assign(cluster, { view: before, asked: [], opened: [], ended: 0, becomes: () => false })
})

/** Whatever comes of it, nothing is made, a database with `fsync` off is no matter, and the connection is let go of. */
async function run(...words: readonly string[]) {
  const ended = await typed(['cluster', ...words, ...DATABASE])
  expect(cluster.opened).toEqual([['postgres://me@here/venue', { unsafeDatabase: true }]])
  expect(cluster.ended).toBe(1)
  expect(cluster.asked.shift()).toEqual(['made for', null])
  return ended
}

test('status prints who owns what', async () => {
  expect(await run('status')).toEqual({ code: 0, stdout: statusText(before), stderr: '' })
  expect(cluster.asked).toEqual([])
})

test('status prints the same for programs', async () => {
  expect(await run('status', '--json')).toEqual({ code: 0, stdout: statusJson(before), stderr: '' })
})

test('drain says that the node has given its shards away, and prints what it came to', async () => {
  const after = of(['b', 'b', 'b'], [node('a', true), node('b')])
  cluster.becomes = () => after
  expect(await run('drain', 'a')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: `a has given its shards away\n${statusText(after)}`,
  })
  expect(cluster.asked).toEqual([['drain', 'a']])
})

test('move says that the shard is there, and prints what it came to', async () => {
  const after = of(['a', 'b', 'b'], [node('a'), node('b')])
  cluster.becomes = () => after
  expect(await run('move', '1', 'b')).toEqual({
    ...{ code: 0, stderr: '' },
    stdout: `shard 1 is with b\n${statusText(after)}`,
  })
  expect(cluster.asked).toEqual([['move', 1, 'b']])
})

test.each([
  ['drain c', before, false, 'there is no node c'],
  [
    'drain a',
    before,
    of(['a', 'a', 'b'], [node('a', true), node('b', true)]),
    'no other node takes the shards of a: it keeps them until one does',
  ],
  ['move 1 c', before, false, 'there is no node c'],
  ['move 3 a', before, false, 'there is no shard 3: they are 0 to 2'],
  ['move 1 b', before, false, 'b has just left'],
  [
    'move 1 b',
    of(['a', 'a', 'a'], [node('a'), node('b', true)]),
    false,
    'b drains, and takes no shard until it is started again',
  ],
] as const)('%s where it cannot be is refused in a line', async (words, view, becomes, sentence) => {
  Object.assign(cluster, { view, becomes: () => becomes })
  expect(await run(...words.split(' '))).toEqual({ code: 2, stdout: '', stderr: `error: ${sentence}\n` })
})

test('a hand-over that does not come says so, prints how it stands, and ends with 1', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'performance'] })
  try {
    const began = performance.now()
    cluster.becomes = () => before
    const ended = run('move', '1', 'b')
    let isOver = false
    void ended.finally(() => {
      isOver = true
    })
    while (!isOver) await vi.advanceTimersByTimeAsync(50)
    expect(await ended).toEqual({
      code: 1,
      stdout: statusText(before),
      stderr: 'not yet: shard 1 is with b; nodes are still asked to, see cluster status\n',
    })
    // As often as it looks.
    expect(Math.abs(performance.now() - began - 20_000)).toBeLessThanOrEqual(100)
  } finally {
    vi.useRealTimers()
  }
})
