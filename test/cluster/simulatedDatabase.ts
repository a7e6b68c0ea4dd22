// The database of a simulation: the rows and the statements of the real one.
import type { ClusterView, Membership, NodeRow, ShardRow } from '../../src/cluster/membership.ts'
import type { LogEntry } from './checker.ts'
import { type Lane, SimulatedServer, type Write } from './simulatedServer.ts'
import type { Process, World } from './world.ts'

interface ShardState {
  readonly owner: string | null
  readonly wanted: string | null
  readonly epoch: number
  readonly log: readonly LogEntry[]
}

interface State {
  readonly shards: readonly ShardState[]
  readonly nodes: ReadonlyMap<string, NodeRow>
}

/** What nothing real may do: append under any epoch, or at any head, or acknowledge what its standby does not have. */
export type DatabaseMistake = 'unfenced' | 'headless' | 'asynchronous'

export class SimulatedDatabase {
  readonly server: SimulatedServer<State>
  readonly #world: World
  readonly #isFenced: boolean
  readonly #looksAtHead: boolean
  /** Part of what processes do in whose middle they are frozen for longer than a lease. */
  freezes = 0
  /** Part of the shards that change hands right before the server crashes. */
  crashes = 0
  fencedAppends = 0
  /** Appends that were sent while one before them was under way, and those of them that came without it. */
  appendsBehind = 0
  appendsBehindNothing = 0
  /** Logs that were opened with what had been read before. */
  readBefore = 0

  constructor(world: World, shards: number, mistake: DatabaseMistake | null = null) {
    this.#world = world
    this.#isFenced = mistake !== 'unfenced'
    this.#looksAtHead = this.#isFenced && mistake !== 'headless'
    const shard: ShardState = { owner: null, wanted: null, epoch: 0, log: [] }
    const state: State = { shards: Array.from({ length: shards }, () => shard), nodes: new Map() }
    this.server = new SimulatedServer(world, state, mistake !== 'asynchronous')
  }

  get logs(): readonly (readonly LogEntry[])[] {
    return this.server.state.shards.map(({ log }) => log)
  }

  /** Now and then, where it would hurt most. */
  freezeNow(process: Process): void {
    if (this.#world.chance() < this.freezes) process.freeze(this.#world.between(1_200, 2_500))
  }

  /** Before anything else has been written, mostly. */
  #crashNow(): void {
    const { server } = this
    if (this.#world.chance() >= this.crashes) return
    this.#world.after(this.#world.between(0, 10), () => {
      if (!server.isDown) server.restart(this.#world.between(100, 1_000))
    })
  }

  append(
    process: Process,
    shard: number,
    entries: readonly LogEntry[],
    head: number,
    { epoch, lane }: { readonly epoch: number; readonly lane: Lane },
  ): Promise<boolean> {
    const append: Write<State, boolean> = (state) => {
      const { log, epoch: current } = state.shards[shard] as ShardState
      const isAway = log.length !== head
      if (isAway && current === epoch) this.appendsBehindNothing += 1
      if ((this.#isFenced && current !== epoch) || (this.#looksAtHead && isAway)) {
        this.fencedAppends += 1
        return [state, false]
      }
      const appended = entries.map((entry, at) => ({ ...entry, seq: head + at + 1, epoch }))
      return [changed(state, shard, { log: [...log, ...appended] }), true]
    }
    return this.server.write(process, append, lane)
  }

  /** The log as somebody has it who does not own it. */
  logOf(process: Process, shard: number): Promise<readonly LogEntry[]> {
    return this.server.look(process, ({ shards }) => (shards[shard] as ShardState).log)
  }

  /** Raises the epoch for the owner and for nobody else. Of what was read before only the rest is read, where that is so. */
  open(
    process: Process,
    shard: number,
    life: string,
    before: readonly LogEntry[],
  ): Promise<{ readonly epoch: number; readonly log: readonly LogEntry[] } | null> {
    return this.server.write(process, (state) => {
      const { owner, epoch, log } = state.shards[shard] as ShardState
      if (owner !== life) return [state, null]
      const known = log[before.length - 1]
      const isSo = known !== undefined && known === before.at(-1)
      if (isSo) this.readBefore += 1
      const whole = isSo ? [...before, ...log.slice(before.length)] : log
      return [changed(state, shard, { epoch: epoch + 1 }), { epoch: epoch + 1, log: whole }]
    })
  }

  /** By hand, as an operator does. */
  moveTo(process: Process, shard: number, name: string): Promise<void> {
    return this.server.write(process, (state) => [changed(state, shard, { wanted: name }), undefined])
  }

  drain(process: Process, name: string): Promise<boolean> {
    return this.server.write(process, (state) => drained(state, (row) => row.name === name))
  }

  membership(process: Process): Membership {
    const { server } = this
    return {
      look: () => server.look(process, viewOf),
      join: ({ name, ...node }) =>
        server.write(process, (state) => {
          if ([...state.nodes.values()].some((row) => row.name === name)) return [state, false]
          const row = { name, ...node, renewals: 0, draining: false }
          return [{ ...state, nodes: new Map(state.nodes).set(node.life, row) }, true]
        }),
      renew: (life, renewals) => {
        this.freezeNow(process)
        return server.write(process, (state) => {
          const row = state.nodes.get(life)
          if (row === undefined) return [state, false]
          const renewed = { ...row, renewals: Math.max(row.renewals, renewals) }
          return [{ ...state, nodes: new Map(state.nodes).set(life, renewed) }, true]
        })
      },
      drain: (life) => server.write(process, (state) => drained(state, (row) => row.life === life)),
      expel: (life, renewals) =>
        server.write(process, (state) => {
          if (state.nodes.get(life)?.renewals !== renewals) return [state, false]
          const nodes = new Map(state.nodes)
          nodes.delete(life)
          const shards = state.shards.map((row) => (row.owner === life ? { ...row, owner: null } : row))
          return [{ shards, nodes }, true]
        }),
      take: (shard, life) => server.write(process, (state) => owned(state, shard, null, life)),
      troubled: async () => true,
      give: (shard, { life, epoch }, to) => {
        this.#crashNow()
        return server.write(
          process,
          (state) => (state.shards[shard]?.epoch === epoch ? owned(state, shard, life, to) : [state, false]),
          undefined,
          false,
        )
      },
    }
  }
}

function changed(state: State, shard: number, change: Partial<ShardState>): State {
  return { ...state, shards: state.shards.map((row, at) => (at === shard ? { ...row, ...change } : row)) }
}

function drained(state: State, isMeant: (row: NodeRow) => boolean): readonly [State, boolean] {
  const rows = [...state.nodes].map(
    ([life, row]) => [life, isMeant(row) ? { ...row, draining: true } : row] as const,
  )
  return [{ ...state, nodes: new Map(rows) }, [...state.nodes.values()].some(isMeant)]
}

function owned(
  state: State,
  shard: number,
  from: string | null,
  to: string | null,
): readonly [State, boolean] {
  if (state.shards[shard]?.owner !== from || (to !== null && !state.nodes.has(to))) return [state, false]
  return [changed(state, shard, { owner: to }), true]
}

function viewOf({ nodes, shards }: State): ClusterView {
  const rows = shards.map(({ log, ...row }, shard): ShardRow => ({ shard, ...row, head: log.length }))
  return { nodes: [...nodes.values()], shards: rows }
}
