/**
 * A node's part in a cluster: it holds a lease, takes what is free, hands over what others should have, and expels who
 * has not renewed. Time, database and network are ports: the same code runs in a simulation.
 */
import { OwnedElsewhere } from '../store/store.ts'
import type { ClusterClock } from './clock.ts'
import { inTime, withinTime } from './deadline.ts'
import { type Instant, Lease } from './lease.ts'
import { Looks } from './looks.ts'
import type { ClusterView, Membership, NodeRow } from './membership.ts'
import { type Move, movesOf } from './share.ts'
import { Silence } from './silence.ts'
import { Troubles } from './troubles.ts'

/** A shard that is being served. */
export interface OpenShard {
  /** It serves nothing until it is opened anew. */
  readonly failed: boolean
  /** The epoch that it was opened under. */
  readonly epoch: number
  /** Does what would keep its next owner waiting, while it serves. */
  readyToLeave(): Promise<void>
  /** Answers what is under way, makes the log durable, and lets go. */
  close(): Promise<void>
}

/**
 * What a node does with a shard that it owns. `isOwned` says whether an answer of it may leave now.
 *
 * @throws OwnedElsewhere where it owns it no more.
 */
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
  /** Milliseconds on the wall clock, which goes on while the machine is suspended; default: it never is. */
  readonly wall?: () => number
  readonly newLife: () => string
  readonly open: OpenOwned<Shard>
  /** Reads beforehand what there is of a shard that this node may own soon: nothing of it is certain before it is opened. */
  readonly makeReady: (shard: number) => Promise<void>
  /** Has another node make ready for a shard that it is about to be given; resolves once it is, or never will be. */
  readonly foretell: (address: string, shard: number) => Promise<void>
  /** Asks a node to look at the database now, and to open the shard that it was given. It may be lost. */
  readonly nudge: (address: string, given?: number) => void
  readonly onNotice: (notice: string) => void
}

/** Who serves a shard: this node, another, or nobody just now. */
export type Whereabouts<Shard> =
  | { readonly at: 'here'; readonly shard: Shard }
  | { readonly at: 'there'; readonly address: string }
  /** `isComing`: this node is about to serve it. */
  | { readonly at: 'nowhere'; readonly isComing: boolean }

interface Held<Shard> {
  /** Null while it is opened. */
  shard: Shard | null
  /** Another is about to be given it, and makes ready. */
  foretold: boolean
  leaving: boolean
}

/** Renewals to a lease. */
const ROUNDS = 3
/** Looks to a renewal: the sooner a renewal is seen, the sooner it is known that the next did not come. */
const LOOKS = 2
/** From this part of the time between two renewals on a look renews: it is not the one in the middle. */
const RENEWED_FROM = 0.6
/** Characters of what keeps a shard from being opened, which stand in its row. */
const LONGEST_REASON = 500
/** For how long a node that leaves waits for others to take what it has, ms. */
const LEAVING_MS = 12_000

export class ClusterNode<Shard extends OpenShard> {
  readonly #options: NodeOptions<Shard>
  /** However late it answers. */
  readonly #membership: Membership
  readonly #lease: Lease
  readonly #held = new Map<number, Held<Shard>>()
  readonly #silence = new Silence()
  readonly #waiting = new Set<() => void>()
  #life = ''
  #view: ClusterView = { nodes: [], shards: [] }
  readonly #looks = new Looks()
  /** Tries, those that failed too. */
  #renewals = 0
  #joined = false
  #nameTaken = false
  #leaving = false
  #draining = false
  #stopping = false
  #round: Promise<void> | null = null
  #again = false
  /** How often it took each shard from nobody. */
  readonly takeoversOf = new Map<number, number>()
  /** Shards that it could not open. */
  readonly #troubles = new Troubles()
  /** Shards that it took from nobody, and does not serve yet. */
  readonly #unannounced = new Set<number>()

  constructor(options: NodeOptions<Shard>) {
    const { membership, clock, leaseMs } = options
    this.#membership = membership
    this.#options = { ...options, membership: withinTime(membership, clock, leaseMs / ROUNDS) }
    this.#lease = new Lease(options.leaseMs, () => this.#clocks())
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
    return this.#troubles.failures
  }

  /** It hands over what it has, and takes nothing. */
  get isLeaving(): boolean {
    return this.#leaving
  }

  /** Another node has its name: it joins once that one has left, or has been expelled. */
  get isNameTaken(): boolean {
    return this.#nameTaken
  }

