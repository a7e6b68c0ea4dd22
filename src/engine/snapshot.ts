/**
 * The folded state as bytes: a cache that spares recovery the log up to it. What is derived is not in it: books, lists
 * and triggers are built again.
 */

import { hold } from '../domain/evolve/applyPositionEvent.ts'
import { rest } from '../domain/evolve/resting.ts'
import { lossFloor } from '../domain/formulas/drawdown.ts'
import type { Account } from '../domain/state/account.ts'
import type { ApiKey } from '../domain/state/apiKey.ts'
import { IdSpace } from '../domain/state/ids.ts'
import { emptyMarket, type MarketState, marketState } from '../domain/state/market.ts'
import { PositionList } from '../domain/state/openPositions/positionList.ts'
import { NO_ROW, type Order, type OrderState } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import { OrderList } from '../domain/state/restingOrders/orderList.ts'
import type { Rules } from '../domain/state/venueRules.ts'
import type { World } from '../domain/state/world.ts'
import { ByteReader, MalformedBytes } from '../events/codec/byteReader.ts'
import { ByteWriter } from '../events/codec/byteWriter.ts'
import type { DayBoundary } from '../events/engineEvents.ts'
import type { Quote } from '../quantity/units.ts'
import { joined, type Snapshot, type SnapshotInPieces } from '../store/store.ts'
import type { CommandOutcome } from './commandOutcomes.ts'
import type { Folded } from './fold.ts'
import type { StoredOutcome } from './idempotency.ts'
import { GraphReader, GraphWriter } from './objectGraph.ts'
import { type Pictured, WorldImage } from './worldImage.ts'

/**
 * Names the shape of everything in a snapshot. Another one whenever a record of the world gains, loses or reinterprets a
 * field: a snapshot of another schema is ignored, and the log read instead. A test holds shape and name together.
 */
export const SNAPSHOT_SCHEMA = 'world-12'

/** The schema of snapshots taken beside these history lists: lists in another form belong to other snapshots. */
export function snapshotSchema(form: string | null): string {
  return form === null ? SNAPSHOT_SCHEMA : `${SNAPSHOT_SCHEMA}/${form}`
}

type SavedAccount = Omit<Account, 'orders' | 'positions' | 'lossFloor' | 'daysSeen' | 'watched'>

/** What is written first, all at once. */
interface SavedVenue {
  readonly seed: string
  readonly seq: number
  readonly now: number
  readonly nextDueAt: number
  readonly created: number
  readonly house: Quote
  readonly rules: Rules
  readonly dayBoundary: DayBoundary
  readonly markets: readonly MarketState[]
  readonly history: object
  /** How many of each follow, one by one. */
  readonly lists: { readonly [List in keyof SavedLists]: number }
}

/** Read record by record, list after list in this order: in memory all at once they would take more room than the world made of them. */
interface SavedLists {
  readonly accounts: Iterable<Placed<SavedAccount>>
  /** In creation order but for those that left while the snapshot was written. */
  readonly orders: Iterable<Placed<OrderState>>
  readonly positions: Iterable<Placed<Position>>
  readonly apiKeys: Iterable<ApiKey>
  readonly idempotency: Iterable<StoredOutcome>
  readonly commands: Iterable<CommandOutcome>
}

/** A record with what the history keeps of it. */
interface Placed<T> {
  readonly record: T
  readonly place: unknown
}

/** Records, or bytes, that are written before others get their turn: less than a millisecond of work. */
const RECORDS_AT_A_TIME = 64
const BYTES_AT_A_TIME = 16_384

/** A snapshot that is being written. */
export interface BegunSnapshot extends SnapshotInPieces {
  /** Has to be called in the end: until then whatever changes is copied first. */
  release(): void
}

/**
 * Takes a snapshot of what is folded, as it is now, whose pieces are made as they are asked for, while commands go on.
 * What has left before its turn comes last: otherwise together they are the bytes of a snapshot taken at once. Beginning
 * costs the venue and its markets, and what the history saves first. `atATime`: records per piece.
 */
export function beginSnapshot(
  { world, projections, idempotency, commands }: Folded,
  atATime = RECORDS_AT_A_TIME,
): BegunSnapshot {
  const { carried } = projections
  const image = new WorldImage(world, carried)
  const { seed, seq, now, nextDueAt, created, house, rules } = world
  const live = idempotency.liveThen(now)
  const named = commands.liveThen(now)
  const venue: SavedVenue = {
    seed,
    seq,
    now,
    nextDueAt,
    created,
    house,
    rules,
    dayBoundary: world.days.boundary,
    markets: Array.from(world.markets.values(), marketState),
    history: carried.saved(),
    lists: {
      accounts: image.accounts.size,
      orders: image.orders.size,
      positions: image.positions.size,
      apiKeys: image.apiKeys.size,
      idempotency: live.size,
      commands: named.size,
    },
  }
  const writer = new ByteWriter(1 << 16)
  const graph = new GraphWriter(writer)
  graph.write(venue)
  function* written<T>(
    size: number,
    records: Iterable<T>,
    write: (record: T) => void,
  ): Generator<Uint8Array> {
    let count = 0
    let untaken = 0
    for (const record of records) {
      write(record)
      count += 1
      untaken += 1
      if (untaken < atATime && writer.at < BYTES_AT_A_TIME) continue
      untaken = 0
      yield taken(writer)
    }
    if (count !== size) throw new Error(`a snapshot of ${size} records met ${count}`)
    yield taken(writer)
  }
  function placed({ record, was, place }: Pictured<unknown>, as: unknown = was): void {
    graph.writeApart(record, as)
    graph.writeApart(place)
  }
  function* pieces(): Generator<Uint8Array, void> {
    const { accounts, orders, positions, apiKeys } = image
    yield taken(writer)
    yield* written(accounts.size, accounts, (one) => placed(one, savedAccount(one.was)))
    yield* written(orders.size, orders, (one) => placed(one))
    yield* written(positions.size, positions, (one) => placed(one))
    yield* written(apiKeys.size, apiKeys, (one) => graph.writeApart(one))
    yield* written(live.size, live.outcomes(), (one) => graph.writeApart(one))
    yield* written(named.size, named.outcomes(), (one) => graph.writeApart(one))
  }
  const begun = pieces()
  const release = () => {
    image.release()
    // What walks the orders would be told of each that leaves.
    begun.return()
  }
  return { seq, schema: snapshotSchema(carried.form), pieces: begun, release }
}

