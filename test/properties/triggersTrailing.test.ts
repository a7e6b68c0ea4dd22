// Thousands of trailing stops at peaks of their own, merging, firing, edited and cancelled in masses, against the model.

import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uncheckedOrder } from '../../src/events/placeOrder.ts'
import { type Command, createEngine, type Engine, ONE } from '../../src/index.ts'
import type { TriggersFactory } from '../../src/internal.ts'
import { SimpleTriggers } from '../../src/testing/index.ts'
import { ALL_RUNS, runs } from './runs.ts'

const MARKET = '00000000-0000-4000-8000-000000000001'
const ACCOUNT = '00000000-0000-4000-8000-000000000002'

const choice = fc.nat({ max: 0xffff })
const steps = fc.array(fc.tuple(choice, choice, choice), { minLength: 5_000, maxLength: 6_000, size: 'max' })

/** Markets priced in units of ten thousand and of 10⁻⁹, where many fractions round to the same trigger. */
const PRICES = [10_000n * ONE, 5_000n]

function holding(price: bigint, triggers?: TriggersFactory): { engine: Engine; ids: string[] } {
  const engine = createEngine({
    seed: 'trailing',
    at: 1_700_000_000_000,
    ...(triggers && { triggers }),
    markets: [
      {
        id: MARKET,
        baseAsset: 'A',
        ticker: 'A/USD',
        category: 'crypto',
        indexPrice: price,
        maxPriceAgeMs: 1e12,
        fundingRate: 0n,
        maxLeverage: 10n * ONE,
      },
    ],
    accounts: [
      {
        id: ACCOUNT,
        userId: ACCOUNT,
        balance: 1_000_000n * ONE,
        maxActiveOrders: null,
        maxDailyLoss: ONE,
        maxTotalLoss: ONE,
      },
    ],
  })
  const ids = (['long', 'short'] as const).map((direction) => {
    const outcome = engine.dispatch(
      uncheckedOrder({
        type: 'placeOrder',
        accountId: ACCOUNT,
        marketId: MARKET,
        orderType: 'market',
        direction,
        amount: 100_000n * ONE,
        leverage: ONE,
      }),
    )
    const increase = outcome.ok ? outcome.events[2] : undefined
    if (increase?.type !== 'increasePosition') throw new Error('no position')
    return increase.positionId
  })
  return { engine, ids }
}

test.each(PRICES)('trailing stops of a market at %s agree with the model', (middle) => {
  let most = 0
  let fired = 0
  fc.assert(
    fc.property(steps, (script) => {
      const fast = holding(middle)
      const model = holding(middle, (world) => new SimpleTriggers(world)).engine
      const active: string[] = []
      let price = middle
      const both = (command: Command) => {
        const given = fast.engine.dispatch(command)
        const expected = model.dispatch(command)
        if (!isDeepStrictEqual(given, expected)) expect(given).toEqual(expected)
        if (!given.ok) return
        for (const event of given.events) {
          if (event.type === 'orderPlaced') active.push(event.orderId)
          if (event.type === 'orderExecuted') fired += 1
          if (
            event.type === 'orderExecuted' ||
            event.type === 'orderCanceled' ||
            event.type === 'orderReplaced'
          )
            active.splice(active.indexOf(event.orderId), 1)
        }
      }
      for (const [what, a, b] of script) {
        const orderId = active[a % Math.max(active.length, 1)] ?? ''
        if (what % 100 < 70) both(trailingStop(fast.ids, a, b, price))
        else if (what % 100 < 92) {
          // Mostly small steps that wander; now and then back to the middle, or one to the side of a trigger price.
          const wander = (middle * BigInt((b % 41) - 20)) / 60_000n
          const trigger = fast.engine.read.order(orderId)?.triggerPrice ?? 0n
          price =
            b % 37 === 0
              ? middle
              : b % 23 === 0 && trigger > 0n
                ? trigger + BigInt((a % 3) - 1)
                : price + wander
          if (price < middle / 2n || price > (middle * 3n) / 2n) price = middle
          both({ type: 'updatePrice', marketId: MARKET, indexPrice: price })
        } else if (what % 100 < 95) both({ type: 'editOrder', orderId, amount: BigInt(1 + (b % 1_000)) })
        else if (what % 1_000 === 999)
          for (const one of active.slice(0, b % 1_000)) both({ type: 'cancelOrder', orderId: one })
        else both({ type: 'cancelOrder', orderId })
        most = Math.max(most, active.length)
      }
      expect(fast.engine.stateHash()).toBe(model.stateHash())
    }),
    { ...runs(3), endOnFailure: true },
  )
  if (!ALL_RUNS) return
  expect(most).toBeGreaterThan(500)
  expect(fired).toBeGreaterThan(500)
})

function trailingStop(ids: readonly string[], a: number, b: number, price: bigint): Command {
  const long = a % 2 === 0
  const far = 1n + (price * BigInt(b % 4_000)) / 10_000n
  const activation = long ? price + far / 8n : price - far / 8n
  return uncheckedOrder({
    type: 'placeOrder',
    accountId: ACCOUNT,
    marketId: MARKET,
    orderType: 'trailing_stop',
    direction: long ? 'long' : 'short',
    positionId: ids[long ? 0 : 1] as string,
    amount: 1n,
    trailingStopOffset: b % 3 === 0 ? far : null,
    trailingStopOffsetPercent: b % 3 === 0 ? null : 1n + BigInt(b % 400) * 1_000_003n,
    trailingStopActivationPrice: b % 5 === 0 && activation > 0n ? activation : null,
  })
}
