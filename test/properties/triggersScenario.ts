// A venue under pressure, written by a list of small numbers: each turn becomes one command, aimed at what is there.

import { uncheckedOrder } from '../../src/events/placeOrder.ts'
import type { Command, Event, OrderPlaced, Subscription } from '../../src/index.ts'
import { createEngine, type Engine, type MemoryEngineOptions, ONE } from '../../src/index.ts'

/** What one turn is made of: what to do, and three free choices. */
export type Turn = readonly [what: number, a: number, b: number, c: number]

const USER = '00000000-0000-4000-8000-0000000000ff'
const id = (kind: number, n: number) => `00000000-0000-4000-8000-${String(kind * 1000 + n).padStart(12, '0')}`

/** One market at everyday prices, one priced in single units of 10⁻⁹ where rounding bites, one in between. */
const MARKETS = [100n * ONE, 1_000n, 7n * ONE + 3n].map((indexPrice, n) => ({
  id: id(1, n),
  baseAsset: `A${n}`,
  ticker: `A${n}/USD`,
  category: 'crypto' as const,
  indexPrice,
  spread: [0n, 300_000n, 1_000_001n][n] ?? 0n,
  feeRate: 100_000n,
  minNotional: 0n,
  minStopDistance: 0n,
  maxLeverage: 50n * ONE,
  maxPriceAgeMs: 1e12,
  scalpingWindowMs: 1_000,
  fundingRate: [100_000n, -20_000n, 0n][n] ?? 0n,
}))

export const MARKET_IDS = MARKETS.map(({ id }) => id)

/** Plans from tight to none: both floors, a soft daily one, a trailing one, no floor at all. */
const PLANS = [
  { maxDailyLoss: 5_000_000n, maxTotalLoss: 20_000_000n },
  { maxDailyLoss: 2_000_000n, maxTotalLoss: ONE, dailyBreach: 'freeze' as const },
  { maxDailyLoss: ONE, maxTotalLoss: 10_000_000n, drawdownMode: 'trailing_eod' as const },
  { maxDailyLoss: ONE, maxTotalLoss: ONE },
  { maxDailyLoss: 500_000_000n, maxTotalLoss: 500_000_000n, autoPromote: true, minProfitableDays: 0 },
]

const ACCOUNTS = Array.from({ length: 10 }, (_, n) => ({
  id: id(2, n),
  userId: USER,
  balance: 10_000n * ONE,
  maxLeverage: 50n * ONE,
  ...PLANS[n % PLANS.length],
}))

export function venue(options: MemoryEngineOptions = {}): Engine {
  return createEngine({
    seed: 'triggers',
    at: 1_700_000_000_000,
    markets: MARKETS,
    accounts: ACCOUNTS,
    ...options,
  })
}

/** Turns turns into commands for one engine, and remembers what is active in it. */
export class Scenario {
  readonly engine: Engine
  readonly orders = new Map<string, OrderPlaced>()
  readonly positions = new Map<string, Event & { type: 'increasePosition' }>()
  readonly seen = new Map<string, number>()
  #subscription: Subscription
  #pausedAt = 0
  readonly #previous = MARKETS.map(({ indexPrice }) => indexPrice)

  constructor(engine: Engine) {
    this.engine = engine
    this.#subscription = this.#subscribe()
  }

  /** From here to {@link resume} nobody listens to the engine. */
  pause(): void {
    this.#subscription.unsubscribe()
    this.#pausedAt = this.engine.head
  }

