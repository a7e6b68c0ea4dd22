// Figures of a cluster, each as a line: `npx tsx bench/cluster.ts [--count N] [--trace] [name ...]`. Names: durable, order, forward, nodes, takeover,
// handover, reopen, pages. The database is one of its own on this machine, and takes a part of its processors.
import { Command } from 'commander'
import { ClusterLoad } from '../test/cluster/clusterLoad.ts'
import { RealCluster, type Shape, type ShardHealth } from '../test/cluster/realCluster.ts'
import { whyNoServer } from '../test/postgres/postgresServer.ts'
import { durable, order } from './cluster/durableOrders.ts'
import { TRACED, tracesSince } from './cluster/handoverTrace.ts'
import { pages, reopen } from './cluster/reopen.ts'
import { line, perSecond, quantile, sleep, withServer } from './cluster/shardVenue.ts'

const FIGURES = {
  durable: () => durable(flush),
  order: () => order(flush),
  forward,
  nodes,
  takeover,
  handover,
  reopen: () => reopen(commits),
  pages,
}
const LEASE_MS = 3_000

const program = new Command('bench/cluster.ts')
  .description('Measures shards over PostgreSQL and the nodes that serve them.')
  .argument('[name...]', `any of ${Object.keys(FIGURES).join(', ')}; default: all`)
  .option('--count <n>', 'how many takeovers and hand-overs', Number, 100)
  .option('--commits <n>', 'how many commits the shard has that is opened again', Number, 1_000_000)
  .option(
    '--flush <ms>',
    'how much longer each flush of the database takes, for what waits for it',
    Number,
    0,
  )
  .option('--trace', 'tell each step of every hand-over')
  .parse()
const {
  count,
  commits,
  flush,
  trace = false,
} = program.opts<{ count: number; commits: number; flush: number; trace?: boolean }>()

const spread = (values: readonly number[]) =>
  `${[0.5, 0.9, 0.99].map((share) => `p${100 * share} ${quantile(values, share).toFixed(0)}`).join(', ')}, longest ${Math.max(...values).toFixed(0)} ms, of ${values.length}`

async function withCluster(
  names: readonly string[],
  shape: Omit<Shape, 'leaseMs'>,
  use: (cluster: RealCluster, url: string) => Promise<void>,
): Promise<void> {
  await withServer(async ({ url }) => {
    const cluster = await RealCluster.make({ ...shape, leaseMs: LEASE_MS })
    try {
      await Promise.all(names.map((name) => cluster.start(name, url)))
      await use(cluster, url)
    } finally {
      await cluster.remove()
    }
  })
}

/** A read at the owner of its shard and at the other node, in turns. */
async function forward(): Promise<void> {
  await withCluster(['a', 'b'], { shards: 2, traders: 8 }, async (cluster) => {
    const owners = new Map((await settled(cluster, ['a', 'b'])).map(({ shard, owner }) => [shard, owner]))
    const times: Record<'owner' | 'other', number[]> = { owner: [], other: [] }
    for (let round = 0; round < 4_000; round++) {
      const { accountId, key, shard } = cluster.traders[
        round % cluster.traders.length
      ] as RealCluster['traders'][number]
      for (const [where, name] of [
        ['owner', owners.get(shard) as string],
        ['other', owners.get(shard) === 'a' ? 'b' : 'a'],
      ] as const) {
        const began = performance.now()
        const answer = await fetch(`${cluster.nodes.get(name)?.url}/orders/${accountId}/active`, {
          headers: { authorization: `Bearer ${key}` },
        })
        await answer.text()
        if (round >= 400) times[where].push(performance.now() - began)
      }
    }
    const [owner, other] = [times.owner, times.other].map((one) => quantile(one, 0.5)) as [number, number]
    line(
      'a read that is sent on, median',
      `${other.toFixed(2)} ms, ${(other - owner).toFixed(2)} ms more than at the owner (${owner.toFixed(2)} ms)`,
    )
  })
}

/** Waits until the shards are shared out evenly and everybody is answered. */
async function settled(cluster: RealCluster, names: readonly string[]): Promise<readonly ShardHealth[]> {
  for (;;) {
    const shards = (await cluster.shards(names[0] as string)) ?? []
    const owned = names.map((name) => shards.filter(({ owner }) => owner === name).length)
    const isEven = owned.every((of) => Math.abs(of - shards.length / names.length) < 1)
    if (isEven && shards.length > 0) return shards
    await sleep(50)
  }
}

