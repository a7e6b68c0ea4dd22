// What the store asks of its database: under which head, epoch and chain each append goes, and what follows from each answer.

import { describe, expect, test, vi } from 'vitest'
import type { Commit } from '../../../../src/events/commit.ts'
import { createEngine } from '../../../../src/index.ts'
import { commitsOfGroup, groupBytes } from '../../../../src/store/postgres/commitGroup.ts'
import { chainAfter, GENESIS_CHAIN } from '../../../../src/store/postgres/groupReading.ts'
import { type Keeping, openPostgresStore, storeIn } from '../../../../src/store/postgres/postgresStore.ts'
import { StoreConflict, StoreDamaged } from '../../../../src/store/store.ts'
import { venue } from '../../../../src/testing/index.ts'
import { logOf } from '../../../properties/runs.ts'
import { type Asked, RecordedPool } from './recordedPool.ts'

const log = await logOf(createEngine(venue()))
const commitsFrom = (seq: number, count: number): Commit[] =>
  Array.from({ length: count }, (_, index) => ({ ...(log[index] as Commit), seq: seq + index }))

type Answered = { readonly rows?: readonly object[]; readonly rowCount?: number }

const isRaising = ({ text }: Asked) => text.startsWith('WITH raised')
const isAppend = ({ text }: Asked) => text.startsWith('WITH fence')

/** A shard at commit 5 under epoch 3, whose appends are answered as told. */
async function opened(
  keeping: Partial<Keeping> = {},
  append: (asked: Asked) => Answered = () => ({ rowCount: 1 }),
) {
  const chain = new Uint8Array(32).fill(7)
  const recorded = new RecordedPool((asked) => {
    if (isRaising(asked)) return { rows: [{ head: '5', epoch: '3', written: '4' }] }
    if (asked.text.startsWith('SELECT last_seq')) return { rows: [{ last_seq: '5', chain }] }
    return isAppend(asked) ? append(asked) : {}
  })
  const store = await storeIn({ pool: recorded.pool, schema: 'venue' }, 2, { owner: null, ...keeping })
  const session = await store.open()
  const appends = () => recorded.asked.filter(isAppend)
  return { store, session, recorded, appends, chain }
}

test.each([-1, 1.5, Number.NaN, 2 ** 31])(
  '%s is no shard, which is said before anything is connected to',
  async (shard) => {
    await expect(openPostgresStore('postgres://nobody@localhost:1/none', { shard })).rejects.toThrow(
      new RangeError(`${shard} cannot be a shard`),
    )
  },
)

test('a shard of nobody is made where it is missing, one of a node is there; what was kept ahead of its head goes', async () => {
  const { recorded: alone } = await opened()
  expect(alone.verbs.slice(0, 2)).toEqual(['INSERT INTO', 'DELETE FROM'])
  expect(alone.asked.slice(0, 2).map(({ values }) => values)).toEqual([[2], [2]])
  const { recorded, session } = await opened({ owner: 'life' })
  const [raised, ...behind] = recorded.asked
  expect(raised && isRaising(raised)).toBe(true)
  expect(raised?.values).toEqual([2, 'life'])
  expect(behind.some(({ text }) => text.startsWith('DELETE FROM venue.snapshot_piece'))).toBe(true)
  expect(behind.every(({ connection }) => connection === raised?.connection)).toBe(true)
  expect(session).toEqual({ head: 5, epoch: 3, repaired: null, unwritable: null })
})

test('the history of a session is its own from where the one before it came, and no other session has it', async () => {
  const { store } = await opened({ owner: 'life' })
  expect((await store.rows?.(3))?.cursor).toBe(4)
  await expect(store.rows?.(2)).rejects.toThrow(
    new StoreConflict('epoch 2 was fenced off from the history tables'),
  )
  const later = new RecordedPool((asked) =>
    isRaising(asked) ? { rows: [{ head: '0', epoch: '3', written: null }] } : {},
  )
  const late = await storeIn({ pool: later.pool, schema: 'venue' }, 2, { owner: 'life' })
  await expect(late.open()).rejects.toThrow(
    new StoreConflict('epoch 3 was fenced off from the history tables'),
  )
})

