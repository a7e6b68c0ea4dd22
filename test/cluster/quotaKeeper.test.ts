// What one shard asks of the others, and takes for what rests ahead. The promises that quotas keep are in quotas.test.ts.

import { expect, test } from 'vitest'
import type { QuotaBook } from '../../src/cluster/lineShare.ts'
import { type Given, QuotaKeeper } from '../../src/cluster/quotaKeeper.ts'
import type { QuotaLedger, SharedOut } from '../../src/cluster/quotaLedger.ts'

const MAXIMUM = 1_000n

/** Shard 1 of four; what it asks is answered with `gives`. Time stands still but for short pauses. */
function shardOne(terms: {
  quota: bigint
  open: bigint
  ahead?: bigint
  others: [number, bigint][]
  gives?: ReadonlyMap<number, bigint>
  /** So many looks at the ledger are not answered. */
  unanswered?: number
  /** Shards that do not answer. */
  silent?: readonly number[]
}) {
  let { quota } = terms
  let line: SharedOut = { turn: 0, maximum: MAXIMUM, shares: new Map([[1, quota], ...terms.others]) }
  let looks = 0
  const asked: [shard: number, amount: bigint][] = []
  const slept: number[] = []
  const share = (shard: number, amount: bigint) => {
    line = { ...line, turn: line.turn + 1, shares: new Map(line.shares).set(shard, amount) }
  }
  const ledger: QuotaLedger = {
    look: async () => {
      looks += 1
      // Who looks on and on without a pause is answered no more, or would keep the test for good.
      if (looks > 100) return new Promise(() => {})
      if (looks <= (terms.unanswered ?? 0)) throw new Error('no answer')
      return line
    },
    change: async (_, seen, { shard, amount }) => {
      if (seen.turn !== line.turn) return false
      share(shard, amount)
      return true
    },
  }
  const book: QuotaBook = {
    lines: () => ['a line'],
    standing: () => ({ quota, open: terms.open, maximum: MAXIMUM }),
    ahead: () => terms.ahead ?? 0n,
    set: async (_, amount) => {
      quota = amount
    },
  }
  const ask = async (shard: number, _: string, amount: bigint): Promise<Given> => {
    asked.push([shard, amount])
    if (terms.silent?.includes(shard) === true) throw new Error('no answer')
    const given = terms.gives?.get(shard) ?? 0n
    share(shard, (line.shares.get(shard) ?? 0n) - given)
    return { given, open: 0n }
  }
  const clock = {
    monotonic: () => 0,
    sleep: (ms: number) => {
      slept.push(ms)
      return new Promise<void>((resolve) => void (ms < 100 && setImmediate(resolve)))
    },
  }
  const keeper = new QuotaKeeper({ shard: 1, shards: 4, epoch: 1, book, ledger, ask, clock })
  return { keeper, asked, slept, quota: () => quota, looks: () => looks }
}

const settled = async () => {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}

test('those that have most are asked first, for what is still lacking, and nobody once it is enough', async () => {
  const { keeper, asked, slept, quota } = shardOne({
    quota: 100n,
    open: 100n,
    others: [
      [0, 300n],
      [2, 500n],
      [3, 100n],
    ],
    gives: new Map([
      [2, 90n],
      [0, 60n],
    ]),
  })
  await keeper.awaited('a line', 150n)
  expect(asked).toEqual([
    [2, 150n],
    [0, 60n],
  ])
  expect(quota()).toBe(250n)
  await settled()
  const pauses = slept.filter((ms) => ms < 100)
  expect(pauses, 'what is given is taken without a pause').toEqual([])
  expect(keeper.moves).toEqual({ taken: 1, given: 0, refused: 0 })
  keeper.stop()
})

test.each([1n, 2n, 50n])(
  'who does not answer has given nothing: the next is asked for all of %s',
  async (amount) => {
    const others: [number, bigint][] = [
      [0, 200n],
      [2, 600n],
      [3, 100n],
    ]
    const gives = new Map([[3, amount]])
    const { keeper, asked } = shardOne({ quota: 100n, open: 100n, others, gives, silent: [0, 2] })
    void keeper.awaited('a line', amount)
    await settled()
    expect(asked.slice(0, 3)).toEqual([2, 0, 3].map((shard) => [shard, asked[0]?.[1]]))
    keeper.stop()
  },
)

test('a ledger that does not answer is asked again after a pause each time', async () => {
  const others: [number, bigint][] = [[2, 500n]]
  const terms = { quota: 100n, open: 100n, others, gives: new Map([[2, 150n]]) }
  const { keeper, slept, quota } = shardOne({ ...terms, unanswered: 3 })
  await keeper.awaited('a line', 150n)
  expect(quota()).toBeGreaterThanOrEqual(250n)
  await settled()
  expect(slept.filter((ms) => ms < 100)).toHaveLength(3)
  keeper.stop()
})

test('what rests ahead has room before anybody asks, and where there is enough nothing is looked at', async () => {
  const ahead = shardOne({ quota: 100n, open: 50n, ahead: 400n, others: [] })
  void ahead.keeper.run()
  await settled()
  expect([ahead.quota(), ahead.asked]).toEqual([450n, []])
  ahead.keeper.stop()
  // With a quarter of the maximum, which it begins with, it is exactly enough.
  const enough = shardOne({ quota: 100n, open: 50n, ahead: 200n, others: [] })
  void enough.keeper.run()
  await settled()
  expect([enough.quota(), enough.looks()]).toEqual([250n, 1])
  enough.keeper.stop()
})

