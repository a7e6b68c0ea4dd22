// A small venue to state laws on: one market at 100 without spread, fee or funding, one account with 10,000.
// A test names only the parameters its law is about.

import { type Placement, type PlaceOrder, uncheckedOrder } from '../../src/events/placeOrder.ts'
import {
  type AccountConfiguration,
  type Caller,
  type Command,
  createEngine,
  type Direction,
  type Engine,
  type Event,
  fp9,
  type MarketConfiguration,
  type MemoryEngineOptions,
  type OrderRecord,
  type PositionRecord,
  type Rejection,
} from '../../src/index.ts'

/** 2026-01-05T00:10:00.000Z, a Monday. */
export const START = Date.UTC(2026, 0, 5, 0, 10)
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export const MARKET = '10000000-0000-4000-8000-000000000001'
export const OTHER_MARKET = '10000000-0000-4000-8000-000000000002'
export const ACCOUNT = '20000000-0000-4000-8000-000000000001'
export const OTHER_ACCOUNT = '20000000-0000-4000-8000-000000000002'
export const USER = '30000000-0000-4000-8000-000000000001'
export const OTHER_USER = '30000000-0000-4000-8000-000000000002'
export const UNKNOWN = '90000000-0000-4000-8000-000000000009'

export const PLAIN_MARKET: MarketConfiguration = {
  id: MARKET,
  baseAsset: 'BTC',
  ticker: 'BTC/USD',
  category: 'crypto',
  indexPrice: fp9('100'),
  spread: 0n,
  feeRate: 0n,
  minLeverage: fp9('1'),
  maxLeverage: fp9('100'),
  maintenanceMarginRate: fp9('0.5%'),
  minNotional: 0n,
  minStopDistance: 0n,
  scalpingWindowMs: 0,
  scalpingCoefficient: fp9('1'),
  maxPriceAgeMs: 1_000 * DAY,
  fundingRate: 0n,
}

export const PLAIN_ACCOUNT: AccountConfiguration = {
  id: ACCOUNT,
  userId: USER,
  balance: fp9('10000'),
  maxLeverage: fp9('50'),
  maxDailyLoss: fp9('100%'),
  maxTotalLoss: fp9('100%'),
  profitTarget: fp9('5%'),
  minProfitableDays: 0,
}

interface Setting {
  readonly market?: Partial<MarketConfiguration>
  readonly account?: Partial<AccountConfiguration>
  /** A second market, ETH at 100. */
  readonly otherMarket?: Partial<MarketConfiguration>
  /** A second account, of another user unless said otherwise. */
  readonly otherAccount?: Partial<AccountConfiguration>
  readonly at?: number
  readonly engine?: MemoryEngineOptions
}

type Terms = Partial<Omit<Placement, 'type'>>

export class Venue {
  readonly engine: Engine

  constructor({ market, account, otherMarket, otherAccount, at = START, engine = {} }: Setting = {}) {
    const markets: MarketConfiguration[] = [{ ...PLAIN_MARKET, ...market }]
    if (otherMarket !== undefined)
      markets.push({ ...PLAIN_MARKET, id: OTHER_MARKET, baseAsset: 'ETH', ticker: 'ETH/USD', ...otherMarket })
    const accounts: AccountConfiguration[] = [{ ...PLAIN_ACCOUNT, ...account }]
    if (otherAccount !== undefined)
      accounts.push({ ...PLAIN_ACCOUNT, id: OTHER_ACCOUNT, userId: OTHER_USER, ...otherAccount })
    this.engine = createEngine({ seed: 'laws', at, markets, accounts, ...engine })
  }

  get now(): number {
    return this.engine.now
  }

  /** Dispatches a command that must be accepted; answers what happened. */
  accepted<C extends Command>(command: C, caller?: Caller) {
    const outcome = this.engine.dispatch(command, caller === undefined ? {} : { caller })
    if (!outcome.ok) throw new Error(`${command.type} refused: ${codeOf(outcome.error)}`)
    return outcome
  }

