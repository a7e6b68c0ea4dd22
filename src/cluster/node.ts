/**
 * A node's part in a cluster: it holds a lease, takes what is free, hands over what others should have, and expels who
 * has not renewed. Time, database and network are ports: the same code runs in a simulation.
 */
import { withinTime } from './deadline.ts'
import { type Giver, HandOver, type HandOverOptions } from './handOver.ts'
import { Holdings, type HoldingsOptions, type OpenShard } from './holdings.ts'
import { ROUNDS } from './lease.ts'
import { Looks } from './looks.ts'
import type { ClusterView, NodeRow } from './membership.ts'
import { Seat, type SeatOptions } from './seat.ts'
import { movesOf } from './share.ts'
import { Silence } from './silence.ts'

export interface NodeOptions<Shard extends OpenShard>
  extends SeatOptions,
    HoldingsOptions<Shard>,
    HandOverOptions {
  /** Reads beforehand what there is of a shard that this node may own soon: nothing of it is certain before it is opened. */
  readonly makeReady: (shard: number) => Promise<void>
}

/** Who serves a shard: this node, another, or nobody just now. */
export type Whereabouts<Shard> =
  | { readonly at: 'here'; readonly shard: Shard }
  | { readonly at: 'there'; readonly address: string }
  /** `isComing`: this node is about to serve it. */
  | { readonly at: 'nowhere'; readonly isComing: boolean }

/** Looks to a renewal: the sooner a renewal is seen, the sooner it is known that the next did not come. */
const LOOKS = 2
/** For how long a node that leaves waits for others to take what it has, ms. */
const LEAVING_MS = 12_000