/** The same clients, without a pause, at one node and at three. */
async function nodes(): Promise<void> {
  const rates: number[] = []
  for (const names of [['a'], ['a', 'b', 'c']])
    await withCluster(names, { shards: 6, traders: 48 }, async (cluster) => {
      await settled(cluster, names)
      const load = new ClusterLoad(cluster, 0)
      load.begin()
      await sleep(2_000)
      const [began, before] = [performance.now(), load.acknowledged]
      await sleep(8_000)
      rates.push((1_000 * (load.acknowledged - before)) / (performance.now() - began))
      await load.end()
    })
  const [one, three] = rates as [number, number]
  line(
    'requests of 96 clients, three nodes',
    `${perSecond(three)}, ${(three / one).toFixed(2)} of one node (${perSecond(one)})`,
  )
}

/** From `kill -9` until somebody on every shard of the node that was killed has been answered. */
async function takeover(): Promise<void> {
  const times: number[] = []
  await underLoad(async (cluster, load, url) => {
    for (let round = 0; round < count; round++) {
      const name = ['a', 'b', 'c'][round % 3] as string
      await settled(cluster, ['a', 'b', 'c'])
      const killed = performance.now()
      await cluster.end(name, 'SIGKILL')
      await load.served()
      times.push(performance.now() - killed)
      await cluster.start(name, url)
    }
  })
  line(`takeover after kill -9, lease ${LEASE_MS / 1_000} s`, spread(times))
}

/** The longest that a request took while a node handed over what it had, and while it came back and was given its share. */
async function handover(): Promise<void> {
  const [leaving, joining] = [planned(), planned()]
  await underLoad(async (cluster, load, url) => {
    for (let round = 0; round < count; round++) {
      const name = ['a', 'b', 'c'][round % 3] as string
      await settled(cluster, ['a', 'b', 'c'])
      // Those who own them may be opening them still.
      await load.served()
      await leaving.during(cluster, load, async () => {
        load.avoided.add(name)
        await load.underWay(name)
        await cluster.end(name, 'SIGTERM')
      })
      await joining.during(cluster, load, async () => {
        await cluster.start(name, url)
        load.avoided.delete(name)
        await settled(cluster, ['a', 'b', 'c'])
      })
    }
  })
  line('longest request during a planned hand-over', leaving.told())
  line('the same, while a node joins', joining.told())
}

/** What was planned and done so far: the longest request of each time, and how many failed in all. */
function planned() {
  const times: number[] = []
  let failed = 0
  return {
    async during(cluster: RealCluster, load: ClusterLoad, work: () => Promise<void>): Promise<void> {
      const [began, before] = [performance.now(), load.unanswered + load.unavailable]
      await work()
      await load.served()
      times.push(load.longest(began, () => true))
      failed += load.unanswered + load.unavailable - before
      if (trace)
        for (const one of tracesSince(performance.timeOrigin + began, cluster, load))
          process.stdout.write(`${one}\n`)
    },
    told: () => `${spread(times)}; ${failed} requests failed`,
  }
}

async function underLoad(
  use: (cluster: RealCluster, load: ClusterLoad, url: string) => Promise<void>,
): Promise<void> {
  const names = ['a', 'b', 'c']
  await withCluster(
    names,
    { shards: 6, traders: 12, ...(trace && { environment: TRACED }) },
    async (cluster, url) => {
      const load = new ClusterLoad(cluster, 25)
      load.begin()
      await load.served()
      await use(cluster, load, url)
      await load.end()
    },
  )
}

if (whyNoServer !== null) throw new Error(`no database can be started here: ${whyNoServer}`)
const names = program.args.length > 0 ? program.args : Object.keys(FIGURES)
const unknown = names.filter((name) => !(name in FIGURES))
if (unknown.length > 0)
  program.error(`there is no figure ${unknown.join(', ')}; there are ${Object.keys(FIGURES).join(', ')}`)
for (const name of names) await FIGURES[name as keyof typeof FIGURES]()