/** What was written since the last time; ids go on referring to what came before. */
function taken(writer: ByteWriter): Uint8Array {
  const piece = writer.copy()
  writer.at = 0
  return piece
}

/** What is folded, as it is now, at once. */
export function takeSnapshot(folded: Folded): Snapshot {
  const { seq, schema, pieces, release } = beginSnapshot(folded)
  const bytes = joined([...pieces])
  release()
  return { seq, schema, bytes }
}

/** @throws MalformedBytes or RangeError where the bytes hold no snapshot. */
export function readSnapshot(bytes: Uint8Array): SavedVenue & { readonly records: SavedLists } {
  const graph = new GraphReader(new ByteReader(bytes))
  const venue = graph.read() as SavedVenue
  function* list(length: number): Generator<unknown> {
    for (let index = 0; index < length; index++) yield graph.readApart()
  }
  function* placed(length: number): Generator<unknown> {
    for (let index = 0; index < length; index++) yield { record: graph.readApart(), place: graph.readApart() }
  }
  const { lists } = venue
  const records = {
    accounts: placed(lists.accounts),
    orders: placed(lists.orders),
    positions: placed(lists.positions),
    apiKeys: list(lists.apiKeys),
    idempotency: list(lists.idempotency),
    commands: list(lists.commands),
  } as SavedLists
  return { ...venue, records }
}

/**
 * Fills an empty fold with a snapshot.
 *
 * @throws where the bytes do not hold one; the fold is then useless.
 */
export function restoreSnapshot(
  { world, projections, idempotency, commands }: Folded,
  { bytes }: Snapshot,
): void {
  const state = readSnapshot(bytes)
  const { seed, seq, now, nextDueAt, created, house, rules } = state
  Object.assign(world, { seed, seq, now, nextDueAt, created, house, rules, ids: new IdSpace(seed) })
  world.days.boundary = state.dayBoundary
  for (const market of state.markets) world.markets.set(market.id, emptyMarket(market))
  const { records } = state
  projections.restore(state.history, seq, created)
  for (const { record, place } of records.accounts) {
    const account = restoredAccount(record)
    world.accounts.set(account.id, account)
    projections.restorePlaces(account, place as object | null)
  }
  for (const { record, place } of inCreationOrder(records.orders)) {
    const { peak } = record
    const order: Order = Object.assign(record, { peak: null, row: NO_ROW })
    projections.restorePlace(order, place as number | null)
    rest(world, order, peak)
  }
  for (const { record, place } of inCreationOrder(records.positions)) {
    restorePosition(world, record)
    projections.restorePlace(record, place as number | null)
  }
  for (const key of records.apiKeys) world.apiKeys.add(key)
  for (const outcome of records.idempotency) idempotency.keep(outcome)
  for (const outcome of records.commands) commands.keep(outcome)
  for (const account of world.accounts.values()) {
    world.triggers.accountChanged(account)
    world.days.consider(account)
  }
}

function inCreationOrder<T extends { readonly sequence: number }>(list: Iterable<Placed<T>>): Placed<T>[] {
  return [...list].sort((a, b) => a.record.sequence - b.record.sequence)
}

function savedAccount({ orders, positions, lossFloor, daysSeen, watched, ...saved }: Account): SavedAccount {
  return saved
}

function restoredAccount(saved: SavedAccount): Account {
  // Field by field: a copy with more fields than what it copies is made several times as slowly, and as large.
  const account: Account = {
    id: saved.id,
    userId: saved.userId,
    sequence: saved.sequence,
    parameters: saved.parameters,
    status: saved.status,
    phase: saved.phase,
    phaseOrdinal: saved.phaseOrdinal,
    apiTrading: saved.apiTrading,
    loaded: saved.loaded,
    locked: saved.locked,
    free: saved.free,
    reserve: saved.reserve,
    margin: saved.margin,
    initialBalance: saved.initialBalance,
    dayStartEquity: saved.dayStartEquity,
    dayStartBalance: saved.dayStartBalance,
    highWater: saved.highWater,
    realizedToday: saved.realizedToday,
    profitableDaysSeen: saved.profitableDaysSeen,
    daysSeen: 0,
    watched: false,
    bestDayGain: saved.bestDayGain,
    lossFloor: null,
    frozenUntil: saved.frozenUntil,
    orders: OrderList.ofAccount(saved.id),
    positions: PositionList.ofAccount(),
  }
  account.lossFloor = lossFloor(account)
  return account
}

function restorePosition(world: World, position: Position): void {
  const account = world.accounts.get(position.accountId)
  const market = world.markets.get(position.marketId)
  if (account === undefined || market === undefined) throw new MalformedBytes('a position of nobody')
  world.triggers.setPosition(hold(world, account, market, position), account, market.id)
  world.positions.settle()
}
