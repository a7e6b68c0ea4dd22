// What a context does not do itself, the one it stands beside does: with what it was given, and its answer.

import { expect, test } from 'vitest'
import { besideContext } from '../../../../src/backtest/strategy/besideContext.ts'
import { EngineContext } from '../../../../src/backtest/strategy/engineContext.ts'
import type { StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'

/** Not for strategies: how it is made, and what the run tells it. */
const OTHERS = ['constructor', 'heard', 'adopt']
/** Of the class that every run has: one that is added to it is asked for here. */
const METHODS = Object.entries(Object.getOwnPropertyDescriptors(EngineContext.prototype)).flatMap(
  ([name, { value }]) =>
    typeof value === 'function' && !OTHERS.includes(name) ? [{ name, takes: value.length as number }] : [],
)

type Call = (...given: readonly unknown[]) => unknown

test('every reading and every action', () => {
  const context = {
    now: 7,
    accountId: 'first',
    assets: ['BTC'],
    ...Object.fromEntries(METHODS.map(({ name }) => [name, (...given: unknown[]) => [name, ...given]])),
  } as unknown as StrategyContext
  const beside = besideContext(context, { of: (account) => ({ ...context, accountId: account }) })
  expect(METHODS.length).toBeGreaterThan(12)
  for (const { name, takes } of METHODS.filter(({ name }) => name !== 'of')) {
    const call = beside[name as keyof StrategyContext] as unknown as Call
    const given = ['one', 'two', 'three', 'four'].slice(0, takes)
    expect(call(...given), name).toEqual([name, ...given])
  }
  expect([beside.now, beside.accountId, beside.assets, beside.of('second').accountId]).toEqual([
    7,
    'first',
    ['BTC'],
    'second',
  ])
})

test('what it does itself, it does', () => {
  const context = { now: 7, accountId: 'first', indicator() {} } as unknown as StrategyContext
  const own = besideContext(context, {
    of: () => context,
    equity: () => 5n as ReturnType<StrategyContext['equity']>,
  })
  expect(own.equity()).toBe(5n)
})
