// The history lists are never ahead of what is durable: what they know, the log must have (K7).

import { expect, test } from 'vitest'
import type { OrderRecord } from '../../../src/domain/state/order.ts'
import type { PositionRecord } from '../../../src/domain/state/position.ts'
import type { GatheredChanges } from '../../../src/history/gatheredChanges.ts'
import type { HistoryTarget } from '../../../src/history/historyTarget.ts'
import { PendingHistory } from '../../../src/history/pendingHistory.ts'
import { LOOP_TURNS } from '../../../src/store/lmdb/loopTurns.ts'
import type { Turns } from '../../../src/store/turns.ts'
import { Venue } from '../venue.ts'

const { order, position } = endedRecords()

/** An order that was executed and a position that was closed. */
function endedRecords(): { readonly order: OrderRecord; readonly position: PositionRecord } {
  const venue = new Venue()
  const { accountId, marketId } = venue.open()
  venue.close()
  const [order] = venue.engine.read.orderHistory(accountId, marketId).data
  const [position] = venue.engine.read.positionHistory(accountId, marketId).data
  if (order === undefined || position === undefined) throw new Error('nothing has ended')
  return { order, position }
}

class Written implements HistoryTarget {
  readonly removed = null
  readonly checked = Promise.resolve()
  readonly turns: Turns = LOOP_TURNS
  cursor = 0
  readonly sequences: number[] = []
  readonly cursors: number[] = []
  readonly unhurried: boolean[] = []
  /** A write is done when this is. */
  medium = Promise.resolve()

  async write(changes: readonly GatheredChanges[], cursor: number, recovering: boolean): Promise<void> {
    this.unhurried.push(!recovering)
    await this.medium
    for (const { entries } of changes) for (const { sequence } of entries) this.sequences.push(sequence)
    this.cursors.push(cursor)
    this.cursor = cursor
  }

  createdUpTo = () => undefined
  order = () => undefined
  endOf = () => undefined
  entry = () => undefined
  holes = () => undefined
  eventsBefore = () => []
}

function told(commits: number, changesEach = 1): { written: Written; pending: PendingHistory } {
  const written = new Written()
  const pending = new PendingHistory(written)
  for (let seq = 1; seq <= commits; seq++) {
    for (let rank = 0; rank < changesEach; rank++) pending.entry({ list: seq, rank }, seq)
    pending.completed(seq)
  }
  return { written, pending }
}

test.each([1, 2, 3, 5])(
  'of five commits told, the first %i that are durable are written',
  async (durable) => {
    const { written, pending } = told(5)
    pending.durable(durable)
    await Promise.race([pending.flushed(), pending.failed])
    expect(written.sequences).toEqual([1, 2, 3, 4, 5].slice(0, durable))
    expect(written.cursor).toBe(durable)
    for (const seq of [1, 2, 3, 4, 5])
      expect(pending.entryOf({ list: seq, rank: 0 }), 'held until it is written').toBe(
        seq <= durable ? undefined : seq,
      )
  },
)

test('much at once is written in several pieces, each with the cursor that it reaches', async () => {
  const { written, pending } = told(10, 12_000)
  pending.durable(10)
  await Promise.race([pending.flushed(), pending.failed])
  expect(written.sequences).toHaveLength(120_000)
  expect(written.cursors.length).toBeGreaterThan(2)
  expect(written.cursors).toEqual([...written.cursors].sort((a, b) => a - b))
  expect(written.cursor).toBe(10)
})

/** Changes gather until somebody calls it off: no time passes. */
class Standing extends Written {
  gathering = 0
  override readonly turns: Turns = {
    ...LOOP_TURNS,
    gather: () => {
      this.gathering += 1
      return () => {
        this.gathering -= 1
      }
    },
  }
}

test.each([1, 2, 3])(
  'closing waits for no gathering, with %i commits of which one is durable',
  async (commits) => {
    const written = new Standing()
    const pending = new PendingHistory(written)
    for (let seq = 1; seq <= commits; seq++) {
      pending.entry({ list: 1, rank: seq }, seq)
      pending.completed(seq)
    }
    pending.durable(1)
    expect([written.gathering, written.sequences]).toEqual([1, []])
    await Promise.race([pending.flushed(), pending.failed])
    expect([written.gathering, written.sequences]).toEqual([0, [1]])
  },
)