  async resume(): Promise<void> {
    for await (const { events } of this.engine.commits({ from: this.#pausedAt + 1 }))
      for (const event of events) this.#note(event)
    this.#subscription = this.#subscribe()
  }

  /** The command of a turn, and its time. */
  command([what, a, b, c]: Turn): { command: Command; at: number } {
    const at = this.engine.now + (STEPS_MS[b % STEPS_MS.length] ?? 0)
    return { command: this.#command(what % 100, a, b, c), at }
  }

  #subscribe(): Subscription {
    return this.engine.subscribe(({ events }) => {
      for (const event of events) this.#note(event)
    })
  }

  #command(what: number, a: number, b: number, c: number): Command {
    if (what < 50) return this.#tick(a, b, c)
    if (what < 62) return this.#open(a, b, c)
    if (what < 72) return this.#attach(a, b, c)
    if (what < 78) return this.#enter(a, b, c)
    if (what < 84) return this.#edit(a, b, c)
    if (what < 88) return { type: 'cancelOrder', orderId: pick(this.orders, a)?.[0] ?? id(9, 9) }
    if (what < 91) return this.#changeMargin(a, b)
    if (what < 93) return { type: 'closeAll', accountId: account(a) }
    return this.#operate(what - 93, a, b, c)
  }

  /** Steps, gaps, returns to the last price, and prices on or one off a level that something waits at. */
  #tick(a: number, b: number, c: number): Command {
    const n = a % MARKETS.length
    const marketId = id(1, n)
    const current = this.engine.read.market(marketId)?.state.indexPrice ?? 1n
    const indexPrice = this.#nextPrice(n, marketId, current, b, c)
    this.#previous[n] = current
    return { type: 'updatePrice', marketId, indexPrice: indexPrice > 0n ? indexPrice : 1n }
  }

  #nextPrice(n: number, marketId: string, current: bigint, b: number, c: number): bigint {
    const sign = c % 2 === 0 ? 1n : -1n
    switch (b % 8) {
      case 0:
        return this.#previous[n] ?? current
      case 1:
        return (current * BigInt(80 + (c % 45))) / 100n
      case 2:
      case 3:
        return this.#levelOn(marketId, c) ?? current
      case 4:
        return (this.#levelOn(marketId, c) ?? current) + sign
      default:
        return current + sign * (1n + (current * BigInt(c % 40)) / 10_000n)
    }
  }

  #levelOn(marketId: string, c: number): bigint | undefined {
    if (c % 3 === 0) {
      const found = pick(this.positions, c)
      return found?.[1].marketId === marketId ? this.engine.read.liquidationPrice(found[0]) : undefined
    }
    const order = pick(this.orders, c)
    if (order?.[1].marketId !== marketId) return undefined
    return this.engine.read.order(order[0])?.triggerPrice
  }

