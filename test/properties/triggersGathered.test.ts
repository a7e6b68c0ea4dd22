// Levels that are placed many at once, at a funding instant and when a log has been folded, against triggers that place none.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { quietRangeOf } from '../../src/engine/internals.ts'
import { createEngine, type Engine, type Event, MemoryStore, ONE, openEngine } from '../../src/index.ts'
import { SimpleTriggers } from '../../src/testing/index.ts'
import { ALL_RUNS, runs } from './runs.ts'

const START = 1_700_000_000_000
const HOUR = 3_600_000
const PRICE = 100n * ONE
const ACCOUNTS = 60
const uuid = (kind: number, n: number) => `0000000${kind}-0000-4000-8000-${String(n).padStart(12, '0')}`

const MARKET = uuid(1, 0)

const VENUE = {
  seed: 'gathered',
  at: START,
  markets: [
    {
      id: MARKET,
      baseAsset: 'A',
      ticker: 'A/USD',
      category: 'crypto' as const,
      indexPrice: PRICE,
      maxLeverage: 50n * ONE,
      maxPriceAgeMs: 1e12,
      minNotional: 0n,
      fundingIntervalMs: HOUR,
      fundingRate: 20_000_000n,
    },
  ],
  accounts: Array.from({ length: ACCOUNTS }, (_, n) => ({
    id: uuid(2, n),
    userId: uuid(3, n),
    balance: 10_000n * ONE,
    maxLeverage: 50n * ONE,
    maxDailyLoss: ONE,
    maxTotalLoss: ONE,
  })),
}

/** One entry of an account: how far the price has moved by then, how it is leveraged, and whether it is resting, guarded or short. */
type Entry = readonly [moved: number, leverage: number, kind: number]

const entries: fc.Arbitrary<Entry[]> = fc.array(
  fc.tuple(fc.integer({ min: -20, max: 20 }), fc.integer({ min: 2, max: 40 }), fc.nat({ max: 5 })),
  { minLength: 40, maxLength: 2 * ACCOUNTS, size: 'max' },
)

const reached = { payFunding: 0, liquidate: 0, orderExecuted: 0 }

test('what waits is met as if each had been placed by itself', async () => {
  const moves = fc.array(fc.integer({ min: -60, max: 60 }), { minLength: 4, maxLength: 12 })
  await fc.assert(
    fc.asyncProperty(entries, moves, async (script, prices) => {
      const model = createEngine({ ...VENUE, triggers: (world) => new SimpleTriggers(world) })
      const live = createEngine(VENUE)
      const store = new MemoryStore()
      const kept = await openEngine({ ...VENUE, store, snapshotEvery: null })
      for (const engine of [model, live, kept]) {
        for (const [n, entry] of script.entries()) enter(engine, n, entry)
        leave(engine, 0)
      }
      await kept.close()
      const folded = await openEngine({ ...VENUE, store, snapshotEvery: null })
      for (const [hour, move] of prices.entries()) {
        const expected = next(model, hour, move)
        for (const { type } of expected) if (type in reached) reached[type as keyof typeof reached] += 1
        expect(next(live, hour, move)).toEqual(expected)
        expect(next(folded, hour, move)).toEqual(expected)
      }
      expect([live, folded].map((engine) => engine.stateHash())).toEqual(Array(2).fill(model.stateHash()))
      await folded.close()
    }),
    { ...runs(6), endOnFailure: true },
  )
  if (!ALL_RUNS) return
  expect(reached).toEqual({
    payFunding: expect.toSatisfy((count) => count > 100),
    liquidate: expect.toSatisfy((count) => count > 20),
    orderExecuted: expect.toSatisfy((count) => count > 20),
  })
})

test('what has left before it was placed bounds no quiet range', async () => {
  const store = new MemoryStore()
  const before = await openEngine({ ...VENUE, store, snapshotEvery: null })
  const without = createEngine(VENUE)
  for (let n = 0; n < 30; n++) {
    // The first is the nearest.
    for (const engine of [before, without]) limit(engine, n, 30 + n)
    // So many that those on their way are thinned out meanwhile.
    for (const away of [1, 2, 3]) {
      const placed = limit(before, n, away)
      if (!placed.ok) throw new Error(placed.error.code)
      before.dispatch({ type: 'cancelOrder', orderId: placed.value.id })
    }
  }
  const range = quietRangeOf(without, MARKET)
  expect(range?.above).toBeGreaterThan(0n)
  expect(quietRangeOf(before, MARKET)).toEqual(range)
  await before.close()
  const folded = await openEngine({ ...VENUE, store, snapshotEvery: null })
  expect(quietRangeOf(folded, MARKET)).toEqual(range)
  await folded.close()
})

