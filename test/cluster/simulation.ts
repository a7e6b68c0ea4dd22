// A cluster in one process: the code of the nodes, over a simulated database, network and clocks, with clients and faults.
import { ClusterNode } from '../../src/cluster/node.ts'
import { type Forwarded, route } from '../../src/cluster/routing.ts'
import type { Asked, LogEntry } from './checker.ts'
import { SimulatedDatabase } from './simulatedDatabase.ts'
import { type Answer, openSimulatedShard, type Request, type SimulatedShard } from './simulatedShard.ts'
import { Process, World } from './world.ts'

const NODES = 3
const SHARDS = 3
const CLIENTS = 8
const LEASE_MS = 1_000
const FAULTS_END = 10_000
const END = 22_000
// Shorter than a lease, so that somebody asks on while a node is frozen.
const CLIENT_TIMEOUT_MS = 250

interface Running {
  readonly process: Process
  readonly node: ClusterNode<SimulatedShard>
}

export interface Outcome {
  readonly asked: readonly Asked[]
  readonly logs: readonly (readonly LogEntry[])[]
  readonly reached: {
    takeovers: number
    handOvers: number
    fencedAppends: number
    unknown: number
    forwarded: number
    acknowledged: number
    reads: number
    /** Clients that were answered after the last fault. */
    servedAtTheEnd: number
  }
}

/** One run: what happens follows from the seed alone. */
export async function simulate(seed: number, { fenced = true } = {}): Promise<Outcome> {
  const world = new World(seed)
  const database = new SimulatedDatabase(world, SHARDS, fenced)
  const reached = {
    takeovers: 0,
    handOvers: 0,
    fencedAppends: 0,
    unknown: 0,
    forwarded: 0,
    acknowledged: 0,
    reads: 0,
    servedAtTheEnd: 0,
  }
  const nodes = new Map<string, Running>()
  const asked: Asked[] = []
  let lives = 0
  database.loss = world.pick([0, 0.002, 0.01])
  database.freezes = 0.01

  function start(name: string): void {
    const process = new Process(world)
    const clock = { monotonic: () => process.monotonic(), sleep: (ms: number) => process.sleep(ms) }
    const node = new ClusterNode<SimulatedShard>({
      name,
      address: name,
      leaseMs: LEASE_MS,
      membership: database.membership(process),
      clock,
      newLife: () => `${name}-${++lives}`,
      open: (shard, life, isOwned) => openSimulatedShard(database, process, shard, life, isOwned),
      nudge: (address) => world.after(world.between(0.2, 5), () => hear(address)),
      onNotice: () => {},
    })
    nodes.set(name, { process, node })
    void node.run()
  }

  function hear(name: string): void {
    const to = nodes.get(name)
    to?.process.after(0, () => void to.node.look())
  }

  /** A request as it comes to a node, from a client or from another node. */
  async function answered(
    name: string,
    request: Request,
    wasForwarded: boolean,
  ): Promise<Answer | 'unavailable'> {
    const { process, node } = nodes.get(name) as Running
    const routed = await route<SimulatedShard, Answer>(
      node,
      request.shard,
      { clock: process, patienceMs: LEASE_MS, wasForwarded },
      {
        serve: (shard) => shard.serve(request),
        forward: (address) => forwarded(process, address, request),
      },
    )
    if (routed === 'unknown') return null
    return routed === 'unavailable' ? 'unavailable' : routed.answer
  }

  function forwarded(from: Process, address: string, request: Request): Promise<Forwarded<Answer>> {
    reached.forwarded += 1
    return new Promise((resolve) => {
      const to = nodes.get(address)
      if (to === undefined || to.process.isDead)
        return from.after(world.between(0.2, 5), () => resolve('untouched'))
      from.after(CLIENT_TIMEOUT_MS, () => resolve('unknown'))
      if (world.chance() < database.loss) return
      to.process.after(world.between(0.2, 5), () => {
        void answered(address, request, true).then((answer) => {
          if (world.chance() < database.loss) return
          const result: Forwarded<Answer> = answer === 'unavailable' ? 'untouched' : { answer }
          from.after(world.between(0.2, 5), () => resolve(result))
        })
      })
    })
  }

  async function client(number: number): Promise<void> {
    let writes = 0
    while (world.now < END - 5_000) {
      const shard = Math.floor(world.chance() * SHARDS)
      const isWrite = world.chance() < 0.5
      const key = isWrite ? `${number}-${++writes}` : null
      const amount = isWrite ? Math.floor(world.between(1, 100)) : 0
      // A write is repeated under its key until its outcome is known.
      for (let known = false; !known && world.now < END - 3_000; ) {
        known = await ask({ shard, key, amount })
        await world.sleep(world.between(2, known ? 60 : 200))
      }
    }

    async function ask(request: Request): Promise<boolean> {
      const kind = request.key === null ? 'read' : 'write'
      const entry: Asked = { client: number, kind, ...request, begun: world.now, ended: null, told: null }
      asked.push(entry)
      const name = world.pick([...nodes.keys()])
      const answer = await new Promise<Answer>((resolve) => {
        world.after(CLIENT_TIMEOUT_MS, () => resolve(null))
        nodes.get(name)?.process.after(world.between(0.2, 5), () => {
          void answered(name, request, false).then((given) => {
            world.after(world.between(0.2, 5), () => resolve(given === 'unavailable' ? null : given))
          })
        })
      })
      if (answer === null) {
        reached.unknown += 1
        return false
      }
      Object.assign(entry, { ended: world.now, told: answer })
      if (kind === 'write') reached.acknowledged += 1
      else reached.reads += 1
      if (world.now > END - 8_000) reached.servedAtTheEnd += 1
      return true
    }
  }

  function kill(name: string): void {
    const { process, node } = nodes.get(name) as Running
    reached.takeovers += node.takeovers
    process.isDead = true
    world.after(world.between(50, 3_000), () => start(name))
  }

  async function restart(name: string): Promise<void> {
    const { process, node } = nodes.get(name) as Running
    reached.handOvers += node.open.size
    await node.stop()
    if (process.isDead) return
    reached.takeovers += node.takeovers
    process.isDead = true
    start(name)
  }

  async function faults(): Promise<void> {
    await world.sleep(1_500)
    while (world.now < FAULTS_END) {
      const name = world.pick([...nodes.keys()])
      const { process } = nodes.get(name) as Running
      const fault = world.chance()
      if (process.isDead) await world.sleep(100)
      else if (fault < 0.2) kill(name)
      else if (fault < 0.7) process.freeze(world.between(LEASE_MS / 2, 3 * LEASE_MS))
      else if (fault < 0.82) void restart(name)
      else if (fault < 0.92) database.moveTo(Math.floor(world.chance() * SHARDS), name)
      else {
        database.isDown = true
        world.after(world.between(100, 2_500), () => {
          database.isDown = false
        })
      }
      await world.sleep(world.between(200, 1_500))
    }
    database.loss = 0
    database.freezes = 0
    database.isSlow = false
  }

  for (let number = 0; number < NODES; number++) start(`node-${number}`)
  for (let number = 0; number < CLIENTS; number++) void client(number)
  void faults()
  await world.runUntil(END)
  for (const { node } of nodes.values()) reached.takeovers += node.takeovers
  reached.fencedAppends = database.fencedAppends
  return { asked, logs: database.logs, reached }
}
