// Keepers of quotas over a simulated database and network: owners that are frozen, killed and replaced between give and
// take, statements that are late, lost or carried out without an answer, a maximum that changes under way.
import { type Given, type LineStanding, type QuotaBook, QuotaKeeper } from '../../src/cluster/quotaKeeper.ts'
import type { QuotaLedger, SharedOut } from '../../src/cluster/quotaLedger.ts'
import { Process, World } from './world.ts'

const SHARDS = 4
const FAULTS_END = 9_000
const END = 14_000
const LINE = 'a market, long'
/** What stands for a lease: whoever took over began later than the one before may have answered. */
const TAKEOVER_MS = 300

type Entry =
  | { readonly type: 'quota'; readonly amount: bigint }
  /** An order that was accepted, or, negative, what was closed. */
  | { readonly type: 'order'; readonly amount: bigint }
  | { readonly type: 'maximum'; readonly amount: bigint }

/** What the log of a shard says. */
class Standing {
  quota = 0n
  open = 0n
  maximum = 0n

  apply({ type, amount }: Entry): void {
    if (type === 'quota') this.quota = amount
    else if (type === 'order') this.open += amount
    else {
      if (amount !== this.maximum) this.quota = 0n
      this.maximum = amount
    }
  }
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
  }
}

/** The mistake: what is given is free in the ledger before the log of the giver says so. */
export async function simulateQuotas(seed: number, { givesEarly = false } = {}): Promise<QuotaOutcome> {
  const world = new World(seed)
  const durable = Array.from({ length: SHARDS }, () => new Standing())
  const logs: Entry[][] = durable.map(() => [])
  const epochs = durable.map(() => 0)
  const owners: (Owner | null)[] = durable.map(() => null)
  const broken: string[] = []
  const reached: QuotaOutcome['reached'] = {
    moves: 0,
    refusals: 0,
    takeovers: 0,
    fenced: 0,
    waited: 0,
    accepted: 0,
    refused: 0,
    servedAtTheEnd: 0,
    maxima: 0,
  }
  let shared: SharedOut = { turn: 0, maximum: null, shares: new Map() }
  let loss = world.pick([0, 0.005, 0.02])
  let isSlow = true

  const delay = () => (isSlow && world.chance() < 0.03 ? world.between(50, 2_000) : world.between(0.2, 5))

  function statement<T>(process: Process, work: () => T): Promise<T> {
    return new Promise((resolve, reject) => {
      process.after(2_500, () => reject(new Error('no answer')))
      if (world.chance() < loss) return
      world.after(delay(), () => {
        const result = work()
        if (world.chance() >= loss) process.after(delay(), () => resolve(result))
      })
    })
  }

  function append(shard: number, epoch: number, entries: readonly Entry[], head: number): boolean {
    if (epochs[shard] !== epoch || (logs[shard] as Entry[]).length !== head) {
      reached.fenced += 1
      return false
    }
    for (const entry of entries) {
      logs[shard]?.push(entry)
      ;(durable[shard] as Standing).apply(entry)
      check(entry)
    }
    return true
  }

  /** After every entry of every log. */
  function check(entry: Entry): void {
    const maximum = durable.reduce((most, one) => (one.maximum > most ? one.maximum : most), 0n)
    const quotas = durable.reduce((sum, { quota }) => sum + quota, 0n)
    const open = durable.reduce((sum, one) => sum + one.open, 0n)
    if (entry.type !== 'order' && quotas > maximum)
      broken.push(`quotas of ${quotas} of ${maximum} at ${world.now}`)
    if (entry.type === 'order' && entry.amount > 0n && open > maximum)
      broken.push(`an order was accepted to ${open} of ${maximum} at ${world.now}`)
  }

  class Owner implements QuotaBook {
    readonly process = new Process(world)
    readonly keeper: QuotaKeeper
    readonly epoch: number
    readonly shard: number
    readonly state = new Standing()
    resting = 0n
    failed = false
    readonly #log: Entry[]
    #durable: number
    #flush: Promise<void> | null = null

    constructor(shard: number, epoch: number, log: readonly Entry[]) {
      this.shard = shard
      this.epoch = epoch
      this.#log = [...log]
      this.#durable = log.length
      for (const entry of log) this.state.apply(entry)
      const { process } = this
      const ledger: QuotaLedger = {
        look: () => statement(process, () => shared),
        change: (_line, turn, { shard, epoch, amount, maximum }) =>
          statement(process, () => {
            if (turn !== shared.turn || epochs[shard] !== epoch) return false
            shared = {
              turn: turn + 1,
              maximum: maximum ?? shared.maximum,
              shares: new Map(shared.shares).set(shard, amount),
            }
            return true
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
      return { ...this.state }
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
      this.state.apply(entry)
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
        if (await statement(this.process, () => append(this.shard, this.epoch, entries, head)))
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

  function open(shard: number): void {
    const epoch = (epochs[shard] as number) + 1
    epochs[shard] = epoch
    owners[shard] = new Owner(shard, epoch, logs[shard] as Entry[])
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
    world.after(TAKEOVER_MS, () => open(shard))
  }

  let configuring = false
  /** The first shard hears of it before all others, and all hear of it before there is another. */
  async function configure(wanted: bigint): Promise<void> {
    if (configuring) return
    configuring = true
    for (let shard = 0; shard < SHARDS; shard++) {
      while (durable[shard]?.maximum !== wanted) {
        const owner = owners[shard]
        if (owner == null || owner.failed || owner.process.isDead || world.chance() < loss) {
          await world.sleep(100)
          continue
        }
        const seq = owner.decide({ type: 'maximum', amount: wanted })
        await Promise.race([owner.written(seq).catch(() => {}), world.sleep(300)])
      }
    }
    configuring = false
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
    const { state } = owner
    if (state.open > 0n && world.chance() < 0.45) {
      const amount = state.open < 90n ? state.open : BigInt(Math.floor(world.between(1, 90)))
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
    const limit = state.quota < state.maximum ? state.quota : state.maximum
    if (state.open + amount > limit) {
      reached.refused += 1
      return
    }
    const seq = owner.decide({ type: 'order', amount })
    await owner.written(seq).then(
      () => {
        reached.accepted += 1
        if (world.now > FAULTS_END + 2_500 && waits !== null) reached.servedAtTheEnd += 1
      },
      () => {},
    )
  }

  async function faults(): Promise<void> {
    while (world.now < FAULTS_END) {
      await world.sleep(world.between(100, 900))
      const shard = Math.floor(world.chance() * SHARDS)
      const owner = owners[shard]
      if (owner == null) continue
      const fault = world.chance()
      if (fault < 0.3) {
        owner.process.isDead = true
        takeOver(shard)
      } else if (fault < 0.55) {
        owner.process.freeze(world.between(100, 1_500))
        takeOver(shard)
      } else if (fault < 0.7) owner.process.freeze(world.between(50, 1_200))
      else if (fault < 0.85) owner.resting = BigInt(Math.floor(world.between(0, 200)))
      else {
        reached.maxima += 1
        void configure(BigInt(Math.floor(world.between(200, 1_500))))
      }
    }
    loss = 0
    isSlow = false
  }

  /** One whose append failed is opened anew, as a node does. */
  async function reopen(): Promise<void> {
    while (world.now < END) {
      await world.sleep(50)
      for (const [shard, owner] of owners.entries()) if (owner?.failed) takeOver(shard)
    }
  }

  for (let shard = 0; shard < SHARDS; shard++) open(shard)
  void configure(1_000n)
  for (let number = 0; number < 5; number++) void client(number % 2)
  void faults()
  void reopen()
  await world.runUntil(END)
  for (const owner of owners) if (owner !== null) retire(owner)
  return { broken, reached }
}
