// How a shard goes from one node to another: taken from nobody, given away, made ready for.
import { expect, test } from 'vitest'
import { LEASE_MS, nodeAlone, OTHER, runFor } from './nodeAlone.ts'

test('what was free and was taken is counted for its shard, each time', async () => {
  const { node, view } = nodeAlone()
  for (const times of [1, 2, 3]) {
    await node.look()
    expect([...node.takeoversOf]).toEqual([[0, times]])
    await node.look()
    expect(node.takeovers, 'what it owns is not taken again').toBe(times)
    view.shards = view.shards.map((row) => ({ ...row, owner: null }))
  }
})

test('where another was quicker to take a part of what was free, it is known at once who has it', async () => {
  const { node, view, notices, taking } = nodeAlone()
  view.nodes.push({ ...OTHER, renewals: 1 })
  // The other has the third, so that both of the first two fall to this one.
  view.shards = [0, 1, 2, 3].map((shard) => ({
    ...{ shard, wanted: null, epoch: 1, head: 0 },
    owner: shard > 1 ? OTHER.life : null,
  }))
  taking.refused = (shard) => {
    if (shard !== 1) return false
    view.shards = view.shards.map((row) => (row.shard === 1 ? { ...row, owner: OTHER.life } : row))
    return true
  }
  await node.look()
  await new Promise((resolve) => setImmediate(resolve))
  expect(node.where(0)).toMatchObject({ at: 'here' })
  expect(node.where(1)).toEqual({ at: 'there', address: 'b' })
  expect([...node.takeoversOf]).toEqual([[0, 1]])
  expect(notices).toEqual([])
})

test('each shard that is taken from nobody is counted once', async () => {
  const { node } = nodeAlone()
  expect(node.takeovers).toBe(0)
  for (let look = 0; look < 3; look++) await node.look()
  expect([node.takeovers, ...node.takeoversOf]).toEqual([1, [0, 1]])
})

test('a node that has left does not come back when others tell it to look', async () => {
  const { node, view } = nodeAlone()
  await node.look()
  await node.stop()
  const there = view.nodes.length
  view.shards = view.shards.map((row) => ({ ...row, owner: 'b-1' }))
  await node.look()
  // It sees where requests go meanwhile.
  expect(node.view.shards.map(({ owner }) => owner)).toEqual(['b-1'])
  expect(view.nodes).toHaveLength(there)
  expect(node.open.size).toBe(0)
})

test('a shard that was nobody’s is told of to all others once it is served, who may have requests that wait for it', async () => {
  const { node, view, nudged } = nodeAlone()
  const other = { leaseMs: LEASE_MS, renewals: 0, draining: true }
  for (const name of ['b', 'c']) view.nodes.push({ ...other, name, life: `${name}-1`, address: `at ${name}` })
  await node.look()
  await expect.poll(() => node.where(0).at).toBe('here')
  expect(nudged).toEqual(['at b', 'at c'])
  await node.look()
  expect(nudged).toHaveLength(2)
})

test('a node that leaves says so before it gives anything, as whoever has it then would give it back', async () => {
  const { node, view, changes, nudged } = nodeAlone()
  await node.look()
  const other = { leaseMs: LEASE_MS, renewals: 0, draining: false }
  for (const name of ['b', 'c']) view.nodes.push({ ...other, name, life: `${name}-1`, address: `at ${name}` })
  await node.stop()
  expect(changes).toEqual(['a-1 takes nothing', 'at b is told of 0', 'a-1 gives to b-1'])
  // Who was given it, and all others, once it is so and once it has gone: whoever looks seldom would go on sending requests there.
  expect(nudged).toEqual(['at b has 0', 'at c', 'at b', 'at c'])
})

test('a shard is nobody else’s before what is under way is answered', async () => {
  const { node, view, changes, underWay, mayAnswer } = nodeAlone()
  await node.look()
  let answer = () => {}
  underWay.answered = new Promise((resolve) => {
    answer = resolve
  })
  const other = { name: 'b', life: 'b-1', address: 'b', leaseMs: LEASE_MS, renewals: 0, draining: false }
  view.nodes = [...view.nodes.map((own) => ({ ...own, draining: true })), other]
  await node.look()
  await expect.poll(() => node.where(0).at).toBe('nowhere')
  expect(changes).toEqual(['b is told of 0'])
  expect(mayAnswer(), 'what is under way is answered').toBe(true)
  answer()
  await expect.poll(() => changes).toEqual(['b is told of 0', 'a-1 gives to b-1'])
  expect(node.leaseLeft).toBeGreaterThan(0)
  await expect
    .poll(mayAnswer, { message: 'and nothing once another has it, though the lease goes on' })
    .toBe(false)
})