  #open(a: number, b: number, c: number): Command {
    return uncheckedOrder({
      type: 'placeOrder',
      accountId: account(a),
      marketId: id(1, b % MARKETS.length),
      orderType: 'market',
      direction: direction(c),
      amount: BigInt(1 + (c % 900)) * ONE,
      leverage: BigInt(1 + ((a >> 4) % 50)) * ONE,
    })
  }

  /** A stop, take or trailing stop on an open position. */
  #attach(a: number, b: number, c: number): Command {
    const found = pick(this.positions, a)
    if (found === undefined) return this.#open(a, b, c)
    const [positionId, position] = found
    const current = this.engine.read.market(position.marketId)?.state.indexPrice ?? 1n
    const far = 1n + (current * BigInt(c % 150)) / 1_000n
    const favourable = position.direction === 'long' ? current + far : current - far
    const adverse = position.direction === 'long' ? current - far : current + far
    const common = {
      type: 'placeOrder' as const,
      accountId: position.accountId,
      marketId: position.marketId,
      direction: position.direction,
      positionId,
      amount: 1n + (position.size * BigInt(1 + (c % 4))) / 3n,
    }
    switch (b % 6) {
      case 0:
        return { ...common, orderType: 'stop', triggerPrice: adverse > 0n ? adverse : 1n }
      case 1:
        return { ...common, orderType: 'take', triggerPrice: favourable > 0n ? favourable : 1n }
      case 2:
        return { ...common, orderType: 'take', triggerPrice: 0n }
      case 3:
        return { ...common, orderType: 'trailing_stop', trailingStopOffset: far }
      default: {
        const trailingStopOffsetPercent = BigInt(1 + (c % 200)) * 1_000_001n
        const waits = b % 12 > 5
        const trailingStopActivationPrice = waits && favourable > 0n ? favourable : null
        return {
          ...common,
          orderType: 'trailing_stop',
          trailingStopOffsetPercent,
          trailingStopActivationPrice,
        }
      }
    }
  }

  /** A resting entry, with stop-loss and take-profit now and then. */
  #enter(a: number, b: number, c: number): Command {
    const marketId = id(1, b % MARKETS.length)
    const current = this.engine.read.market(marketId)?.state.indexPrice ?? 1n
    const far = 1n + (current * BigInt(c % 60)) / 1_000n
    const long = direction(c) === 'long'
    const orderType = (['limit', 'stop_market', 'stop_limit'] as const)[a % 3] ?? 'limit'
    const up = orderType === 'limit' ? !long : long
    const triggerPrice = up ? current + far : current - far > 0n ? current - far : 1n
    const guard = 1n + (triggerPrice * BigInt(1 + (a % 90))) / 1_000n
    const beyond = long ? triggerPrice - guard : triggerPrice + guard
    const guarded = c % 3 === 0 && beyond > 0n
    return uncheckedOrder({
      type: 'placeOrder',
      accountId: account(a >> 3),
      marketId,
      orderType,
      direction: direction(c),
      amount: BigInt(1 + (c % 300)) * ONE,
      leverage: BigInt(1 + ((a >> 4) % 30)) * ONE,
      triggerPrice,
      stopLimitPrice: orderType === 'stop_limit' ? triggerPrice : null,
      stopTriggerPrice: guarded ? beyond : null,
      takeTriggerPrice: guarded ? (long ? triggerPrice + guard : triggerPrice - guard) : null,
    })
  }

  #edit(a: number, b: number, c: number): Command {
    const found = pick(this.orders, a)
    if (found === undefined) return this.#tick(a, b, c)
    const nearby = found[1].triggerPrice + (c % 2 === 0 ? 1n : -1n) * BigInt(b % 50)
    return {
      type: 'editOrder',
      orderId: found[0],
      triggerPrice: b % 2 === 0 ? null : nearby,
      amount: b % 3 === 0 ? null : BigInt(1 + (c % 300)) * ONE,
    }
  }

  #changeMargin(a: number, b: number): Command {
    const positionId = pick(this.positions, a)?.[0] ?? id(9, 9)
    return { type: 'changeMargin', positionId, marginChange: BigInt((b % 61) - 30) * ONE }
  }

  /** What an operator does: pauses, new parameters, money, stops, time. */
  #operate(what: number, a: number, b: number, c: number): Command {
    const marketId = id(1, a % MARKETS.length)
    switch (what) {
      case 0:
      case 1:
        return { type: 'setMarketStatus', marketId, status: b % 3 === 0 ? 'paused' : 'open' }
      case 2:
        return {
          type: 'configureMarket',
          market: {
            id: marketId,
            spread: BigInt(b % 5) * 200_001n,
            maintenanceMarginRate: BigInt(1 + (c % 10)) * 1_000_000n,
          },
        }
      case 3:
        return { type: 'adjustBalance', accountId: account(a), amount: BigInt((b % 401) - 200) * ONE }
      case 4:
        return { type: 'advanceTime', ms: c % 5 === 0 ? 28_800_000 : 60_000 }
      case 5:
        return b % 4 === 0
          ? { type: 'stopAccount', accountId: account(a), reason: c % 2 === 0 ? 'freeze' : 'promote' }
          : { type: 'unfreezeAccount', accountId: account(a) }
      default:
        return { type: 'setMarketStatus', marketId, status: b % 4 === 0 ? 'close_only' : 'open' }
    }
  }

  #note(event: Event): void {
    const name = this.#nameOf(event)
    this.seen.set(name, (this.seen.get(name) ?? 0) + 1)
    switch (event.type) {
      case 'orderPlaced':
        this.orders.set(event.orderId, event)
        return
      case 'orderExecuted':
      case 'orderCanceled':
      case 'orderFailed':
      case 'orderReplaced':
        this.orders.delete(event.orderId)
        return
      case 'increasePosition':
        if (event.opens) this.positions.set(event.positionId, event)
        return
      case 'liquidate':
      case 'forceClose':
        this.positions.delete(event.positionId)
        return
      case 'closePosition':
        if (event.closes) this.positions.delete(event.positionId)
    }
  }

  #nameOf(event: Event): string {
    if (event.type === 'orderExecuted') return `${this.orders.get(event.orderId)?.orderType} executed`
    return event.type === 'accountStopped' ? `stopped: ${event.breach?.rule ?? event.reason}` : event.type
  }
}

const STEPS_MS = [0, 1, 10, 250, 1_000, 5_000, 59_999, 60_000]

const account = (n: number) => id(2, n % ACCOUNTS.length)

const direction = (n: number) => ((n >> 2) % 2 === 0 ? 'long' : 'short')

/** Some entry of a map, by number. */
function pick<T>(map: ReadonlyMap<string, T>, n: number): [string, T] | undefined {
  if (map.size === 0) return undefined
  let left = n % map.size
  for (const entry of map) if (left-- === 0) return entry
  return undefined
}
