// The database of a simulation: the rows and the statements of the real one, behind a network that is slow, loses and cuts.
import type { ClusterView, Membership, NodeRow, ShardRow } from '../../src/cluster/membership.ts'
import type { LogEntry } from './checker.ts'
import type { Process, World } from './world.ts'

const TIMEOUT_MS = 4_000

export class SimulatedDatabase {
  readonly logs: LogEntry[][]
  readonly #world: World
  readonly #fenced: boolean
  readonly #shards: { owner: string | null; wanted: string | null; epoch: number }[]
  readonly #nodes = new Map<string, NodeRow>()
  /** Part of what is sent, and of what is answered, that never comes. */
  loss = 0
  /** Part of what processes do in whose middle they are frozen for longer than a lease. */
  freezes = 0
  /** Whether some statements take seconds. */
  isSlow = true
  isDown = false
  fencedAppends = 0

  /** Not `fenced`: an append ignores the epoch, as nothing real may. */
  constructor(world: World, shards: number, fenced: boolean) {
    this.#world = world
    this.#fenced = fenced
    this.#shards = Array.from({ length: shards }, () => ({ owner: null, wanted: null, epoch: 0 }))
    this.logs = this.#shards.map(() => [])
  }

  /** A statement on the way there and back; one whose answer is lost may have been carried out, and one that is slow may be late. */
  #statement<T>(process: Process, work: () => T): Promise<T> {
    const world = this.#world
    const delay = () =>
      this.isSlow && world.chance() < 0.02 ? world.between(50, 3_000) : world.between(0.2, 5)
    return new Promise((resolve, reject) => {
      process.after(TIMEOUT_MS, () => reject(new Error('no answer')))
      if (world.chance() < this.loss) return
      world.after(delay(), () => {
        if (this.isDown) return process.after(delay(), () => reject(new Error('the connection is cut')))
        const result = work()
        if (world.chance() >= this.loss) process.after(delay(), () => resolve(result))
      })
    })
  }

  /** Now and then, where it would hurt most. */
  freezeNow(process: Process): void {
    if (this.#world.chance() < this.freezes) process.freeze(this.#world.between(1_200, 3_000))
  }

  append(
    process: Process,
    shard: number,
    entries: readonly Omit<LogEntry, 'seq' | 'epoch'>[],
    head: number,
    epoch: number,
  ): Promise<boolean> {
    return this.#statement(process, () => {
      const log = this.logs[shard] as LogEntry[]
      if (this.#fenced && (this.#shards[shard]?.epoch !== epoch || log.length !== head)) {
        this.fencedAppends += 1
        return false
      }
      for (const entry of entries) log.push({ ...entry, seq: log.length + 1, epoch })
      return true
    })
  }

  /** Raises the epoch for the owner and for nobody else. */
  open(process: Process, shard: number, life: string): Promise<{ epoch: number; log: LogEntry[] } | null> {
    return this.#statement(process, () => {
      const row = this.#shards[shard] as { owner: string | null; epoch: number }
      if (row.owner !== life) return null
      row.epoch += 1
      return { epoch: row.epoch, log: [...(this.logs[shard] as LogEntry[])] }
    })
  }

  /** By hand, as an operator does. */
  moveTo(shard: number, name: string): void {
    ;(this.#shards[shard] as { wanted: string | null }).wanted = name
  }

  membership(process: Process): Membership {
    const statement = <T>(work: () => T) => this.#statement(process, work)
    return {
      look: () => statement(() => this.#look()),
      join: ({ name, ...node }) =>
        statement(() => {
          if ([...this.#nodes.values()].some((row) => row.name === name)) return false
          this.#nodes.set(node.life, { name, ...node, renewals: 0, draining: false })
          return true
        }),
      renew: (life) => {
        this.freezeNow(process)
        return statement(() => {
          const row = this.#nodes.get(life)
          if (row !== undefined) this.#nodes.set(life, { ...row, renewals: row.renewals + 1 })
          return row !== undefined
        })
      },
      expel: (life, renewals) =>
        statement(() => {
          if (this.#nodes.get(life)?.renewals !== renewals) return false
          this.#nodes.delete(life)
          for (const row of this.#shards) if (row.owner === life) row.owner = null
          return true
        }),
      take: (shard, life) => statement(() => this.#change(shard, null, life)),
      give: (shard, { life, epoch }, to) =>
        statement(() => this.#shards[shard]?.epoch === epoch && this.#change(shard, life, to)),
    }
  }

  #change(shard: number, from: string | null, to: string | null): boolean {
    const row = this.#shards[shard] as { owner: string | null }
    if (row.owner !== from || (to !== null && !this.#nodes.has(to))) return false
    row.owner = to
    return true
  }

  #look(): ClusterView {
    const shards = this.#shards.map((row, shard): ShardRow => {
      return { shard, ...row, head: (this.logs[shard] as LogEntry[]).length }
    })
    return { nodes: [...this.#nodes.values()], shards }
  }
}