describe('opening', () => {
  const openWith = async (raised: readonly object[], last: readonly object[]) => {
    const recorded = new RecordedPool((asked) =>
      isRaising(asked) ? { rows: raised } : { rows: asked.text.startsWith('SELECT last_seq') ? last : [] },
    )
    return (await storeIn({ pool: recorded.pool, schema: 'venue' }, 2, { owner: null })).open()
  }

  test('is refused where another node owns the shard', async () => {
    await expect(openWith([], [])).rejects.toThrow(new StoreConflict('another node owns shard 2'))
  })

  test('finds out that groups up to the head are missing, some of them or all', async () => {
    const at = [{ head: '5', epoch: '1', written: '0' }]
    await expect(openWith(at, [{ last_seq: '4', chain: GENESIS_CHAIN }])).rejects.toThrow(
      new StoreDamaged(5, 'it is missing, the head is 5'),
    )
    await expect(openWith(at, [])).rejects.toThrow(new StoreDamaged(1, 'it is missing, the head is 5'))
    expect((await openWith([{ head: '0', epoch: '1', written: '0' }], [])).head).toBe(0)
  })
})

const AHEAD = { snapshot: null, runs: [commitsFrom(1, 2)], head: 2, chain: Buffer.from(GENESIS_CHAIN) }
const raisedTo5 = (asked: Asked): Answered =>
  isRaising(asked)
    ? { rows: [{ head: '5', epoch: '3', written: '4' }] }
    : { rows: asked.text.startsWith('SELECT last_seq') ? [{ last_seq: '5', chain: GENESIS_CHAIN }] : [] }

describe('a connection that was opened over is given back once, with nobody hearing of its end any more', () => {
  test.each([
    ['of use, where it opens', raisedTo5, null],
    ['of use, where it may not', () => ({ rows: [] }), 'another node owns shard 2'],
  ])('%s', async (_, answer, refusal) => {
    const recorded = new RecordedPool(answer)
    const store = await storeIn({ pool: recorded.pool, schema: 'venue' }, 2, { owner: 'life', ahead: AHEAD })
    if (refusal === null) await store.open()
    else await expect(store.open()).rejects.toThrow(refusal)
    expect(recorded.released).toEqual([undefined])
    expect(recorded.connections[0]?.listenerCount('error')).toBe(0)
  })

  test.each(['WITH raised', 'SELECT last_seq', 'SELECT first_seq', 'DELETE FROM'])(
    'as one that is lost, where it fails at %s',
    async (begins) => {
      const failed = new Error('it is gone')
      const recorded = new RecordedPool((asked) => {
        if (asked.text.startsWith(begins)) throw failed
        return raisedTo5(asked)
      })
      const store = await storeIn({ pool: recorded.pool, schema: 'venue' }, 2, {
        owner: 'life',
        ahead: AHEAD,
      })
      await expect(store.open()).rejects.toBe(failed)
      expect(recorded.released).toEqual([failed])
      expect(recorded.connections[0]?.listenerCount('error')).toBe(0)
    },
  )
})

test('a log that was read before it was opened has its end from opening it, and nothing is asked for after that', async () => {
  let chain = GENESIS_CHAIN
  const rows = [commitsFrom(1, 2), commitsFrom(3, 1), commitsFrom(4, 2)].map((commits) => {
    const { crc, bytes } = groupBytes(commits)
    chain = chainAfter(chain, bytes)
    const [first, last] = [commits[0]?.seq, commits.at(-1)?.seq].map(String)
    return {
      first_seq: first,
      last_seq: last,
      crc: String(crc),
      chain: Buffer.from(chain),
      commits: Buffer.from(bytes),
    }
  })
  const ahead = { snapshot: null, runs: [commitsFrom(1, 2)], head: 2, chain: rows[0]?.chain as Buffer }
  const recorded = new RecordedPool((asked) => {
    if (isRaising(asked)) return { rows: [{ head: '5', epoch: '3', written: '4' }] }
    if (asked.text.startsWith('SELECT last_seq')) return { rows: rows.slice(2) }
    return asked.text.startsWith('SELECT first_seq') ? { rows } : {}
  })
  const store = await storeIn({ pool: recorded.pool, schema: 'venue' }, 2, { owner: 'life', ahead })
  await store.open()
  const asked = recorded.asked.length
  const read: Commit[] = []
  for await (const run of store.read(2)) read.push(...run)
  expect(read).toEqual(commitsFrom(1, 2).slice(1).concat(commitsFrom(3, 1), commitsFrom(4, 2)))
  expect(recorded.asked.length).toBe(asked)
})

