/**
 * The accounts of a venue with their positions as they were after one commit, to be walked in pieces while commands go on:
 * what is about to change is copied first, once. Taking it costs the same however much there is.
 */
import type { Account, AccountFields } from '../domain/state/account.ts'
import { type BeforeChange, watchChanges } from '../domain/state/beforeChange.ts'
import type { Market } from '../domain/state/market.ts'
import type { Order } from '../domain/state/order.ts'
import type { Position } from '../domain/state/position.ts'
import type { Rules } from '../domain/state/venueRules.ts'
import type { World } from '../domain/state/world.ts'
import type { Price, Quote } from '../quantity/units.ts'
import type { MarketParameters } from '../terms/marketParameters.ts'
import type { MarketStatus } from '../terms/marketStatus.ts'
import { type EquityColumns, equityColumnsOf } from './equityColumns.ts'

/** An account as it was. */
export type AccountThen = Readonly<AccountFields> & {
  readonly orders: { readonly size: number }
  /** Oldest first. */
  readonly positions: Iterable<Position> & { readonly size: number }
}

/** A market as it was. */
export interface MarketThen {
  readonly id: string
  readonly parameters: MarketParameters
  readonly status: MarketStatus
  /** 0 = never priced. */
  readonly indexPrice: Price
  /** When the price arrived, epoch ms; null = never priced. */
  readonly priceAt: number | null
  readonly openNotionalLong: Quote
  readonly openNotionalShort: Quote
  /** Of a shard: what it may have of each direction; null = of the venue all. */
  readonly quota: { readonly long: Quote; readonly short: Quote } | null
  readonly restingOrders: number
  readonly openPositions: number
}

export class AccountsImage implements BeforeChange {
  /** The commit it is of. */
  readonly seq: number
  /** Engine time of that commit, epoch ms. */
  readonly at: number
  readonly markets: ReadonlyMap<string, MarketThen>
  readonly rules: Rules
  /** How many accounts there are. */
  readonly size: number
  readonly #world: World
  readonly #created: number
  readonly #daysSeen: number
  readonly #copies = new Map<Account, AccountThen>()
  readonly #unwatch: () => void

  constructor(world: World) {
    this.#world = world
    this.seq = world.seq
    this.at = world.now
    this.rules = world.rules
    this.size = world.accounts.size
    this.#created = world.created
    this.#daysSeen = world.days.seen
    this.markets = new Map([...world.markets].map(([id, market]) => [id, marketThen(market)]))
    this.#unwatch = watchChanges(world, this)
  }

  /** In creation order. */
  *[Symbol.iterator](): Generator<AccountThen, void> {
    for (const account of this.#world.accounts.inOrder) {
      if (account.sequence > this.#created) return
      // Mostly nothing has changed, and a look into an empty map costs as much as the rest of the step.
      yield this.#copies.size === 0 ? account : (this.#copies.get(account) ?? account)
    }
  }

  /** What equities are made of now: of accounts that have not changed since, what it was then. */
  get columns(): EquityColumns {
    return equityColumnsOf(this.#world)
  }

  /** Whether it has changed since. */
  hasChanged(account: Account): boolean {
    return this.#copies.size > 0 && this.#copies.has(account)
  }

  asItWas(account: Account): AccountThen {
    return this.#copies.get(account) ?? account
  }

  get(accountId: string): AccountThen | undefined {
    const account = this.#world.accounts.get(accountId)
    if (account === undefined || account.sequence > this.#created) return undefined
    return this.#copies.get(account) ?? account
  }

  /** Finished profitable days of the phase (J13). */
  profitableDaysOf(account: AccountThen): number {
    const now = this.#world.accounts.known(account.id)
    return account === now
      ? this.#world.days.profitableDaysOf(now, this.#daysSeen)
      : account.profitableDaysSeen
  }

  /** From here on nothing is copied any more. */
  release(): void {
    this.#unwatch()
  }

  accountChanging(account: Account): void {
    if (account.sequence > this.#created || this.#copies.has(account)) return
    this.#copies.set(account, {
      ...account,
      profitableDaysSeen: this.#world.days.profitableDaysOf(account, this.#daysSeen),
      orders: { size: account.orders.size },
      positions: new Set(Array.from(account.positions, (position) => ({ ...position }))),
    })
  }

  positionChanging({ accountId }: Position): void {
    this.accountChanging(this.#world.accounts.known(accountId))
  }

  orderChanging({ accountId }: Order): void {
    this.accountChanging(this.#world.accounts.known(accountId))
  }

  apiKeyChanging(): void {}

  peakChanging(): void {}
}

function marketThen(market: Market): MarketThen {
  const { id, parameters, status, indexPrice, priceAt, openNotionalLong, openNotionalShort, quota } = market
  return {
    id,
    parameters,
    status,
    indexPrice,
    priceAt,
    openNotionalLong,
    openNotionalShort,
    quota,
    restingOrders: market.orders.size,
    openPositions: market.positions.size,
  }
}
