// A funding instant that is settled step by step for a whole market, against one whose events are emitted one after the other.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Decision } from '../../src/domain/flows/decision.ts'
import { accountsImageOf, quietRangeOf } from '../../src/engine/internals.ts'
import {
  type Commit,
  createEngine,
  type Engine,
  type Event,
  MemoryStore,
  ONE,
  openEngine,
} from '../../src/index.ts'
import { ALL_RUNS, logOf, runs } from './runs.ts'

const START = 1_700_000_000_000
const HOUR = 3_600_000
const PRICE = 100n * ONE
const ACCOUNTS = 8
const uuid = (kind: number, n: number) => `0000000${kind}-0000-4000-8000-${String(n).padStart(12, '0')}`
const MARKETS = [uuid(1, 0), uuid(1, 1)] as const

/** Accounts that stop at a loss of a hundredth lie beside others that never do. */
const VENUE = {
  seed: 'funding',
  at: START,
  dayBoundary: 'venue' as const,
  markets: MARKETS.map((id, n) => ({
    id,
    baseAsset: `A${n}`,
    ticker: `A${n}/USD`,
    category: 'crypto' as const,
    indexPrice: PRICE,
    maxLeverage: 50n * ONE,
    maxPriceAgeMs: 1e12,
    minNotional: 0n,
    fundingIntervalMs: (n + 1) * HOUR,
  })),
  accounts: Array.from({ length: ACCOUNTS }, (_, n) => ({
    id: uuid(2, n),
    userId: uuid(3, n),
    balance: 1_000n * ONE,
    maxLeverage: 50n * ONE,
    maxDailyLoss: n % 2 === 0 ? ONE / 100n : ONE,
    maxTotalLoss: ONE,
    dailyBreach: n % 4 === 0 ? ('freeze' as const) : ('fail' as const),
  })),
}

interface Opening {
  readonly account: number
  readonly market: number
  readonly isShort: boolean
  readonly leverage: number
  readonly guarded: boolean
}

const openings: fc.Arbitrary<Opening[]> = fc.array(
  fc.record({
    account: fc.nat({ max: ACCOUNTS - 1 }),
    market: fc.nat({ max: 1 }),
    isShort: fc.boolean(),
    leverage: fc.integer({ min: 2, max: 45 }),
    guarded: fc.boolean(),
  }),
  { minLength: 2, maxLength: 12, size: 'max' },
)

/** An hour: who opens, how far the price moves, in thousandths, and what is paid, in ten-thousandths. */
const hours = fc.array(
  fc.record({
    openings,
    moves: fc.tuple(fc.integer({ min: -15, max: 15 }), fc.integer({ min: -15, max: 15 })),
    rates: fc.tuple(fc.integer({ min: -400, max: 400 }), fc.integer({ min: -400, max: 400 })),
  }),
  { minLength: 3, maxLength: 8 },
)

const reached = { paid: 0, liquidated: 0, stopped: 0, hedged: 0, several: 0, quiet: 0, days: 0 }

test('a funding instant of whole markets is that of one position after the other', async () => {
  await fc.assert(
    fc.asyncProperty(hours, async (script) => {
      const store = new MemoryStore()
      const atOnce = await openEngine({ ...VENUE, store, snapshotEvery: null })
      const singly = createEngine(VENUE)
      for (const hour of script) {
        for (const engine of [atOnce, singly]) prepare(engine, hour)
        const held = heldBy(atOnce)
        const due = HOUR - (atOnce.now % HOUR)
        const expected = oneByOne(() => pass(singly, due))
        const image = accountsImageOf(atOnce)
        const before = seenIn(image)
        const events = pass(atOnce, due)
        expect(seenIn(image)).toEqual(before)
        image.release()
        expect(events).toEqual(expected)
        expect(atOnce.stateHash()).toBe(singly.stateHash())
        for (const id of MARKETS) expect(quietRangeOf(atOnce, id)).toEqual(quietRangeOf(singly, id))
        count(events, held)
      }
      const hash = atOnce.stateHash()
      await atOnce.close()
      const kept: Commit[] = []
      for await (const run of store.read(1)) kept.push(...run)
      expect(kept).toEqual(await logOf(singly))
      // What is folded from a log is applied event by event as well.
      const folded = await openEngine({ ...VENUE, store, snapshotEvery: null })
      expect(folded.stateHash()).toBe(hash)
      await folded.close()
    }),
    { ...runs(25), endOnFailure: true },
  )
  if (!ALL_RUNS) return
  const often = (most: number) => expect.toSatisfy((times: number) => times > most)
  expect(reached).toEqual({
    paid: often(300),
    liquidated: often(10),
    stopped: often(5),
    hedged: often(20),
    several: often(20),
    quiet: often(10),
    days: often(2),
  })
})

