/**
 * A node's part in a cluster: it holds a lease, takes what is free, hands over what others should have, and expels who
 * has not renewed. Time, database and network are ports: the same code runs in a simulation.
 */
import type { ClusterClock } from './clock.ts'
import { withinTime } from './deadline.ts'
import { Lease } from './lease.ts'
import type { ClusterView, Membership } from './membership.ts'
import { movesOf } from './share.ts'

/** A shard that is being served. */
export interface OpenShard {
  /** It serves nothing until it is opened anew. */
  readonly failed: boolean
  /** The epoch that it was opened under. */
  readonly epoch: number
  /** Answers what is under way, makes the log durable, and lets go. */
  close(): Promise<void>
}

/** What a node does with a shard that it owns. `isOwned` says whether an answer of it may leave now. */
type OpenOwned<Shard extends OpenShard> = (
  shard: number,
  life: string,
  isOwned: () => boolean,
) => Promise<Shard>

export interface NodeOptions<Shard extends OpenShard> {
  readonly name: string
  /** Where other nodes reach this one. */
  readonly address: string
  readonly leaseMs: number
  readonly membership: Membership
  readonly clock: ClusterClock
  readonly newLife: () => string
  readonly open: OpenOwned<Shard>
  /** Asks a node to look at the database now. It may be lost. */
  readonly nudge: (address: string) => void
  readonly onNotice: (notice: string) => void
}

/** Who serves a shard: this node, another, or nobody just now. */
export type Whereabouts<Shard> =
  | { readonly at: 'here'; readonly shard: Shard }
  | { readonly at: 'there'; readonly address: string }
  | { readonly at: 'nowhere' }

interface Held<Shard> {
  /** Null while it is opened. */
  shard: Shard | null
  leaving: boolean
}

interface Sight {
  readonly renewals: number
  /** When it was seen first. */
  readonly since: number
}

/** Renewals to a lease. */
const ROUNDS = 3
/** Looks to a renewal: the sooner a renewal is seen, the sooner it is known that the next did not come. */
const LOOKS = 2
/** From this part of the time between two renewals on a look renews: it is not the one in the middle. */
const RENEWED_FROM = 0.6
/** For how long a node that leaves waits for others to take what it has, ms. */
const LEAVING_MS = 12_000
/** Monotonic clocks of two machines run apart by less than this fraction. */
const DRIFT = 0.02

export class ClusterNode<Shard extends OpenShard> {
  readonly #options: NodeOptions<Shard>
  readonly #lease: Lease
  readonly #held = new Map<number, Held<Shard>>()
  readonly #sights = new Map<string, Sight>()
  readonly #watched = new WeakSet<Sight>()
  readonly #waiting = new Set<() => void>()
  #life = ''
  #view: ClusterView = { nodes: [], shards: [] }
  /** Tries, those that failed too. */
  #renewals = 0
  #joined = false
  #leaving = false
  #draining = false
  #stopping = false
  #round: Promise<void> | null = null
  #again = false
  /** How often it took each shard from nobody. */
  readonly takeoversOf = new Map<number, number>()
  /** Shards that it took from nobody, and does not serve yet. */
  readonly #unannounced = new Set<number>()

  constructor(options: NodeOptions<Shard>) {
    const { membership, clock, leaseMs } = options
    this.#options = { ...options, membership: withinTime(membership, clock, leaseMs / ROUNDS) }
    this.#lease = new Lease(options.leaseMs, () => options.clock.monotonic())
  }

  get name(): string {
    return this.#options.name
  }

  /** Shards it took from nobody. */
  get takeovers(): number {
    return [...this.takeoversOf.values()].reduce((sum, count) => sum + count, 0)
  }

  /** It hands over what it has, and takes nothing. */
  get isLeaving(): boolean {
    return this.#leaving
  }

  /** What the database was last heard to say. */
  get view(): ClusterView {
    return this.#view
  }

  /** Milliseconds for which it may still answer; 0 or less: it may not. */
  get leaseLeft(): number {
    return this.#joined ? this.#lease.left : 0
  }