test('what rests ahead is asked of others where nothing is free, and of nobody what is free', async () => {
  const { keeper, asked, quota } = shardOne({
    quota: 250n,
    open: 200n,
    ahead: 300n,
    others: [
      [0, 400n],
      [2, 300n],
    ],
    gives: new Map([[0, 150n]]),
  })
  void keeper.run()
  await settled()
  // Of 1,000 are 50 free.
  expect([asked.slice(0, 2), quota()]).toEqual([
    [
      [0, 200n],
      [2, 50n],
    ],
    300n,
  ])
  keeper.stop()
})

/** A shard whose log and ledger are at hand. */
function shardAt(shard: number, { quota, open = 0n }: { quota: bigint; open?: bigint }) {
  const at = {
    now: 0,
    quota,
    maximum: MAXIMUM,
    line: { turn: 1, maximum: MAXIMUM, shares: new Map([[shard, quota]]) } as SharedOut,
    /** Runs once the ledger has been changed, before that is known. */
    changed: () => {},
  }
  const ledger: QuotaLedger = {
    look: async () => at.line,
    change: async (_, seen, { shard, amount, maximum }) => {
      if (seen !== at.line) return false
      const { turn, maximum: before, shares } = at.line
      at.line = { turn: turn + 1, maximum: maximum ?? before, shares: new Map(shares).set(shard, amount) }
      at.changed()
      return true
    },
  }
  const book: QuotaBook = {
    lines: () => ['a line'],
    standing: () => ({ quota: at.quota, open, maximum: at.maximum }),
    ahead: () => 0n,
    set: async (_, amount) => {
      at.quota = amount
    },
  }
  const clock = {
    monotonic: () => at.now,
    sleep: () => new Promise<void>((resolve) => void setImmediate(resolve)),
  }
  const ask = async () => ({ given: 0n, open: 0n })
  return { at, keeper: new QuotaKeeper({ shard, shards: 4, epoch: 1, book, ledger, ask, clock }) }
}

test('what the first shard has said of a smaller maximum stands until its log has it, and a moment longer', async () => {
  const { at, keeper } = shardAt(0, { quota: 400n })
  void keeper.run()
  await settled()

  expect(await keeper.fit('a line', 300n)).toBe(true)
  await settled()
  expect([at.line.maximum, at.quota]).toEqual([300n, 300n])
  at.maximum = 300n
  await settled()
  expect(at.line.maximum).toBe(300n)

  // One that never comes to the log is forgotten.
  expect(await keeper.fit('a line', 200n)).toBe(true)
  at.now += 900
  await settled()
  expect(at.line.maximum).toBe(200n)
  at.now += 200
  await settled()
  expect(at.line.maximum).toBe(300n)
  keeper.stop()
})

test.each([
  ['taken', async (keeper: QuotaKeeper) => keeper.awaited('a line', 500n)],
  ['begun with', async (keeper: QuotaKeeper) => keeper.run()],
])('what is %s under a maximum that has become smaller meanwhile is not had', async (_, take) => {
  const { at, keeper } = shardAt(1, { quota: 100n, open: 100n })
  at.changed = () => {
    at.maximum = 200n
    at.quota = 0n
    at.changed = () => {}
  }
  void take(keeper)
  await settled()
  expect(at.maximum).toBe(200n)
  expect(at.quota).toBe(0n)
  keeper.stop()
})

test('what would be all of the maximum is waited for, and not a unit more', async () => {
  for (const [amount, waits] of [
    [900n, true],
    [901n, false],
    [1n, true],
    [0n, false],
  ] as const) {
    const { keeper } = shardOne({ quota: 100n, open: 100n, others: [] })
    expect(keeper.awaited('a line', amount) !== null, String(amount)).toBe(waits)
    keeper.stop()
  }
  const { keeper } = shardOne({ quota: 100n, open: 40n, others: [] })
  expect([keeper.awaited('a line', 60n), keeper.awaited('a line', 61n)]).toEqual([null, expect.anything()])
  keeper.stop()
})

test('who has room gives what is asked for or half of the room, whichever is more, and never more than there is', async () => {
  for (const [open, ahead, asked, given] of [
    [100n, 0n, 50n, 150n],
    [100n, 0n, 151n, 151n],
    [100n, 0n, 300n, 300n],
    [100n, 0n, 999n, 300n],
    [100n, 101n, 1n, 99n],
    [400n, 0n, 1n, 0n],
  ] as const) {
    const { keeper, quota } = shardOne({ quota: 400n, open, ahead, others: [] })
    const answer = await keeper.give('a line', asked)
    expect([answer.given, quota()], `${asked} asked of ${400n - open - ahead}`).toEqual([given, 400n - given])
    expect(keeper.moves).toEqual({ taken: 0, given: given > 0n ? 1 : 0, refused: given > 0n ? 0 : 1 })
    keeper.stop()
  }
})
