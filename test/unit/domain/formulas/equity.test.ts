// Equity is what the account holds and what its positions would gain at the index (C11).

import { expect, test } from 'vitest'
import { equityOf } from '../../../../src/domain/formulas/equity.ts'
import type { Account } from '../../../../src/domain/state/account.ts'
import type { World } from '../../../../src/domain/state/world.ts'
import { fp9 } from '../../../../src/index.ts'
import { MINUTE, Venue } from '../../venue.ts'

test('C11: free, reserved and in positions, and their unrealized pnl at the index', () => {
  const venue = new Venue({ account: {} })
  venue.wait(MINUTE)
  const before = venue.equity
  venue.place({ orderType: 'limit', amount: fp9('100'), leverage: fp9('2'), triggerPrice: fp9('50') })
  expect(venue.equity).toBe(before)
  venue.open({ amount: fp9('1000'), leverage: fp9('2') })
  const opened = venue.equity
  venue.wait(MINUTE)
  venue.tick('101')
  // 2,000 at 100 are 20 in size.
  expect(venue.equity - opened).toBe(fp9('20'))
})

test('a position whose market is not known adds no pnl', () => {
  const account = {
    free: 5n,
    reserve: 2n,
    margin: 3n,
    positions: [{ marketId: 'gone' }],
  } as unknown as Account
  const world = { markets: new Map(), rules: { profitWindowMs: 0 } } as unknown as World
  expect(equityOf(world, account, 0)).toBe(10n)
})
