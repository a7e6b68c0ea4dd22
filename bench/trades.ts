// A market order and the take that closes it: validation, events, ledger, read models and log included.

import { PerformanceObserver, performance } from 'node:perf_hooks'
import { setImmediate } from 'node:timers/promises'
import { decide } from '../src/domain/commands/decide.ts'
import { Decision } from '../src/domain/flows/decision.ts'
import { settle } from '../src/domain/formulas/settlement.ts'
import { sizeIncrease } from '../src/domain/formulas/sizing.ts'
import type { Market } from '../src/domain/state/market.ts'
import { partsOf } from '../src/engine/engine.ts'
import type { Position } from '../src/index.ts'
import {
  type Engine,
  type IncreasePosition,
  inPlace,
  isLiquidatable,
  MARKET_DEFAULTS,
  ONE,
  type PlaceOrder,
  positionRecipe,
  unopenedPosition,
} from '../src/index.ts'
import { compare, type Figure, type Line, rate } from './figure.ts'
import { accountId, benchVenue, marketId, must, PRICE, START } from './venue.ts'

const ACCOUNTS = 1_000
const MARKET = marketId(0)
const accountIds = Array.from({ length: ACCOUNTS }, (_, n) => accountId(n))

export const trades: Figure = {
  name: 'trades',
  about: 'market open and close at market, commands per second',
  async run({ quick }) {
    const pairs = quick ? 10_000 : 50_000
    const logged = benchVenue({ accounts: ACCOUNTS })
    const unlogged = benchVenue({ accounts: ACCOUNTS }, { log: false })
    const alone = benchVenue({ accounts: ACCOUNTS }, { log: false })
    const timed = compare({
      floor: () => bareMap(pairs),
      rules: () => rulesAlone(alone, pairs),
      logged: () => openAndClose(logged, pairs),
      unlogged: () => openAndClose(unlogged, pairs),
    })
    const floor = 'a bare Map with the same formulas'
    return [
      rate('open and close', timed.logged, floor, timed.floor, '220k/s, 4× of its floor'),
      rate('open and close, without a log', timed.unlogged, floor, timed.floor),
      rate('… decided and applied, and nothing besides', timed.rules, floor, timed.floor),
      await collectorsShare(() => openAndClose(logged, pairs)),
    ]
  },
}

/** How much of the time of a work the collector holds it up. */
async function collectorsShare(work: () => unknown): Promise<Line> {
  let collecting = 0
  const observer = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) collecting += duration
  })
  observer.observe({ entryTypes: ['gc'] })
  const began = performance.now()
  work()
  const took = performance.now() - began
  // What was observed is told in a later turn.
  await setImmediate()
  await setImmediate()
  observer.disconnect()
  return { what: "the collector's share of that", value: (100 * collecting) / took, unit: '%', aim: '10%' }
}

export function openAndClose(engine: Engine, pairs: number): number {
  for (let n = 0; n < pairs; n++) closeAtMarket(engine, n, openAtMarket(engine, n))
  return 2 * pairs
}

export function openAtMarket(engine: Engine, n: number): IncreasePosition {
  const { events } = must(engine, marketOrder(accountIds[n % ACCOUNTS] as string))
  const increase = events[2]
  if (increase?.type !== 'increasePosition') throw new Error('not opened')
  return increase
}

export function closeAtMarket(engine: Engine, n: number, increase: IncreasePosition): void {
  must(engine, takeAtMarket(accountIds[n % ACCOUNTS] as string, increase))
}

const marketOrder = (account: string): PlaceOrder => ({
  type: 'placeOrder',
  accountId: account,
  marketId: MARKET,
  orderType: 'market',
  direction: 'long',
  amount: 1_000n * ONE,
  leverage: 5n * ONE,
})

const takeAtMarket = (account: string, { positionId, size }: IncreasePosition): PlaceOrder => ({
  type: 'placeOrder',
  accountId: account,
  marketId: MARKET,
  orderType: 'take',
  direction: 'long',
  amount: size,
  triggerPrice: 0n,
  positionId,
})

/** The same commands decided and applied: no copy, history, log, answer or subscriber. What an engine around these rules can reach. */
function rulesAlone(engine: Engine, pairs: number): number {
  const { world } = partsOf(engine).folded
  const decision = new Decision(world)
  for (let n = 0; n < pairs; n++) {
    const accountId = accountIds[n % ACCOUNTS] as string
    decision.begin(world.now)
    decide(decision, marketOrder(accountId), null)
    const increase = decision.events()[2]
    world.seq += 1
    world.ended.clear()
    world.changed.clear()
    if (increase?.type !== 'increasePosition') throw new Error('not opened')
    decision.begin(world.now)
    decide(decision, takeAtMarket(accountId, increase), null)
    world.seq += 1
    world.ended.clear()
    world.changed.clear()
  }
  return 2 * pairs
}

/** State in a Map, the engine's own sizing, reducers and settlement, and nothing else: no checks, events, log or lists. */
function bareMap(pairs: number): number {
  const parameters = {
    id: marketId(0),
    baseAsset: 'A',
    ticker: 'A',
    category: 'crypto',
    ...MARKET_DEFAULTS,
  } as const
  const market = { parameters, indexPrice: PRICE } as Market
  const positions = new Map<string, Position>()
  const apply = inPlace(positionRecipe)
  for (let n = 0; n < pairs; n++) {
    const id = `${n}`
    const sizing = {
      direction: 'long',
      sizeMode: 'quote',
      amount: 1_000n * ONE,
      baseSize: null,
      leverage: 5n * ONE,
    } as const
    const fill = sizeIncrease(market, sizing)
    if (fill === null) throw new Error('no size')
    const on = { positionId: id, accountId: id, marketId: market.id, direction: 'long' } as const
    const increase = {
      type: 'increasePosition',
      ...on,
      opens: true,
      orderId: id,
      indexPrice: PRICE,
      size: fill.size,
      notional: fill.notional,
      margin: fill.margin,
      leverage: sizing.leverage,
      fee: fill.fee,
      feeRate: parameters.feeRate,
      profitReference: 0n,
    } as const
    const position = apply(
      unopenedPosition(increase, START, { sequence: n, phaseOrdinal: 1 }),
      increase,
      START,
    )
    positions.set(id, position)
    if (isLiquidatable(position, parameters.maintenanceMarginRate, PRICE))
      throw new Error('born liquidatable')
    const settled = settle(position, position.size, PRICE, parameters.feeRate, START)
    apply(
      position,
      {
        type: 'closePosition',
        ...on,
        ...settled,
        closes: true,
        orderId: id,
        indexPrice: PRICE,
        feeRate: parameters.feeRate,
        scalpingCoefficient: ONE,
      },
      START,
    )
    positions.delete(id)
  }
  return 2 * pairs
}
