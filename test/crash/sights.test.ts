// What the comparison of lists with the log lets pass, and what it does not.

import { expect, test } from 'vitest'
import { type Placement, uncheckedOrder } from '../../src/events/placeOrder.ts'
import { type Commit, createEngine, fp9 } from '../../src/index.ts'
import { ALICE, BTC } from '../host/venue.ts'
import { Chance } from '../store/traffic.ts'
import { HostLoad, markOf } from './hostLoad.ts'
import { checkSights } from './sights.ts'

const { accountId, userId } = ALICE
const market = { id: BTC, baseAsset: 'BTC', ticker: 'BTC/USD', category: 'crypto' } as const
const engine = createEngine({
  seed: 'sights',
  at: 1_000,
  markets: [{ ...market, indexPrice: fp9('50000') }],
  accounts: [{ id: accountId, userId, balance: fp9('1000') }],
})
const commits: Commit[] = []
engine.subscribe((commit) => commits.push(commit))
const order = { type: 'placeOrder', accountId, marketId: BTC, direction: 'long', leverage: fp9('2') } as const
const place = (terms: Pick<Placement, 'orderType' | 'triggerPrice' | 'idempotencyKey'>): string => {
  const outcome = engine.dispatch(uncheckedOrder({ ...order, amount: fp9('10'), ...terms }))
  if (!outcome.ok) throw new Error(outcome.error.code)
  return outcome.value.id
}
const resting = (idempotencyKey: string) =>
  place({ orderType: 'limit', triggerPrice: fp9('40000'), idempotencyKey })

const first = resting('one')
const filled = place({ orderType: 'market', idempotencyKey: 'two' })
const second = resting('three')

/** A list seen after so many of the answers. */
const seen = (orders: readonly string[], told: number) => () => {
  const load = new HostLoad(new Chance(1))
  for (const commit of commits) load.acknowledged.add(markOf(commit) as string)
  load.sights.push({ accountId, orders: orders.join(), told })
  checkSights(commits, load)
}

test('lists of a moment that the reader had not gone beyond', () => {
  expect(seen([], 0)).not.toThrow()
  expect(seen([first], 1)).not.toThrow()
  expect(seen([first], 2)).not.toThrow()
  expect(seen([second, first], 0)).not.toThrow()
  expect(seen([second, first], 3)).not.toThrow()
})

test('a list from before what its reader had been told', () => {
  expect(seen([], 1)).toThrow('from before')
  expect(seen([first], 3)).toThrow('from before')
})

test('a list that never was: half a commit, another order, what the log has lost', () => {
  for (const orders of [[filled, first], [second], [first, second], ['lost', second, first]])
    expect(seen(orders, 0)).toThrow('at no moment')
})
