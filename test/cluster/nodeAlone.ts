// A node alone over a database and a clock that do what a test says.
import type { ClusterView, Membership } from '../../src/cluster/membership.ts'
import { ClusterNode } from '../../src/cluster/node.ts'
import { OwnedElsewhere } from '../../src/store/store.ts'

export const LEASE_MS = 900
export const OTHER = { name: 'b', life: 'b-1', address: 'b', leaseMs: LEASE_MS, draining: false }

/** A node alone, which owns shard 0, over a database that answers at once unless it is told not to. */
export function nodeAlone() {
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
  const looking = { until: Promise.resolve() }
  const opening = { fails: null as string | null, isAnothers: false, at: [] as number[] }
  const told: [shard: number, reason: string | null][] = []
  const taking = { refused: (_shard: number): boolean => false }
  let lives = 0
  const membership: Membership = {
    look: async () => {
      if (time.isSilent) throw new Error('no answer')
      asked.push(['look', time.now])
      const seen = structuredClone(view)
      await looking.until
      return seen
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
      if (opening.isAnothers) throw new OwnedElsewhere('another node owns it')
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
    looking,
    opening,
    told,
    taking,
    mayAnswer: () => isOwned[0]?.(),
  }
}

interface Due {
  readonly at: number
  readonly wake: () => void
}

/** Runs it for so long; whatever is waited for comes when it is due. */
export async function runFor(
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