  /** Shards that it serves. */
  get open(): ReadonlyMap<number, Shard> {
    const open = new Map<number, Shard>()
    for (const [number, { shard }] of this.#held) if (shard !== null) open.set(number, shard)
    return open
  }

  where(shard: number): Whereabouts<Shard> {
    const held = this.#held.get(shard)
    if (held !== undefined) {
      const serves = held.shard !== null && !held.leaving && !held.shard.failed && this.leaseLeft > 0
      return serves ? { at: 'here', shard: held.shard as Shard } : { at: 'nowhere' }
    }
    const owner = this.#view.shards[shard]?.owner ?? null
    const node = this.#view.nodes.find(({ life }) => life === owner)
    if (node === undefined || node.life === this.#life) return { at: 'nowhere' }
    return { at: 'there', address: node.address }
  }

  /** Resolves at the next change of who serves what, at the latest after `ms`. */
  async changed(ms: number): Promise<void> {
    let wake = () => {}
    const change = new Promise<void>((resolve) => {
      wake = resolve
    })
    this.#waiting.add(wake)
    await Promise.race([change, this.#options.clock.sleep(ms)])
    this.#waiting.delete(wake)
  }

  /** Keeps its lease and its share until it is stopped. */
  async run(): Promise<void> {
    const { clock, leaseMs } = this.#options
    while (!this.#stopping) {
      const begun = clock.monotonic()
      await this.look()
      await clock.sleep(Math.max(leaseMs / ROUNDS / LOOKS - (clock.monotonic() - begun), 0))
    }
  }

  /** Looks at the database now, or once more behind a look that is under way. Whoever has left sees where requests go, and no more. */
  async look(): Promise<void> {
    if (this.#stopping) return this.#lookAround()
    if (this.#round !== null) {
      this.#again = true
      return this.#round
    }
    this.#round = this.#rounds().finally(() => {
      this.#round = null
    })
    return this.#round
  }

  /** Hands everything over, to nobody where there is no other node, and leaves. */
  async stop(): Promise<void> {
    const { membership, clock, leaseMs } = this.#options
    const until = clock.monotonic() + Math.min(4 * leaseMs, LEAVING_MS)
    this.#leaving = true
    // Before anything is given: whoever did not know would give it back, because this node has less than its share.
    if (this.#joined) await membership.drain(this.#life).catch(() => false)
    this.#draining = true
    await this.look()
    while (this.#held.size > 0 && this.#hasOthers && clock.monotonic() < until && this.#joined) {
      await this.changed(leaseMs / ROUNDS)
      if (this.#held.size > 0) await this.look()
    }
    this.#stopping = true
    await this.#round
    await Promise.all([...this.#held.keys()].map((shard) => this.#give(shard, null)))
    this.#joined = false
    await this.#lookAround()
    const own = this.#view.nodes.find(({ life }) => life === this.#life)
    if (own !== undefined) await membership.expel(own.life, own.renewals).catch(() => false)
    this.#nudgeOthers()
  }

  async #lookAround(): Promise<void> {
    const { membership } = this.#options
    this.#view = await membership.look().catch(() => this.#view)
    this.#tell()
  }

  get #hasOthers(): boolean {
    return this.#view.nodes.some(({ life, draining }) => life !== this.#life && !draining)
  }

  async #rounds(): Promise<void> {
    do {
      this.#again = false
      try {
        await this.#once()
      } catch (error) {
        this.#options.onNotice(`the database did not answer: ${String(error)}`)
      }
      this.#tell()
    } while (this.#again)
  }

  async #once(): Promise<void> {
    const { membership, clock, leaseMs } = this.#options
    if (!this.#joined) await this.#join()
    else if (leaseMs - this.#lease.left >= (RENEWED_FROM * leaseMs) / ROUNDS) await this.#renew()
    this.#view = await membership.look()
    await this.#expelSilent(clock.monotonic())
    if (!this.#joined) return
    await this.#takeFree()
    this.#openOwned()
    this.#handOver()
  }

  async #renew(): Promise<void> {
    const { membership, clock } = this.#options
    const sent = clock.monotonic()
    if (await membership.renew(this.#life, ++this.#renewals)) return this.#lease.renewed(sent)
    this.#expelled()
    await this.#join()
  }

  /** Under another life at each try: what was sent for one that has ended must not bring it back. */
  async #join(): Promise<void> {
    const { membership, clock, name, address, leaseMs, newLife } = this.#options
    const sent = clock.monotonic()
    this.#life = newLife()
    if (await membership.join({ name, life: this.#life, address, leaseMs })) {
      this.#lease.renewed(sent)
      this.#joined = true
    }
  }

  /** Others hold what it had: nothing of it may be answered, and nothing could be appended. */
  #expelled(): void {
    const { onNotice } = this.#options
    onNotice('this node was expelled: it had not renewed its lease in time')
    this.#joined = false
    for (const { shard } of this.#held.values()) shard?.close().catch(() => {})
    this.#held.clear()
  }

  /** Whoever has not renewed for their lease, by this node's clock since it saw the last renewal, has ended. */
  async #expelSilent(now: number): Promise<void> {
    const { membership, onNotice } = this.#options
    const there = new Set(this.#view.nodes.map(({ life }) => life))
    for (const life of this.#sights.keys()) if (!there.has(life)) this.#sights.delete(life)
    let found = false
    for (const { life, name, renewals, leaseMs } of this.#view.nodes) {
      if (life === this.#life) continue
      const sight = this.#sights.get(life)
      if (sight?.renewals !== renewals) this.#sights.set(life, { renewals, since: now })
      else if (now - sight.since >= leaseMs * (1 + DRIFT) && (await membership.expel(life, renewals))) {
        onNotice(`${name} was expelled: it has not renewed its lease`)
        found = true
      }
    }
    if (found) this.#view = await membership.look()
    this.#lookWhenDue(now)
  }

  /** A lease that runs out between two rounds is looked at when it does, once. */
  #lookWhenDue(now: number): void {
    const { clock, leaseMs } = this.#options
    for (const node of this.#view.nodes) {
      const sight = this.#sights.get(node.life)
      if (sight === undefined || this.#watched.has(sight)) continue
      const due = sight.since + node.leaseMs * (1 + DRIFT) - now
      if (due <= 0 || due >= leaseMs / ROUNDS) continue
      this.#watched.add(sight)
      void clock.sleep(due + 1).then(() => (this.#stopping ? undefined : this.look()))
    }
  }

  /** What this node sees as the plan, itself draining while it stops. */
  #plan(): ReturnType<typeof movesOf> {
    const nodes = this.#draining
      ? this.#view.nodes.map((node) => (node.life === this.#life ? { ...node, draining: true } : node))
      : this.#view.nodes
    return movesOf({ nodes, shards: this.#view.shards })
  }

  async #takeFree(): Promise<void> {
    const { membership } = this.#options
    const free = this.#plan().filter(({ from, to }) => from === null && to === this.#life)
    if (free.length === 0) return
    const taken = await Promise.all(free.map(({ shard }) => membership.take(shard, this.#life)))
    for (const [at, { shard }] of free.entries())
      if (taken[at]) {
        this.takeoversOf.set(shard, (this.takeoversOf.get(shard) ?? 0) + 1)
        this.#unannounced.add(shard)
      }
    this.#view = await membership.look()
  }

  /** Nobody was asked for it: whoever waits for an owner would look when their next look is due. */
  #announce(shard: number): void {
    if (this.#unannounced.delete(shard)) this.#nudgeOthers()
  }

  #nudgeOthers(): void {
    for (const { life, address } of this.#view.nodes) if (life !== this.#life) this.#options.nudge(address)
  }

  #openOwned(): void {
    for (const { shard, owner } of this.#view.shards) {
      const held = this.#held.get(shard)
      if (held?.shard?.failed === true && !held.leaving) this.#reopen(shard, held)
      else if (owner === this.#life && held === undefined) void this.#open(shard)
    }
  }

  async #open(shard: number): Promise<void> {
    const { open, onNotice } = this.#options
    const held: Held<Shard> = { shard: null, leaving: false }
    this.#held.set(shard, held)
    const life = this.#life
    const isOwned = () => this.#held.get(shard) === held && this.leaseLeft > 0
    try {
      const opened = await open(shard, life, isOwned)
      if (this.#held.get(shard) === held) {
        held.shard = opened
        this.#announce(shard)
      } else await opened.close()
    } catch (error) {
      onNotice(`shard ${shard} could not be opened: ${String(error)}`)
      if (this.#held.get(shard) === held) this.#held.delete(shard)
    }
    this.#tell()
  }

  #reopen(shard: number, held: Held<Shard>): void {
    held.leaving = true
    void (held.shard as Shard)
      .close()
      .catch(() => {})
      .then(() => {
        if (this.#held.get(shard) === held) this.#held.delete(shard)
        return this.look()
      })
  }

  #handOver(): void {
    for (const { shard, from, to } of this.#plan())
      if (from === this.#life && to !== this.#life) void this.#give(shard, to)
  }

  /** It stops, what is under way is answered, the log is durable: then the row says whose it is. */
  async #give(shard: number, to: string | null): Promise<void> {
    const { membership, nudge, onNotice } = this.#options
    const held = this.#held.get(shard)
    if (held === undefined || held.shard === null || held.leaving) return
    const life = this.#life
    held.leaving = true
    try {
      await held.shard.close().catch(() => {})
      await membership.give(shard, { life, epoch: held.shard.epoch }, to)
    } catch (error) {
      onNotice(`shard ${shard} could not be handed over: ${String(error)}`)
    }
    // Where the outcome is unknown the next look tells: it is opened again, or it is another's.
    if (this.#held.get(shard) === held) this.#held.delete(shard)
    const taker = this.#view.nodes.find((node) => node.life === to)
    if (taker !== undefined) nudge(taker.address)
    if (!this.#stopping) await this.look()
  }

  #tell(): void {
    for (const wake of this.#waiting) wake()
  }
}
