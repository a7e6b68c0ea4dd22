/**
 * The folded state as bytes: a cache that spares recovery the log up to it. What is derived is not in it: books, lists
 * and triggers are built again.
 */
import type { Account } from '../domain/account/account.ts'
import type { DayBoundary } from '../domain/account/days.ts'
import { lossFloor } from '../domain/account/drawdown.ts'
import type { ApiKey } from '../domain/apiKey/apiKey.ts'
import { IdSpace } from '../domain/ids.ts'
import type { Market } from '../domain/market/market.ts'
import type { Order } from '../domain/order/order.ts'
import { rest } from '../domain/order/resting.ts'
import { hold } from '../domain/position/applyPositionEvent.ts'
import type { Position } from '../domain/position/position.ts'
import { Roster } from '../domain/roster.ts'
import type { Rules } from '../domain/rules.ts'
import type { World } from '../domain/world.ts'
import { ByteReader, MalformedBytes } from '../events/codec/byteReader.ts'
import { ByteWriter } from '../events/codec/byteWriter.ts'
import type { Quote } from '../quantity/units.ts'
import { joined, type Snapshot, type SnapshotInPieces } from '../store/store.ts'
import type { Folded } from './fold.ts'
import type { StoredOutcome } from './idempotency.ts'
import { GraphReader, GraphWriter } from './objectGraph.ts'
import { WorldImage } from './worldImage.ts'

/**
 * Names the shape of everything in a snapshot. Another one whenever a record of the world gains, loses or reinterprets a
 * field: a snapshot of another schema is ignored, and the log read instead. A test holds shape and name together.
 */
export const SNAPSHOT_SCHEMA = 'world-7'

type SavedAccount = Omit<Account, 'orders' | 'positions' | 'lossFloor' | 'daysSeen' | 'watched'>
type SavedMarket = Omit<Market, 'orders' | 'positions'>

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
  readonly markets: readonly SavedMarket[]
  readonly history: object
  /** How many of each follow, one by one. */
  readonly lists: { readonly [List in keyof SavedLists]: number }
}

interface SavedLists {
  readonly accounts: readonly SavedAccount[]
  readonly orders: readonly Order[]
  readonly positions: readonly Position[]
  readonly apiKeys: readonly ApiKey[]
  readonly idempotency: readonly StoredOutcome[]
}

/** Records that are written before others get their turn: a few milliseconds of work. */
const RECORDS_AT_A_TIME = 256

/** A snapshot that is being written. */
export interface BegunSnapshot extends SnapshotInPieces {
  /** Has to be called in the end: until then whatever changes is copied first. */
  release(): void
}

/**
 * Takes a snapshot of what is folded, as it is now, whose pieces are made as they are asked for, while commands go on:
 * together they are the bytes of a snapshot taken at once. Beginning costs references to the records, and the history.
 * `atATime`: records per piece.
 */
export function beginSnapshot(
  { world, history, idempotency }: Folded,
  atATime = RECORDS_AT_A_TIME,
): BegunSnapshot {
  const image = new WorldImage(world)
  const { seed, seq, now, nextDueAt, created, house, rules } = world
  const lists = {
    accounts: image.accounts,
    orders: image.orders,
    positions: image.positions,
    apiKeys: [...world.apiKeys.all()],
    idempotency: idempotency.live(now),
  }
  const venue: SavedVenue = {
    seed,
    seq,
    now,
    nextDueAt,
    created,
    house,
    rules,
    dayBoundary: world.days.boundary,
    markets: Array.from(world.markets.values(), ({ orders, positions, ...market }) => market),
    history: history.saved(),
    lists: {
      accounts: lists.accounts.length,
      orders: lists.orders.length,
      positions: lists.positions.length,
      apiKeys: lists.apiKeys.length,
      idempotency: lists.idempotency.length,
    },
  }
  const writer = new ByteWriter(1 << 16)
  const graph = new GraphWriter(writer)
  graph.write(venue)
  function* written<T>(records: readonly T[], write: (record: T) => void): Generator<Uint8Array> {
    for (let from = 0; from < records.length; from += atATime) {
      for (const record of records.slice(from, from + atATime)) write(record)
      yield taken(writer)
    }
  }
  function* pieces(): Generator<Uint8Array> {
    yield taken(writer)
    yield* written(lists.accounts, (one) => graph.writeApart(one, savedAccount(image.account(one))))
    yield* written(lists.orders, (one) => graph.writeApart(one, image.order(one)))
    yield* written(lists.positions, (one) => graph.writeApart(one, image.position(one)))
    yield* written(lists.apiKeys, (one) => graph.writeApart(one))
    yield* written(lists.idempotency, (one) => graph.writeApart(one))
  }
  return { seq, schema: SNAPSHOT_SCHEMA, pieces: pieces(), release: () => image.release() }
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
  const list = (length: number): unknown[] => Array.from({ length }, () => graph.readApart())
  const { lists } = venue
  const records = {
    accounts: list(lists.accounts),
    orders: list(lists.orders),
    positions: list(lists.positions),
    apiKeys: list(lists.apiKeys),
    idempotency: list(lists.idempotency),
  } as SavedLists
  return { ...venue, records }
}

/**
 * Fills an empty fold with a snapshot.
 *
 * @throws where the bytes do not hold one; the fold is then useless.
 */
export function restoreSnapshot({ world, history, idempotency }: Folded, { bytes }: Snapshot): void {
  const state = readSnapshot(bytes)
  const { seed, seq, now, nextDueAt, created, house, rules } = state
  Object.assign(world, { seed, seq, now, nextDueAt, created, house, rules, ids: new IdSpace(seed) })
  world.days.boundary = state.dayBoundary
  for (const market of state.markets)
    world.markets.set(market.id, { ...market, orders: new Roster(), positions: new Roster() })
  const { records } = state
  for (const saved of records.accounts) world.accounts.set(saved.id, restoredAccount(saved))
  for (const key of records.apiKeys) world.apiKeys.add(key)
  for (const outcome of records.idempotency) idempotency.keep(outcome)
  history.restore(state.history)
  for (const order of records.orders) rest(world, order)
  for (const position of records.positions) restorePosition(world, position)
  for (const account of world.accounts.values()) {
    world.triggers.accountChanged(account)
    world.days.consider(account)
  }
}

function savedAccount({ orders, positions, lossFloor, daysSeen, watched, ...saved }: Account): SavedAccount {
  return saved
}

function restoredAccount(saved: SavedAccount): Account {
  const account = {
    ...saved,
    daysSeen: 0,
    watched: false,
    lossFloor: null,
    orders: new Roster<Order>(),
    positions: new Roster<Position>(),
  }
  return { ...account, lossFloor: lossFloor(account) }
}

function restorePosition(world: World, position: Position): void {
  const account = world.accounts.get(position.trader)
  const market = world.markets.get(position.market)
  if (account === undefined || market === undefined) throw new MalformedBytes('a position of nobody')
  hold(world, account, market, position)
  world.triggers.setPosition(position)
}