type Hour = typeof hours extends fc.Arbitrary<(infer H)[]> ? H : never

function prepare(engine: Engine, { openings, moves, rates }: Hour): void {
  for (const { account, market, isShort, leverage, guarded } of openings) {
    const away = (thousandths: bigint) => PRICE + (PRICE * (isShort ? -thousandths : thousandths)) / 1_000n
    engine.dispatch({
      type: 'placeOrder',
      accountId: uuid(2, account),
      marketId: MARKETS[market] as string,
      orderType: 'market',
      direction: isShort ? 'short' : 'long',
      amount: 20n * ONE,
      leverage: BigInt(leverage) * ONE,
      ...(guarded && { stopTriggerPrice: away(-40n), takeTriggerPrice: away(60n) }),
    })
  }
  for (const [n, marketId] of MARKETS.entries()) {
    const fundingRate = (ONE * BigInt(rates[n] as number)) / 10_000n
    engine.dispatch({ type: 'setFundingRate', marketId, fundingRate })
    const indexPrice = PRICE + (PRICE * BigInt(moves[n] as number)) / 1_000n
    engine.dispatch({ type: 'updatePrice', marketId, indexPrice })
  }
}

/** Ends with the instant. */
function pass(engine: Engine, ms: number): readonly Event[] {
  const outcome = engine.dispatch({ type: 'advanceTime', ms })
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.events
}

/** What an image says of its accounts, which is told before any of it changes. */
function seenIn(image: ReturnType<typeof accountsImageOf>) {
  return Array.from(image, ({ id, margin, positions }) => [
    id,
    margin,
    Array.from(positions, ({ margin }) => margin),
  ])
}

/** What is done meanwhile has each event of a funding instant emitted by itself. */
function oneByOne<T>(work: () => T): T {
  const { emitFunding } = Decision.prototype
  Decision.prototype.emitFunding = function (_positions, events) {
    for (const event of events) this.emit(event)
  }
  try {
    return work()
  } finally {
    Decision.prototype.emitFunding = emitFunding
  }
}

/** Of each account how many positions it holds, and whether two of them are of one market. */
function heldBy(engine: Engine) {
  return new Map(
    VENUE.accounts.map(({ id }) => {
      const positions = engine.read.activePositions(id)
      const markets = new Set(positions.map(({ marketId }) => marketId))
      return [id, { count: positions.length, isHedged: markets.size < positions.length }] as const
    }),
  )
}

function count(events: readonly Event[], held: ReturnType<typeof heldBy>): void {
  const paying = new Set<string>()
  const of = (type: Event['type']) => events.filter((event) => event.type === type).length
  for (const event of events) if (event.type === 'payFunding') paying.add(event.accountId)
  reached.paid += of('payFunding')
  reached.liquidated += of('liquidate')
  reached.stopped += of('accountStopped')
  reached.days += of('dayBegan')
  if (paying.size > 0 && of('liquidate') === 0) reached.quiet += 1
  for (const id of paying) {
    if (held.get(id)?.isHedged) reached.hedged += 1
    if ((held.get(id)?.count ?? 0) > 1) reached.several += 1
  }
}
