// Three real nodes over a real PostgreSQL and its synchronous standby, under load, and everything that may happen to them.
import { expect, onTestFinished, test } from 'vitest'
import { verifyLog } from '../../src/engine/verify.ts'
import { fp9 } from '../../src/index.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { ClusterHearers } from './clusterHearers.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { DatabaseLink } from './databaseLink.ts'
import { FAULTS, type Servers, type Stage, upgraded } from './faults.ts'
import { brokenPromises, type Group } from './promises.ts'
import { RealCluster } from './realCluster.ts'

if (whyNoServer !== null) console.warn(`faults of nodes are not tested: ${whyNoServer}`)

const LEASE_MS = 1_000
const NODES = ['a', 'b', 'c']
const NIGHTLY = process.env.MARGIN_CORE_NIGHTLY === '1'
/** As many as are asked for. */
const COUNT = Number(process.env.MARGIN_CORE_FAULTS ?? (NIGHTLY ? 200 : 10))
/** So many have been before: which kind is at which node goes on from there. */
const BEFORE = Number(process.env.MARGIN_CORE_FAULTS_BEFORE ?? 0)
/** The program of an earlier version, in one file: it makes each database, and its nodes are upgraded under load before anything happens. */
const EARLIER = process.env.MARGIN_CORE_EARLIER
/** Over a cluster and a database of their own: what is wrong is known before the night is over, and an hour is enough for them. */
const FAULTS_A_ROUND = 20
const ROUNDS = Math.ceil(COUNT / FAULTS_A_ROUND)
const SAYS_WHICH = COUNT > 10
/** Of a round, on a machine that does much else. */
const TIMEOUT_MS = NIGHTLY ? 3_600_000 : 900_000
/** Of a client between two requests, ms: what they were told in a night has to be held against the logs. */
const PAUSE_MS = NIGHTLY ? 50 : 20
/** What all may have open at once: half of what they would. */
const MAXIMUM = fp9('6000')
/** Whoever takes over has to be given processor and database so often, one after the other. */
const STEPS = 10

/** Each kind in turn, so that none is left out, at nodes in turn; every round goes on where the one before has ended. */
function planOf(round: number): (readonly [kind: string, node: string])[] {
  const kinds = Object.keys(FAULTS)
  const length = Math.min(FAULTS_A_ROUND, COUNT - round * FAULTS_A_ROUND)
  return Array.from({ length }, (_, index) => {
    const at = BEFORE + round * FAULTS_A_ROUND + index
    return [kinds[at % kinds.length] as string, NODES[Math.floor(at / 2) % NODES.length] as string] as const
  })
}

async function* inGroups(log: readonly Group[]) {
  for (const { commits } of log) yield commits
}

test.skipIf(whyNoServer !== null).each(Array.from({ length: ROUNDS }, (_, round) => round))(
  'whatever happens to nodes and their database (%i): nothing acknowledged is lost or done twice, no read goes back, streams tell everything once',
  async (round) => {
    const primary = await PostgresServer.start()
    onTestFinished(() => primary.stop())
    const other = await PostgresServer.standbyOf(primary)
    onTestFinished(() => other.stop())
    const servers: Servers = { primary, other, isFollowed: true }
    const links = new Map<string, DatabaseLink>()
    for (const name of NODES) links.set(name, await DatabaseLink.to(primary.host, other.host))
    onTestFinished(() => {
      for (const link of links.values()) link.close()
    })
    const cluster = await RealCluster.make({
      ...{ shards: 6, traders: 12, leaseMs: LEASE_MS, maximum: MAXIMUM },
      ...(EARLIER !== undefined && { earlier: EARLIER }),
    })
    onTestFinished(() => cluster.remove())
    await Promise.all([...links].map(([name, { url }]) => cluster.start(name, url)))
    const hearers = new ClusterHearers(cluster)
    onTestFinished(() => hearers.stop())
    const load = new ClusterLoad(cluster, PAUSE_MS)
    onTestFinished(() => load.stop())
    load.begin()
    const stage: Stage = { cluster, links, servers, load, leaseMs: LEASE_MS, takeovers: [] }

    await load.served()
    if (EARLIER !== undefined) await upgraded(stage)
    for (const [at, [kind, node]] of planOf(round).entries()) {
      if (SAYS_WHICH) console.log(`fault ${round * FAULTS_A_ROUND + at + 1} of ${COUNT}, at ${node}: ${kind}`)
      await FAULTS[kind]?.(stage, node)
      await load.served()
    }

    await load.refused()
    await load.end()
    await hearers.end()
    for (const name of NODES) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
    const logs = await cluster.logs(servers.primary.url)
    expect(load.surprises).toEqual([])
    expect(brokenPromises(load.seen, logs, cluster.openings, cluster.limit)).toEqual([])
    hearers.check(logs)
    expect(hearers.opened).toBeGreaterThan(cluster.traders.length)
    expect(load.seen.filter(({ kind, ended }) => kind === 'close' && ended !== null)).not.toEqual([])
    // Every log is one that can be decided again, event by event.
    for (const log of logs) expect(await verifyLog(inGroups(log))).toMatchObject({ ok: true })
    // Shards have had several owners each, and clients were cut off.
    for (const shard of new Set(cluster.traders.map(({ shard }) => shard)))
      expect(new Set(logs[shard]?.map(({ epoch }) => epoch)).size).toBeGreaterThan(2)
    expect(load.unanswered).toBeGreaterThan(0)
    expect(load.acknowledged).toBeGreaterThan(100)
    // Within the lease and two seconds, above what a machine that does much else keeps everybody waiting for meanwhile.
    const over = stage.takeovers.map(({ took, control }) => took - LEASE_MS - 2_000 - STEPS * control)
    expect(Math.min(...over), JSON.stringify(stage.takeovers)).toBeLessThan(0)
  },
  TIMEOUT_MS,
)
