// A shard as a node serves it, with sums in place of a venue: decided at once, appended in groups, two of which may be under way,
// answered once durable.
import type { OpenShard } from '../../src/cluster/holdings.ts'
import { OwnedElsewhere } from '../../src/store/store.ts'
import type { LogEntry } from './checker.ts'
import type { SimulatedDatabase } from './simulatedDatabase.ts'
import type { Process } from './world.ts'

export interface Request {
  readonly shard: number
  /** Null: a read. */
  readonly key: string | null
  readonly amount: number
}

/** What was read of a log before it was opened. */
export type LogBefore = readonly LogEntry[]

/** Null: 503. */
export type Answer = { readonly seq: number; readonly total: number } | null

export async function openSimulatedShard(
  database: SimulatedDatabase,
  process: Process,
  shard: number,
  life: string,
  isOwned: () => boolean,
  before: LogBefore = [],
): Promise<SimulatedShard> {
  const opened = await database.open(process, shard, life, before)
  if (opened === null) throw new OwnedElsewhere('another node owns it')
  return new SimulatedShard(database, process, shard, opened, isOwned)
}

/** Groups that are under way at most. */
const AT_ONCE = 2

export class SimulatedShard implements OpenShard {
  readonly #database: SimulatedDatabase
  readonly #process: Process
  readonly #append: (entries: readonly LogEntry[], head: number) => Promise<boolean>
  readonly #isOwned: () => boolean
  readonly #log: LogEntry[] = []
  readonly epoch: number
  readonly #totals: number[] = [0]
  readonly #byKey = new Map<string, number>()
  #durable: number
  /** What was sent to the database. */
  #sent: number
  /** What becomes of each group that was sent, oldest first. */
  readonly #groups: Promise<void>[] = []
  #underWay = 0
  #idle: (() => void) | null = null
  failed = false

  constructor(
    database: SimulatedDatabase,
    process: Process,
    shard: number,
    { epoch, log }: { readonly epoch: number; readonly log: readonly LogEntry[] },
    isOwned: () => boolean,
  ) {
    this.#database = database
    this.#process = process
    const under = { epoch, lane: { arrivesAt: 0 } }
    this.#append = (entries, head) => database.append(process, shard, entries, head, under)
    this.epoch = epoch
    this.#isOwned = isOwned
    for (const { key, amount } of log) this.#decide(key, amount)
    this.#durable = log.length
    this.#sent = log.length
  }

  async serve({ key, amount }: Request): Promise<Answer> {
    this.#underWay += 1
    try {
      if (key !== null && !this.#byKey.has(key)) this.#decide(key, amount)
      const seq = key === null ? this.#log.length : (this.#byKey.get(key) as number)
      const total = this.#totals[seq] as number
      // Handling takes its time, and a process may be frozen in the middle of it.
      this.#database.freezeNow(this.#process)
      await this.#process.sleep(1)
      while (this.#durable < seq && !this.failed) await this.#written()
      return this.#durable >= seq && this.#isOwned() ? { seq, total } : null
    } finally {
      this.#underWay -= 1
      if (this.#underWay === 0) this.#idle?.()
    }
  }

  async readyToLeave(): Promise<void> {
    await this.#process.sleep(5)
  }

  async close(): Promise<void> {
    if (this.#underWay > 0)
      await new Promise<void>((resolve) => {
        this.#idle = resolve
      })
  }

  #decide(key: string, amount: number): void {
    this.#log.push({ seq: this.#log.length + 1, epoch: this.epoch, key, amount })
    this.#totals.push((this.#totals.at(-1) as number) + amount)
    this.#byKey.set(key, this.#log.length)
  }

  async #written(): Promise<void> {
    if (this.#sent < this.#log.length && this.#groups.length < AT_ONCE) this.#send()
    await this.#groups[0]
  }

  #send(): void {
    const [head, before] = [this.#sent, this.#groups.at(-1)]
    if (before !== undefined) this.#database.appendsBehind += 1
    const entries = this.#log.slice(head)
    this.#sent = this.#log.length
    this.#groups.push(this.#become(this.#append(entries, head), this.#sent, before))
  }

  async #become(append: Promise<boolean>, end: number, before: Promise<void> | undefined): Promise<void> {
    const isDone = await append.catch(() => false)
    await before
    this.#groups.shift()
    if (isDone && !this.failed) this.#durable = end
    else this.failed = true
  }
}