export class ClusterNode<Shard extends OpenShard> {
  readonly #options: NodeOptions<Shard>
  readonly #seat: Seat
  readonly #holdings: Holdings<Shard>
  readonly #handOver: HandOver<Shard>
  readonly #silence = new Silence()
  readonly #waiting = new Set<() => void>()
  #view: ClusterView = { nodes: [], shards: [] }
  readonly #looks = new Looks()
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
    this.#seat = new Seat(this.#options, membership, () => this.#holdings.lose())
    this.#holdings = new Holdings(this.#options, this.#seat, this.#looks, {
      opened: (shard) => this.#announce(shard),
      tell: () => this.#tell(),
      look: () => this.look(),
    })
    this.#handOver = new HandOver(this.#options, this.#seat, this.#looks, this.#holdings, this.#giver())
  }

  #giver(): Giver {
    const node = this
    return {
      get view() {
        return node.#view
      },
      get isStopping() {
        return node.#stopping
      },
      plan: () => this.#plan(),
      look: () => this.look(),
    }
  }

  get name(): string {
    return this.#options.name
  }

  /** Shards it took from nobody. */
  get takeovers(): number {
    return [...this.takeoversOf.values()].reduce((sum, count) => sum + count, 0)
  }

  /** Of shards that it owns and could not open, how often that has failed since they were open. */
  get failuresOf(): ReadonlyMap<number, number> {
    return this.#holdings.failures
  }

  /** It hands over what it has, and takes nothing. */
  get isLeaving(): boolean {
    return this.#leaving
  }

  /** Another node has its name: it joins once that one has left, or has been expelled. */
  get isNameTaken(): boolean {
    return this.#seat.isNameTaken
  }

  /** What the database was last heard to say. */
  get view(): ClusterView {
    return this.#view
  }

  /** Milliseconds for which it may still answer; 0 or less: it may not. */
  get leaseLeft(): number {
    return this.#seat.left
  }

  /** Shards that it serves. */
  get open(): ReadonlyMap<number, Shard> {
    return this.#holdings.open
  }

  where(shard: number): Whereabouts<Shard> {
    const held = this.#holdings.all.get(shard)
    if (held !== undefined) {
      const serves = held.shard !== null && !held.leaving && !held.shard.failed && this.leaseLeft > 0
      if (serves) return { at: 'here', shard: held.shard as Shard }
      return { at: 'nowhere', isComing: held.shard === null }
    }
    const owner = this.#view.shards[shard]?.owner ?? null
    const node = this.#view.nodes.find(({ life }) => life === owner)
    if (node === undefined || node.life === this.#seat.life) return { at: 'nowhere', isComing: false }
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

  /** Another is about to give a shard to this node. */
  async expect(shard: number): Promise<void> {
    if (!this.#leaving && !this.#holdings.all.has(shard)) await this.#options.makeReady(shard)
  }

  /** Another says that it has given a shard to this node. It is opened before the next look: whether it is so, opening finds out. */
  async given(shard: number): Promise<void> {
    if (this.#seat.hasJoined && !this.#leaving && !this.#holdings.all.has(shard))
      void this.#holdings.take(shard)
    await this.look()
  }

  /** Hands everything over, to nobody where there is no other node, and leaves. */
  async stop(): Promise<void> {
    const { membership, clock, leaseMs } = this.#options
    const until = clock.monotonic() + Math.min(4 * leaseMs, LEAVING_MS)
    this.#leaving = true
    // Before anything is given: whoever did not know would give it back, because this node has less than its share.
    if (this.#seat.hasJoined) await membership.drain(this.#seat.life).catch(() => false)
    this.#draining = true
    await this.look()
    while (
      this.#holdings.all.size > 0 &&
      this.#hasOthers &&
      clock.monotonic() < until &&
      this.#seat.hasJoined
    ) {
      await this.changed(leaseMs / ROUNDS)
      if (this.#holdings.all.size > 0) await this.look()
    }
    this.#stopping = true
    await this.#round
    await Promise.all([...this.#holdings.all].map(([shard, held]) => this.#handOver.leave(shard, held)))
    this.#seat.leave()
    await this.#lookAround()
    const own = this.#view.nodes.find(({ life }) => life === this.#seat.life)
    if (own !== undefined) await membership.expel(own.life, own.renewals).catch(() => false)
    this.#nudgeOthers()
  }

  async #lookAround(): Promise<void> {
    await this.#see().catch(() => {})
    this.#tell()
  }

  async #see(): Promise<void> {
    this.#view = await this.#looks.look(() => this.#options.membership.look())
  }

  get #hasOthers(): boolean {
    return this.#view.nodes.some(({ life, draining }) => life !== this.#seat.life && !draining)
  }

  async #rounds(): Promise<void> {
    do {
      this.#again = false
      try {
        await this.#once()
      } catch (error) {
        this.#options.onNotice(`the database did not answer: ${String(error)}`)
        this.#holdings.tryAll()
      }
      this.#tell()
    } while (this.#again)
  }

  async #once(): Promise<void> {
    const { clock } = this.#options
    if (!this.#seat.hasJoined) await this.#seat.join()
    else if (this.#seat.isRenewalDue) await this.#seat.renew()
    await this.#see()
    await this.#expelSilent(clock.monotonic())
    if (!this.#seat.hasJoined) return
    await this.#takeFree()
    this.#holdings.openOwned(this.#view.shards)
    this.#holdings.tellTroubles(this.#view.shards)
    this.#handOver.begin()
    this.#expectOfSilent(clock.monotonic())
  }

  /** Whoever has not renewed for their lease, by this node's clock since it saw the last renewal, has ended. */
  async #expelSilent(now: number): Promise<void> {
    const { membership, onNotice } = this.#options
    const others = this.#view.nodes.filter(({ life }) => life !== this.#seat.life)
    this.#silence.saw(others, now)
    for (const node of others) {
      if (!this.#silence.isOver(node, now) || !(await membership.expel(node.life, node.renewals))) continue
      onNotice(`${node.name} was expelled: it has not renewed its lease`)
      this.#view = without(this.#view, node.life)
    }
    this.#lookWhenDue(others, now)
  }

  /** A lease that runs out between two rounds is looked at when it does, once. */
  #lookWhenDue(others: readonly NodeRow[], now: number): void {
    const { clock, leaseMs } = this.#options
    for (const node of others) {
      const due = this.#silence.dueWithin(node, now, leaseMs / ROUNDS)
      if (due !== null) void clock.sleep(due + 1).then(() => (this.#stopping ? undefined : this.look()))
    }
  }

  /** What this node would be given if those who have missed a renewal came no more. */
  #expectOfSilent(now: number): void {
    const silent = this.#view.nodes.filter(
      (node) => node.life !== this.#seat.life && this.#silence.isNew(node, now),
    )
    if (silent.length === 0) return
    const left = silent.reduce((view, { life }) => without(view, life), this.#view)
    const before = new Map(this.#view.shards.map(({ shard, owner }) => [shard, owner]))
    for (const { shard, to } of movesOf(left))
      if (to === this.#seat.life && silent.some(({ life }) => life === before.get(shard)))
        void this.expect(shard).catch(() => {})
  }

  /** What this node sees as the plan, itself draining while it stops. */
  #plan(): ReturnType<typeof movesOf> {
    const nodes = this.#draining
      ? this.#view.nodes.map((node) => (node.life === this.#seat.life ? { ...node, draining: true } : node))
      : this.#view.nodes
    return movesOf({ nodes, shards: this.#view.shards })
  }

  async #takeFree(): Promise<void> {
    const { membership } = this.#options
    const free = this.#plan().filter(({ from, to }) => from === null && to === this.#seat.life)
    if (free.length === 0) return
    const taken = await Promise.all(free.map(({ shard }) => membership.take(shard, this.#seat.life)))
    for (const [at, { shard }] of free.entries())
      if (taken[at]) {
        this.#looks.isTaken(shard)
        this.takeoversOf.set(shard, (this.takeoversOf.get(shard) ?? 0) + 1)
        this.#unannounced.add(shard)
      }
    // What was taken is opened at once, without another look; of what was not somebody else knows more.
    const own = new Set(free.flatMap(({ shard }, at) => (taken[at] ? [shard] : [])))
    const shards = this.#view.shards.map((row) =>
      own.has(row.shard) ? { ...row, owner: this.#seat.life } : row,
    )
    if (taken.every(Boolean)) this.#view = { ...this.#view, shards }
    else await this.#see()
  }

  /** Nobody was asked for it: whoever waits for an owner would look when their next look is due. */
  #announce(shard: number): void {
    if (this.#unannounced.delete(shard)) this.#nudgeOthers()
  }

  #nudgeOthers(): void {
    for (const { life, address } of this.#view.nodes)
      if (life !== this.#seat.life) this.#options.nudge(address)
  }

  #tell(): void {
    for (const wake of this.#waiting) wake()
  }
}

/** The same once a life has been expelled. */
function without({ nodes, shards }: ClusterView, expelled: string): ClusterView {
  return {
    nodes: nodes.filter(({ life }) => life !== expelled),
    shards: shards.map((row) => (row.owner === expelled ? { ...row, owner: null } : row)),
  }
}
