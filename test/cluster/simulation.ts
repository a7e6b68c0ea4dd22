// A cluster in one process: the code of the nodes, over a simulated database, network and clocks, with clients and faults.
import { comesTo, ownedBy } from '../../src/cluster/comesTo.ts'
import type { ClusterView } from '../../src/cluster/membership.ts'
import type { Asked, LogEntry } from './checker.ts'
import { SimulatedClients } from './simulatedClients.ts'
import { SimulatedCluster } from './simulatedCluster.ts'
import { type DatabaseMistake, SimulatedDatabase } from './simulatedDatabase.ts'
import { Process, World } from './world.ts'

const NODES = ['a', 'b', 'c']
const SHARDS = 3
const CLIENTS = 6
const LEASE_MS = 1_000
const FAULTS_END = 6_200
/** What befell before is over by then: frozen nodes, slow statements, nodes that are started again. */
const QUIET_FROM = FAULTS_END + 3_500
const CLIENTS_END = QUIET_FROM + 500
const END = CLIENTS_END + 1_800

export interface Outcome {
  readonly asked: readonly Asked[]
  readonly logs: readonly (readonly LogEntry[])[]
  readonly reached: Readonly<Record<string, number>>
  /** Differs where anything does. */
  readonly trace: string
}

/** One run: what happens follows from the seed alone. */
export async function simulate(seed: number, mistake: DatabaseMistake | null = null): Promise<Outcome> {
  const world = new World(seed)
  const database = new SimulatedDatabase(world, SHARDS, mistake)
  const cluster = new SimulatedCluster(world, database, LEASE_MS)
  const clients = new SimulatedClients(world, cluster, SHARDS)
  database.server.loss = world.pick([0, 0.002, 0.01])
  cluster.loss = world.pick([0, 0.002, 0.01])
  Object.assign(database, { freezes: 0.02, crashes: 0.1 })
  for (const name of NODES) cluster.start(name)
  clients.begin(CLIENTS, CLIENTS_END)
  void faults(world, database, cluster)
  await world.runUntil(END)
  const { asked } = clients
  return {
    asked,
    logs: database.logs,
    trace: world.trace,
    reached: {
      ...cluster.reached,
      ...clients.reached,
      ...database.server.reached,
      undoneAfterAnswer: database.server.undoneAfterAnswer,
      takeovers: cluster.takeovers,
      fencedAppends: database.fencedAppends,
      appendsBehind: database.appendsBehind,
      appendsBehindNothing: database.appendsBehindNothing,
      readBefore: database.readBefore,
      servedAtTheEnd: asked.filter(({ begun, ended }) => begun > QUIET_FROM && ended !== null).length,
    },
  }
}

async function faults(world: World, database: SimulatedDatabase, cluster: SimulatedCluster): Promise<void> {
  const { server } = database
  const operator = new Process(world)
  await world.sleep(1_200)
  while (world.now < FAULTS_END) {
    const name = world.pick(cluster.names)
    const process = cluster.process(name)
    const fault = world.chance()
    if (process.isDead) await world.sleep(100)
    else if (fault < 0.18) cluster.kill(name, world.between(50, 2_500))
    else if (fault < 0.55) process.freeze(world.between(LEASE_MS / 2, 2.5 * LEASE_MS))
    else if (fault < 0.64) void cluster.restart(name)
    else if (fault < 0.72) void database.moveTo(operator, world.below(SHARDS), name).catch(() => {})
    else if (fault < 0.8) server.cut(process)
    else if (fault < 0.87) server.stall(process, world.between(50, 2 * LEASE_MS))
    else if (fault < 0.93) server.restart(world.between(100, 1_500))
    else server.failOver(world.between(100, 1_500))
    await world.sleep(world.between(150, 900))
  }
  server.calm()
  Object.assign(cluster, { loss: 0, isSlow: false })
  Object.assign(database, { freezes: 0, crashes: 0 })
}

