// What an account's worth is made of at the last whole numbers that doubles tell apart: funding that passes 2^53 is added as it comes.

import { expect, test } from 'vitest'
import { accountsImageOf } from '../../../src/engine/internals.ts'
import { createEngine, type Engine, fp9 } from '../../../src/index.ts'
import { equityThen } from '../../../src/projections/accountSummary.ts'

const HOURS = 3_600_000
const LAST = 2n ** 53n - 1n

test('funding that takes a balance past 2^53 leaves no double of it, and the next change of the account does again', () => {
  const engine = venueOf(LAST)
  expect(seen(engine)).toEqual([LAST])
  fund(engine, -1_000n)
  expect(balance(engine)).toBeGreaterThan(LAST)
  expect(seen(engine)).toEqual([null])
  // Funding back below it is not added to what is not known.
  fund(engine, 5_000n)
  expect(balance(engine)).toBeLessThan(LAST)
  expect(seen(engine)).toEqual([null])
  adjust(engine, -1n)
  expect(seen(engine)).toEqual([balance(engine)])
})

test('funding below 2^53 is added to the last digit', () => {
  const engine = venueOf(LAST - fp9('1000'))
  for (const rate of [-1_003n, 2_001n, 7n, -1n]) {
    const before = balance(engine)
    fund(engine, rate)
    expect(balance(engine)).not.toBe(before)
    expect(seen(engine)).toEqual([balance(engine)])
  }
})

test('amounts beyond 2^53 that change are told apart as they are then', () => {
  const engine = venueOf(LAST, 2n ** 60n)
  adjust(engine, 2n)
  expect(seen(engine)).toEqual([null, null])
  adjust(engine, -3n)
  expect(seen(engine)).toEqual([LAST - 1n, null])
})

/** A long of the first account at the price that the market has kept, without fees: its equity is its balance. */
function venueOf(...balances: readonly bigint[]): Engine {
  const market = {
    id: 'market',
    baseAsset: 'BTC',
    ticker: 'BTC',
    category: 'crypto',
    indexPrice: fp9('50000'),
    spread: 0n,
    feeRate: 0n,
  } as const
  const engine = createEngine({ at: Date.UTC(2026, 0, 5), markets: [market] })
  for (const [at, balance] of balances.entries())
    engine.dispatch({ type: 'openAccount', account: { id: `account ${at}`, userId: 'user', balance } })
  const order = {
    accountId: 'account 0',
    marketId: 'market',
    orderType: 'market',
    direction: 'long',
  } as const
  const outcome = engine.dispatch({ type: 'placeOrder', ...order, amount: fp9('100'), leverage: fp9('5') })
  expect(outcome.ok).toBe(true)
  return engine
}

function fund(engine: Engine, fundingRate: bigint): void {
  expect(engine.dispatch({ type: 'setFundingRate', marketId: 'market', fundingRate }).ok).toBe(true)
  expect(engine.dispatch({ type: 'advanceTime', ms: 8 * HOURS }).ok).toBe(true)
}

function adjust(engine: Engine, amount: bigint): void {
  expect(engine.dispatch({ type: 'adjustBalance', accountId: 'account 0', amount }).ok).toBe(true)
}

const balance = (engine: Engine) => engine.read.account('account 0')?.accountBalance ?? 0n

/** What the columns say of each account, which is the equity of its records; null where they say nothing. */
function seen(engine: Engine): (bigint | null)[] {
  const image = accountsImageOf(engine)
  const { columns } = image
  for (const _ of columns.broughtUp(64));
  const prices = columns.pricesOf(image.markets)
  const equities = [...image].map((account, row) => {
    const equity = columns.equity(row, prices, image.at, image.rules.profitWindowMs)
    if (Number.isNaN(equity)) return null
    expect(BigInt(equity)).toBe(equityThen(image, account))
    return BigInt(equity)
  })
  image.release()
  return equities
}
