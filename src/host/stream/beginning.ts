/**
 * What a stream begins with: a snapshot of everything it is about at one commit, or what happened since the commit that its
 * reader has heard last, from the log. Where that cannot be told any longer it is a snapshot again.
 */

import { endOrder, endsOrder, placedOrder } from '../../domain/evolve/orderReducers.ts'
import { positionRecipe } from '../../domain/evolve/positionReducers.ts'
import type { EditableOrderRecord, Order, OrderRecord } from '../../domain/state/order.ts'
import type { PositionEventRecord, PositionRecord } from '../../domain/state/position.ts'
import type { Engine } from '../../engine/engine.ts'
import { askedHistoryOf } from '../../engine/internals.ts'
import type { Commit } from '../../events/commit.ts'
import type { Event } from '../../events/event.ts'
import type { OrderEvent } from '../../events/orderEvents.ts'
import type { PositionEvent } from '../../events/positionEvents.ts'
import type { AskedHistory } from '../../projections/history.ts'
import { endedOrderRecord, positionEventRecord } from '../../projections/records.ts'
import { CommitsArchived } from '../../store/store.ts'
import { ordersJson, toJson } from '../json.ts'
import { commitsInPieces, Strides, turnFor } from '../longAnswer.ts'
import { positionJson } from '../positionJson.ts'
import { type Change, isPositionEvent } from './accountFold.ts'
import { accountJson } from './accountJson.ts'
import { changeMessage, Message } from './message.ts'

/** Commits that are told again at most. */
export const MOST_MISSED = 10_000

/** Everything that accounts are, as of the engine's head. */
export function snapshot({ read, head, now }: Engine, accountIds: readonly string[]): Message {
  const accounts = accountIds.map((id) => accountText(read, id))
  const orders = accountIds.flatMap((id) => read.activeOrders(id))
  const positions = accountIds.flatMap((id) => read.activePositions(id))
  const markets = read.markets()
  const data = () =>
    `{"accounts":[${accounts}],"orders":${ordersJson(orders)},"positions":[${positions.map(
      positionJson,
    )}],"markets":${toJson(markets)}}`
  return new Message({ type: 'snapshot', seq: head, at: now, data })
}

function accountText(read: Engine['read'], accountId: string): string {
  const record = read.account(accountId)
  const standing = read.accountStanding(accountId)
  if (record === undefined || standing === undefined) throw new ReferenceError(`no account ${accountId}`)
  return accountJson({ record, standing })
}

/** What can be told of a past stretch of the log is fixed when it begins: how accounts and positions are at its end. */
export class Missed {
  readonly #engine: Engine
  readonly #from: number
  readonly #accountIds: ReadonlySet<string>
  /** The last commit of the stretch. */
  readonly head: number
  /** The open positions of the accounts, as they are at the end. */
  readonly #positions: Map<string, PositionRecord>
  /** How the accounts and the markets are at the end. */
  readonly #last: readonly Message[]

  /** What happened after commit `from`, up to the engine's head. */
  constructor(engine: Engine, from: number, accountIds: readonly string[]) {
    const { read, head, now } = engine
    this.#engine = engine
    this.#from = from
    this.#accountIds = new Set(accountIds)
    this.head = head
    const positions = accountIds.flatMap((id) => read.activePositions(id))
    this.#positions = new Map(positions.map((position) => [position.id, position]))
    const accounts = accountIds.map((accountId) => {
      const text = accountText(read, accountId)
      return new Message({ type: 'account', seq: head, at: now, accountId, data: () => text })
    })
    const markets = read.markets().map((market) => {
      return new Message({ type: 'market', seq: head, at: now, data: () => toJson(market) })
    })
    this.#last = [...accounts, ...markets]
  }