/** What is done to a node in a cluster that nothing else befalls. */
export type Calm = 'kill' | 'freeze' | 'restart' | 'move' | 'drain' | 'join'

export interface CalmOutcome extends Pick<Outcome, 'asked' | 'logs'> {
  /** From then until every shard that the node had was served again, as somebody who asked since was told; ms. */
  readonly gap: number
  /** Shards that were nobody's and were taken. */
  readonly takeovers: number
  /** Requests that had no answer, or were told to come again. */
  readonly failed: number
  /** The longest that a node took to say anything to anybody, ms. */
  readonly longest: number
  /** How many shards the node had, or may be given, and how many of them it serves at the end. */
  readonly lost: number
  readonly kept: number
  /** What nodes said from then on. */
  readonly notices: readonly string[]
  /** After how long whoever asked for it by hand was told that it has come to that, ms; null = nobody was. */
  readonly told: number | null
}

/** A run in which one thing happens, which was planned or not. */
export async function simulateCalm(seed: number, what: Calm, leaseMs: number): Promise<CalmOutcome> {
  const world = new World(seed)
  const database = new SimulatedDatabase(world, SHARDS)
  database.server.isSlow = false
  const cluster = new SimulatedCluster(world, database, leaseMs)
  cluster.isSlow = false
  // They wait for as long as a node may make them wait for an owner.
  const clients = new SimulatedClients(world, cluster, SHARDS, 4 * leaseMs)
  const operator = new Process(world)
  const begun = leaseMs * world.between(1.5, 2.5)
  // Each has its rounds at times of its own.
  for (const name of NODES.slice(0, what === 'join' ? 2 : 3))
    world.after(world.between(0, leaseMs / 3), () => cluster.start(name))
  await world.runUntil(begun - 500)
  clients.begin(CLIENTS, begun + 2 * leaseMs)
  await world.runUntil(begun)
  const name = what === 'join' ? 'c' : world.pick(NODES)
  const lost = what === 'join' ? [0, 1, 2] : cluster.servedBy(name)
  const { takeovers, notices } = cluster
  notices.length = 0
  if (what === 'kill' || what === 'freeze' || what === 'restart') clients.avoided.add(name)
  if (what === 'kill') cluster.kill(name, null)
  else if (what === 'freeze') cluster.process(name).freeze(5 * leaseMs)
  else if (what === 'restart') void cluster.restart(name)
  else if (what === 'join') cluster.start(name)
  let told: number | null = null
  const waits = async (isSo: (view: ClusterView) => boolean) => {
    if (await comesTo(database.membership(operator), operator, isSo, 4 * leaseMs)) told = world.now - begun
  }
  if (what === 'drain')
    void database.drain(operator, name).then(() => waits((view) => ownedBy(view, name).length === 0))
  else if (what === 'move') {
    const to = lost.map((shard) => [shard, world.pick(NODES.filter((one) => one !== name))] as const)
    const moved = Promise.all(to.map(([shard, to]) => database.moveTo(operator, shard, to)))
    void moved.then(() => waits((view) => to.every(([shard, to]) => ownedBy(view, to).includes(shard))))
  }
  await world.runUntil(begun + 4 * leaseMs)
  const since = clients.asked.filter((one) => one.begun >= begun && one.ended !== null)
  const firsts = lost.map(
    (lost) => since.find(({ shard }) => shard === lost)?.ended ?? Number.POSITIVE_INFINITY,
  )
  return {
    asked: clients.asked,
    logs: database.logs,
    gap: Math.max(begun, ...firsts) - begun,
    takeovers: cluster.takeovers - takeovers,
    failed: clients.reached.unknown,
    notices,
    longest: clients.longest,
    lost: lost.length,
    told,
    kept: what === 'kill' ? 0 : lost.filter((shard) => cluster.servedBy(name).includes(shard)).length,
  }
}
