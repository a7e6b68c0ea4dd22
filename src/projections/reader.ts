/**
 * What people read: every list the API serves, as frozen records, for whoever embeds the engine. It trusts its caller:
 * unknown ids give nothing. Access rules for traders are in the engine's queries.
 */

import { frozen } from '../collections/frozen.ts'
import { entryPrice } from '../domain/formulas/entryPrice.ts'
import { equityOf } from '../domain/formulas/equity.ts'
import { liquidationPrice } from '../domain/formulas/liquidation.ts'
import { isEligibleForPromotion } from '../domain/formulas/profitTarget.ts'
import { type Account, balanceOf } from '../domain/state/account.ts'
import type { ApiKey } from '../domain/state/apiKey.ts'
import type { Market } from '../domain/state/market.ts'
import type { Order, OrderRecord } from '../domain/state/order.ts'
import type { Position, PositionEventRecord, PositionRecord } from '../domain/state/position.ts'
import type { World } from '../domain/state/world.ts'
import type { Price, Quote } from '../quantity/units.ts'
import type { AccountParameters } from '../terms/accountParameters.ts'
import type { MarketParameters } from '../terms/marketParameters.ts'
import type { MarketStatus } from '../terms/marketStatus.ts'
import { type AccountRecord, accountRecord, type RiskStatus, riskStatus } from './accountRecord.ts'
import type { History, Page, Paging } from './history.ts'
import { type MarketRecord, marketRecord } from './marketRecord.ts'
import { orderRecord, positionRecord } from './records.ts'

/** Status, phase and switches of an account, as they are now (H1, H4, H9, H10). */
export type AccountStanding = Readonly<Pick<Account, 'status' | 'phase' | 'apiTrading' | 'loaded' | 'locked'>>

/** The whole ledger, summed; the four always add up to zero (C11). */
export interface LedgerTotals {
  readonly free: Quote
  readonly reserve: Quote
  readonly margin: Quote
  readonly house: Quote
}

/** An open position in the terms of its market. */
export interface OpenLevels {
  /** Ticker of the base asset, as configured (G5). */
  readonly asset: string
  /** What the open size was entered at (C6). */
  readonly entryPrice: Price
  /** The last price told of the market; 0 before the first. */
  readonly indexPrice: Price
  /** Where the position would be liquidated now; 0 = never (E1). */
  readonly liquidationPrice: Price
}

/** What a list shows that was asked for no page. */
export const FIRST_PAGE: Paging = { limit: 20, offset: 0 }

/** The read models of an engine: records as they are after the last command. What it gives is frozen, or a copy. */
export class Reader {
  readonly #world: World
  readonly #history: History

  /** @internal Readers are had from an engine or a past state. */
  constructor(world: World, history: History) {
    this.#world = world
    this.#history = history
    Object.freeze(this)
  }

  /** Engine time, epoch ms; 0 before the first input that carries a time. */
  get now(): number {
    return this.#world.now
  }

