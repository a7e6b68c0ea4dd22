// The nodes of a simulation and the network between them and their clients: the code of the real ones, over ports.
import { ClusterNode } from '../../src/cluster/node.ts'
import { type Forwarded, route } from '../../src/cluster/routing.ts'
import type { SimulatedDatabase } from './simulatedDatabase.ts'
import {
  type Answer,
  type LogBefore,
  openSimulatedShard,
  type Request,
  type SimulatedShard,
} from './simulatedShard.ts'
import { Process, type World } from './world.ts'

interface Running {
  readonly process: Process
  readonly node: ClusterNode<SimulatedShard>
}

export class SimulatedCluster {
  readonly #world: World
  readonly #database: SimulatedDatabase
  readonly #leaseMs: number
  readonly #nodes = new Map<string, Running>()
  #lives = 0
  /** Part of what is sent over the network, and of what is answered, that never comes. */
  loss = 0
  /** Whether some of it takes long enough to be overtaken by what was asked for later. */
  isSlow = true
  /** What nodes said, with who it was. */
  readonly notices: string[] = []
  readonly reached = { takeovers: 0, handOvers: 0, forwarded: 0 }

  constructor(world: World, database: SimulatedDatabase, leaseMs: number) {
    this.#world = world
    this.#database = database
    this.#leaseMs = leaseMs
  }

  get names(): string[] {
    return [...this.#nodes.keys()]
  }

  process(name: string): Process {
    return this.#running(name).process
  }

  /** The shards that a node serves. */
  servedBy(name: string): number[] {
    return [...this.#running(name).node.open.keys()]
  }

  start(name: string): void {
    const process = new Process(this.#world)
    const logs = new Map<number, LogBefore>()
    const node = new ClusterNode<SimulatedShard>({
      name,
      address: name,
      leaseMs: this.#leaseMs,
      membership: this.#database.membership(process),
      clock: process,
      newLife: () => `${name}-${++this.#lives}`,
      open: (shard, life, isOwned) =>
        openSimulatedShard(this.#database, process, shard, life, isOwned, logs.get(shard)),
      makeReady: async (shard) => {
        logs.set(shard, await this.#database.logOf(process, shard))
      },
      foretell: (address, shard) => this.#foretold(process, address, shard),
      nudge: (address, given) => {
        if (!this.#isLost()) this.#world.after(this.hop(), () => this.#hear(address, given))
      },
      onNotice: (notice) => void this.notices.push(`${name}: ${notice}`),
    })
    this.#nodes.set(name, { process, node })
    void node.run()
  }

  /** It is back after so long; null = never. */
  kill(name: string, away: number | null): void {
    this.#end(name)
    if (away !== null) this.#world.after(away, () => this.start(name))
  }

  /** Asked to leave, it hands over, and is started again. */
  async restart(name: string): Promise<void> {
    const { process, node } = this.#running(name)
    this.reached.handOvers += node.open.size
    await node.stop()
    // As a node does: whoever has not seen it go still sends here.
    await process.sleep(this.#leaseMs / 2)
    if (process.isDead) return
    this.#end(name)
    this.start(name)
  }

  /** Of all nodes, those that were ended too. */
  get takeovers(): number {
    return [...this.#nodes.values()].reduce((sum, { node }) => sum + node.takeovers, this.reached.takeovers)
  }

  /** How long something is on its way. */
  hop(): number {
    const slow = this.isSlow && this.#world.chance() < 0.01
    return slow ? this.#world.between(20, 800) : this.#world.between(0.2, 5)
  }

  /** What a client is told; 'lost' = the question or the answer never came. */
  ask(name: string, request: Request): Promise<Answer | 'unavailable' | 'lost'> {
    return new Promise((resolve) => {
      if (this.#isLost()) return resolve('lost')
      this.process(name).after(this.hop(), () => {
        void this.#answered(name, request, false).then((answer) => {
          if (this.#isLost()) resolve('lost')
          else this.#world.after(this.hop(), () => resolve(answer))
        })
      })
    })
  }

  #end(name: string): void {
    const { process, node } = this.#running(name)
    this.reached.takeovers += node.takeovers
    process.isDead = true
  }

  #running(name: string): Running {
    return this.#nodes.get(name) as Running
  }

  #isLost(): boolean {
    return this.#world.chance() < this.loss
  }

  #hear(name: string, given?: number): void {
    const { process, node } = this.#running(name)
    process.after(0, () => void (given === undefined ? node.look() : node.given(given)))
  }

  #foretold(from: Process, name: string, shard: number): Promise<void> {
    return new Promise((resolve) => {
      const { process, node } = this.#running(name)
      const told = () => {
        if (!this.#isLost()) from.after(this.hop(), resolve)
      }
      if (!this.#isLost()) process.after(this.hop(), () => void node.expect(shard).then(told, told))
    })
  }

  /** A request as it comes to a node, from a client or from another node. */
  async #answered(name: string, request: Request, wasForwarded: boolean): Promise<Answer | 'unavailable'> {
    const { process, node } = this.#running(name)
    const routed = await route<SimulatedShard, Answer>(
      node,
      request.shard,
      { clock: process, patienceMs: this.#leaseMs, wasForwarded, isRead: request.key === null },
      {
        serve: (shard) => shard.serve(request),
        forward: (address, isGone) => this.#forwarded(process, address, request, isGone),
      },
    )
    if (routed === 'unknown') return null
    return routed === 'unavailable' ? 'unavailable' : routed.answer
  }

  async #forwarded(
    from: Process,
    address: string,
    request: Request,
    isGone: () => boolean,
  ): Promise<Forwarded<Answer>> {
    this.reached.forwarded += 1
    let forwarded: Forwarded<Answer> | null = null
    const over = this.#carried(from, address, request).then((became) => {
      forwarded = became
    })
    // As a node does: the connection to one that is frozen stays open, and is given up once that one has been gone at two looks.
    for (let was = false; forwarded === null; ) {
      await Promise.race([over, from.sleep(this.#leaseMs / 10)])
      const is = isGone()
      if ((is && was) || this.#running(address).process.isDead) forwarded ??= 'unknown'
      was = is
    }
    return forwarded
  }

  #carried(from: Process, address: string, request: Request): Promise<Forwarded<Answer>> {
    return new Promise((resolve) => {
      const { process: to } = this.#running(address)
      const refused = () => from.after(this.hop(), () => resolve('untouched'))
      if (to.isDead) return void refused()
      if (this.#isLost()) return
      to.after(this.hop(), () => {
        void this.#answered(address, request, true).then((answer) => {
          if (this.#isLost()) return
          const result: Forwarded<Answer> = answer === 'unavailable' ? 'untouched' : { answer }
          from.after(this.hop(), () => resolve(result))
        })
      })
    })
  }
}
