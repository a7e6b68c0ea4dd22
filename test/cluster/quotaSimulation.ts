// Keepers of quotas over a simulated database and network: owners that are frozen, killed and replaced between give and
// take, statements that are late, lost or carried out without an answer, a database that fails over, a maximum that changes
// under way.
import type { LineStanding, QuotaBook } from '../../src/cluster/lineShare.ts'
import { type Given, QuotaKeeper } from '../../src/cluster/quotaKeeper.ts'
import type { QuotaLedger, SharedOut } from '../../src/cluster/quotaLedger.ts'
import { SimulatedServer } from './simulatedServer.ts'
import { Process, World } from './world.ts'

const SHARDS = 4
const CLIENTS = 3
const FAULTS_END = 6_500
/** What befell before is over by then. */
const QUIET_FROM = FAULTS_END + 2_500
const END = QUIET_FROM + 1_500
const LINE = 'a market, long'
/** What stands for a lease: whoever took over began later than the one before may have answered. */
const TAKEOVER_MS = 300

type Entry =
  | { readonly type: 'quota'; readonly amount: bigint }
  /** An order that was accepted, or, negative, what was closed. */
  | { readonly type: 'order'; readonly amount: bigint }
  | { readonly type: 'maximum'; readonly amount: bigint }

/** What the log of a shard says. */
const NOTHING: LineStanding = { quota: 0n, open: 0n, maximum: 0n }

function after(standing: LineStanding, { type, amount }: Entry): LineStanding {
  const { quota, open, maximum } = standing
  if (type === 'quota') return { ...standing, quota: amount }
  if (type === 'order') return { ...standing, open: open + amount }
  // As `configureMarket` has it.
  return { open, quota: amount < maximum ? 0n : quota, maximum: amount }
}

interface ShardState {
  readonly epoch: number
  readonly log: readonly Entry[]
  readonly standing: LineStanding
}

interface State {
  readonly shards: readonly ShardState[]
  readonly shared: SharedOut
}

export interface QuotaOutcome {
  /** Every promise that was broken, in a sentence. */
  readonly broken: readonly string[]
  readonly reached: {
    moves: number
    refusals: number
    takeovers: number
    fenced: number
    waited: number
    accepted: number
    refused: number
    /** Orders that were accepted after the last fault though their shard had to get the quota first. */
    servedAtTheEnd: number
    maxima: number
    /** Of smaller maxima that a shard heard of, those that left it a quota, and those that took what it had. */
    kept: number
    withdrawn: number
    failovers: number
    restarts: number
    cuts: number
    stalls: number
    undone: number
  }
  /** Differs where anything does. */
  readonly trace: string
}

