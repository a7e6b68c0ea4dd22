/** What the model knows: the records of markets, accounts, orders and positions, and where they are found. */

import type { FrozenPosition } from '../domain/evolve/positionReducers.ts'
import type { OrderPlaced } from '../events/orderEvents.ts'
import type { AccountParameters } from '../terms/accountParameters.ts'
import type { AccountPhase, AccountStatus } from '../terms/accountStatus.ts'
import type { Direction } from '../terms/direction.ts'
import type { MarketParameters } from '../terms/marketParameters.ts'
import type { MarketStatus } from '../terms/marketStatus.ts'
import type { OrderStatus } from '../terms/orderStatus.ts'
import type { PositionStatus } from '../terms/positionStatus.ts'

/** A market as the model keeps it. Quantities are fp9, times epoch ms. */
export interface ModelMarket {
  readonly id: string
  parameters: MarketParameters
  status: MarketStatus
  /** Quote currency per unit; 0n = never priced. */
  indexPrice: bigint
  /** When the price was told; null = never. */
  priceAt: number | null
  /** Where the path of the next tick starts. */
  evaluatedPrice: bigint
  /** Of this shard of a cluster (C5). */
  quota: { readonly long: bigint; readonly short: bigint } | null
}

/** An account as the model keeps it. Quantities are fp9, times epoch ms. */
export interface ModelAccount {
  readonly id: string
  readonly parameters: AccountParameters
  /** Of its creation, counted over everything the venue creates. */
  readonly sequence: number
  status: AccountStatus
  phase: AccountPhase
  /** Phases it has begun; 0 where it has none. */
  phaseOrdinal: number
  apiTrading: boolean
  loaded: boolean
  locked: boolean
  /** Free balance. */
  free: bigint
  /** Held by resting orders. */
  reserve: bigint
  /** Held by open positions. */
  margin: bigint
  /** Reserve of an order that has executed and whose fill is the next event. */
  inFlight: bigint
  /** What the present phase began with. */
  initialBalance: bigint
  /** Equity when the UTC day began. */
  dayStartEquity: bigint
  /** Balance when the UTC day began. */
  dayStartBalance: bigint
  /** The highest balance a day began with, which a trailing total loss is measured from. */
  highWater: bigint
}

/** An order as placed, and how it stands. */
export interface ModelOrder {
  readonly placed: OrderPlaced
  readonly id: string
  /** Of its creation, counted over everything the venue creates. */
  readonly sequence: number
  /** Epoch ms. */
  readonly createdAt: number
  /** Which phase of its account it was placed in, a count. */
  readonly phaseOrdinal: number
  status: OrderStatus
  /** fp9 quote currency held for it; 0n once it has ended. */
  reserve: bigint
  /** Best price since activation, fp9, of a trailing stop. */
  peak: bigint | null
  /** What the record's `amount` reads, fp9. */
  amount: bigint
}

/** A position as the model keeps it. Quantities are fp9, times epoch ms. */
export interface ModelPosition {
  readonly id: string
  readonly accountId: string
  readonly marketId: string
  readonly direction: Direction
  /** Of its creation, counted over everything the venue creates. */
  readonly sequence: number
  /** When its first fill came. */
  readonly openedAt: number
  /** Which phase of its account it was opened in, a count. */
  readonly phaseOrdinal: number
  status: PositionStatus
  /** Counts its events, from 1. */
  version: number
  /** When its last event came. */
  updatedAt: number
  /** Units of the base asset; 0n once it has ended. */
  size: bigint
  /** Quote currency: its size at the entry price. */
  notional: bigint
  /** Quote currency held for it. */
  margin: bigint
  /** Realized so far, adjusted, before fees and funding; quote currency. */
  pnl: bigint
  /** Paid so far, quote currency. */
  fee: bigint
  /** Received so far, quote currency; below 0n where it paid. */
  funding: bigint
  /** Σ margin of increases and additions. */
  putUp: bigint
  /** Reference of the profit cap, and when its window began. */
  reference: bigint
  /** When the window of the profit cap began (D1). */
  lastIncreaseAt: number
  /** The same position as the pure reducers make it. */
  reduced: FrozenPosition
}

export class ModelState {
  now = 0
  seq = 0
  house = 0n
  created = 0
  readonly markets = new Map<string, ModelMarket>()
  readonly accounts = new Map<string, ModelAccount>()
  /** Every order there ever was, by id. */
  readonly orders = new Map<string, ModelOrder>()
  readonly active = new Map<string, ModelOrder>()
  readonly positions = new Map<string, ModelPosition>()
  readonly open = new Map<string, ModelPosition>()

  market(id: string): ModelMarket {
    return known(this.markets.get(id), id)
  }

  account(id: string): ModelAccount {
    return known(this.accounts.get(id), id)
  }

  order(id: string): ModelOrder {
    return known(this.orders.get(id), id)
  }

  position(id: string): ModelPosition {
    return known(this.positions.get(id), id)
  }
}

function known<T>(found: T | undefined, id: string): T {
  if (found === undefined) throw new ReferenceError(`the events name ${id}, which none of them created`)
  return found
}
