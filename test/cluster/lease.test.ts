// What a node may answer, held to its lease: by its own clock, from before the renewal was sent.
import { expect, test } from 'vitest'
import type { ClusterView, Membership } from '../../src/cluster/membership.ts'
import { ClusterNode } from '../../src/cluster/node.ts'

const LEASE_MS = 900
const OTHER = { name: 'b', life: 'b-1', address: 'b', leaseMs: LEASE_MS, draining: false }

/** A node alone, which owns shard 0, over a database that answers at once unless it is told not to. */
function nodeAlone() {
  const time = {
    now: 0,
    wall: 1_000_000,
    renewalTakes: 0,
    renewing: Promise.resolve(),
    isSilent: false,
    isExpelled: false,
    isNameTaken: false,
    sleep: (_ms: number) => new Promise<void>(() => {}),
  }
  const view: { nodes: ClusterView['nodes'][number][]; shards: ClusterView['shards'][number][] } = {
    nodes: [],
    shards: [{ shard: 0, owner: null, wanted: null, epoch: 1, head: 0 }],
  }
  const isOwned: (() => boolean)[] = []
  const nudged: string[] = []
  const changes: string[] = []
  const expected: number[] = []
  const foretold = { until: Promise.resolve() }
  const asked: [what: 'look' | 'renew' | 'expel', at: number][] = []
  const joined: string[] = []
  const renewals: number[] = []
  const notices: string[] = []
  const underWay = { answered: Promise.resolve() }
  const opening = { fails: null as string | null, at: [] as number[] }
  const told: [shard: number, reason: string | null][] = []
  const taking = { refused: (_shard: number): boolean => false }
  let lives = 0
  const membership: Membership = {
    look: async () => {
      if (time.isSilent) throw new Error('no answer')
      asked.push(['look', time.now])
      return structuredClone(view)
    },
    join: async (node) => {
      joined.push(node.life)
      if (time.isSilent) throw new Error('no answer')
      if (time.isNameTaken) return false
      view.nodes.push({ ...node, renewals: 0, draining: false })
      return true
    },
    renew: async (_life, count) => {
      renewals.push(count)
      asked.push(['renew', time.now])
      await time.renewing
      time.now += time.renewalTakes
      return !time.isExpelled
    },
    drain: async (life) => changes.push(`${life} takes nothing`) > 0,
    expel: async (life) => {
      asked.push(['expel', time.now])
      view.nodes = view.nodes.filter((node) => node.life !== life)
      return true
    },
    take: async (shard, life) => {
      if (taking.refused(shard)) return false
      view.shards = view.shards.map((row) => (row.shard === shard ? { ...row, owner: life } : row))
      return true
    },
    troubled: async (shard, _life, reason) => {
      told.push([shard, reason])
      view.shards = view.shards.map(({ trouble: _, ...row }) =>
        reason === null ? row : { ...row, trouble: { reason, since: time.wall } },
      )
      return true
    },
    give: async (_shard, { life }, to) => {
      view.shards = view.shards.map((row) => ({ ...row, owner: to }))
      return changes.push(`${life} gives to ${to}`) > 0
    },
  }
  const node = new ClusterNode({
    ...{ name: 'a', address: 'a', leaseMs: LEASE_MS, membership, newLife: () => `a-${++lives}` },
    clock: { monotonic: () => time.now, sleep: (ms) => time.sleep(ms) },
    wall: () => time.wall,
    open: async (_shard, _life, owned) => {
      opening.at.push(time.now)
      if (opening.fails !== null) throw new Error(opening.fails)
      isOwned.push(owned)
      return { epoch: 1, failed: false, readyToLeave: async () => {}, close: () => underWay.answered }
    },
    makeReady: async (shard) => void expected.push(shard),
    foretell: async (address, shard) => {
      changes.push(`${address} is told of ${shard}`)
      await foretold.until
    },
    nudge: (address, given) => nudged.push(given === undefined ? address : `${address} has ${given}`),
    onNotice: (notice) => notices.push(notice),
  })
  return {
    node,
    time,
    view,
    nudged,
    changes,
    expected,
    foretold,
    asked,
    joined,
    renewals,
    notices,
    underWay,
    opening,
    told,
    taking,
    mayAnswer: () => isOwned[0]?.(),
  }
}