  #clocks(): Instant {
    const { clock, wall = () => 0 } = this.#options
    return { monotonic: clock.monotonic(), wall: wall() }
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
      if (serves) return { at: 'here', shard: held.shard as Shard }
      return { at: 'nowhere', isComing: held.shard === null }
    }
    const owner = this.#view.shards[shard]?.owner ?? null
    const node = this.#view.nodes.find(({ life }) => life === owner)
    if (node === undefined || node.life === this.#life) return { at: 'nowhere', isComing: false }
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
    if (!this.#leaving && !this.#held.has(shard)) await this.#options.makeReady(shard)
  }

  /** Another says that it has given a shard to this node. It is opened before the next look: whether it is so, opening finds out. */
  async given(shard: number): Promise<void> {
    if (this.#joined && !this.#leaving && !this.#held.has(shard)) void this.#open(shard)
    await this.look()
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
    await Promise.all([...this.#held].map(([shard, held]) => this.#leave(shard, held)))
    this.#joined = false
    await this.#lookAround()
    const own = this.#view.nodes.find(({ life }) => life === this.#life)
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
    return this.#view.nodes.some(({ life, draining }) => life !== this.#life && !draining)
  }

  async #rounds(): Promise<void> {
    do {
      this.#again = false
      try {
        await this.#once()
      } catch (error) {
        this.#options.onNotice(`the database did not answer: ${String(error)}`)
        this.#troubles.tryAll()
      }
      this.#tell()
    } while (this.#again)
  }

  async #once(): Promise<void> {
    const { clock, leaseMs } = this.#options
    if (!this.#joined) await this.#join()
    else if (leaseMs - this.#lease.left >= (RENEWED_FROM * leaseMs) / ROUNDS) await this.#renew()
    await this.#see()
    await this.#expelSilent(clock.monotonic())
    if (!this.#joined) return
    await this.#takeFree()
    this.#openOwned()
    this.#tellTroubles()
    this.#handOver()
    this.#expectOfSilent(clock.monotonic())
  }

  /** An answer that is not waited for any more counts when it comes: others have seen the renewal, and it was sent no later for that. */
  async #renew(): Promise<void> {
    const { clock, leaseMs } = this.#options
    const [sent, life] = [this.#clocks(), this.#life]
    const renewed = this.#membership.renew(life, ++this.#renewals).then((isThere) => {
      if (isThere && life === this.#life) this.#lease.renewed(sent)
      return isThere
    })
    if (await inTime(renewed, clock, leaseMs / ROUNDS)) return
    this.#expelled()
    await this.#join()
  }

  /** Under another life at each try: what was sent for one that has ended must not bring it back. */
  async #join(): Promise<void> {
    const { membership, name, address, leaseMs, newLife, onNotice } = this.#options
    const sent = this.#clocks()
    this.#life = newLife()
    if (await membership.join({ name, life: this.#life, address, leaseMs })) {
      this.#lease.renewed(sent)
      this.#joined = true
      this.#nameTaken = false
    } else if (!this.#nameTaken) {
      this.#nameTaken = true
      onNotice(`a node called ${name} is there: this one joins once that one has left, or its lease is over`)
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
    const others = this.#view.nodes.filter(({ life }) => life !== this.#life)
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
      (node) => node.life !== this.#life && this.#silence.isNew(node, now),
    )
    if (silent.length === 0) return
    const left = silent.reduce((view, { life }) => without(view, life), this.#view)
    const before = new Map(this.#view.shards.map(({ shard, owner }) => [shard, owner]))
    for (const { shard, to } of movesOf(left))
      if (to === this.#life && silent.some(({ life }) => life === before.get(shard)))
        void this.expect(shard).catch(() => {})
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
        this.#looks.isTaken(shard)
        this.takeoversOf.set(shard, (this.takeoversOf.get(shard) ?? 0) + 1)
        this.#unannounced.add(shard)
      }
    // What was taken is opened at once, without another look; of what was not somebody else knows more.
    const own = new Set(free.flatMap(({ shard }, at) => (taken[at] ? [shard] : [])))
    const shards = this.#view.shards.map((row) => (own.has(row.shard) ? { ...row, owner: this.#life } : row))
    if (taken.every(Boolean)) this.#view = { ...this.#view, shards }
    else await this.#see()
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
      else if (owner !== this.#life) this.#troubles.forget(shard)
      else if (held === undefined && this.#looks.tellOf(shard) && this.#mayTry(shard)) void this.#open(shard)
    }
  }

  #mayTry(shard: number): boolean {
    return this.#troubles.mayTry(shard, this.#options.clock.monotonic())
  }

  /** The database is told what keeps shards from being opened, and that it is over; what it was not told it is told at the next look. */
  #tellTroubles(): void {
    const { membership } = this.#options
    for (const { shard, owner, trouble } of this.#view.shards) {
      const opened = this.#held.get(shard)?.shard ?? null
      const reason = opened === null ? this.#troubles.reasonOf(shard) : null
      // Of one that is just being opened nothing is known yet.
      const isKnown = reason !== null || opened?.failed === false
      if (owner !== this.#life || !isKnown || reason === (trouble?.reason ?? null)) continue
      void membership.troubled(shard, this.#life, reason).catch(() => false)
    }
  }

  async #open(shard: number): Promise<void> {
    const { open, clock } = this.#options
    const held: Held<Shard> = { shard: null, foretold: false, leaving: false }
    this.#held.set(shard, held)
    const life = this.#life
    const isOwned = () => this.#held.get(shard) === held && this.leaseLeft > 0
    try {
      const opened = await open(shard, life, isOwned)
      if (this.#held.get(shard) === held) {
        held.shard = opened
        this.#notice(this.#troubles.opened(shard))
        this.#announce(shard)
      } else await opened.close()
    } catch (error) {
      if (error instanceof OwnedElsewhere) this.#looks.isGone(shard)
      else this.#notice(this.#troubles.failed(shard, sentenceOf(error), clock.monotonic()))
      if (this.#held.get(shard) === held) this.#held.delete(shard)
    }
    this.#tell()
  }

  #notice(notice: string | null): void {
    if (notice !== null) this.#options.onNotice(notice)
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
    for (const move of this.#plan())
      if (move.from === this.#life && move.to !== this.#life) void this.#foretell(move)
  }

  /** The next owner makes ready while this one serves; after that the shard stops, unless the plan is another by then. */
  async #foretell({ shard, to }: Move): Promise<void> {
    const { foretell } = this.#options
    const held = this.#held.get(shard)
    if (held === undefined || held.shard === null || held.foretold || held.leaving) return
    held.foretold = true
    await this.#readyToLeave(held.shard)
    const taker = this.#view.nodes.find(({ life }) => life === to)
    if (taker !== undefined) await this.#atMost(foretell(taker.address, shard))
    held.foretold = false
    if (this.#held.get(shard) !== held || held.leaving) return
    const isStillMeant = this.#plan().some((move) => move.shard === shard && move.to === to)
    await (isStillMeant ? this.#give(shard, to) : this.look())
  }

  #readyToLeave(shard: Shard): Promise<void> {
    return shard.failed ? Promise.resolve() : this.#atMost(shard.readyToLeave())
  }

  /** What makes a hand-over short must not keep it waiting for longer than a statement. */
  async #atMost(work: Promise<void>): Promise<void> {
    const { clock, leaseMs } = this.#options
    await Promise.race([work.catch(() => {}), clock.sleep(leaseMs / ROUNDS)])
  }

  /** It stops, what is under way is answered, the log is durable: then the row says whose it is. */
  async #give(shard: number, to: string | null): Promise<void> {
    const { membership, nudge, onNotice } = this.#options
    const held = this.#held.get(shard)
    if (held === undefined || held.shard === null || held.leaving) return
    const life = this.#life
    held.leaving = true
    let given = false
    try {
      await held.shard.close().catch(() => {})
      given = await membership.give(shard, { life, epoch: held.shard.epoch }, to)
      if (given) this.#looks.isGone(shard)
    } catch (error) {
      onNotice(`shard ${shard} could not be handed over: ${String(error)}`)
    }
    // Where the outcome is unknown the next look tells: it is opened again, or it is another's.
    if (this.#held.get(shard) === held) this.#held.delete(shard)
    for (const node of this.#view.nodes)
      if (node.life !== life) nudge(node.address, ...(given && node.life === to ? [shard] : []))
    if (!this.#stopping) await this.look()
  }

  /** Nobody is there who could take it. */
  async #leave(shard: number, held: Held<Shard>): Promise<void> {
    if (held.shard !== null) await this.#readyToLeave(held.shard)
    await this.#give(shard, null)
  }

  #tell(): void {
    for (const wake of this.#waiting) wake()
  }
}

/** In a line that a database can hold, however long the reason is. */
function sentenceOf(error: unknown): string {
  return String(error)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, LONGEST_REASON)
}

/** The same once a life has been expelled. */
function without({ nodes, shards }: ClusterView, expelled: string): ClusterView {
  return {
    nodes: nodes.filter(({ life }) => life !== expelled),
    shards: shards.map((row) => (row.owner === expelled ? { ...row, owner: null } : row)),
  }
}
