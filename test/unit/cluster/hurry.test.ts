// A maximum has changed: the shard looks for its part until the next round, and no longer than it is wanted.

import { expect, test } from 'vitest'
import type { QuotaBook } from '../../../src/cluster/lineShare.ts'
import { QuotaKeeper } from '../../../src/cluster/quotaKeeper.ts'
import type { QuotaLedger } from '../../../src/cluster/quotaLedger.ts'

/** A keeper on a clock that stands still but for its pauses, whose ledger refuses as many changes as told. */
function shard(refused: number, onPause: (at: number, keeper: QuotaKeeper) => void = () => {}) {
  let [now, looks, left] = [0, 0, refused]
  const ledger: QuotaLedger = {
    look: async () => {
      looks += 1
      return { turn: 0, maximum: 100n, shares: new Map() }
    },
    change: async () => left-- <= 0,
  }
  let quota = 0n
  const book: QuotaBook = {
    lines: () => ['a line'],
    standing: () => ({ quota, open: 0n, maximum: 100n }),
    ahead: () => 0n,
    set: async (_, amount) => {
      quota = amount
    },
  }
  const clock = {
    monotonic: () => now,
    sleep: async (ms: number) => {
      now += ms
      if (now > 10_000) throw new Error('it goes on for ever')
      onPause(now, keeper)
    },
  }
  const ask = async () => null
  const keeper: QuotaKeeper = new QuotaKeeper({ shard: 1, shards: 4, epoch: 1, book, ledger, ask, clock })
  return { keeper, time: () => now, looks: () => looks, quota: () => quota }
}

test('it takes its part, and looks every twentieth of a second for half a second whether there is more to do', async () => {
  const { keeper, time, looks, quota } = shard(0)
  await keeper.hurry()
  expect([time(), quota()]).toEqual([500, 25n])
  // Once settled there is nothing to look for.
  expect(looks()).toBeLessThan(3)
})

test('what others change meanwhile is tried again until it is had', async () => {
  const { keeper, quota } = shard(20)
  await keeper.hurry()
  expect(quota()).toBe(25n)
})

test('it ends where the keeper is stopped', async () => {
  const { keeper, time } = shard(0, (at, stopped) => at >= 100 && stopped.stop())
  await keeper.hurry()
  expect(time()).toBe(100)
})
