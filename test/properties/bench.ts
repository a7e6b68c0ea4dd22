// One account on one market without costs, for laws about a single rule: what a test does not name plays no part.

import { type Placement, type PlaceOrder, uncheckedOrder } from '../../src/events/placeOrder.ts'
import {
  type Command,
  createEngine,
  type Direction,
  type Engine,
  fp9,
  type MarketConfiguration,
  ONE,
  type Outcome,
  type PositionRecord,
} from '../../src/index.ts'

export const START = Date.UTC(2024, 2, 5, 12)
export const MARKET = '00000000-0000-4000-8000-000000000001'
export const ACCOUNT = '00000000-0000-4000-9000-000000000001'

export const FREE_MARKET: MarketConfiguration = {
  id: MARKET,
  baseAsset: 'BTC',
  ticker: 'BTC-USD',
  category: 'crypto',
  indexPrice: fp9('1000'),
  spread: 0n,
  feeRate: 0n,
  maintenanceMarginRate: 0n,
  minNotional: 0n,
  minStopDistance: 0n,
  scalpingWindowMs: 0,
  fundingRate: 0n,
  maxPriceAgeMs: 1_000_000_000,
}

export const FREE_ACCOUNT = {
  id: ACCOUNT,
  userId: 'user',
  balance: fp9('1000000'),
  maxLeverage: 100n * ONE,
  maxActiveOrders: null,
  maxDailyLoss: ONE,
  maxTotalLoss: ONE,
} as const

export class Bench {
  readonly engine: Engine
  at = START

  constructor(market: Partial<MarketConfiguration> = {}) {
    this.engine = createEngine({
      seed: 'bench',
      at: START,
      markets: [{ ...FREE_MARKET, ...market }],
      accounts: [FREE_ACCOUNT],
    })
  }

  do<C extends Command>(command: C): Outcome<C> {
    return this.engine.dispatch(command, { at: this.at })
  }

  /** Some time later. */
  later(ms: number): this {
    this.at += ms
    return this
  }

  tick(indexPrice: bigint): this {
    const outcome = this.do({ type: 'updatePrice', marketId: MARKET, indexPrice })
    if (!outcome.ok) throw new Error(outcome.error.code)
    return this
  }

  increase(
    direction: Direction,
    amount: bigint,
    leverage = 10n * ONE,
    rest: Partial<Placement> = {},
  ): Outcome<PlaceOrder> {
    const on = { accountId: ACCOUNT, marketId: MARKET, direction }
    return this.do(
      uncheckedOrder({ type: 'placeOrder', orderType: 'market', amount, leverage, ...on, ...rest }),
    )
  }

  /** Closes some of the last position, all of it by default; nothing where it has ended. */
  close(amount?: bigint): PositionRecord {
    const { id: positionId, direction, size, status } = this.position
    if (status !== 'opened') return this.position
    const on = { accountId: ACCOUNT, marketId: MARKET, direction, positionId }
    const outcome = this.do({
      type: 'placeOrder',
      orderType: 'take',
      triggerPrice: 0n,
      amount: amount ?? size,
      ...on,
    })
    if (!outcome.ok) throw new Error(outcome.error.code)
    return this.engine.read.position(positionId) as PositionRecord
  }

  /** The last position opened. */
  get position(): PositionRecord {
    const [position] = this.engine.read.portfolio(ACCOUNT).data
    if (position === undefined) throw new Error('no position')
    return position
  }
}
