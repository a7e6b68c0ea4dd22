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
import type { Snapshot } from '../store/store.ts'
import type { Folded } from './fold.ts'
import type { StoredOutcome } from './idempotency.ts'
import { readGraph, writeGraph } from './objectGraph.ts'

/**
 * Names the shape of everything in a snapshot. Another one whenever a record of the world gains, loses or reinterprets a
 * field: a snapshot of another schema is ignored, and the log read instead. A test holds shape and name together.
 */
export const SNAPSHOT_SCHEMA = 'world-5'

type SavedAccount = Omit<Account, 'orders' | 'positions' | 'lossFloor' | 'daysSeen' | 'watched'>
type SavedMarket = Omit<Market, 'orders' | 'positions'>

interface SavedState {
  readonly seed: string
  readonly seq: number
  readonly now: number
  readonly nextDueAt: number
  readonly created: number
  readonly house: Quote
  readonly rules: Rules
  readonly dayBoundary: DayBoundary
  readonly markets: readonly SavedMarket[]
  readonly accounts: readonly SavedAccount[]
  readonly orders: readonly Order[]
  readonly positions: readonly Position[]
  readonly apiKeys: readonly ApiKey[]
  readonly idempotency: readonly StoredOutcome[]
  readonly history: object
}

/** What is folded, as it is now. */
export function takeSnapshot({ world, history, idempotency }: Folded): Snapshot {
  for (const order of world.orders.values())
    if (order.type === 'trailing_stop') order.watermark = world.triggers.watermarkOf(order)
  const { seed, seq, now, nextDueAt, created, house, rules } = world
  const state: SavedState = {
    seed,
    seq,
    now,
    nextDueAt,
    created,
    house,
    rules,
    dayBoundary: world.days.boundary,
    markets: Array.from(world.markets.values(), ({ orders, positions, ...market }) => market),
    accounts: Array.from(world.accounts.values(), (account) => savedAccount(world, account)),
    orders: [...world.orders.values()],
    positions: [...world.positions.values()],
    apiKeys: [...world.apiKeys.all()],
    idempotency: idempotency.live(now),
    history: history.saved(),
  }
  const writer = new ByteWriter(1 << 16)
  writeGraph(writer, state)
  return { seq, schema: SNAPSHOT_SCHEMA, bytes: writer.copy() }
}

/**
 * Fills an empty fold with a snapshot.
 *
 * @throws where the bytes do not hold one; the fold is then useless.
 */
export function restoreSnapshot({ world, history, idempotency }: Folded, { bytes }: Snapshot): void {
  const state = readGraph(new ByteReader(bytes)) as SavedState
  const { seed, seq, now, nextDueAt, created, house, rules } = state
  Object.assign(world, { seed, seq, now, nextDueAt, created, house, rules, ids: new IdSpace(seed) })
  world.days.boundary = state.dayBoundary
  for (const market of state.markets)
    world.markets.set(market.id, { ...market, orders: new Roster(), positions: new Roster() })
  for (const saved of state.accounts) world.accounts.set(saved.id, restoredAccount(saved))
  for (const key of state.apiKeys) world.apiKeys.add(key)
  for (const outcome of state.idempotency) idempotency.keep(outcome)
  history.restore(state.history)
  for (const order of state.orders) rest(world, order)
  for (const position of state.positions) restorePosition(world, position)
  for (const account of world.accounts.values()) {
    world.triggers.accountChanged(account)
    world.days.consider(account)
  }
}

function savedAccount({ days }: World, account: Account): SavedAccount {
  const { orders, positions, lossFloor, daysSeen, watched, ...saved } = account
  return { ...saved, profitableDaysSeen: days.profitableDaysOf(account) }
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
