// Whatever a strategy asks for is noted, whichever account it asks from, and only then passed on.

import { expect, test } from 'vitest'
import { noted } from '../../../../src/backtest/lookAhead/decisions.ts'
import type { Bar, Strategy, StrategyContext } from '../../../../src/backtest/strategy/strategy.ts'
import type { PositionRecord } from '../../../../src/domain/state/position.ts'

const position = { id: 'p', direction: 'long' } as PositionRecord

/** A venue that notes what reaches it. */
function venue(accountId: string, reached: string[]): StrategyContext {
  const reach = (what: string) => () => void reached.push(`${accountId} ${what}`)
  return {
    now: 7,
    accountId,
    of: (account: string) => venue(account, reached),
    ...Object.fromEntries(
      ['open', 'close', 'edit', 'cancel', 'changeMargin', 'closeAll', 'indicator'].map((what) => [
        what,
        reach(what),
      ]),
    ),
  } as StrategyContext
}

function act(context: StrategyContext): void {
  context.open({ asset: 'BTC', direction: 'long', sizeBy: { margin: '5%' }, leverage: '2' })
  context.close({ position })
  context.edit('o', { amount: 1n })
  context.cancel('o')
  context.changeMargin(position, 1n)
  context.changeMargin(position, -1n)
  context.closeAll()
}

const KINDS = ['open long BTC', 'close long', 'edit', 'cancel', 'add margin', 'take margin', 'close all']

test('every action is noted and passed on, from any account', async () => {
  const reached: string[] = []
  const strategy: Strategy = {
    name: 'two accounts',
    onBar(_bar, context) {
      act(context)
      act(context.of('second'))
    },
  }
  const { strategy: watched, notebook } = noted(strategy, 0)
  await watched.onBar?.({ closeTime: 7 } as Bar, venue('first', reached))
  expect(notebook.decisions.map(({ kind }) => kind)).toEqual([...KINDS, ...KINDS])
  expect(notebook.decisions.every(({ at }) => at === 7)).toBe(true)
  expect(new Set(notebook.decisions.map(({ asked }) => asked)).size).toBe(2 * KINDS.length)
  expect(reached.filter((what) => what.startsWith('second'))).toHaveLength(KINDS.length)
  expect(reached).toHaveLength(2 * KINDS.length)
})
