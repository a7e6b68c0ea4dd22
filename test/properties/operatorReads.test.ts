// What the operator reads of all accounts is what their records say at one commit, whatever happens while it is read; and
// what it says of a move is what a tick would do.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { accountsImageOf } from '../../src/engine/internals.ts'
import { ACCOUNT_SORTS, searchAccounts } from '../../src/host/accountSearch.ts'
import {
  type AccountRecord,
  decide,
  type Engine,
  evolveCommit,
  initialState,
  MemoryStore,
  ONE,
  openEngine,
  type PositionRecord,
  type VenueState,
} from '../../src/index.ts'
import { type AccountSummary, accountSummary, equityThen } from '../../src/projections/accountSummary.ts'
import { Exposure, type MarketExposure, MOVES, movedPrice } from '../../src/projections/exposure.ts'
import { aProgram, drive, type Program, venue } from '../../src/testing/index.ts'
import { ALL_RUNS, logOf, run, runs } from './runs.ts'

const sum = (values: readonly bigint[]) => values.reduce((all, value) => all + value, 0n)
const floored = (part: bigint, whole: bigint) => {
  const quotient = part / whole
  return part % whole !== 0n && part < 0n !== whole < 0n ? quotient - 1n : quotient
}

/** The same from what traders are served. */
function plainly({ read }: Engine, account: AccountRecord): Partial<AccountSummary> {
  const { accountId, riskStatus } = account
  const equity = riskStatus.currentEquity
  const floors = [riskStatus.dailyLossFloor, riskStatus.totalLossFloor].filter((floor) => floor !== null)
  const floor = floors.length === 0 ? null : floors.reduce((a, b) => (a > b ? a : b))
  const trades = account.status === 'active' && account.currentPhase !== null
  return {
    accountId,
    status: account.status,
    currentPhase: account.currentPhase,
    balance: account.accountBalance,
    equity,
    unrealizedPnl: equity - account.accountBalance,
    pnl: equity - account.initialAccountBalance,
    dailyLossFloor: riskStatus.dailyLossFloor,
    totalLossFloor: riskStatus.totalLossFloor,
    headroom: floor === null || equity <= 0n || !trades ? null : floored((equity - floor) * ONE, equity),
    openNotional: sum(read.activePositions(accountId).map(({ notional }) => notional)),
    openPositions: read.activePositions(accountId).length,
    activeOrders: read.activeOrders(accountId).length,
    profitableDays: account.profitableDays,
    isEligibleForPromotion: read.isEligibleForPromotion(accountId),
  }
}

const allPlainly = (engine: Engine) => engine.read.accounts().map((account) => plainly(engine, account))

async function driveOn(engine: Engine, program: Program): Promise<void> {
  drive(engine, await logOf(engine), program, { laws: [] })
}

/** By creation as they come. */
function sortedBy(sort: (typeof ACCOUNT_SORTS)[number], accounts: readonly AccountSummary[]) {
  const value = (account: AccountSummary) =>
    sort === 'headroom' ? -(account.headroom ?? 10n ** 60n) : sort === 'created' ? 0n : account[sort]
  return (sort === 'created' ? accounts.toReversed() : accounts).toSorted((a, b) =>
    value(a) === value(b) ? 0 : value(a) > value(b) ? -1 : 1,
  )
}

let [changed, moves, liquidated, breached] = [0, 0, 0, 0]
let [interrupted, returned, exact, inexact] = [0, 0, 0, 0]

test('an image is of its commit, however far the venue has gone on before it is walked', async () => {
  await fc.assert(
    fc.asyncProperty(aProgram(60, 160), aProgram(20, 120), fc.nat(6), async (before, after, met) => {
      const { engine } = await run(before, { laws: [] })
      const expected = allPlainly(engine)
      const { head, now } = engine
      const exposed = exposureNow(engine)
      const [image, other] = [accountsImageOf(engine), accountsImageOf(engine)]
      const walk = image[Symbol.iterator]()
      const summaries: AccountSummary[] = []
      const take = () => {
        const next = walk.next()
        if (next.done !== true) summaries.push(accountSummary(image, next.value))
        return next.done !== true
      }
      for (let at = 0; at < met; at++) take()
      await driveOn(engine, after)
      while (take());
      const exposure = new Exposure(other)
      for (const account of other) exposure.add(account)
      image.release()
      other.release()
      expect([image.seq, image.at]).toEqual([head, now])
      expect(summaries).toMatchObject(expected)
      expect(exposure.markets()).toEqual(exposed)
      const kept = allPlainly(engine).slice(0, expected.length)
      if (kept.some((one, at) => one.equity !== expected[at]?.equity)) changed += 1
    }),
    runs(20),
  )
})