  /**
   * Each order and each position event, then how accounts and markets are. Null where it cannot be told: the stretch is
   * longer than {@link MOST_MISSED}, is not in the log, or holds the end of a phase, whose records are gone; or where whoever
   * asked is `gone`. However many ask, a turn of the loop does one piece of it (K15).
   */
  async told(client: string, gone: () => boolean = () => false): Promise<readonly Message[] | null> {
    if (this.#from > this.head || this.head - this.#from > MOST_MISSED) return null
    const strides = new Strides(client)
    const step = () => {
      if (gone()) throw new Left()
      return strides.step()
    }
    try {
      const commits = await this.#commits(client, gone)
      return commits === null ? null : await this.#messages(commits, step)
    } catch (error) {
      if (error instanceof CommitsArchived || error instanceof NotKept || error instanceof Left) return null
      throw error
    }
  }

  /** Those with something about the accounts, and nothing else in them. */
  async #commits(client: string, gone: () => boolean): Promise<readonly Commit[] | null> {
    await this.#engine.whenDurable(this.head)
    // One group may be what many wait for.
    await turnFor(client)
    const commits: Commit[] = []
    if (this.#from === this.head) return commits
    const missed = this.#engine.commits({ from: this.#from + 1 })
    for await (const some of commitsInPieces(missed, client))
      for (const commit of some) {
        if (gone()) throw new Left()
        if (commit.seq > this.head) return commits
        const events = commit.events.filter((event) => this.#isOurs(event))
        if (events.some(({ type }) => type === 'accountPromoted')) return null
        if (events.length > 0) commits.push({ ...commit, events })
      }
    return commits
  }

  #isOurs(event: Event): boolean {
    return 'accountId' in event && this.#accountIds.has(event.accountId)
  }

  async #messages(commits: readonly Commit[], step: Step): Promise<readonly Message[]> {
    const past = pastOf(this.#engine, step)
    const orders = await PastOrders.of(past, commits)
    const positions = await PastPositions.of(past, this.#positions, commits, step)
    const messages: Message[] = []
    for (const { seq, at, events } of commits) {
      for (const event of events) {
        const change = pastChange(event, at, orders, positions)
        if (change !== null) messages.push(changeMessage(change, seq, at))
      }
      await step()
    }
    for (const message of messages) {
      // Written here and not all in the turn in which they are sent.
      void message.json
      await step()
    }
    return [...messages, ...this.#last]
  }
}

/** Gives way to others where a piece has taken its time. @throws Left where nobody waits for the whole any longer. */
type Step = () => Promise<void>

/** Whoever asked has gone. */
class Left extends Error {}

/** A record that ended with its phase is not kept. */
class NotKept extends Error {}

function pastChange(event: Event, at: number, orders: PastOrders, positions: PastPositions): Change {
  if (event.type === 'orderPlaced' || endsOrder(event))
    return { type: 'order', record: orders.after(event, at) }
  return isPositionEvent(event) ? { type: 'position', record: positions.after(event) } : null
}

/** Where records of what has ended are found. */
type Past = Pick<AskedHistory, 'ordersOf' | 'positionsOf'> & {
  /** Of a position that is there. */
  readonly eventsOf: (positionId: string) => Promise<AsyncIterable<Run> | Iterable<Run>>
}

type Run = readonly PositionEventRecord[]

function pastOf(engine: Engine, step: Step): Past {
  const asked = askedHistoryOf(engine)
  const { read } = engine
  if (asked === undefined)
    return {
      ordersOf: (ids) => found(ids, (id) => read.order(id), step),
      positionsOf: (ids) => found(ids, (id) => read.position(id), step),
      eventsOf: async (id) => read.positionEventRuns(id) ?? [],
    }
  return {
    ordersOf: (ids) => asked.ordersOf(ids),
    positionsOf: (ids) => asked.positionsOf(ids),
    eventsOf: async (positionId) => {
      await asked.foreknow({ orderId: null, positionId })
      return asked.positionEvents(positionId) ?? []
    },
  }
}

async function found<T>(
  ids: readonly string[],
  find: (id: string) => T | undefined,
  step: Step,
): Promise<ReadonlyMap<string, T>> {
  const records = new Map<string, T>()
  for (const id of ids) {
    const record = find(id)
    if (record !== undefined) records.set(id, record)
    await step()
  }
  return records
}

/** Orders as they were right after their events: of one that was placed before, the record of its end is kept. */
class PastOrders {
  readonly #kept: ReadonlyMap<string, OrderRecord>
  readonly #placed = new Map<string, Order>()

  private constructor(kept: ReadonlyMap<string, OrderRecord>) {
    this.#kept = kept
  }

  static async of(past: Past, commits: readonly Commit[]): Promise<PastOrders> {
    const placed = new Set<string>()
    const kept = new Set<string>()
    for (const { events } of commits)
      for (const event of events)
        if (event.type === 'orderPlaced') placed.add(event.orderId)
        else if (endsOrder(event) && !placed.has(event.orderId)) kept.add(event.orderId)
    return new PastOrders(await past.ordersOf([...kept]))
  }

  after(event: OrderEvent, at: number): OrderRecord {
    if (event.type === 'orderPlaced') {
      const order = placedOrder(event, at, { sequence: 0, phaseOrdinal: 0 })
      this.#placed.set(order.id, order)
      return endedOrderRecord(order)
    }
    const order = this.#placed.get(event.orderId) ?? this.#keptOrder(event.orderId)
    endOrder(order, event)
    return endedOrderRecord(order)
  }

  #keptOrder(orderId: string): EditableOrderRecord {
    const order = this.#kept.get(orderId)
    if (order === undefined) throw new NotKept()
    return { ...order }
  }
}

/**
 * Positions as they were right after their events. Every event but funding is kept as the record it led to; what funding
 * did to a position follows from the record before, and before the first from how much it has paid in all.
 */
class PastPositions {
  readonly #past: Past
  readonly #step: Step
  readonly #records = new Map<PositionEvent, PositionEventRecord>()

  private constructor(past: Past, step: Step) {
    this.#past = past
    this.#step = step
  }

  /** `open`: the positions that are open after the commits, as they are then. */
  static async of(
    past: Past,
    open: ReadonlyMap<string, PositionRecord>,
    commits: readonly Commit[],
    step: Step,
  ): Promise<PastPositions> {
    const byPosition = eventsByPosition(commits)
    const ended = await past.positionsOf([...byPosition.keys()].filter((id) => !open.has(id)))
    const positions = new PastPositions(past, step)
    for (const [id, events] of byPosition) {
      const last = open.get(id) ?? ended.get(id)
      if (last === undefined) throw new NotKept()
      await positions.#follow(last, events)
    }
    return positions
  }

  after(event: PositionEvent): PositionEventRecord {
    const record = this.#records.get(event)
    if (record === undefined) throw new ReferenceError(`an event of no position: ${event.positionId}`)
    return record
  }

  /** `last`: the position after the events, which are the newest it has. */
  async #follow(last: PositionRecord, events: readonly TimedEvent[]): Promise<void> {
    let version = last.version - events.length
    const kept = await this.#keptSince(last.id, version)
    let record = kept.get(version) ?? beforeFunding(last, events, kept)
    for (const { event, at } of events) {
      version += 1
      record = kept.get(version) ?? afterFunding(record, event, at)
      this.#records.set(event, record)
      await this.#step()
    }
  }

  /** Records by version, back to the newest of at most `version`. */
  async #keptSince(positionId: string, version: number): Promise<Map<number, PositionEventRecord>> {
    const kept = new Map<number, PositionEventRecord>()
    for await (const run of await this.#past.eventsOf(positionId))
      for (const record of run) {
        kept.set(record.version, record)
        if (record.version <= version) return kept
        await this.#step()
      }
    return kept
  }
}

interface TimedEvent {
  readonly event: PositionEvent
  readonly at: number
}

function eventsByPosition(commits: readonly Commit[]): Map<string, TimedEvent[]> {
  const byPosition = new Map<string, TimedEvent[]>()
  for (const { events, at } of commits)
    for (const event of events) {
      if (!isPositionEvent(event)) continue
      const known = byPosition.get(event.positionId)
      if (known === undefined) byPosition.set(event.positionId, [{ event, at }])
      else known.push({ event, at })
    }
  return byPosition
}

/** The record that the first of the events was applied to: the oldest that is kept, and the funding between the two. */
function beforeFunding(
  last: PositionRecord,
  events: readonly TimedEvent[],
  kept: ReadonlyMap<number, PositionEventRecord>,
): PositionEventRecord {
  const versions = [...kept.keys()]
  const oldest = kept.get(Math.min(...versions))
  if (oldest === undefined) throw new NotKept()
  let { funding } = last
  for (const { event } of events) if (event.type === 'payFunding') funding -= event.amount
  const between = funding - oldest.funding
  return {
    ...oldest,
    version: last.version - events.length,
    margin: oldest.margin + between,
    funding,
  }
}

function afterFunding(before: PositionEventRecord, event: PositionEvent, at: number): PositionEventRecord {
  const { order: _, ...record } = before
  const position = { ...record, ...UNKNOWN }
  positionRecipe(position, event, at)
  return positionEventRecord(position, null)
}

/** What of a position its record does not say, and funding neither reads nor changes. */
const UNKNOWN = {
  sequence: 0,
  phaseOrdinal: 0,
  profitReference: 0n,
  lastIncreaseAt: 0,
  contributedMargin: 0n,
}