  /** Dispatches a command that must be refused, leaving no trace; answers with the code (or `accepted`). */
  rejection(command: Command, caller?: Caller): string {
    const before = this.engine.stateHash()
    const outcome = this.engine.dispatch(command, caller === undefined ? {} : { caller })
    if (outcome.ok) return 'accepted'
    if (this.engine.stateHash() !== before) throw new Error(`${codeOf(outcome.error)} left a trace`)
    return codeOf(outcome.error)
  }

  command(terms: Terms = {}): PlaceOrder {
    const closing = ['stop', 'take', 'trailing_stop'].includes(terms.orderType ?? 'market')
    return uncheckedOrder({
      type: 'placeOrder',
      accountId: ACCOUNT,
      marketId: MARKET,
      orderType: 'market',
      direction: 'long',
      amount: fp9('100'),
      ...(closing ? {} : { leverage: fp9('10') }),
      ...terms,
    })
  }

  /** Places an order that must be accepted: by default a market long of 100 at 10x. */
  place(terms: Terms = {}): OrderRecord {
    return this.accepted(this.command(terms)).value
  }

  /** The code a placement is refused with. */
  placeRefusal(terms: Terms, caller?: Caller): string {
    return this.rejection(this.command(terms), caller)
  }

  /** Opens or grows a position at market; answers the position. */
  open(terms: Terms = {}): PositionRecord {
    const order = this.place(terms)
    if (order.status !== 'executed') throw new Error(`not filled: ${order.errorCode}`)
    return this.position(terms.direction ?? 'long', terms.accountId, terms.marketId)
  }

  /** Closes at market, by default the whole long. */
  close(amount: bigint = fp9('1000000'), terms: Terms = {}): OrderRecord {
    const direction = terms.direction ?? 'long'
    const positionId = this.position(direction, terms.accountId, terms.marketId).id
    return this.place({ orderType: 'take', triggerPrice: 0n, positionId, amount, ...terms })
  }

  /** The one open position of a side. */
  position(direction: Direction = 'long', accountId = ACCOUNT, marketId = MARKET): PositionRecord {
    const found = this.engine.read
      .activePositions(accountId, marketId)
      .find((position) => position.direction === direction)
    if (found === undefined) throw new Error(`no open ${direction}`)
    return found
  }

  /** A tick; answers the events it caused, the price update aside. */
  tick(price: string | bigint, marketId = MARKET): readonly Event[] {
    const indexPrice = typeof price === 'bigint' ? price : fp9(price)
    return this.accepted({ type: 'updatePrice', marketId, indexPrice }).events.slice(1)
  }

  /** Lets time pass. */
  wait(ms: number): void {
    this.accepted({ type: 'advanceTime', ms })
  }

  /** Lets time pass up to an instant. */
  waitUntil(at: number): void {
    this.wait(at - this.now)
  }

  order(id: string): OrderRecord {
    const order = this.engine.read.order(id)
    if (order === undefined) throw new Error(`no order ${id}`)
    return order
  }

  /** A position by its id, open or not. */
  positionById(id: string): PositionRecord {
    const position = this.engine.read.position(id)
    if (position === undefined) throw new Error(`no position ${id}`)
    return position
  }

  orders(accountId = ACCOUNT): OrderRecord[] {
    return this.engine.read.activeOrders(accountId)
  }

  account(id = ACCOUNT) {
    const account = this.engine.read.account(id)
    if (account === undefined) throw new Error(`no account ${id}`)
    return account
  }

  get free(): bigint {
    return this.account().riskStatus.freeBalance
  }

  get equity(): bigint {
    return this.account().riskStatus.currentEquity
  }

  liquidationPrice(direction: Direction = 'long'): bigint {
    return this.engine.read.liquidationPrice(this.position(direction).id) as bigint
  }
}

/** `validation_failed` with the field at fault; any other code alone. */
function codeOf({ code, details }: Rejection): string {
  return details === undefined ? code : `${code} ${details.join()}`
}

/** What happened, in short: event types with the id or code that tells them apart. */
export function outline(events: readonly Event[]): string[] {
  return events.map((event) => {
    if (event.type === 'orderFailed') return `orderFailed ${event.errorCode}`
    if (event.type === 'orderCanceled') return `orderCanceled ${event.reason ?? event.status}`
    if (event.type === 'orderPlaced') return `orderPlaced ${event.orderType}`
    return event.type
  })
}