test('a page is that of all accounts sorted', async () => {
  await fc.assert(
    fc.asyncProperty(
      aProgram(60, 160),
      fc.constantFrom(...ACCOUNT_SORTS),
      fc.constantFrom('', '-0000-4000-', 'user-alice', 'BOB', 'nobody'),
      fc.constantFrom(undefined, 'active' as const, 'failed' as const),
      fc.constantFrom(undefined, null, 'funded' as const, 'active_evaluation' as const),
      fc.nat(4),
      fc.integer({ min: 1, max: 5 }),
      async (program, sort, search, status, phase, offset, limit) => {
        const { engine } = await run(program, { laws: [] })
        const image = accountsImageOf(engine)
        const all = [...image].map((account) => accountSummary(image, account))
        const terms = { search: search.toLowerCase(), status, phase, sort, offset, limit }
        const pieces = searchAccounts(image, terms, -1)
        let next = pieces.next()
        while (next.done !== true) next = pieces.next()
        image.release()
        const found = all.filter(
          (account) =>
            (status === undefined || account.status === status) &&
            (phase === undefined || account.currentPhase === phase) &&
            `${account.accountId} ${account.userId}`.toLowerCase().includes(search.toLowerCase()),
        )
        const sorted = sortedBy(sort, found)
        expect(next.value).toEqual({ data: sorted.slice(offset, offset + limit), totalCount: found.length })
      },
    ),
    runs(30),
  )
})

test('pages read one after another and at once, while commands go on, are those of their commits', async () => {
  const aStep = fc.record({
    program: aProgram(2, 40),
    sort: fc.constantFrom(...ACCOUNT_SORTS),
    status: fc.constantFrom(undefined, undefined, 'active' as const),
    offset: fc.nat(2),
    ahead: fc.nat(12),
    comesBack: fc.constantFrom(false, false, false, true),
    allChange: fc.constantFrom(false, false, true),
  })
  await fc.assert(
    fc.asyncProperty(
      fc.array(aStep, { minLength: 3, maxLength: 7 }),
      fc.constantFrom(0n, 2n ** 53n - ONE, 2n ** 60n),
      async (steps, least) => {
        const store = new MemoryStore()
        const { accounts = [], ...genesis } = venue()
        // Of every other account amounts that are the last whole numbers of a double, or beyond them.
        const rich = accounts.map((account, at) => ({
          ...account,
          balance: at % 2 === 0 && account.balance < least ? least : account.balance,
        }))
        let engine = await openEngine({ ...genesis, accounts: rich, store, snapshotEvery: 30 })
        let read: (() => void)[] = []
        for (const { program, sort, status, offset, ahead, comesBack, allChange } of steps) {
          if (comesBack) {
            for (const finish of read) finish()
            read = []
            await engine.close()
            engine = await openEngine({ store, snapshotEvery: 30 })
            returned += 1
          }
          await driveOn(engine, program)
          for (const { accountId } of allChange ? engine.read.accounts() : [])
            engine.dispatch({ type: 'adjustBalance', accountId, amount: 7n })
          const image = accountsImageOf(engine)
          const all = [...image].map((account) => accountSummary(image, account))
          const expected = sortedBy(
            sort,
            all.filter((one) => status === undefined || one.status === status),
          )
          const pieces = searchAccounts(image, { search: '', sort, status, offset, limit: 4 }, -1, 1)
          let next = pieces.next()
          for (let piece = 0; piece < ahead && next.done !== true; piece++) next = pieces.next()
          if (next.done !== true) interrupted += 1
          read.push(() => {
            while (next.done !== true) next = pieces.next()
            image.release()
            expect(next.value).toEqual({
              data: expected.slice(offset, offset + 4),
              totalCount: expected.length,
            })
          })
          exactInColumns(engine)
          // The later ones are read to their end first.
          if (read.length > 2) for (const finish of read.splice(1)) finish()
        }
        for (const finish of read) finish()
      },
    ),
    runs(40),
  )
})