  markets(accountId?: string): MarketRecord[] {
    const account = (accountId !== undefined && this.#world.accounts.get(accountId)) || null
    return [...this.#world.markets.values()].map((market) => marketRecord(market, account, this.now))
  }

  market(marketId: string): MarketRecord | undefined {
    const market = this.#world.markets.get(marketId)
    return market && marketRecord(market, null, this.now)
  }

  /** The id of the market with this base asset ticker (G5). */
  marketIdOf(asset: string): string | undefined {
    for (const market of this.#world.markets.values())
      if (market.parameters.baseAsset === asset) return market.id
    return undefined
  }

  accounts(userId?: string): AccountRecord[] {
    const { accounts } = this.#world
    const chosen = userId === undefined ? accounts.values() : accounts.ofUser(userId)
    return Array.from(chosen, (account) => accountRecord(this.#world, account))
  }

  account(accountId: string): AccountRecord | undefined {
    const account = this.#world.accounts.get(accountId)
    return account && accountRecord(this.#world, account)
  }

  riskStatus(accountId: string): RiskStatus | undefined {
    const account = this.#world.accounts.get(accountId)
    return account && riskStatus(this.#world, account)
  }

  /** Active orders, newest first, of one market or of all. */
  activeOrders(accountId: string, marketId?: string): OrderRecord[] {
    const resting: Iterable<Order> | undefined = this.#world.accounts.get(accountId)?.orders
    return newestFirst(resting, marketId).map((order) => this.#order(order))
  }

  /** Orders that reached a final state on a market, newest first; replaced ones left out (I11). */
  orderHistory(accountId: string, marketId: string, paging: Paging = FIRST_PAGE): Page<OrderRecord> {
    return this.#history.orders(accountId, marketId, paging)
  }

  /** Open positions, newest first, of one market or of all. */
  activePositions(accountId: string, marketId?: string): PositionRecord[] {
    return newestFirst(this.#world.accounts.get(accountId)?.positions, marketId).map(positionRecord)
  }

  /** Closed and liquidated positions of a market, newest first (I11). */
  positionHistory(accountId: string, marketId: string, paging: Paging = FIRST_PAGE): Page<PositionRecord> {
    return this.#history.closedPositions(accountId, marketId, paging)
  }

  /** Every position of the account, open and closed, newest first (I11). */
  portfolio(accountId: string, paging: Paging = FIRST_PAGE): Page<PositionRecord> {
    return this.#history.portfolio(accountId, paging)
  }

  /** Events of a position, newest first, each with its order; funding left out (I13). */
  positionEvents(positionId: string): readonly PositionEventRecord[] | undefined {
    const runs = this.#history.positionEvents(positionId)
    return runs && [...runs].flat()
  }

  /** The same in runs that are made one at a time, so that no turn of the event loop has to make a long list (K15). */
  positionEventRuns(positionId: string): Iterable<readonly PositionEventRecord[]> | undefined {
    return this.#history.positionEvents(positionId)
  }

  order(orderId: string): OrderRecord | undefined {
    const active = this.#world.orders.get(orderId)
    return active === undefined ? this.#history.order(orderId) : this.#order(active)
  }

  position(positionId: string): PositionRecord | undefined {
    const open = this.#world.positions.read(positionId)
    return open === undefined ? this.#history.position(positionId) : positionRecord(open)
  }

  /** Where an open position would be liquidated now; 0 = never (E1). */
  liquidationPrice(positionId: string): Price | undefined {
    const position = this.#world.positions.read(positionId)
    if (position === undefined) return undefined
    const market = this.#world.markets.get(position.marketId) as Market
    return liquidationPrice(position, market.parameters.maintenanceMarginRate)
  }

  /** What a person asks of an open position first: what it is on, and its prices (C6, E1). */
  levels(positionId: string): OpenLevels | undefined {
    const position = this.#world.positions.read(positionId)
    if (position === undefined) return undefined
    const { parameters, indexPrice } = this.#world.markets.get(position.marketId) as Market
    return {
      asset: parameters.baseAsset,
      entryPrice: entryPrice(position),
      indexPrice,
      liquidationPrice: liquidationPrice(position, parameters.maintenanceMarginRate),
    }
  }

  /** free + Σ reserve + Σ (margin + unrealized pnl), capped inside the 60-second window (C11, D7). */
  equity(accountId: string): Quote | undefined {
    const account = this.#world.accounts.get(accountId)
    return account && equityOf(this.#world, account, this.now)
  }

  /** Whether the account has earned its next phase: target, profitable days, no open position (H7). */
  isEligibleForPromotion(accountId: string): boolean {
    const account = this.#world.accounts.get(accountId)
    return (
      account !== undefined && isEligibleForPromotion(account, this.#world.days.profitableDaysOf(account))
    )
  }

  /** How many positions are open over all accounts. */
  get openPositionCount(): number {
    return this.#world.positions.size
  }

  /** The parameters of a market as they are now. */
  marketParameters(marketId: string): MarketParameters | undefined {
    const parameters = this.#world.markets.get(marketId)?.parameters
    return parameters && frozen(parameters)
  }

  accountParameters(accountId: string): AccountParameters | undefined {
    const parameters = this.#world.accounts.get(accountId)?.parameters
    return parameters && frozen(parameters)
  }

  marketStatus(marketId: string): MarketStatus | undefined {
    return this.#world.markets.get(marketId)?.status
  }

  /** Status, phase and switches of an account. */
  accountStanding(accountId: string): AccountStanding | undefined {
    const account = this.#world.accounts.get(accountId)
    if (account === undefined) return undefined
    const { status, phase, apiTrading, loaded, locked } = account
    return { status, phase, apiTrading, loaded, locked }
  }

  /** The keys of a user, oldest first, without revoked ones. */
  apiKeys(userId: string): ApiKey[] {
    return [...this.#world.apiKeys.ofUser(userId)].filter((key) => !key.revoked)
  }

  /** The keys that came from the configuration, without revoked ones (K11). */
  configuredApiKeys(): ApiKey[] {
    return [...this.#world.apiKeys.all()].filter((key) => key.configured && !key.revoked)
  }

  /** A key by its id, revoked or not; undefined once it is forgotten. */
  apiKey(keyId: string): ApiKey | undefined {
    return this.#world.apiKeys.get(keyId)
  }

  /** The key with this SHA-256, unless revoked; it may have expired. */
  apiKeyWithHash(hash: string): ApiKey | undefined {
    return this.#world.apiKeys.withHash(hash)
  }

  ledger(): LedgerTotals {
    let [free, reserve, margin] = [0n, 0n, 0n]
    for (const account of this.#world.accounts.values()) {
      free += account.free
      reserve += account.reserve
      margin += account.margin
    }
    return Object.freeze({ free, reserve, margin, house: this.#world.house })
  }

  /** free + reserve + margin of an account. */
  balance(accountId: string): Quote | undefined {
    const account = this.#world.accounts.get(accountId)
    return account && balanceOf(account)
  }

  #order(order: Order): OrderRecord {
    return orderRecord(order)
  }
}

function newestFirst<T extends Order | Position>(items: Iterable<T> | undefined, marketId?: string): T[] {
  if (items === undefined) return []
  const chosen = marketId === undefined ? [...items] : [...items].filter((i) => i.marketId === marketId)
  return chosen.reverse()
}
