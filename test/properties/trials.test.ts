// What a platform command is shown to do before it is sent is what it does, and showing it does nothing.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { moveClock } from '../../src/domain/evolve/clock.ts'
import type { World } from '../../src/domain/state/world.ts'
import { tried } from '../../src/engine/trial.ts'
import type { PlatformCommand } from '../../src/events/command.ts'
import { COMMAND_ROLES } from '../../src/host/platformCommand.ts'
import { type Command, createEngine, fp9 } from '../../src/index.ts'
import { accountSummary } from '../../src/projections/accountSummary.ts'
import { AccountsImage } from '../../src/projections/accountsImage.ts'
import { aProgram } from '../../src/testing/index.ts'
import { ALL_RUNS, logOf, run, runs } from './runs.ts'
import { folded, triedOn, UNLIMITED } from './tried.ts'

const isPlatform = (command: Command): command is PlatformCommand =>
  Object.hasOwn(COMMAND_ROLES, command.type)

function summaries(world: World) {
  const image = new AccountsImage(world)
  image.release()
  return new Map(Array.from(image, (account) => [account.id, accountSummary(image, account)]))
}

test('a command that is tried has the events that it makes, and the accounts that it leaves', async () => {
  const reached = new Set<string>()
  await fc.assert(
    fc.asyncProperty(aProgram(40, 160), async (program) => {
      const { engine } = await run(program, { laws: [] })
      const was = folded()
      for (const commit of await logOf(engine)) {
        const { command, at } = commit
        if (!isPlatform(command) || was.world.seq === 0) {
          was.fold(commit)
          continue
        }
        const hash = was.stateHash()
        const { now } = was.world
        // A commit has the time at which an `advanceTime` ends, and what fell due on its way stands before it.
        const trial =
          command.type === 'advanceTime'
            ? triedOn(was.world, { ...command, ms: at - now }, now)
            : triedOn(was.world, command, at)
        expect(was.stateHash()).toBe(hash)
        if (command.type !== 'advanceTime') moveClock(was.world, at)
        const before = summaries(was.world)
        was.fold(commit)
        const after = summaries(was.world)
        expect(trial).toMatchObject({ at, seq: commit.seq - 1, house: { would: was.world.house } })
        if (trial.rejection === null) expect(trial.events).toEqual(commit.events)
        else expect(commit.events).toMatchObject([{ type: 'commandRefused', error: trial.rejection.code }])
        for (const { accountId, was: shown, would } of trial.accounts) {
          expect(shown).toEqual(before.get(accountId) ?? null)
          expect(would).toEqual(after.get(accountId))
          expect(shown).not.toEqual(would)
        }
        const told = new Set(trial.accounts.map(({ accountId }) => accountId))
        for (const [accountId, summary] of after)
          if (!told.has(accountId)) expect(summary).toEqual(before.get(accountId))
        reached.add(command.type)
        for (const { type } of trial.events) reached.add(type)
      }
    }),
    runs(12),
  )
  if (!ALL_RUNS) return
  for (const type of [...Object.keys(COMMAND_ROLES), 'liquidate', 'forceClose', 'orderExecuted', 'dayBegan'])
    if (type !== 'revokeApiKey') expect(reached).toContain(type)
})

test('what would be refused is refused with the same code', async () => {
  const codes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(aProgram(30, 60), aProgram(30, 60), async (own, strange) => {
      const { engine } = await run(own, { laws: [] })
      const others = await logOf((await run(strange, { laws: [] })).engine)
      const was = folded()
      for (const commit of await logOf(engine)) was.fold(commit)
      for (const { command } of others) {
        if (!isPlatform(command) || command.type === 'advanceTime') continue
        const { commandId: _, ...again } = command
        const { rejection } = triedOn(was.world, again as PlatformCommand, was.world.now)
        if (rejection === null) continue
        const outcome = engine.dispatch(again as PlatformCommand, { at: engine.now })
        expect(outcome).toEqual({ ok: false, error: rejection })
        codes.add(rejection.code)
      }
    }),
    runs(8),
  )
  if (ALL_RUNS) expect(codes.size).toBeGreaterThan(1)
})

