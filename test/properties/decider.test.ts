// The pure pair and the engine are one: whatever the engine decides and folds in place, `decide` and `evolve` do to a value.

import fc from 'fast-check'
import { expect, test } from 'vitest'
import { worldOf } from '../../src/domain/decider/venueState.ts'
import { LevelTriggers } from '../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../src/engine/fold.ts'
import { stateHash } from '../../src/engine/stateHash.ts'
import {
  type Commit,
  createEngine,
  decide,
  evolve,
  evolveCommit,
  initialState,
  type VenueState,
} from '../../src/index.ts'
import { aProgram } from '../../src/testing/index.ts'
import { ALL_RUNS, logOf, run, runs } from './runs.ts'

const hashOf = (state: VenueState, { idempotency, commands }: Folded) =>
  stateHash({ world: worldOf(state), idempotency, commands })

function deeplyFrozen(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return true
  return Object.isFrozen(value) && Object.values(value).every(deeplyFrozen)
}

test('decide gives the events of every commit, and evolve the state after it', async () => {
  const reached = new Set<string>()
  await fc.assert(
    fc.asyncProperty(aProgram(40, 120), async (program) => {
      const { engine } = await run(program, { laws: [] })
      const folded = new Folded((world) => new LevelTriggers(world))
      let state = initialState
      for (const commit of await logOf(engine)) {
        const before = state
        const decided = decide(state, commit.command, { at: commit.at })
        expect(decided).toEqual({ rejection: null, events: commit.events })
        state = evolveCommit(state, commit)
        let step = before
        for (const event of commit.events) step = evolve(step, event, commit.at)
        if (commit.events.length > 0) expect({ ...step, seq: commit.seq }).toEqual(state)
        folded.fold(commit)
        for (const { type } of commit.events) reached.add(type)
      }
      expect(hashOf(state, folded)).toBe(engine.stateHash())
      expect(deeplyFrozen(state)).toBe(true)
    }),
    runs(30),
  )
  if (!ALL_RUNS) return
  for (const type of [
    'orderPlaced',
    'orderCanceled',
    'orderReplaced',
    'increasePosition',
    'closePosition',
    'liquidate',
  ])
    expect(reached).toContain(type)
})

test('a command is rejected with the code that the engine gives, and the state given is as it was', async () => {
  const codes = new Set<string>()
  await fc.assert(
    fc.asyncProperty(aProgram(30, 60), aProgram(30, 60), async (own, strange) => {
      const { engine } = await run(own, { laws: [] })
      const others = await logOf((await run(strange, { laws: [] })).engine)
      let state: VenueState = initialState
      for (const commit of await logOf(engine)) state = evolveCommit(state, commit)
      const before = JSON.stringify(state, (_field, value) =>
        typeof value === 'bigint' ? `${value}` : value,
      )
      for (const { command } of others) {
        if (command.type === 'advanceTime' || command.type === 'createEngine') continue
        const decided = decide(state, command)
        if (decided.rejection === null) continue
        // Under a key that the engine has seen it would answer as it did then.
        const outcome = engine.dispatch(
          command.type === 'placeOrder' ? { ...command, idempotencyKey: null } : command,
        )
        expect(outcome).toMatchObject({ ok: false, error: decided.rejection })
        codes.add(decided.rejection.code)
      }
      expect(JSON.stringify(state, (_field, value) => (typeof value === 'bigint' ? `${value}` : value))).toBe(
        before,
      )
    }),
    runs(20),
  )
  if (ALL_RUNS) expect(codes.size).toBeGreaterThan(5)
})

test('what a step did not change is shared with the state before', () => {
  const engine = createEngine({ seed: 'shared' })
  const commits: Commit[] = []
  engine.subscribe((commit) => commits.push(commit))
  const market = (id: string, baseAsset: string) =>
    ({
      id,
      baseAsset,
      ticker: `${baseAsset}-PERP`,
      category: 'crypto',
      indexPrice: 100_000_000_000n,
    }) as const
  engine.dispatch({ type: 'configureMarket', market: market('a', 'BTC') })
  engine.dispatch({ type: 'configureMarket', market: market('b', 'ETH') })
  engine.dispatch({ type: 'openAccount', account: { id: 'x', userId: 'u', balance: 10n ** 12n } })
  engine.dispatch({ type: 'updatePrice', marketId: 'b', indexPrice: 101_000_000_000n })
  const genesis = evolve(initialState, { type: 'engineCreated', seed: 'shared', dayBoundary: 'venue' })
  const states: VenueState[] = [genesis]
  for (const commit of commits) states.push(evolveCommit(states.at(-1) as VenueState, commit))
  const [before, after] = states.slice(-2) as [VenueState, VenueState]
  expect(after.markets[0]).toBe(before.markets[0])
  expect(after.markets[1]).not.toBe(before.markets[1])
  expect(after.accounts).toBe(before.accounts)
  expect(after.orders).toBe(before.orders)
})

test('time that is due, or past, is a mistake of the caller', () => {
  const begun = evolve(initialState, { type: 'engineCreated', seed: 's', dayBoundary: 'venue' }, 1_000)
  expect(() => decide(begun, { type: 'setApiTrading', accountId: 'x', enabled: true }, { at: 999 })).toThrow(
    RangeError,
  )
  const at = begun.nextDueAt
  expect(() => decide(begun, { type: 'setApiTrading', accountId: 'x', enabled: true }, { at })).toThrow(
    RangeError,
  )
  const decided = decide(begun, { type: 'advanceTime', ms: at - 1_000 })
  expect(decided.events).toContainEqual({ type: 'dayBegan' })
})

test('days on which nothing happens count for a plan that asks for no profit (J13)', () => {
  let state = evolve(initialState, { type: 'engineCreated', seed: 's', dayBoundary: 'venue' }, 1_000)
  const account = { id: 'x', userId: 'u', balance: 10n ** 12n, profitableDayShare: 0n }
  const opened = decide(state, { type: 'openAccount', account })
  for (const event of opened.events) state = evolve(state, event)
  for (let day = 0; day < 2; day++) {
    const at = state.nextDueAt
    const { events } = decide(state, { type: 'advanceTime', ms: at - state.now })
    state = evolveCommit(state, { seq: state.seq + 1, at, events })
  }
  expect(state.accounts[0]?.profitableDaysSeen).toBe(2)
})

test('whoever asks is looked at as the engine looks at them: a stranger, a key that may not trade, the owner', () => {
  const engine = createEngine({ seed: 'callers', accounts: [{ id: 'x', userId: 'u', balance: 10n ** 12n }] })
  engine.dispatch({ type: 'setApiTrading', accountId: 'x', enabled: false })
  let state = evolve(initialState, { type: 'engineCreated', seed: 'callers', dayBoundary: 'venue' })
  for (const command of [
    { type: 'openAccount', account: { id: 'x', userId: 'u', balance: 10n ** 12n } },
    { type: 'setApiTrading', accountId: 'x', enabled: false },
  ] as const)
    state = evolveCommit(state, { seq: state.seq + 1, at: 0, events: decide(state, command).events })
  const command = { type: 'closeAll', accountId: 'x' } as const
  const codes = [
    { userId: 'v', apiKey: false },
    { userId: 'u', apiKey: true },
    { userId: 'u', apiKey: false },
  ].map((caller) => {
    const outcome = engine.dispatch(command, { caller })
    const { rejection } = decide(state, command, { caller })
    expect(rejection).toEqual(outcome.ok ? null : outcome.error)
    return rejection?.code ?? null
  })
  expect(codes).toEqual(['account_access_denied', 'api_trading_not_enabled', null])
})
