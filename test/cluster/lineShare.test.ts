// What a shard may have of a line, step by step over a ledger in memory: what is given, taken and kept, and what others that keep changing
// the line do to it.

import { describe, expect, test } from 'vitest'
import { LineShare, type LineStanding } from '../../src/cluster/lineShare.ts'
import type { QuotaLedger, ShareChange, SharedOut } from '../../src/cluster/quotaLedger.ts'

const LINE = 'a market, long'

interface Setting {
  readonly shard?: number
  readonly standing?: LineStanding | null
  readonly maximum?: bigint | null
  readonly shares?: readonly (readonly [shard: number, amount: bigint])[]
  /** How many changes of the ledger fail, because somebody else was faster. */
  readonly busy?: number
}

function shareOf({ shard = 1, standing = null, maximum = 100n, shares = [], busy = 0 }: Setting) {
  const done: string[] = []
  const state = { standing, seen: { turn: 1, maximum, shares: new Map(shares) } as SharedOut, busy, now: 0 }
  const ledger: QuotaLedger = {
    look: async () => state.seen,
    change: async (_line: string, seen: SharedOut, change: ShareChange) => {
      if (seen.turn !== state.seen.turn) return false
      if (state.busy > 0) {
        state.busy -= 1
        done.push('another was faster')
        return false
      }
      const { amount, maximum: told } = change
      state.seen = {
        turn: seen.turn + 1,
        maximum: told ?? seen.maximum,
        shares: new Map([...seen.shares, [change.shard, amount]]),
      }
      done.push(told === null ? `ledger ${amount}` : `ledger ${amount} of ${told}`)
      return true
    },
  }
  const book = {
    lines: () => [LINE],
    standing: () => state.standing,
    ahead: () => 0n,
    set: async (_line: string, quota: bigint) => {
      done.push(`log ${quota}`)
      if (state.standing !== null) state.standing = { ...state.standing, quota }
    },
  }
  const clock = { monotonic: () => state.now } as never
  const share = new LineShare(LINE, { shard, shards: 4, epoch: 7, book, ledger, clock })
  return { share, state, done }
}

const stands = (quota: bigint, open: bigint, maximum = 100n): LineStanding => ({ quota, open, maximum })

describe('settling', () => {
  test('takes an equal part where that is free: in the ledger first, and then in the log', async () => {
    const { share, done } = shareOf({ standing: stands(0n, 0n), shares: [[0, 25n]] })
    expect(share.isSettled()).toBe(false)
    await share.settle()
    expect(done).toEqual(['log 0', 'ledger 25', 'log 25'])
    expect(share.isSettled()).toBe(true)
  })

  test('is done by keeping where it has not been, under another maximum and while more is open than the quota, and not otherwise', async () => {
    const { share, state, done } = shareOf({ standing: stands(0n, 0n), shares: [[0, 25n]] })
    await share.keep()
    expect(done.splice(0)).toEqual(['log 0', 'ledger 25', 'log 25'])
    await share.keep()
    expect(done).toEqual([])
    state.standing = stands(25n, 0n, 90n)
    await share.keep()
    expect(done.splice(0)[0]).toBe('log 25')

    const over = shareOf({ standing: stands(25n, 30n) })
    for (const _ of [1, 2, 3]) {
      await over.share.keep()
      expect(over.done.splice(0)).toEqual(['log 25', 'ledger 30'])
    }
    over.state.standing = stands(25n, 20n)
    await over.share.keep()
    expect(over.done.splice(0)).toEqual(['log 25', 'ledger 25'])
    await over.share.keep()
    expect(over.done).toEqual([])
  })

  test('takes what is left where less is free, and nothing where nobody knows a maximum, or only a greater one', async () => {
    const left = shareOf({
      standing: stands(0n, 0n),
      shares: [
        [0, 60n],
        [2, 30n],
      ],
    })
    await left.share.settle()
    expect(left.done.slice(1)).toEqual(['ledger 10', 'log 10'])
    for (const maximum of [null, 101n]) {
      const unknown = shareOf({ standing: stands(0n, 0n), maximum })
      await unknown.share.settle()
      expect(unknown.done).toEqual(['log 0', 'ledger 0'])
    }
  })

  test('keeps what it has, and in the ledger what is open beyond that', async () => {
    const { share, done } = shareOf({ standing: stands(40n, 55n), shares: [[1, 55n]] })
    await share.settle()
    expect(done).toEqual(['log 40', 'ledger 55'])
    await share.keep()
    expect(done).toEqual(['log 40', 'ledger 55', 'log 40', 'ledger 55'])
  })

  test('tells the maximum where the shard is the first', async () => {
    const { share, done } = shareOf({ shard: 0, standing: stands(0n, 0n), maximum: null })
    await share.settle()
    expect(done).toEqual(['log 0', 'ledger 25 of 100', 'log 25'])
  })

  test('tries again where others were faster, eight times, and stays unsettled after that', async () => {
    const some = shareOf({ standing: stands(0n, 0n), busy: 7 })
    await some.share.settle()
    expect(some.share.isSettled()).toBe(true)
    const all = shareOf({ standing: stands(0n, 0n), busy: 8 })
    await all.share.settle()
    expect(all.share.isSettled()).toBe(false)
    expect(all.state.busy).toBe(0)
    expect(all.done.filter((step) => step === 'another was faster')).toHaveLength(8)
  })

  test('is done again once in doubt, and not before', async () => {
    const { share, done } = shareOf({ standing: stands(25n, 0n), shares: [[1, 25n]] })
    await share.keep()
    const once = done.length
    await share.keep()
    expect(done).toHaveLength(once)
    share.doubt()
    await share.keep()
    expect(done).toHaveLength(2 * once)
  })
})

