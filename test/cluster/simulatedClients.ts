// Clients of a simulated cluster, which repeat what has no outcome yet, and keep what they were told.
import type { Asked } from './checker.ts'
import type { SimulatedCluster } from './simulatedCluster.ts'
import type { Answer, Request } from './simulatedShard.ts'
import type { World } from './world.ts'

/** Shorter than a lease, so that somebody asks on while a node is frozen. */
const TIMEOUT_MS = 250

export class SimulatedClients {
  readonly asked: Asked[] = []
  readonly reached = { unknown: 0, acknowledged: 0, reads: 0 }
  /** The longest that a node took to say anything, an answer or that there is none, while it was not frozen itself; ms. */
  longest = 0
  readonly #world: World
  readonly #cluster: SimulatedCluster
  readonly #shards: number
  /** Nodes that nothing new is sent to: one that is about to leave, as a balancer knows. */
  readonly avoided = new Set<string>()
  readonly timeoutMs: number

  constructor(world: World, cluster: SimulatedCluster, shards: number, timeoutMs = TIMEOUT_MS) {
    this.#world = world
    this.#cluster = cluster
    this.#shards = shards
    this.timeoutMs = timeoutMs
  }

  /** So many, each with one request at a time until then. */
  begin(count: number, until: number): void {
    for (let client = 0; client < count; client++) void this.#client(client, until)
  }

  async #client(client: number, until: number): Promise<void> {
    const world = this.#world
    for (let writes = 0; world.now < until; writes++) {
      const isWrite = world.chance() < 0.5
      const request: Request = {
        shard: world.below(this.#shards),
        key: isWrite ? `${client}-${writes}` : null,
        amount: isWrite ? 1 + world.below(99) : 0,
      }
      // A write is repeated under its key until its outcome is known.
      for (let known = false; !known && world.now < until + 1_500; ) {
        known = await this.#ask(client, request)
        await world.sleep(world.between(2, known ? 60 : 200))
      }
    }
  }

  async #ask(client: number, request: Request): Promise<boolean> {
    const kind = request.key === null ? 'read' : 'write'
    const entry: Asked = { client, kind, ...request, begun: this.#world.now, ended: null, told: null }
    this.asked.push(entry)
    const name = this.#world.pick(this.#cluster.names.filter((name) => !this.avoided.has(name)))
    const process = this.#cluster.process(name)
    const answer = await this.#told(name, request)
    if (!process.isDead && !process.wasFrozenSince(entry.begun))
      this.longest = Math.max(this.longest, this.#world.now - entry.begun)
    if (answer === null) {
      this.reached.unknown += 1
      return false
    }
    Object.assign(entry, { ended: this.#world.now, told: answer })
    if (kind === 'write') this.reached.acknowledged += 1
    else this.reached.reads += 1
    return true
  }

  #told(name: string, request: Request): Promise<Answer> {
    return new Promise((resolve) => {
      const late = this.#world.after(this.timeoutMs, () => resolve(null))
      void this.#cluster.ask(name, request).then((told) => {
        late.isCancelled = true
        resolve(told === 'unavailable' || told === 'lost' ? null : told)
      })
    })
  }
}