const MARKET = 'b0000000-0000-4000-8000-000000000001'

function venueOf(accounts: number) {
  const engine = createEngine({
    seed: 'trial',
    at: Date.UTC(2026, 0, 5),
    markets: [
      { id: MARKET, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto', indexPrice: fp9('50000') },
    ],
    accounts: Array.from({ length: accounts }, (_, at) => ({
      id: `a0000000-0000-4000-8000-${String(at).padStart(12, '0')}`,
      userId: 'c0000000-0000-4000-8000-000000000001',
      balance: fp9('1000'),
      // Equity may fall to nothing: what ends a position is liquidation.
      maxDailyLoss: fp9('1'),
      maxTotalLoss: fp9('1'),
    })),
  })
  return engine
}

test('time is tried over every instant on its way, as the engine runs them', async () => {
  const engine = venueOf(2)
  const [first] = engine.read.accounts()
  const order = { marketId: MARKET, orderType: 'market', direction: 'long' } as const
  engine.dispatch({
    type: 'placeOrder',
    accountId: first?.accountId ?? '',
    ...order,
    amount: fp9('100'),
    leverage: fp9('5'),
  })
  const was = folded()
  for (const commit of await logOf(engine)) was.fold(commit)
  const ms = 3 * 86_400_000 + 1
  const trial = triedOn(was.world, { type: 'advanceTime', ms }, engine.now)
  const from = engine.head + 1
  engine.dispatch({ type: 'advanceTime', ms })
  const events = (await logOf(engine)).filter(({ seq }) => seq >= from).flatMap((commit) => commit.events)
  expect(trial.events).toEqual(events)
  expect(events.filter(({ type }) => type === 'payFunding')).toHaveLength(9)
  const tooLong = triedOn(was.world, { type: 'advanceTime', ms: 4_000 * 86_400_000 }, was.world.now)
  expect(tooLong.rejection).toMatchObject({ code: 'validation_failed' })
})

test('orders that are made on the way of time have the ids that they then get, whichever instant makes them', async () => {
  const engine = venueOf(2)
  engine.dispatch({ type: 'setFundingRate', marketId: MARKET, fundingRate: fp9('0.06') })
  for (const [at, { accountId }] of engine.read.accounts().entries()) {
    const order = { marketId: MARKET, orderType: 'market', direction: 'long', amount: fp9('100') } as const
    engine.dispatch({ type: 'placeOrder', accountId, ...order, leverage: fp9(at === 0 ? '10' : '6') })
  }
  const was = folded()
  for (const commit of await logOf(engine)) was.fold(commit)
  const ms = 86_400_000
  const trial = triedOn(was.world, { type: 'advanceTime', ms }, engine.now)
  const from = engine.head + 1
  engine.dispatch({ type: 'advanceTime', ms })
  const commits = (await logOf(engine)).filter(({ seq }) => seq >= from)
  const liquidating = commits.filter(({ events }) => events.some(({ type }) => type === 'liquidate'))
  expect(liquidating).toHaveLength(2)
  expect(trial.events).toEqual(commits.flatMap(({ events }) => events))
})

test('what concerns more than may be copied in a turn is not tried, and neither is what does more than is shown', async () => {
  const was = folded()
  for (const commit of await logOf(venueOf(5))) was.fold(commit)
  const { now } = was.world
  const result = (command: PlatformCommand, limits = UNLIMITED) => {
    const pieces = tried(was.world, command, now, limits)
    let next = pieces.next()
    while (next.done !== true) next = pieces.next()
    return next.value
  }
  const time = { type: 'advanceTime', ms: 86_400_000 } as const
  expect(result(time, { ...UNLIMITED, records: 4 })).toEqual({ beyond: 'records' })
  expect(result(time, { ...UNLIMITED, records: 5 })).toMatchObject({ rejection: null })
  expect(result(time, { ...UNLIMITED, events: 0 })).toEqual({ beyond: 'events' })
  // Nobody trades there: the price concerns no account, however many there are.
  const price = { type: 'updatePrice', marketId: MARKET, indexPrice: fp9('1') } as const
  expect(result(price, { ...UNLIMITED, records: 0 })).toMatchObject({ accounts: [] })
})
