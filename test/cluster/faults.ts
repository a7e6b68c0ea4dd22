// What happens to real nodes and their database while clients go on.
import type { PostgresServer } from '../postgres/postgresServer.ts'
import type { ClusterLoad } from './clusterLoad.ts'
import type { DatabaseLink } from './databaseLink.ts'
import type { RealCluster } from './realCluster.ts'

/** A running cluster and what it stands on. Every node has its own way to the database. */
export interface Stage {
  readonly cluster: RealCluster
  readonly links: ReadonlyMap<string, DatabaseLink>
  readonly servers: Servers
  readonly load: ClusterLoad
  readonly leaseMs: number
  /** Of the nodes that were killed so far. */
  readonly takeovers: Takeover[]
}

/** How long the shards of a node that was killed were not served, and what the machine gave meanwhile, ms. */
interface Takeover {
  readonly took: number
  /** The longest that a request waited which was about a shard of another node. */
  readonly control: number
}

/** Of the two servers, which is which just now. */
export interface Servers {
  primary: PostgresServer
  other: PostgresServer
  /** Whether the other follows: after a failover it does so again only when the next is due. */
  isFollowed: boolean
}

type Fault = (stage: Stage, node: string) => Promise<void>

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** How often a node is started that a database kept from starting: what watches over nodes does so for good. */
const STARTS = 10

async function start({ cluster, links }: Stage, node: string): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await cluster.start(node, (links.get(node) as DatabaseLink).url)
      return
    } catch (error) {
      if (tries === STARTS || !/terminated|timeout|timed out/i.test(String(error))) throw error
    }
  }
}

async function leave(stage: Stage, node: string): Promise<void> {
  const { cluster, load } = stage
  // As a balancer does that was told.
  load.avoided.add(node)
  await load.underWay(node)
  const code = await cluster.end(node, 'SIGTERM')
  if (code !== 0) throw new Error(`${node} left with ${code}`)
  await start(stage, node)
  load.avoided.delete(node)
}

const expulsions = ({ complaints }: RealCluster) =>
  complaints.filter((one) => /expelled|did not answer/.test(one)).length

/** How many requests fail while nodes are restarted one by one. */
async function failedInRestart(stage: Stage): Promise<number> {
  const { cluster, load } = stage
  const [began, expelled] = [performance.now(), expulsions(cluster)]
  for (const node of [...cluster.nodes.keys()]) await leave(stage, node)
  // On a machine that does much else a node may not get to renew a lease of a second.
  return expulsions(cluster) > expelled ? 0 : load.failedSince(began)
}

/** Nodes of an earlier version are replaced by today's one by one, the first of which changes the tables. */
export async function upgraded(stage: Stage): Promise<void> {
  stage.cluster.upgrade()
  const failed = await failedInRestart(stage)
  if (failed > 0) throw new Error(`${failed} requests failed while nodes were upgraded one by one`)
}

/** Of a node that has just come, once others have given it some. */
async function shardsOf({ cluster }: Stage, node: string): Promise<readonly number[]> {
  for (;;) {
    const shards = (await cluster.shards(node)) ?? []
    const owned = shards.flatMap(({ owner, shard }) => (owner === node ? [shard] : []))
    if (owned.length > 0) return owned
    await sleep(100)
  }
}

export const FAULTS: Readonly<Record<string, Fault>> = {
  async 'a node is killed'(stage, node) {
    const { cluster, load, takeovers } = stage
    const lost = await shardsOf(stage, node)
    await cluster.end(node, 'SIGKILL')
    const killed = performance.now()
    const [took] = await Promise.all([load.served(lost), start(stage, node)])
    const control = load.longest(killed, (shard) => !lost.includes(shard))
    takeovers.push({ took, control })
  },
  async 'a node is frozen past its lease'({ cluster, leaseMs }, node) {
    cluster.nodes.get(node)?.signal('SIGSTOP')
    await sleep(1.3 * leaseMs)
    cluster.nodes.get(node)?.signal('SIGCONT')
  },
  async 'the connections to the database are cut'({ links, leaseMs }, node) {
    links.get(node)?.cut()
    await sleep(leaseMs / 2)
    links.get(node)?.open()
  },
  async 'the connections to the database stall past the lease'({ links, leaseMs }, node) {
    links.get(node)?.stall()
    await sleep(1.3 * leaseMs)
    links.get(node)?.open()
  },
  async 'a rolling restart'(stage) {
    // What befell nodes before is over by then.
    await sleep(2 * stage.leaseMs)
    if ((await failedInRestart(stage)) === 0) return
    // A machine that does much else may have been why once; a node that leaves wrongly is why again.
    const failed = await failedInRestart(stage)
    if (failed > 0) throw new Error(`${failed} requests failed while nodes were restarted one by one`)
  },
  async 'the database is killed and restarted'({ servers: { primary } }) {
    await primary.kill()
    await sleep(300)
    await primary.run()
  },
  async 'the database is restarted by hand'({ servers: { primary }, load }) {
    await primary.restart('fast')
    await load.served()
    await primary.restart('immediate')
  },
  async 'the database fails over to its standby'({ servers }) {
    const { primary, other } = servers
    if (!servers.isFollowed) await other.follow(primary)
    await primary.kill()
    await other.promote()
    Object.assign(servers, { primary: other, other: primary, isFollowed: false })
  },
}