describe('giving', () => {
  test('is in the log first, and free in the ledger after that', async () => {
    const { share, done } = shareOf({ standing: stands(40n, 10n), shares: [[1, 40n]] })
    expect(await share.give(({ quota, open }) => quota - open)).toEqual({ given: 30n, open: 10n })
    expect(done).toEqual(['log 10', 'ledger 10'])
  })

  test('of nothing, or of less than that, changes nothing', async () => {
    for (const amount of [0n, -1n]) {
      const { share, done } = shareOf({ standing: stands(40n, 10n) })
      expect(await share.give(() => amount)).toEqual({ given: 0n, open: 10n })
      expect(done).toEqual([])
    }
    const one = shareOf({ standing: stands(40n, 10n) })
    expect(await one.share.give(() => 1n)).toEqual({ given: 1n, open: 10n })
  })

  test('by whoever has no maximum, or has stopped, is of nothing', async () => {
    const none = { given: 0n, open: 0n }
    expect(await shareOf({ standing: null }).share.give(() => 5n)).toEqual(none)
    const stopped = shareOf({ standing: stands(40n, 10n) })
    stopped.share.stop()
    expect(await stopped.share.give(() => 5n)).toEqual(none)
    expect(stopped.done).toEqual([])
  })

  test('fails where others keep changing the line, eight times, and is unsettled then', async () => {
    const some = shareOf({ standing: stands(40n, 0n), busy: 7 })
    await some.share.give(() => 10n)
    expect(some.done.at(-1)).toBe('ledger 30')
    const all = shareOf({ standing: stands(40n, 0n), shares: [[1, 40n]] })
    await all.share.settle()
    all.state.busy = 8
    await expect(all.share.give(() => 10n)).rejects.toThrow(`others keep changing ${LINE}`)
    expect(all.share.isSettled()).toBe(false)
  })
})