describe('an append', () => {
  test('says which head it follows, which it leaves, and the chain up to there; two may be under way', async () => {
    const told = vi.fn()
    const { store, appends, chain } = await opened({ onAppended: told })
    expect(store.appendsAtOnce).toBe(2)
    const groups = [commitsFrom(6, 2), commitsFrom(8, 1), commitsFrom(9, 3)]
    await Promise.all([store.append(groups[0] as Commit[], 5, 3), store.append(groups[1] as Commit[], 7, 3)])
    await store.append(groups[2] as Commit[], 8, 3)

    let before: Uint8Array = chain
    const values = appends().map((asked) => asked.values)
    expect(values.map(([shard, head, epoch, next, first]) => [shard, head, epoch, next, first])).toEqual([
      [2, 5, 3, 7, 6],
      [2, 7, 3, 8, 8],
      [2, 8, 3, 11, 9],
    ])
    for (const [index, [, , , lastSeq, firstSeq, crc, next, bytes]] of values.entries()) {
      before = chainAfter(before, bytes as Uint8Array)
      expect(next).toEqual(before)
      const group = { firstSeq, lastSeq, crc, bytes } as Parameters<typeof commitsOfGroup>[0]
      expect(commitsOfGroup(group, group.firstSeq)).toEqual(groups[index])
    }
    expect(told.mock.calls.map(([{ commits, bytes }]) => [commits, bytes])).toEqual(
      values.map(([, , , , , , , bytes], index) => [groups[index]?.length, (bytes as Uint8Array).length]),
    )
    for (const [{ seconds }] of told.mock.calls) {
      expect(seconds).toBeGreaterThanOrEqual(0)
      expect(seconds).toBeLessThan(60)
    }
  })

  test('of a log that is empty goes on from the first chain', async () => {
    const recorded = new RecordedPool((asked) =>
      isRaising(asked) ? { rows: [{ head: '0', epoch: '1', written: '0' }] } : { rowCount: 1 },
    )
    const store = await storeIn({ pool: recorded.pool, schema: 'venue' }, 0, { owner: null })
    await store.open()
    await store.append(commitsFrom(1, 1), 0, 1)
    const [chain, bytes] = (recorded.asked.at(-1) as Asked).values.slice(6) as [Uint8Array, Uint8Array]
    expect(chain).toEqual(chainAfter(GENESIS_CHAIN, bytes))
  })

  test('that changed nothing was fenced off, and is told to nobody', async () => {
    const told = vi.fn()
    const { store } = await opened({ onAppended: told }, () => ({ rowCount: 0 }))
    await expect(store.append(commitsFrom(6, 1), 5, 3)).rejects.toThrow(
      new StoreConflict('epoch 3 was fenced off, or the head is not 5'),
    )
    expect(told).not.toHaveBeenCalled()
  })

  test('after one that failed is refused until the store is opened again', async () => {
    let fails = true
    const { store, appends } = await opened({}, () => {
      if (fails) throw new Error('the server is gone')
      return { rowCount: 1 }
    })
    await expect(store.append(commitsFrom(6, 1), 5, 3)).rejects.toThrow('the server is gone')
    fails = false
    await expect(store.append(commitsFrom(6, 1), 5, 3)).rejects.toThrow(
      new StoreConflict('an append has failed: open the store to learn its outcome'),
    )
    expect(appends().length).toBe(1)
    await store.open()
    await store.append(commitsFrom(6, 1), 5, 3)
    expect(appends().length).toBe(2)
  })

  test('of commits that do not follow, and of none, asks nothing', async () => {
    const { store, appends } = await opened()
    await expect(store.append(commitsFrom(7, 1), 5, 3)).rejects.toThrow(
      new StoreConflict('commit 7 where 6 was due'),
    )
    const gap = [...commitsFrom(6, 1), ...commitsFrom(8, 1)]
    await expect(store.append(gap, 5, 3)).rejects.toThrow(new StoreConflict('commit 8 where 7 was due'))
    await store.append([], 5, 3)
    expect(appends()).toEqual([])
  })
})

test.each([{ endsPool: true }, { endsPool: false }, {}])(
  'closing, twice, ends the connections where they are its own, %j, and nothing is appended after',
  async (keeping) => {
    const { store, recorded, appends } = await opened(keeping)
    await store.close()
    await store.close()
    expect(recorded.ended).toBe(keeping.endsPool === true ? 1 : 0)
    await expect(store.append(commitsFrom(6, 1), 5, 3)).rejects.toThrow(
      new StoreConflict('the store is closed'),
    )
    expect(appends()).toEqual([])
  },
)