/** The mistake: what is given is free in the ledger before the log of the giver says so. */
export async function simulateQuotas(seed: number, { givesEarly = false } = {}): Promise<QuotaOutcome> {
  const world = new World(seed)
  const empty: ShardState = { epoch: 0, log: [], standing: NOTHING }
  const server = new SimulatedServer<State>(world, {
    shards: Array.from({ length: SHARDS }, () => empty),
    shared: { turn: 0, maximum: null, shares: new Map() },
  })
  const owners: (Owner | null)[] = Array.from({ length: SHARDS }, () => null)
  const broken: string[] = []
  const reached = {
    moves: 0,
    refusals: 0,
    takeovers: 0,
    fenced: 0,
    waited: 0,
    accepted: 0,
    refused: 0,
    servedAtTheEnd: 0,
    maxima: 0,
    kept: 0,
    withdrawn: 0,
  }
  let loss = world.pick([0, 0.005, 0.02])
  server.loss = loss

  const delay = () =>
    server.isSlow && world.chance() < 0.03 ? world.between(50, 2_000) : world.between(0.2, 5)

  function changed({ shards, shared }: State, shard: number, change: Partial<ShardState>): State {
    return { shared, shards: shards.map((row, at) => (at === shard ? { ...row, ...change } : row)) }
  }

  function append(
    state: State,
    shard: number,
    epoch: number,
    entries: readonly Entry[],
    head: number,
  ): readonly [State, boolean] {
    const { log, standing, epoch: current } = state.shards[shard] as ShardState
    if (current !== epoch || log.length !== head) {
      reached.fenced += 1
      return [state, false]
    }
    let now = state
    let [all, stands] = [log, standing]
    for (const entry of entries) {
      all = [...all, entry]
      stands = after(stands, entry)
      now = changed(now, shard, { log: all, standing: stands })
      check(now, entry)
    }
    return [now, true]
  }

  /** After every entry of every log. */
  function check({ shards }: State, { type, amount }: Entry): void {
    const sum = (of: 'quota' | 'open') => shards.reduce((sum, { standing }) => sum + standing[of], 0n)
    const maximum = shards.reduce(
      (most, { standing }) => (standing.maximum > most ? standing.maximum : most),
      0n,
    )
    if (type !== 'order' && sum('quota') > maximum)
      broken.push(`quotas of ${sum('quota')} of ${maximum} at ${world.now}`)
    if (type === 'order' && amount > 0n && sum('open') > maximum)
      broken.push(`an order was accepted to ${sum('open')} of ${maximum} at ${world.now}`)
  }

  class Owner implements QuotaBook {
    readonly process: Process
    readonly keeper: QuotaKeeper
    readonly epoch: number
    readonly shard: number
    state = NOTHING
    resting = 0n
    failed = false
    readonly #log: Entry[]
    #durable: number
    #flush: Promise<void> | null = null

    constructor(process: Process, shard: number, { epoch, log, standing }: ShardState) {
      this.process = process
      this.shard = shard
      this.epoch = epoch
      this.state = standing
      this.#log = [...log]
      this.#durable = log.length
      const ledger: QuotaLedger = {
        look: () => server.look(process, ({ shared }) => shared),
        change: (_line, seen, { shard, epoch, amount, maximum }) =>
          server.write(process, (state) => {
            const { shared, shards } = state
            if (seen !== shared || shards[shard]?.epoch !== epoch) return [state, false]
            const shares = new Map(shared.shares).set(shard, amount)
            return [
              { shards, shared: { turn: shared.turn + 1, maximum: maximum ?? shared.maximum, shares } },
              true,
            ]
          }),
      }
      this.keeper = new QuotaKeeper({
        ...{ shard, shards: SHARDS, epoch, book: this, ledger, clock: process },
        ask: (of, line, amount) => asked(process, of, line, amount),
      })
      void this.keeper.run()
    }

    *lines(): Iterable<string> {
      yield LINE
    }

    standing(): LineStanding {
      return this.state
    }

    ahead(): bigint {
      return this.resting
    }

    async set(_line: string, amount: bigint): Promise<void> {
      const isLess = amount < this.state.quota
      const seq = this.decide({ type: 'quota', amount })
      if (givesEarly && isLess) return
      await this.written(seq)
    }

    decide(entry: Entry): number {
      this.state = after(this.state, entry)
      return this.#log.push(entry)
    }

    async written(seq: number): Promise<void> {
      while (this.#durable < seq) {
        if (this.failed) throw new Error('it has stopped')
        this.#flush ??= this.#write().finally(() => {
          this.#flush = null
        })
        await this.#flush
      }
    }

    async #write(): Promise<void> {
      const [head, end] = [this.#durable, this.#log.length]
      try {
        const entries = this.#log.slice(head, end)
        const { process, shard, epoch } = this
        if (await server.write(process, (state) => append(state, shard, epoch, entries, head)))
          this.#durable = end
        else this.failed = true
      } catch {
        this.failed = true
      }
    }
  }

  function asked(from: Process, of: number, line: string, amount: bigint): Promise<Given | null> {
    return new Promise((resolve) => {
      const to = owners[of]
      if (to == null || to.process.isDead || world.chance() < loss) return
      to.process.after(delay(), () => {
        void to.keeper.give(line, amount).then(
          (given) => world.chance() >= loss && from.after(delay(), () => resolve(given)),
          () => {},
        )
      })
    })
  }

  async function open(shard: number): Promise<void> {
    const process = new Process(world)
    const opened = await server
      .write(process, (state) => {
        const row = state.shards[shard] as ShardState
        const raised = { ...row, epoch: row.epoch + 1 }
        return [changed(state, shard, raised), raised]
      })
      .catch(() => null)
    if (opened !== null) owners[shard] = new Owner(process, shard, opened)
    else world.after(50, () => void open(shard))
  }

  function retire(owner: Owner): void {
    reached.moves += owner.keeper.moves.taken
    reached.refusals += owner.keeper.moves.refused
  }

  /** Somebody else opens the shard, while the one before may go on as if nothing had happened. */
  function takeOver(shard: number): void {
    const before = owners[shard]
    if (before === null) return
    owners[shard] = null
    reached.takeovers += 1
    retire(before as Owner)
    world.after(TAKEOVER_MS, () => void open(shard))
  }

  let configuring = false
  /** The first shard hears of it before all others, and all hear of it before there is another. */
  async function configure(wanted: bigint): Promise<void> {
    if (configuring) return
    configuring = true
    for (let shard = 0; shard < SHARDS; shard++)
      for (let known = false; !known; ) {
        const owner = owners[shard]
        if (owner == null || owner.failed || owner.process.isDead || world.chance() < loss) {
          await world.sleep(100)
          continue
        }
        const isLess = wanted < owner.state.maximum
        const fits = isLess && (await fitted(owner, wanted))
        if (owner.failed || owner !== owners[shard]) continue
        // In one turn, as a node does.
        const { quota } = owner.state
        let seq = owner.decide({ type: 'maximum', amount: wanted })
        if (fits) seq = owner.decide({ type: 'quota', amount: quota })
        if (isLess) reached[fits && quota > 0n ? 'kept' : 'withdrawn'] += 1
        owner.process.after(0, () => void owner.keeper.hurry().catch(() => {}))
        const written = owner.written(seq).then(
          () => true,
          () => false,
        )
        known = await Promise.race([written, world.sleep(300).then(() => false)])
      }
    configuring = false
  }

  /** Whether a shard may keep its quota under a smaller maximum, as far as is known in time. */
  function fitted(owner: Owner, maximum: bigint): Promise<boolean> {
    const fit = new Promise<boolean>((resolve) =>
      owner.process.after(0, () => void owner.keeper.fit(LINE, maximum).then(resolve, () => resolve(false))),
    )
    return Promise.race([fit, world.sleep(1_500).then(() => false)])
  }

  async function client(hot: number): Promise<void> {
    while (world.now < END) {
      await world.sleep(world.between(1, 60))
      const shard = world.chance() < 0.7 ? hot : Math.floor(world.chance() * SHARDS)
      const owner = owners[shard]
      if (owner == null || owner.failed) continue
      owner.process.after(0, () => void trade(owner))
    }
  }

  async function trade(owner: Owner): Promise<void> {
    const { open } = owner.state
    if (open > 0n && world.chance() < 0.45) {
      const amount = open < 90n ? open : BigInt(Math.floor(world.between(1, 90)))
      owner.decide({ type: 'order', amount: -amount })
      return owner.written(0).catch(() => {})
    }
    const amount = BigInt(Math.floor(world.between(1, 120)))
    const waits = owner.keeper.awaited(LINE, amount)
    const begun = world.now
    if (waits !== null) {
      reached.waited += 1
      await waits
      if (world.now - begun > 1_100 + 3_000) broken.push(`an order waited for ${world.now - begun} ms`)
    }
    // What it waited for has changed how things stand.
    const { state } = owner
    const limit = state.quota < state.maximum ? state.quota : state.maximum
    if (state.open + amount > limit) {
      reached.refused += 1
      return
    }
    const seq = owner.decide({ type: 'order', amount })
    await owner.written(seq).then(
      () => {
        reached.accepted += 1
        if (world.now > QUIET_FROM && waits !== null) reached.servedAtTheEnd += 1
      },
      () => {},
    )
  }

  async function faults(): Promise<void> {
    while (world.now < FAULTS_END) {
      await world.sleep(world.between(100, 700))
      const shard = Math.floor(world.chance() * SHARDS)
      const owner = owners[shard]
      if (owner == null) continue
      const fault = world.chance()
      if (fault < 0.25) {
        owner.process.isDead = true
        takeOver(shard)
      } else if (fault < 0.45) {
        owner.process.freeze(world.between(100, 1_500))
        takeOver(shard)
      } else if (fault < 0.55) owner.process.freeze(world.between(50, 1_200))
      else if (fault < 0.6) server.cut(owner.process)
      else if (fault < 0.66) server.stall(owner.process, world.between(50, 1_500))
      else if (fault < 0.7) server.restart(world.between(50, 800))
      else if (fault < 0.76) server.failOver(world.between(50, 800))
      else if (fault < 0.88) owner.resting = BigInt(Math.floor(world.between(0, 200)))
      else {
        reached.maxima += 1
        void configure(BigInt(Math.floor(world.between(200, 1_500))))
      }
    }
    loss = 0
    server.calm()
  }

  /** One whose append failed is opened anew, as a node does. */
  async function reopen(): Promise<void> {
    while (world.now < END) {
      await world.sleep(50)
      for (const [shard, owner] of owners.entries()) if (owner?.failed) takeOver(shard)
    }
  }

  for (let shard = 0; shard < SHARDS; shard++) void open(shard)
  void configure(1_000n)
  for (let number = 0; number < CLIENTS; number++) void client(number % 2)
  void faults()
  void reopen()
  await world.runUntil(END)
  for (const owner of owners) if (owner !== null) retire(owner)
  const { deposedLooks: _, ...database } = server.reached
  return { broken, trace: world.trace, reached: { ...reached, ...database } }
}