describe('raising', () => {
  test('takes what is liked where that is free, and says what is lacking of what is needed', async () => {
    const { share, done } = shareOf({
      standing: stands(20n, 5n),
      shares: [
        [0, 50n],
        [1, 20n],
      ],
    })
    expect(await share.raise(30n, 40n)).toMatchObject({ lacking: 0n, hasTaken: true })
    expect(done).toEqual(['ledger 40', 'log 40'])
    expect(await share.raise(70n, 70n)).toMatchObject({ lacking: 20n, hasTaken: true })
    expect(done.slice(2)).toEqual(['ledger 50', 'log 50'])
    expect(await share.raise(70n, 70n)).toMatchObject({ lacking: 20n, hasTaken: false })
    expect(await share.raise(50n, 50n)).toMatchObject({ lacking: 0n, hasTaken: false })
  })

  test('gives up after eight tries, and says what is lacking', async () => {
    const some = shareOf({ standing: stands(0n, 0n), busy: 7 })
    expect(await some.share.raise(30n, 30n)).toMatchObject({ lacking: 0n, hasTaken: true })
    const all = shareOf({ standing: stands(5n, 0n), busy: 9 })
    expect(await all.share.raise(30n, 30n)).toMatchObject({ lacking: 25n, hasTaken: false })
    expect(all.state.busy).toBe(1)
  })

  test('by whoever has no maximum is of nothing', async () => {
    const { share, done } = shareOf({ standing: null })
    expect(await share.raise(30n, 40n)).toMatchObject({ lacking: 0n, hasTaken: false })
    expect(done).toEqual([])
  })
})

describe('a smaller maximum', () => {
  test('is told to the ledger by the first shard before its log has it, and by no other', async () => {
    const first = shareOf({ shard: 0, standing: stands(40n, 0n), shares: [[0, 40n]] })
    expect((await first.share.announce(60n))?.maximum).toBe(60n)
    expect(first.done).toEqual(['ledger 40 of 60'])
    const other = shareOf({ standing: stands(40n, 0n) })
    expect(await other.share.announce(60n)).toBeNull()
    expect(other.done).toEqual([])
    expect((await shareOf({ shard: 0, standing: null }).share.announce(60n))?.maximum).toBe(60n)
  })

  test('is not put back for a second after it was announced, and then is, where the log never followed', async () => {
    const { share, state, done } = shareOf({ shard: 0, standing: stands(40n, 0n), shares: [[0, 40n]] })
    await share.announce(60n)
    const announced = done.length
    state.now = 50_000
    await share.settle()
    expect(done).toHaveLength(announced)
    share.announced()
    state.now += 999
    await share.settle()
    expect(done).toHaveLength(announced)
    state.now += 1
    await share.settle()
    expect(state.seen.maximum).toBe(100n)
  })

  test('that the log has is settled under at once', async () => {
    const { share, state } = shareOf({ shard: 0, standing: stands(40n, 0n), shares: [[0, 40n]] })
    await share.announce(60n)
    share.announced()
    state.standing = stands(40n, 0n, 60n)
    await share.settle()
    expect([share.isSettled(), state.seen.maximum]).toEqual([true, 60n])
  })

  test('leaves of the quota what fits it beside the shares of others', async () => {
    const fitting = async (shares: Setting['shares'], open = 0n) => {
      const { share, done } = shareOf({ standing: stands(40n, open), maximum: 60n, shares: shares ?? [] })
      expect(await share.shrink(60n)).toBe(true)
      return done
    }
    expect(
      await fitting([
        [0, 10n],
        [1, 40n],
      ]),
    ).toEqual(['log 40', 'ledger 40'])
    expect(
      await fitting([
        [0, 35n],
        [1, 40n],
      ]),
    ).toEqual(['log 25', 'ledger 25'])
    expect(
      await fitting([
        [0, 70n],
        [1, 40n],
      ]),
    ).toEqual(['log 0', 'ledger 0'])
    expect(
      await fitting(
        [
          [0, 35n],
          [1, 40n],
        ],
        30n,
      ),
    ).toEqual(['log 25', 'ledger 30'])
    const unheard = shareOf({ standing: stands(40n, 0n), maximum: 100n })
    expect(await unheard.share.shrink(60n)).toBe(false)
    expect(await shareOf({ standing: null, maximum: 60n }).share.shrink(60n)).toBe(false)
    const busy = shareOf({ standing: stands(40n, 0n), maximum: 60n, busy: 1 })
    expect(await busy.share.shrink(60n)).toBe(false)
  })
})
