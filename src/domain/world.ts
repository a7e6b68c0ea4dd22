/**
 * The state the rules decide on: live markets, accounts, active orders and open positions. What has ended is the
 * business of the read models; the rules need to know of it only to refuse with the right code.
 */
import type { Quote } from '../quantity/units.ts'
import { Accounts } from './account/accounts.ts'
import { Days } from './account/days.ts'
import { ApiKeys } from './apiKey/apiKey.ts'
import type { BeforeChange } from './beforeChange.ts'
import { IdMap } from './idMap.ts'
import { IdSpace } from './ids.ts'
import type { Market } from './market/market.ts'
import type { Order } from './order/order.ts'
import type { Position } from './position/position.ts'
import { Registry } from './registry.ts'
import type { Roster } from './roster.ts'
import { RULES, type Rules } from './rules.ts'
import type { Triggers } from './triggers/triggers.ts'

/** Where an order or position that has ended belonged. */
export interface Ended {
  readonly accountId: string
  readonly phaseOrdinal: number
}

/**
 * Knows the orders and positions that have ended. It only ever decides which refusal is given, never what an accepted
 * command does, so that it may live outside the state, in a store.
 */
export interface Archive {
  endedOrder(orderId: string): Ended | undefined
  endedPosition(positionId: string): Ended | undefined
}

export interface World {
  /** Empty until the first event of the log. */
  seed: string
  ids: IdSpace
  /** Sequence of the last commit; 0 before the first. */
  seq: number
  /** Engine time, epoch ms; 0 until the first input that carries a time. */
  now: number
  /** The next instant at which something falls due; derived from `now` and the markets. */
  nextDueAt: number
  /** Orders, positions and accounts created so far: their creation sequence. */
  created: number
  /** The counterparty of every posting; the ledger sums to zero (C11). */
  house: Quote
  readonly markets: Registry<Market>
  readonly accounts: Accounts
  /** Resting orders. */
  readonly orders: IdMap<Order>
  /** Open positions. */
  readonly positions: IdMap<Position>
  /** Resting close orders by the position they are attached to. */
  readonly closeOrders: IdMap<Roster<Order>>
  /** The order that fills in the command that creates it, from its placing to its end; null between commands. */
  executing: Order | null
  readonly apiKeys: ApiKeys
  /** Is told of records before events change them; null mostly. */
  beforeChange: BeforeChange | null
  /** The days that have begun, and whom the next midnight looks at. */
  readonly days: Days
  rules: Rules
  triggers: Triggers
  readonly archive: Archive
}

/** The ids of no seed, which an engine has until its first event: one for all of them, because making it costs a hash. */
const SEEDLESS = new IdSpace('')

/** An empty world. `triggers` is given the world it watches. */
export function emptyWorld(archive: Archive, triggers: (world: World) => Triggers): World {
  const world: Omit<World, 'triggers'> & { triggers?: Triggers } = {
    seed: '',
    ids: SEEDLESS,
    seq: 0,
    now: 0,
    nextDueAt: Number.POSITIVE_INFINITY,
    created: 0,
    house: 0n,
    markets: new Registry(),
    accounts: new Accounts(),
    orders: new IdMap(),
    positions: new IdMap(),
    closeOrders: new IdMap(),
    executing: null,
    apiKeys: new ApiKeys(),
    days: new Days(),
    beforeChange: null,
    rules: RULES,
    archive,
  }
  world.triggers = triggers(world as World)
  return world as World
}
