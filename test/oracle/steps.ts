// Short lives of a small venue: parameters at every scale, and steps that lean on the boundaries.

import fc from 'fast-check'
import { type PlaceOrder, uncheckedOrder } from '../../src/events/placeOrder.ts'
import {
  type AccountConfiguration,
  type Command,
  type Commit,
  createEngine,
  type Engine,
  fp9,
  type MarketConfiguration,
} from '../../src/index.ts'
import { atLeastOneUnit, Books } from './books.ts'
import { fp9Of, units } from './exact.ts'

const P = fp9
const START = Date.UTC(2026, 0, 5, 23, 50)
export const MARKETS = ['first market', 'second market'] as const
const ACCOUNTS = ['first account', 'second account'] as const

const direction = fc.constantFrom<'long' | 'short'>('long', 'short')
const pick = fc.nat(1_000)
/** Parts of what there is, in thousandths, with dust and all of it. */
const part = fc.constantFrom(1, 100, 333, 500, 999, 1_000, 3_000)
const points = fc.constantFrom(-200, -50, -11, -10, -3, -1, 0, 1, 3, 10, 11, 50, 300)

/** What may happen, in terms that make sense at any scale; read against the books as they are then. */
export const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({ kind: fc.constant('tick' as const), market: fc.constantFrom(...MARKETS), points }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('tickAt' as const),
      what: fc.constantFrom<'liquidation' | 'trigger'>('liquidation', 'trigger'),
      pick,
      off: fc.integer({ min: -1, max: 1 }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('increase' as const),
      account: fc.constantFrom(...ACCOUNTS),
      market: fc.constantFrom(...MARKETS),
      orderType: fc.constantFrom<PlaceOrder['orderType']>(
        'market',
        'market',
        'market',
        'limit',
        'stop_market',
        'stop_limit',
      ),
      direction,
      part: fc.constantFrom(1, 20, 100, 300),
      leverage: fc.constantFrom('1', '2', '7.3', '10', '25'),
      base: fc.boolean(),
      attached: fc.boolean(),
      points: fc.constantFrom(0, 1, 3, 10),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('close' as const),
      orderType: fc.constantFrom<PlaceOrder['orderType']>('take', 'take', 'stop', 'trailing_stop'),
      pick,
      part,
      points: fc.constantFrom(0, 1, 5),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('margin' as const),
      pick,
      points: fc.constantFrom(-900, -500, -10, 10, 300),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.constantFrom(1, 1_000, 29_999, 59_999, 60_000, 600_000, 3_600_000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      pick,
      part: fc.constantFrom(500, 1_000, 1_500),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('platform' as const),
      what: fc.constantFrom<
        'forceClose' | 'closeAll' | 'freeze' | 'unfreeze' | 'promote' | 'deposit' | 'rate' | 'fee'
      >('forceClose', 'closeAll', 'freeze', 'unfreeze', 'promote', 'deposit', 'rate', 'fee'),
      account: fc.constantFrom(...ACCOUNTS),
      pick,
    }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

export const setting = fc.record({
  indexPrice: fc.constantFrom(P('100'), P('50000'), P('0.000001'), P('3.141592653'), P('1000000000')),
  spread: fc.constantFrom(0n, P('0.03%'), P('1%')),
  feeRate: fc.constantFrom(0n, P('0.08%'), P('1%')),
  maintenanceMarginRate: fc.constantFrom(0n, P('0.5%'), P('2%')),
  scalpingWindowMs: fc.constantFrom(0, 180_000),
  fundingRate: fc.constantFrom(0n, P('0.01%'), P('-1%'), P('8%')),
  fundingRateShort: fc.constantFrom(null, null, P('0.5%')),
  minStopDistance: fc.constantFrom(0n, P('0.1%')),
  minNotional: fc.constantFrom(0n, P('10')),
  maxOpenNotionalLong: fc.constantFrom(null, P('20000')),
  maxTotalLoss: fc.constantFrom(P('100%'), P('10%')),
  trailing: fc.boolean(),
})
type Setting = typeof setting extends fc.Arbitrary<infer T> ? T : never

/** An engine with two markets and two accounts, and books that have been there from the first commit. */
export function venueOf({ maxTotalLoss, trailing, ...market }: Setting) {
  const markets = MARKETS.map(
    (id): MarketConfiguration => ({
      id,
      baseAsset: id,
      ticker: id,
      category: 'crypto',
      maxLeverage: P('25'),
      scalpingCoefficient: P('1.5'),
      fundingIntervalMs: 3_600_000,
      maxPriceAgeMs: 1_000_000_000_000,
      ...market,
    }),
  )
  const accounts = ACCOUNTS.map(
    (id): AccountConfiguration => ({
      id,
      userId: id,
      balance: P('10000'),
      maxLeverage: P('25'),
      maxTotalLoss,
      maxDailyLoss: maxTotalLoss,
      drawdownMode: trailing ? 'trailing_eod' : 'static',
    }),
  )
  const engine = createEngine({ seed: 'oracle', at: START })
  const books = new Books()
  const commits: Commit[] = []
  engine.subscribe((commit) => commits.push(commit))
  for (const market of markets) engine.dispatch({ type: 'configureMarket', market }, { at: START })
  for (const account of accounts) engine.dispatch({ type: 'openAccount', account })
  return { engine, books, commits }
}

const scaled = (value: bigint, thousandths: number): bigint => (value * BigInt(thousandths)) / 1_000n
const chosen = <T>(items: readonly T[], at: number): T | undefined => items[at % Math.max(items.length, 1)]

const indexOf = (books: Books, market: string): bigint => fp9Of(books.markets.get(market)?.index ?? units(1n))

/** A price so many thousandths away, and positive. */
const moved = (price: bigint, thousandths: number): bigint =>
  price + scaled(price, thousandths) > 0n ? price + scaled(price, thousandths) : 1n

/** The command a step stands for now; null where there is nothing for it to act on. */
export function commandOf(step: Step, engine: Engine, books: Books): Command | null {
  const positions = [...books.positions.values()]
  switch (step.kind) {
    case 'tick':
      return {
        type: 'updatePrice',
        marketId: step.market,
        indexPrice: moved(indexOf(books, step.market), step.points),
      }
    case 'tickAt': {
      const orders = ACCOUNTS.flatMap((id) => engine.read.activeOrders(id))
      const levels =
        step.what === 'trigger'
          ? orders
              .filter(({ triggerPrice }) => triggerPrice > 0n)
              .map(({ marketId, triggerPrice }) => ({ market: marketId, price: triggerPrice }))
          : positions.map((position) => ({
              market: position.market,
              price: atLeastOneUnit(books.liquidationPrice(position)),
            }))
      const level = chosen(levels, step.pick)
      if (level === undefined) return null
      const indexPrice = level.price + BigInt(step.off)
      return indexPrice > 0n ? { type: 'updatePrice', marketId: level.market, indexPrice } : null
    }
    case 'increase':
      return increaseOf(step, engine, indexOf(books, step.market))
    case 'close': {
      const position = chosen(positions, step.pick)
      if (position === undefined) return null
      const away = position.side === 'long' ? -step.points : step.points
      const index = indexOf(books, position.market)
      return uncheckedOrder({
        type: 'placeOrder',
        accountId: position.trader,
        marketId: position.market,
        orderType: step.orderType,
        direction: position.side,
        positionId: position.idx,
        amount: scaled(fp9Of(position.size), step.part) || 1n,
        ...(step.orderType === 'trailing_stop'
          ? { trailingStopOffsetPercent: P('0.5%') }
          : {
              triggerPrice:
                step.orderType === 'take' && step.points === 0
                  ? 0n
                  : moved(index, step.orderType === 'take' ? -away : away),
            }),
      })
    }
    case 'margin': {
      const position = chosen(positions, step.pick)
      if (position === undefined) return null
      return {
        type: 'changeMargin',
        positionId: position.idx,
        marginChange: scaled(fp9Of(position.margin), step.points),
      }
    }
    case 'wait':
      return { type: 'advanceTime', ms: step.ms }
    case 'edit': {
      const order = chosen(
        ACCOUNTS.flatMap((id) => engine.read.activeOrders(id)),
        step.pick,
      )
      if (order === undefined) return null
      return { type: 'editOrder', orderId: order.id, amount: scaled(order.amount, step.part) || 1n }
    }
    case 'platform':
      return platformOf(step, chosen(positions, step.pick)?.idx)
  }
}

function increaseOf(step: Extract<Step, { kind: 'increase' }>, engine: Engine, index: bigint): Command {
  const free = engine.read.riskStatus(step.account)?.freeBalance ?? 0n
  const amount = scaled(free, step.part) || 1n
  const long = step.direction === 'long'
  const below = step.orderType === 'limit'
  const triggerPrice = moved(index, below === long ? -step.points : step.points)
  const entry = step.orderType === 'market' ? index : triggerPrice
  const around = (delta: number) => entry + scaled(entry, long ? delta : -delta)
  return uncheckedOrder({
    type: 'placeOrder',
    accountId: step.account,
    marketId: step.market,
    orderType: step.orderType,
    direction: step.direction,
    amount,
    leverage: P(step.leverage),
    ...(step.orderType === 'market' ? {} : { triggerPrice }),
    ...(step.orderType === 'stop_limit' ? { stopLimitPrice: triggerPrice } : {}),
    ...(step.attached ? { stopTriggerPrice: around(-12), takeTriggerPrice: around(15) } : {}),
    ...(step.base ? { sizeMode: 'base', baseSize: (amount * 1_000_000_000n) / index || 1n } : {}),
  })
}

function platformOf(
  step: Extract<Step, { kind: 'platform' }>,
  positionId: string | undefined,
): Command | null {
  const accountId = step.account
  switch (step.what) {
    case 'forceClose':
      return positionId === undefined ? null : { type: 'forceClosePosition', positionId }
    case 'closeAll':
      return { type: 'closeAll', accountId }
    case 'freeze':
      return { type: 'stopAccount', accountId, reason: 'freeze' }
    case 'unfreeze':
      return { type: 'unfreezeAccount', accountId }
    case 'promote':
      return { type: 'stopAccount', accountId, reason: 'promote' }
    case 'deposit':
      return { type: 'adjustBalance', accountId, amount: P('123.456') }
    case 'rate':
      return { type: 'setFundingRate', marketId: MARKETS[0], fundingRate: P('0.3%'), fundingRateShort: null }
    case 'fee':
      return { type: 'configureMarket', market: { id: MARKETS[0], feeRate: P('0.2%') } }
  }
}