test('one commit with more changes than a piece is written whole', async () => {
  const { written, pending } = told(2, 60_000)
  pending.durable(2)
  await Promise.race([pending.flushed(), pending.failed])
  expect(written.cursors).toEqual([1, 2])
})

test.each([1, 20_000])(
  'told again after a restart, %i changes a commit are looked up from its end on until they are written',
  async (changesEach) => {
    const { written, pending } = told(0)
    pending.forget()
    const begun = new Promise<void>((resolve) => {
      const write = written.write.bind(written)
      written.write = (...told) => {
        resolve()
        return write(...told)
      }
    })
    let done = () => {}
    written.medium = new Promise((resolve) => {
      done = resolve
    })
    for (let seq = 1; seq <= 5; seq++) {
      for (let rank = 0; rank < changesEach; rank++) pending.entry({ list: seq, rank }, seq)
      pending.completed(seq)
      pending.durable(Math.min(seq, 4))
    }
    await begun
    const found = () => [1, 2, 3, 4, 5].map((list) => pending.entryOf({ list, rank: changesEach - 1 }))
    expect(found()).toEqual(Array(5).fill(undefined))
    pending.recovered()
    expect(found()).toEqual([1, 2, 3, 4, 5])
    done()
    await Promise.race([pending.flushed(), pending.failed])
    expect(found()).toEqual([undefined, undefined, undefined, undefined, 5])
    expect(written.sequences).toHaveLength(4 * changesEach)
    expect(written.unhurried[0]).toBe(false)
    pending.durable(5)
    await Promise.race([pending.flushed(), pending.failed])
    expect(written.unhurried.at(-1)).toBe(true)
  },
)

test.each(['on closing', 'by the next that is durable'])(
  'after a write that failed nothing is written %s: the lists never pass over what it lost',
  async (when) => {
    const written = new Written()
    const failures: unknown[] = []
    const pending = new PendingHistory(written)
    pending.failed.catch(({ cause }) => failures.push(cause))
    const tell = (seq: number) => {
      pending.entry({ list: seq, rank: 0 }, seq)
      pending.completed(seq)
      pending.durable(seq)
    }
    const full = new Error('no room')
    written.medium = Promise.reject(full)
    written.medium.catch(() => {})
    tell(1)
    if (when === 'on closing') tell(2)
    await pending.flushed()
    // There is room again, for the next, or for one that is smaller.
    written.medium = Promise.resolve()
    if (when !== 'on closing') tell(2)
    await pending.flushed()
    expect([failures, written.cursors, written.sequences]).toEqual([[full], [], []])
  },
)

test('whenever somebody looks, what is not written is found, and what is written is let go of', async () => {
  for (const durable of [1, 2, 3, 4, 5])
    for (const lookedAt of [1, 2, 3, 4, 5]) {
      const written = new Written()
      const pending = new PendingHistory(written)
      for (let seq = 1; seq <= 5; seq++) {
        pending.entry({ list: seq, rank: 0 }, seq)
        pending.completed(seq)
        if (seq === lookedAt) expect(pending.entryOf({ list: 1, rank: 0 })).toBe(1)
      }
      pending.durable(durable)
      await Promise.race([pending.flushed(), pending.failed])
      const found = [1, 2, 3, 4, 5].map((seq) => pending.entryOf({ list: seq, rank: 0 }))
      expect(found, `${durable} durable, looked up at ${lookedAt}`).toEqual(
        [1, 2, 3, 4, 5].map((seq) => (seq <= durable ? undefined : seq)),
      )
    }
})

test('whatever has ended is found by its id until it is written, orders and positions alike', async () => {
  const { pending } = told(0)
  for (const sequence of [1, 2]) {
    pending.order(sequence, { phaseOrdinal: 1, record: { ...order, id: `order ${sequence}` } })
    const id = `position ${sequence}`
    for (const record of [
      { ...position, id, version: 1, status: 'opened' as const },
      { ...position, id, version: 2 },
    ])
      pending.event(sequence, { phaseOrdinal: 1, record, orderSequence: null })
    pending.completed(sequence)
  }
  const found = () => ['order 1', 'position 1', 'order 2', 'position 2'].map((id) => pending.sequenceOf(id))
  expect(found()).toEqual([1, 1, 2, 2])
  expect([pending.endOf(1)?.record.status, pending.endOf(3)]).toEqual(['closed', undefined])
  pending.durable(1)
  await Promise.race([pending.flushed(), pending.failed])
  expect(found()).toEqual([undefined, undefined, 2, 2])
  expect(pending.endOf(1)).toBeUndefined()
})