/** Every row of the columns says the equity to the last digit, or that it cannot. */
function exactInColumns(engine: Engine): void {
  const image = accountsImageOf(engine)
  const { columns } = image
  for (const _ of columns.broughtUp(1));
  const prices = columns.pricesOf(image.markets)
  let row = 0
  for (const account of image) {
    const equity = columns.equity(row, prices, image.at, image.rules.profitWindowMs)
    expect(columns.account(row++)).toBe(account)
    if (Number.isNaN(equity)) inexact += 1
    else {
      expect(BigInt(equity)).toBe(equityThen(image, account))
      if (account.positions.size > 0) exact += 1
    }
  }
  expect(row).toBe(image.size)
  image.release()
}

test('what is said of a move is what a tick would do', async () => {
  await fc.assert(
    fc.asyncProperty(aProgram(80, 200), async (program) => {
      const { engine } = await run(program, { laws: [] })
      for (const { accountId } of engine.read.accounts())
        for (const { id } of engine.read.activeOrders(accountId))
          engine.dispatch({ type: 'cancelOrder', orderId: id })
      const positions = engine.read
        .accounts()
        .flatMap(({ accountId }) => engine.read.activePositions(accountId))
      let state: VenueState = initialState
      for (const commit of await logOf(engine)) state = evolveCommit(state, commit)
      for (const market of exposureNow(engine)) {
        const here = positions.filter(({ marketId }) => marketId === market.marketId)
        expect(market.openPositions).toBe(here.length)
        expect(market.openNotionalLong).toBe(
          sum(here.filter(({ direction }) => direction === 'long').map(({ notional }) => notional)),
        )
        if (here.length === 0 || engine.read.marketStatus(market.marketId) === 'paused') continue
        for (const { move, indexPrice, houseGain, liquidations, breaches } of market.moves) {
          expect(indexPrice).toBe(movedPrice(market.indexPrice, move))
          const tick = { type: 'updatePrice', marketId: market.marketId, indexPrice } as const
          const { events } = decide(state, tick)
          const gone = events.flatMap((event) => (event.type === 'liquidate' ? [event.positionId] : []))
          expect(liquidations).toBe(gone.length)
          expect(breaches).toBe(
            events.filter((event) => event.type === 'accountStopped' && event.breach !== null).length,
          )
          const gains = here.map((position) => {
            const worth = worthAt(position, market.indexPrice)
            return gone.includes(position.id) ? worth : worth - worthAt(position, indexPrice)
          })
          expect(houseGain).toBe(sum(gains))
          moves += 1
          liquidated += liquidations
          breached += breaches
        }
      }
    }),
    runs(30),
  )
})

test.runIf(ALL_RUNS)('the runs reached what they are about', () => {
  expect(changed).toBeGreaterThan(10)
  expect(moves).toBeGreaterThan(200)
  expect(liquidated).toBeGreaterThan(20)
  expect(breached).toBeGreaterThan(5)
  expect(interrupted).toBeGreaterThan(20)
  expect(returned).toBeGreaterThan(20)
  expect(exact).toBeGreaterThan(50)
  expect(inexact).toBeGreaterThan(50)
})

test('moves are ±1, 2, 5 and 10 %, and no price falls to nothing', () => {
  expect(MOVES.map((move) => Number(move) / 1e7)).toEqual([-10, -5, -2, -1, 1, 2, 5, 10])
  expect(MOVES.map((move) => movedPrice(1n, move)).every((price) => price > 0n)).toBe(true)
})

/** Margin and pnl at a price, without the cap: size times price is rounded down for a long, up for a short. */
function worthAt({ direction, size, notional, margin }: PositionRecord, indexPrice: bigint): bigint {
  const value = (size * indexPrice) / ONE
  if (direction === 'long') return margin + value - notional
  const up = (size * indexPrice) % ONE === 0n ? value : value + 1n
  return margin + notional - up
}

function exposureNow(engine: Engine): MarketExposure[] {
  const image = accountsImageOf(engine)
  const exposure = new Exposure(image)
  for (const account of image) exposure.add(account)
  image.release()
  return exposure.markets()
}
