// What the scenes are made of: a market, two traders, and moves that find what they are about in the state at hand.

import { liquidationPrice } from '../../src/domain/formulas/liquidation.ts'
import type { Order } from '../../src/domain/state/order.ts'
import type { Position } from '../../src/domain/state/position.ts'
import type { World } from '../../src/domain/state/world.ts'
import type { Genesis } from '../../src/engine/genesis.ts'
import type { AccountConfiguration, Caller, Command, MarketConfiguration } from '../../src/events/command.ts'
import { type Placement, uncheckedOrder } from '../../src/events/placeOrder.ts'
import { fp9 } from '../../src/index.ts'
import type { Move } from './search.ts'

export const NOON = Date.UTC(2024, 0, 3, 12)
export const MARKET = '00000000-0000-4000-8000-00000000000a'
export const ALICE = '00000000-0000-4000-9000-000000000001'
export const BOB = '00000000-0000-4000-9000-000000000002'
export const [ALICES_USER, BOBS_USER] = ['user-alice', 'user-bob']

/** One market at 100 and two accounts of 1,000: no numbers but what a rule needs to bite. */
export function tiny(
  at: number,
  market: Partial<MarketConfiguration> = {},
  alice: Partial<AccountConfiguration> = {},
  bob: Partial<AccountConfiguration> = {},
): Genesis {
  const plan = {
    balance: fp9('1000'),
    maxLeverage: fp9('20'),
    maxDailyLoss: fp9('1'),
    maxTotalLoss: fp9('1'),
  }
  return {
    seed: 'tiny',
    at,
    markets: [
      {
        id: MARKET,
        baseAsset: 'BTC',
        ticker: 'BTC-USD',
        category: 'crypto',
        indexPrice: fp9('100'),
        spread: fp9('0.1%'),
        feeRate: fp9('0.1%'),
        maxLeverage: fp9('20'),
        maintenanceMarginRate: fp9('1%'),
        scalpingWindowMs: 90_000,
        scalpingCoefficient: fp9('2'),
        maxPriceAgeMs: 86_400_000,
        fundingIntervalMs: 3_600_000,
        fundingRate: fp9('0.1%'),
        ...market,
      },
    ],
    accounts: [
      { id: ALICE, userId: ALICES_USER, ...plan, ...alice },
      { id: BOB, userId: BOBS_USER, ...plan, ...bob },
    ],
  }
}

export const give =
  (command: Command, caller?: Caller): Move =>
  () => ({ command, ...(caller && { options: { caller } }) })

/** The index price, in whole units or a fraction. */
export const tick = (price: string): Move =>
  give({ type: 'updatePrice', marketId: MARKET, indexPrice: fp9(price) })

export const wait = (ms: number): Move => give({ type: 'advanceTime', ms })

/** As long as it takes until something falls due, and `ms` more. */
export const waitUntilDue =
  (ms = 0): Move =>
  (world) => {
    const left = world.nextDueAt - world.now + ms
    return left > 0 ? { command: { type: 'advanceTime', ms: left } } : null
  }

export type Body = Omit<Partial<Placement>, 'type'> & Pick<Placement, 'orderType'>

/** An increase of 10 margin at ten times, unless the body says otherwise. */
export const order =
  (accountId: string, body: Body, caller?: Caller): Move =>
  () => {
    const plain = {
      accountId,
      marketId: MARKET,
      direction: 'long',
      amount: fp9('10'),
      leverage: fp9('10'),
    } as const
    return {
      command: uncheckedOrder({ type: 'placeOrder', ...plain, ...body }),
      ...(caller && { options: { caller } }),
    }
  }

export const market = (accountId: string, body: Partial<Body> = {}): Move =>
  order(accountId, { orderType: 'market', ...body })

const at = <T>(items: Iterable<T>, place: number): T | undefined => [...items].at(place)

/** About the position opened as number `place`, of those that are open; -1 = the last. */
export const onPosition =
  (place: number, about: (position: Position, world: World) => Command | null): Move =>
  (world) => {
    const position = at(world.positions.values(), place)
    const command = position === undefined ? null : about(position, world)
    return command === null ? null : { command }
  }

export const onOrder =
  (place: number, about: (order: Order, world: World) => Command | null): Move =>
  (world) => {
    const resting = at(world.orders.values(), place)
    const command = resting === undefined ? null : about(resting, world)
    return command === null ? null : { command }
  }

/** A close order on a position; `share` of its size. */
export const closing = (place: number, body: Body, share: readonly [bigint, bigint] = [1n, 1n]): Move =>
  onPosition(place, ({ id, accountId, marketId, direction, size }) => {
    const part = (size * share[0]) / share[1]
    const on = { accountId: accountId, marketId, direction, positionId: id }
    return uncheckedOrder({ type: 'placeOrder', ...on, amount: part > 0n ? part : 1n, ...body })
  })

export const closeNow = (place: number, share?: readonly [bigint, bigint]): Move =>
  closing(place, { orderType: 'take', triggerPrice: 0n }, share)

/** The price at which a position is liquidated, `units` to its safe side. */
export const tickToLiquidation = (place: number, units: bigint): Move =>
  onPosition(place, (position, world) => {
    const of = world.markets.get(position.marketId)
    const level = liquidationPrice(position, of?.parameters.maintenanceMarginRate ?? 0n)
    const indexPrice = position.direction === 'long' ? level + units : level - units
    return indexPrice > 0n ? { type: 'updatePrice', marketId: position.marketId, indexPrice } : null
  })

export const moveMargin = (place: number, marginChange: bigint): Move =>
  onPosition(place, ({ id }) => ({ type: 'changeMargin', positionId: id, marginChange }))
