/** Answers from the history tables, and from what is not in them yet, as of the moment they are asked. */
import type { OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { Ended } from '../domain/state/world.ts'
import type { AskedHistory, EndedIds, Page, Paging } from '../projections/history.ts'
import { positionRecord } from '../projections/records.ts'
import type { ReadableRows } from '../store/rowStore.ts'
import type { AccountLists } from './accountLists.ts'
import type { PastEvent } from './commitPast.ts'
import { EndedBefore } from './endedBefore.ts'
import { type PagedList, type PagePlan, pageOf } from './pagedList.ts'
import { type ListPlace, TableReading } from './tableReading.ts'
import type { UnwrittenPast } from './unwrittenPast.ts'

/** What is in memory, as it is at any moment. */
interface InMemory {
  readonly accounts: ReadonlyMap<string, AccountLists>
  readonly unwritten: UnwrittenPast
  readonly openPosition: (id: string) => Position | undefined
  readonly standing: () => { readonly written: number; readonly head: number }
}

/** Events that are read in one go. */
const RUN = 256
/** Ids of one statement. */
const IDS = 1_000

export class PagesAsked implements AskedHistory {
  readonly #tables: TableReading
  readonly #memory: InMemory
  readonly #endedBefore: EndedBefore

  constructor(read: ReadableRows['read'], memory: InMemory) {
    this.#tables = new TableReading(read)
    this.#memory = memory
    this.#endedBefore = new EndedBefore(this.#tables)
  }

  begin(seed: string): void {
    this.#endedBefore.begin(seed)
  }

  orders(accountId: string, marketId: string, paging: Paging): Promise<Page<OrderRecord>> {
    const lists = this.#memory.accounts.get(accountId)
    return this.#page(lists?.seenOrdersOn(marketId), paging, [], (plan, upTo) =>
      this.#tables.orders(placeIn(lists, accountId, marketId), plan, upTo),
    )
  }

  closedPositions(accountId: string, marketId: string, paging: Paging): Promise<Page<PositionRecord>> {
    const lists = this.#memory.accounts.get(accountId)
    return this.#page(lists?.seenClosedOn(marketId), paging, [], (plan, upTo) =>
      this.#tables.positions(placeIn(lists, accountId, marketId), plan, upTo),
    )
  }

  portfolio(accountId: string, paging: Paging): Promise<Page<PositionRecord>> {
    const lists = this.#memory.accounts.get(accountId)
    const open = Array.from(lists?.open ?? [], (position) => ({
      sequence: position.sequence,
      phaseOrdinal: position.phaseOrdinal,
      record: positionRecord(position),
    }))
    return this.#page(lists?.portfolio, paging, open, (plan, upTo) =>
      this.#tables.positions(placeIn(lists, accountId), plan, upTo),
    )
  }

  async #page<Entry extends { readonly sequence: number; readonly record: object }>(
    list: PagedList<Entry> | undefined,
    paging: Paging,
    others: readonly Entry[],
    rowsOf: (plan: PagePlan<Entry>, upTo: number) => Promise<Entry[]>,
  ): Promise<Page<Entry['record']>> {
    if (list === undefined) return { data: [], totalCount: 0 }
    const plan = list.page(paging, others)
    const rows = await rowsOf(plan, this.#memory.standing().written)
    return { data: pageOf(plan, rows).map(({ record }) => record), totalCount: plan.totalCount }
  }

  positionEvents(positionId: string): AsyncIterable<readonly PositionEventRecord[]> | undefined {
    if (this.#memory.openPosition(positionId) === undefined) {
      const ended = this.ended('positions', positionId)
      if (ended === undefined || !this.#isCurrent(ended)) return undefined
    }
    const { unwritten, standing } = this.#memory
    const newest = unwritten
      .eventsOf(positionId)
      .map((event) => withOrder(event, unwritten.orders.get(event.orderId ?? '')?.record))
    return this.#eventRuns(positionId, newest, standing().written)
  }

  /** What was not written when they were asked for, and then what was. */
  async *#eventRuns(
    positionId: string,
    newest: readonly PositionEventRecord[],
    upTo: number,
  ): AsyncGenerator<readonly PositionEventRecord[], void> {
    if (newest.length > 0) yield newest
    for (let before = newest.at(-1)?.version ?? Number.POSITIVE_INFINITY; before > 1; ) {
      const { events, orders } = await this.#tables.eventsBefore(positionId, before, RUN, upTo)
      const oldest = events.at(-1)
      if (oldest === undefined) return
      before = oldest.record.version
      yield events.map((event) => withOrder(event, orders.get(event.orderId ?? '')))
      if (events.length < RUN) return
    }
  }

  ordersOf(orderIds: readonly string[]): Promise<ReadonlyMap<string, OrderRecord>> {
    return this.#current(orderIds, this.#memory.unwritten.orders, (ids, upTo) =>
      this.#tables.ordersOf(ids, upTo),
    )
  }

  async positionsOf(positionIds: readonly string[]): Promise<ReadonlyMap<string, PositionRecord>> {
    const open = positionIds.flatMap((id) => this.#memory.openPosition(id) ?? []).map(positionRecord)
    const found = await this.#current(positionIds, this.#memory.unwritten.positions, (ids, upTo) =>
      this.#tables.positionsOf(ids, upTo),
    )
    return new Map([...found, ...open.map((record) => [record.id, record] as const)])
  }

  async #current<Entry extends PastOfAccount>(
    ids: readonly string[],
    unwritten: ReadonlyMap<string, Entry>,
    rowsOf: (ids: readonly string[], upTo: number) => Promise<Entry[]>,
  ): Promise<ReadonlyMap<string, Entry['record']>> {
    const found = ids.flatMap((id) => unwritten.get(id) ?? [])
    const rest = ids.filter((id) => !unwritten.has(id))
    const { written } = this.#memory.standing()
    for (let from = 0; from < rest.length; from += IDS)
      found.push(...(await rowsOf(rest.slice(from, from + IDS), written)))
    return new Map(
      found
        .filter(({ record: { accountId }, phaseOrdinal }) => this.#isCurrent({ accountId, phaseOrdinal }))
        .map(({ record }) => [record.id, record]),
    )
  }

  ended(table: 'orders' | 'positions', id: string): Ended | undefined {
    return this.#memory.unwritten.ended(table, id) ?? this.#endedBefore.find(table, id)
  }

  foreknow({ orderId, positionId }: EndedIds): Promise<void> | null {
    const asking = [this.#foreknow('orders', orderId), this.#foreknow('positions', positionId)]
    const waiting = asking.filter((one) => one !== null)
    return waiting.length === 0 ? null : Promise.all(waiting).then(() => {})
  }

  #foreknow(table: 'orders' | 'positions', id: unknown): Promise<void> | null {
    if (typeof id !== 'string' || this.#memory.unwritten[table].has(id)) return null
    if (table === 'positions' && this.#memory.openPosition(id) !== undefined) return null
    return this.#endedBefore.ask(table, id, this.#memory.standing())
  }

  #isCurrent({ accountId, phaseOrdinal }: Ended): boolean {
    return this.#memory.accounts.get(accountId)?.phaseOrdinal === phaseOrdinal
  }
}

interface PastOfAccount {
  readonly phaseOrdinal: number
  readonly record: { readonly id: string; readonly accountId: string }
}

function placeIn(lists: AccountLists | undefined, accountId: string, marketId?: string): ListPlace {
  return { accountId, phaseOrdinal: lists?.phaseOrdinal ?? 0, ...(marketId !== undefined && { marketId }) }
}

function withOrder({ record }: PastEvent, order: OrderRecord | undefined): PositionEventRecord {
  return Object.freeze({ ...record, order: order ?? null })
}
