/**
 * A whole venue as one frozen value, for the pure decider: what the rules decide on, as plain records in creation order.
 * What follows from them (books, triggers, whom the next midnight looks at) is built again when it is needed, so that
 * every step costs as much as there is: for small venues, for tests and for learning. The engine keeps a {@link World}.
 */

import type { DayBoundary } from '../../events/engineEvents.ts'
import type { Quote } from '../../quantity/units.ts'
import { hold } from '../evolve/applyPositionEvent.ts'
import { emptyWorld } from '../evolve/emptyWorld.ts'
import { rest } from '../evolve/resting.ts'
import { lossFloor } from '../formulas/drawdown.ts'
import type { Account } from '../state/account.ts'
import type { ApiKey } from '../state/apiKey.ts'
import { IdSpace } from '../state/ids.ts'
import { emptyMarket, type MarketState, marketState } from '../state/market.ts'
import { PositionList } from '../state/openPositions/positionList.ts'
import { NO_ROW, type Order, type OrderState, orderState } from '../state/order.ts'
import type { Position } from '../state/position.ts'
import { OrderList } from '../state/restingOrders/orderList.ts'
import { RULES, type Rules } from '../state/venueRules.ts'
import type { Archive, Ended, World } from '../state/world.ts'
import { LevelTriggers } from '../triggers/levelTriggers.ts'

/** An account without the lists of what it has, which follow from the orders and positions; its days are counted up to now. */
export type AccountState = Omit<Account, 'orders' | 'positions' | 'lossFloor' | 'daysSeen' | 'watched'>
/** An order or position that has ended: remembered to refuse with the right code. */
export type EndedState = Ended & { readonly id: string }

/** Everything the rules depend on. Frozen; a step shares with the one before whatever it did not change. */
export interface VenueState {
  /** Empty until the first event. */
  readonly seed: string
  /** Sequence of the last commit; 0 before the first. */
  readonly seq: number
  /** Engine time, epoch ms; 0 until the first input that carries a time. */
  readonly now: number
  /** The next instant at which something falls due, epoch ms: an `advanceTime` belongs there first (E4, H5). */
  readonly nextDueAt: number
  /** How many orders, positions and accounts were created so far. */
  readonly created: number
  /** The counterparty of every posting (C11). */
  readonly house: Quote
  readonly rules: Readonly<Rules>
  readonly dayBoundary: DayBoundary
  readonly markets: readonly Readonly<MarketState>[]
  readonly accounts: readonly Readonly<AccountState>[]
  /** Resting orders, oldest first. */
  readonly orders: readonly Readonly<OrderState>[]
  /** Open positions, oldest first. */
  readonly positions: readonly Readonly<Position>[]
  /** The order that is being filled between the events of one commit; else null. */
  readonly executing: Readonly<OrderState> | null
  readonly apiKeys: readonly ApiKey[]
  readonly endedOrders: readonly EndedState[]
  readonly endedPositions: readonly EndedState[]
}

/** The venue before its first commit. */
export const initialState: VenueState = Object.freeze({
  seed: '',
  seq: 0,
  now: 0,
  nextDueAt: Number.POSITIVE_INFINITY,
  created: 0,
  house: 0n,
  rules: RULES,
  dayBoundary: 'account',
  markets: Object.freeze([]),
  accounts: Object.freeze([]),
  orders: Object.freeze([]),
  positions: Object.freeze([]),
  executing: null,
  apiKeys: Object.freeze([]),
  endedOrders: Object.freeze([]),
  endedPositions: Object.freeze([]),
})

/** What a world is built of. */
export type WorldRecords = Omit<VenueState, 'endedOrders' | 'endedPositions'>

/** The world of a state, to be changed in place; the state stays as it is. */
export function worldOf(state: VenueState): World {
  return builtWorld(state, archiveOf(state))
}

/** A world of records, to be changed in place; the records stay as they are. */
export function builtWorld(state: WorldRecords, archive: Archive): World {
  const world = emptyWorld(archive, (own) => new LevelTriggers(own))
  const { seed, seq, now, nextDueAt, created, house, rules } = state
  Object.assign(world, { seed, seq, now, nextDueAt, created, house, rules, ids: new IdSpace(seed) })
  world.days.boundary = state.dayBoundary
  for (const market of state.markets) world.markets.set(market.id, emptyMarket(market))
  for (const account of state.accounts) world.accounts.set(account.id, accountOf(account))
  for (const order of state.orders) rest(world, { ...order, peak: null, row: NO_ROW }, order.peak)
  for (const saved of state.positions) {
    const position = { ...saved }
    const account = world.accounts.known(position.accountId)
    const row = hold(world, account, world.markets.known(position.marketId), position)
    world.triggers.setPosition(row, account, position.marketId)
  }
  for (const key of state.apiKeys) world.apiKeys.add(key)
  for (const account of world.accounts.values()) {
    world.triggers.accountChanged(account)
    world.days.consider(account)
  }
  world.executing = state.executing === null ? null : { ...state.executing, peak: null, row: NO_ROW }
  return world
}

function accountOf(state: Readonly<AccountState>): Account {
  const account: Account = {
    ...state,
    daysSeen: 0,
    watched: false,
    lossFloor: null,
    orders: OrderList.ofAccount(state.id),
    positions: PositionList.ofAccount(),
  }
  account.lossFloor = lossFloor(account)
  return account
}

function archiveOf({ endedOrders, endedPositions }: VenueState): Archive {
  return {
    endedOrder: (orderId) => endedOrders.find(({ id }) => id === orderId),
    endedPosition: (positionId) => endedPositions.find(({ id }) => id === positionId),
  }
}

/** What a world holds, as records of their own. What has ended is for the caller to add. */
export function recordsOf(world: World): WorldRecords {
  return recordsAmong(world, {
    accounts: world.accounts.values(),
    orders: world.orders.values(),
    positions: world.positions.values(),
    apiKeys: world.apiKeys.all(),
  })
}

/** Some of what a world holds, each in creation order; its markets always. */
export interface Excerpt {
  readonly accounts: Iterable<Account>
  readonly orders: Iterable<Order>
  readonly positions: Iterable<Position>
  readonly apiKeys: Iterable<ApiKey>
}

/** The venue as {@link recordsOf} gives it, with some of its records only. */
export function recordsAmong(world: World, { accounts, orders, positions, apiKeys }: Excerpt): WorldRecords {
  const { seed, seq, now, nextDueAt, created, house, rules, days, executing } = world
  return {
    seed,
    seq,
    now,
    nextDueAt,
    created,
    house,
    rules,
    dayBoundary: days.boundary,
    markets: Array.from(world.markets.values(), marketState),
    accounts: Array.from(accounts, (account) => {
      const { orders: resting, positions: open, lossFloor: floor, daysSeen, watched, ...record } = account
      return { ...record, profitableDaysSeen: days.profitableDaysOf(account) }
    }),
    orders: Array.from(orders, orderState),
    positions: Array.from(positions, (position) => ({ ...position })),
    executing: executing === null ? null : orderState(executing),
    apiKeys: [...apiKeys],
  }
}
