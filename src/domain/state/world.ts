/**
 * The state the rules decide on: live markets, accounts, active orders and open positions. What has ended is the
 * business of the read models; the rules need to know of it only to refuse with the right code.
 */

import type { Registry } from '../../collections/registry.ts'
import type { Worklist } from '../../collections/worklist.ts'
import type { Quote } from '../../quantity/units.ts'
import type { Accounts } from './accounts.ts'
import type { ApiKeys } from './apiKey.ts'
import type { BeforeChange } from './beforeChange.ts'
import type { Days } from './days.ts'
import type { IdSpace } from './ids.ts'
import type { Market } from './market.ts'
import type { OpenPositions } from './openPositions/openPositions.ts'
import type { Order } from './order.ts'
import type { RestingOrders } from './restingOrders/restingOrders.ts'
import type { Triggers } from './triggers.ts'
import type { Rules } from './venueRules.ts'

/** Where an order or position that has ended belonged. */
export interface Ended {
  readonly accountId: string
  /** How many phases its account had entered (H3). */
  readonly phaseOrdinal: number
}

/**
 * Knows the orders and positions that have ended. It only ever decides which rejection is given, never what an accepted
 * command does, so that it may live outside the state, in a store.
 */
export interface Archive {
  endedOrder(orderId: string): Ended | undefined
  endedPosition(positionId: string): Ended | undefined
}

/** The state of a venue as the engine keeps it. Mutable. */
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
  readonly orders: RestingOrders
  /** Open positions. */
  readonly positions: OpenPositions
  /** The order that fills in the command that creates it, from its placing to its end; null between commands. */
  executing: Order | null
  /**
   * Orders that the commit being made or folded has ended, in the order of their ends, as they ended: nobody changes them any
   * more. Whoever keeps lists of them takes them from here.
   */
  readonly ended: Worklist<Order>
  /** Of each event of a position in that commit, in their order, the creation sequence of the position. */
  readonly changed: Worklist<number>
  readonly apiKeys: ApiKeys
  /** Is told of records before events change them; null mostly. */
  beforeChange: BeforeChange | null
  /** The days that have begun, and whom the next midnight looks at. */
  readonly days: Days
  rules: Rules
  triggers: Triggers
  readonly archive: Archive
}