test('how a position ended is found first thing, and by its id until that is written, whatever was written of it before', async () => {
  const { pending } = told(0)
  const after = (version: number, status: 'opened' | 'closed') =>
    pending.event(7, {
      phaseOrdinal: 1,
      record: { ...position, id: 'it', version, status },
      orderSequence: null,
    })
  after(1, 'opened')
  pending.completed(1)
  expect([pending.endOf(7), pending.sequenceOf('it')]).toEqual([undefined, undefined])
  after(2, 'closed')
  pending.completed(2)
  expect(pending.endOf(7)?.record).toMatchObject({ version: 2, status: 'closed' })
  expect(pending.sequenceOf('it')).toBe(7)
  pending.durable(1)
  await Promise.race([pending.flushed(), pending.failed])
  expect(pending.eventsOf(7).map(({ record }) => record.version)).toEqual([2])
  expect(pending.sequenceOf('it')).toBe(7)
})

test('so much that nobody looked up yet is found all the same, written or not', async () => {
  const { pending } = told(30, 2_000)
  const found = () => Array.from({ length: 30 }, (_, n) => pending.entryOf({ list: n + 1, rank: 1_999 }))
  pending.durable(7)
  await Promise.race([pending.flushed(), pending.failed])
  expect(found()).toEqual(Array.from({ length: 30 }, (_, n) => (n < 7 ? undefined : n + 1)))
  pending.durable(25)
  await Promise.race([pending.flushed(), pending.failed])
  expect(found()).toEqual(Array.from({ length: 30 }, (_, n) => (n < 25 ? undefined : n + 1)))
})

test('an order that ended is known to the events of its commit', () => {
  const pending = new PendingHistory(new Written())
  const ended = (id: string) => ({ phaseOrdinal: 1, record: { ...order, id } })
  pending.order(7, ended('a'))
  pending.order(8, ended('b'))
  expect(['a', 'b', 'c'].map((id) => pending.sequenceTold(id))).toEqual([7, 8, undefined])
})

test('the holes of a list are held until they are written, and those told meanwhile beyond', async () => {
  const written = new Written()
  const pending = new PendingHistory(written)
  const [first, second] = [Uint8Array.of(1), Uint8Array.of(3)]
  pending.holes(7, 0, first)
  pending.completed(1)
  pending.holes(7, 1, second)
  pending.completed(2)
  pending.durable(1)
  await Promise.race([pending.flushed(), pending.failed])
  expect(pending.holesOf(7, 0)).toBeUndefined()
  expect(pending.holesOf(7, 1)).toBe(second)
})

test('how much had been created is held until it is written, and what was told meanwhile beyond', async () => {
  const written = new Written()
  const pending = new PendingHistory(written)
  const [first, second] = [
    { seq: 1, before: 0, after: 64 },
    { seq: 2, before: 64, after: 128 },
  ]
  pending.created(first)
  pending.completed(1)
  pending.created(second)
  pending.completed(2)
  expect([0, 1, 2, 9].map((seq) => pending.createdUpTo(seq))).toEqual([undefined, first, second, second])
  pending.durable(1)
  await Promise.race([pending.flushed(), pending.failed])
  expect([1, 2].map((seq) => pending.createdUpTo(seq))).toEqual([undefined, second])
})

test('letting go of what was written takes turns: others are not kept waiting for all of it', async () => {
  const { pending } = told(1, 300_000)
  // What nobody looks up has nothing to be let go of.
  expect(pending.entryOf({ list: 1, rank: 0 })).toBe(1)
  let turns = 0
  let counting = true
  const count = () => {
    turns += 1
    if (counting) setImmediate(count)
  }
  setImmediate(count)
  pending.durable(1)
  await Promise.race([pending.flushed(), pending.failed])
  counting = false
  // Three hundred thousand changes take longer than a turn of ten milliseconds to let go of, on any machine there is.
  expect(turns).toBeGreaterThan(1)
})