test('a lease counts from before its renewal was sent, however late the answer comes', async () => {
  const { node, time } = nodeAlone()
  await node.look()
  time.now = LEASE_MS / 3
  time.renewalTakes = 700
  await node.look()
  expect(node.leaseLeft).toBe(LEASE_MS - 700)
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

test('an answer to a renewal that was not waited for counts when it comes, from before it was sent', async () => {
  const { node, time } = nodeAlone()
  await node.look()
  time.now = LEASE_MS / 3
  let comes = () => {}
  time.renewing = new Promise<void>((resolve) => {
    comes = resolve
  })
  time.sleep = () => Promise.resolve()
  await node.look()
  time.now += LEASE_MS / 3
  expect(node.leaseLeft).toBe(LEASE_MS / 3)
  comes()
  await new Promise((resolve) => setImmediate(resolve))
  expect(node.leaseLeft).toBe((2 * LEASE_MS) / 3)
})

test('a machine that was suspended has no lease when it wakes up, whatever its monotonic clock says', async () => {
  const { node, time } = nodeAlone()
  await node.look()
  time.wall += LEASE_MS / 3
  expect(node.leaseLeft).toBe((2 * LEASE_MS) / 3)
  time.wall += LEASE_MS
  expect(node.leaseLeft).toBeLessThanOrEqual(0)
  await node.look()
  expect(node.leaseLeft).toBe(LEASE_MS)
  // A wall clock that is set back says nothing.
  time.wall -= 3_600_000
  time.now += LEASE_MS / 3
  expect(node.leaseLeft).toBe((2 * LEASE_MS) / 3)
})

test('a node whose name another has says so once, and joins when that one has left', async () => {
  const { node, time, notices } = nodeAlone()
  time.isNameTaken = true
  await node.look()
  await node.look()
  expect(notices).toEqual([
    'a node called a is there: this one joins once that one has left, or its lease is over',
  ])
  expect([node.isNameTaken, node.leaseLeft]).toEqual([true, 0])
  time.isNameTaken = false
  await node.look()
  expect([node.isNameTaken, node.leaseLeft]).toEqual([false, LEASE_MS])
})

test('no try to join names a life that was named before: what was sent for that one may still come, and bring it back', async () => {
  const { node, time, joined } = nodeAlone()
  time.isSilent = true
  await node.look()
  await node.look()
  time.isSilent = false
  await node.look()
  time.isExpelled = true
  time.now = LEASE_MS
  await node.look()
  expect(joined).toEqual(['a-1', 'a-2', 'a-3', 'a-4'])
})

test('no answer leaves and no request is taken once the lease has run out', async () => {
  const { node, time, mayAnswer } = nodeAlone()
  await node.look()
  time.now = LEASE_MS - 1
  expect([mayAnswer(), node.where(0).at]).toEqual([true, 'here'])
  time.now = LEASE_MS
  expect([mayAnswer(), node.where(0).at]).toEqual([false, 'nowhere'])
  await node.look()
  expect([mayAnswer(), node.where(0).at]).toEqual([true, 'here'])
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
  const { node, view, changes, underWay } = nodeAlone()
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
  answer()
  await expect.poll(() => changes).toEqual(['b is told of 0', 'a-1 gives to b-1'])
})

test('everybody who waits for a change is woken by it, and by nothing before it', async () => {
  const { node } = nodeAlone()
  let woken = 0
  const waits = [1, 2].map(async () => {
    await node.changed(60_000)
    woken += 1
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(woken).toBe(0)
  await node.look()
  await Promise.all(waits)
  expect(node.where(0).at).toBe('here')
})

interface Due {
  readonly at: number
  readonly wake: () => void
}

/** Runs it for so long; whatever is waited for comes when it is due. */
async function runFor(
  ms: number,
  { node, time }: Pick<ReturnType<typeof nodeAlone>, 'node' | 'time'>,
  meanwhile?: Due,
) {
  const due: Due[] = []
  time.sleep = (ms) => new Promise((wake) => void due.push({ at: time.now + ms, wake }))
  if (meanwhile !== undefined) due.push(meanwhile)
  void node.run()
  for (const until = time.now + ms; ; ) {
    await new Promise((resolve) => setImmediate(resolve))
    due.sort((a, b) => a.at - b.at)
    const next = due[0]
    if (next === undefined || next.at > until) return
    due.shift()
    time.now = Math.max(time.now, next.at)
    next.wake()
  }
}

test('a lease is renewed three times while it lasts, and others are looked for twice as often', async () => {
  const alone = nodeAlone()
  await runFor(2 * LEASE_MS, alone)
  const at = (of: string) => alone.asked.flatMap(([what, at]) => (what === of ? [at] : []))
  expect(at('renew')).toEqual([300, 600, 900, 1_200, 1_500, 1_800])
  // Each is told from the one before it by its number, which only grows.
  expect(alone.renewals).toEqual([1, 2, 3, 4, 5, 6])
  expect([...new Set(at('look'))]).toEqual([
    0, 150, 300, 450, 600, 750, 900, 1_050, 1_200, 1_350, 1_500, 1_650, 1_800,
  ])
})

test('who has not renewed is expelled when their lease is over, counted from the look that saw the last renewal', async () => {
  const alone = nodeAlone()
  alone.view.nodes.push({ ...OTHER, renewals: 1 })
  // Between the looks at 0 and at 150: the one in the middle of two renewals sees it.
  const wake = () => {
    alone.view.nodes = alone.view.nodes.map((node) => ({ ...node, renewals: 2 }))
  }
  await runFor(2 * LEASE_MS, alone, { at: 100, wake })
  const [, at] = alone.asked.find(([what]) => what === 'expel') ?? []
  expect(at).toBe(150 + 1.02 * LEASE_MS + 1)
})

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

/** Looks for so long, as often as a node does. */
async function looksFor({ node, time }: ReturnType<typeof nodeAlone>, ms: number): Promise<void> {
  for (const until = time.now + ms; time.now < until; ) {
    time.now += LEASE_MS / 6
    await node.look()
    // What is opened may fail before the next look.
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}

test('a shard that cannot be opened is tried again more and more seldom, and what keeps it is said once', async () => {
  const alone = nodeAlone()
  const { opening, notices, node } = alone
  opening.fails = 'commit 7 is missing'
  await looksFor(alone, 180_000)
  const waits = opening.at.map((at, index) => at - (opening.at[index - 1] ?? 0)).slice(1)
  for (const [index, least] of [0, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000].entries()) {
    expect(waits[index]).toBeGreaterThanOrEqual(least)
    // Until the next look.
    expect(waits[index]).toBeLessThanOrEqual(least + LEASE_MS / 6)
  }
  expect(notices).toEqual(['shard 0 could not be opened, and is tried again: Error: commit 7 is missing'])
  expect(node.failuresOf).toEqual(new Map([[0, opening.at.length]]))

  opening.fails = 'commit 9 is missing'
  await looksFor(alone, 31_000)
  expect(notices[1]).toBe('shard 0 could not be opened, and is tried again: Error: commit 9 is missing')
  opening.fails = null
  await looksFor(alone, 31_000)
  expect(notices.slice(2)).toEqual([`shard 0 is open: it had failed ${opening.at.length - 1} times`])
  expect(node.failuresOf.size).toBe(0)
})

test('the database is told once what keeps a shard from being opened, from the second failure on, and that it is open', async () => {
  const alone = nodeAlone()
  const { opening, told, node, view } = alone
  opening.fails = 'no answer'
  await node.look()
  opening.fails = null
  await looksFor(alone, 5_000)
  expect(told).toEqual([])

  const failing = nodeAlone()
  failing.opening.fails = 'commit 7\nis missing'
  await looksFor(failing, 60_000)
  expect(failing.told).toEqual([[0, 'Error: commit 7 is missing']])
  failing.opening.fails = 'x'.repeat(1_000)
  await looksFor(failing, 31_000)
  expect(failing.told.slice(1)).toEqual([[0, `Error: ${'x'.repeat(493)}`]])
  failing.opening.fails = null
  await looksFor(failing, 31_000)
  expect(failing.told.slice(2)).toEqual([[0, null]])

  // What another owner said who has gone is over once it is open here; what is another's is left to them.
  const [row] = view.shards
  const trouble = { reason: 'commit 7 is missing', since: 1 }
  view.shards = [{ ...(row as (typeof view.shards)[0]), trouble }]
  await looksFor(alone, 1_000)
  expect(told).toEqual([[0, null]])
  view.nodes.push({ ...OTHER, renewals: 0 })
  view.shards = [{ ...(row as (typeof view.shards)[0]), owner: OTHER.life, trouble }]
  await node.look()
  expect(told).toHaveLength(1)
})

test('a shard that could not be opened is tried at once when the database answers again, or it comes back', async () => {
  const alone = nodeAlone()
  const { opening, time, node, view } = alone
  opening.fails = 'no connection'
  await looksFor(alone, 60_000)
  time.isSilent = true
  await node.look()
  time.isSilent = false
  const tries = opening.at.length
  await looksFor(alone, LEASE_MS / 6)
  expect(opening.at.length).toBe(tries + 1)

  const [row] = view.shards
  view.nodes.push({ ...OTHER, renewals: 0 })
  view.shards = [{ ...(row as (typeof view.shards)[0]), owner: OTHER.life }]
  await node.look()
  expect(node.failuresOf.size).toBe(0)
})