test('of positions that left before they were placed nothing is left, and all of the others', async () => {
  const store = new MemoryStore()
  const before = await openEngine({ ...VENUE, store, snapshotEvery: null })
  const without = createEngine(VENUE)
  for (let n = 0; n < 12; n++) {
    // The first is the nearest.
    for (const engine of [before, without]) enter(engine, n, [0, 40 - n, 2 + (n % 2)])
    for (const leverage of [39, 38, 37]) {
      enter(before, ACCOUNTS - 1 - n, [0, leverage, 2 + (n % 2)])
      before.dispatch({ type: 'closeAll', accountId: uuid(2, ACCOUNTS - 1 - n) })
    }
  }
  await before.close()
  const folded = await openEngine({ ...VENUE, store, snapshotEvery: null })
  for (const engine of [folded, without]) price(engine, PRICE)
  const range = quietRangeOf(without, MARKET)
  expect(range?.above).toBeGreaterThan(0n)
  expect(quietRangeOf(folded, MARKET)).toEqual(range)
  await folded.close()
})

test('who can be liquidated no more bounds no quiet range', () => {
  const venue = createEngine(VENUE)
  const empty = createEngine(VENUE)
  for (let n = 0; n < ACCOUNTS; n++) enter(venue, n, [0, 1, 2])
  // Who holds as much margin as the position is worth can be liquidated once they have paid, and no more once it is paid back.
  for (const engine of [venue, empty]) next(engine, 0, 0)
  expect(quietRangeOf(venue, MARKET)?.above).toBeGreaterThan(0n)
  venue.dispatch({ type: 'setFundingRate', marketId: MARKET, fundingRate: -40_000_000n })
  for (const engine of [venue, empty]) next(engine, 1, 0)
  expect(venue.read.activePositions(uuid(2, 3))).toHaveLength(1)
  expect(quietRangeOf(venue, MARKET)).toEqual(quietRangeOf(empty, MARKET))
})

test.each([
  ['long', 2, 20_000_000n],
  ['short', 3, -20_000_000n],
] as const)('a payment of a %s that just suffices liquidates within its instant', (_, kind, fundingRate) => {
  const paying = (extra: bigint, engine: Engine) => {
    enter(engine, 1, [0, 40, kind])
    engine.dispatch({ type: 'setFundingRate', marketId: MARKET, fundingRate })
    const [position] = engine.read.activePositions(uuid(2, 1))
    engine.dispatch({ type: 'changeMargin', positionId: position?.id as string, marginChange: extra })
    const paid = engine.dispatch({ type: 'advanceTime', ms: HOUR - (START % HOUR) })
    return paid.ok && paid.events.some(({ type }) => type === 'liquidate')
  }
  const model = (extra: bigint) =>
    paying(extra, createEngine({ ...VENUE, triggers: (world) => new SimpleTriggers(world) }))
  let [most, least] = [1n, 10n * ONE]
  expect([model(most), model(least)]).toEqual([true, false])
  while (least - most > 1n) {
    const extra = (most + least) / 2n
    if (model(extra)) most = extra
    else least = extra
  }
  for (const extra of [most - 1n, most, least]) expect(paying(extra, createEngine(VENUE))).toBe(model(extra))
})

function limit(engine: Engine, n: number, thousandthsAway: number) {
  const isShort = n % 2 === 1
  return engine.dispatch({
    type: 'placeOrder',
    accountId: uuid(2, n % ACCOUNTS),
    marketId: MARKET,
    orderType: 'limit',
    direction: isShort ? 'short' : 'long',
    amount: 50n * ONE,
    leverage: 10n * ONE,
    triggerPrice: PRICE + (PRICE * BigInt(isShort ? thousandthsAway : -thousandthsAway)) / 1_000n,
  })
}

function enter(engine: Engine, n: number, [moved, leverage, kind]: Entry): void {
  price(engine, PRICE + (PRICE * BigInt(moved)) / 1_000n)
  const isShort = kind % 2 === 1
  const direction = isShort ? 'short' : 'long'
  const away = (tenths: bigint) => PRICE + (PRICE * (isShort ? -tenths : tenths)) / 1_000n
  engine.dispatch({
    type: 'placeOrder',
    accountId: uuid(2, n % ACCOUNTS),
    marketId: MARKET,
    direction,
    amount: 50n * ONE,
    leverage: BigInt(leverage) * ONE,
    ...(kind < 2 ? { orderType: 'limit', triggerPrice: away(-30n) } : { orderType: 'market' }),
    ...(kind > 3 && { stopTriggerPrice: away(-45n), takeTriggerPrice: away(50n) }),
  })
}

/** Every seventh account leaves: while a log is folded that is before it has been placed. */
function leave(engine: Engine, offset: number): void {
  for (let n = offset; n < ACCOUNTS; n += 7)
    engine.dispatch({ type: 'closeAll', accountId: uuid(2, n), marketId: MARKET })
}

/** An hour later the funding is settled, then the price moves. */
function next(engine: Engine, hour: number, move: number): readonly Event[] {
  const ms = START - (START % HOUR) + (hour + 1) * HOUR - engine.now
  const paid = engine.dispatch({ type: 'advanceTime', ms })
  leave(engine, (hour % 6) + 1)
  const moved = price(engine, PRICE + (PRICE * BigInt(move)) / 1_000n)
  return [...(paid.ok ? paid.events : []), ...moved]
}

function price(engine: Engine, indexPrice: bigint): readonly Event[] {
  const outcome = engine.dispatch({ type: 'updatePrice', marketId: MARKET, indexPrice })
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.events
}