test('a shard that is given is opened before the next look, and not by a node that leaves', async () => {
  const { node, view } = nodeAlone()
  view.nodes.push({ ...OTHER, renewals: 0, draining: true })
  const givenTo = (owner: string) => {
    view.shards = view.shards.map((row) => ({ ...row, owner }))
  }
  givenTo('b-1')
  view.shards = view.shards.map((row) => ({ ...row, wanted: 'b' }))
  await node.look()
  givenTo('a-1')
  const looked = node.given(0)
  expect(node.where(0)).toEqual({ at: 'nowhere', isComing: true })
  await looked
  expect([...node.open.keys()]).toEqual([0])
  await node.stop()
  await node.given(0)
  expect(node.open.size).toBe(0)
})

test('who has missed a renewal is expected to be followed, once; who has not, is not', async () => {
  const alone = nodeAlone()
  alone.view.nodes.push({ ...OTHER, renewals: 1 })
  alone.view.shards = alone.view.shards.map((row) => ({ ...row, owner: 'b-1' }))
  await runFor(LEASE_MS / 2, alone)
  expect(alone.expected).toEqual([])
  await runFor(LEASE_MS / 4, alone)
  expect(alone.expected).toEqual([0])
})

test('what its next owner makes ready for stays served meanwhile, and stays here where the plan is another by then', async () => {
  const { node, view, changes, foretold } = nodeAlone()
  await node.look()
  view.nodes.push({ ...OTHER, renewals: 0 })
  view.shards = [0].map((shard) => ({ shard, owner: 'a-1', wanted: 'b', epoch: 1, head: 0 }))
  let ready = () => {}
  foretold.until = new Promise((resolve) => {
    ready = resolve
  })
  // Once, however often this one looks meanwhile.
  for (let look = 0; look < 3; look++) await node.look()
  await new Promise((resolve) => setImmediate(resolve))
  expect(changes).toEqual(['b is told of 0'])
  expect(node.where(0).at).toBe('here')
  view.shards = view.shards.map((row) => ({ ...row, wanted: null }))
  await node.look()
  ready()
  await new Promise((resolve) => setImmediate(resolve))
  expect(node.where(0).at).toBe('here')
  expect(changes).toHaveLength(1)
})

test.each([
  ['does not answer', () => new Promise<void>(() => {})],
  ['cannot be told', () => Promise.reject(new Error('no answer'))],
])(
  'what makes a hand-over short keeps it waiting for a third of the lease at most: the next owner %s',
  async (_, until) => {
    const { node, time, view, changes, foretold } = nodeAlone()
    await node.look()
    view.nodes.push({ ...OTHER, renewals: 0 })
    view.shards = [{ shard: 0, owner: 'a-1', wanted: 'b', epoch: 1, head: 0 }]
    const told = until()
    told.catch(() => {})
    foretold.until = told
    const sleeps: { readonly ms: number; readonly wake: () => void }[] = []
    time.sleep = (ms) => new Promise((wake) => void sleeps.push({ ms, wake }))
    await node.look()
    const settled = () => new Promise((resolve) => setImmediate(resolve))
    await settled()
    for (const { ms, wake } of sleeps) if (ms <= LEASE_MS / 3) wake()
    await settled()
    expect(changes).toEqual(['b is told of 0', 'a-1 gives to b-1'])
  },
)

function latch() {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

test('a shard that was given while the database was looked at is not opened again, however late that look says whose it was', async () => {
  const { node, time, view, changes, looking, opening, foretold } = nodeAlone()
  await node.look()
  await turn()
  view.nodes.push({ ...OTHER, renewals: 0 })
  view.shards = [{ shard: 0, owner: 'a-1', wanted: 'b', epoch: 1, head: 0 }]
  const [ready, late] = [latch(), latch()]
  foretold.until = ready.opened
  await node.look()
  looking.until = late.opened
  const look = node.look()
  await turn()
  ready.open()
  await turn()
  expect(changes.at(-1)).toBe('a-1 gives to b-1')
  looking.until = Promise.resolve()
  late.open()
  await look
  await turn()
  expect(opening.at).toEqual([0])
  // What begins behind it is believed.
  view.shards = [{ shard: 0, owner: 'a-1', wanted: null, epoch: 2, head: 0 }]
  time.now += 100
  await node.look()
  expect(opening.at).toEqual([0, 100])
})

test('a shard that turns out to be another’s as it is opened is no trouble, and is opened where the next look says so', async () => {
  const { node, time, opening, notices, told, mayAnswer } = nodeAlone()
  opening.isAnothers = true
  await node.look()
  await turn()
  opening.isAnothers = false
  time.now += 100
  await node.look()
  await turn()
  expect(opening.at).toEqual([0, 100])
  expect(mayAnswer()).toBe(true)
  expect([notices, told, [...node.failuresOf]]).toEqual([[], [], []])
})
