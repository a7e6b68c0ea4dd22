// Groups as they are read: from any commit on all of them, in statements of few groups, and none that does not follow.

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Commit } from '../../../../src/events/commit.ts'
import { createEngine } from '../../../../src/index.ts'
import { groupBytes } from '../../../../src/store/postgres/commitGroup.ts'
import { epochsFrom } from '../../../../src/store/postgres/epochs.ts'
import { chainAfter, GENESIS_CHAIN, readGroups } from '../../../../src/store/postgres/groupReading.ts'
import { StoreDamaged } from '../../../../src/store/store.ts'
import { venue } from '../../../../src/testing/index.ts'
import { logOf } from '../../../properties/runs.ts'
import { RecordedPool } from './recordedPool.ts'

const head = 60
const log = await logOf(createEngine(venue()))
/** A store asks of commits that they are numbered, and no more. */
const commits = Array.from({ length: head }, (_, index) => ({
  ...(log[index % log.length] as Commit),
  seq: index + 1,
}))

interface GroupRow {
  readonly first_seq: string
  readonly last_seq: string
  readonly crc: string
  readonly chain: Buffer
  readonly commits: Buffer
}

/** The commits in groups of these sizes, the last as large as is left. */
function groupsOf(sizes: readonly number[]): GroupRow[] {
  const groups: GroupRow[] = []
  let chain = GENESIS_CHAIN
  for (let from = 0, turn = 0; from < head; turn++) {
    const group = commits.slice(from, from + (sizes[turn] ?? head))
    const { crc, bytes } = groupBytes(group)
    chain = chainAfter(chain, bytes)
    const [first, last] = [group[0]?.seq, group.at(-1)?.seq]
    groups.push({
      first_seq: String(first),
      last_seq: String(last),
      crc: String(crc),
      chain: Buffer.from(chain),
      commits: Buffer.from(bytes),
    })
    from += group.length
  }
  return groups
}

/** Answers as the tables would, where so many groups have the bytes that end a statement. */
const database = (groups: readonly GroupRow[], upTo = head, inOne = 16) =>
  new RecordedPool(({ text, values: [, from, to] }) => {
    if (text.startsWith('SELECT head')) return { rows: [{ head: String(upTo) }] }
    const within = groups.filter(
      ({ last_seq: last }) => Number(last) >= Number(from) && Number(last) <= Number(to),
    )
    return { rows: within.slice(0, inOne) }
  })

async function read(recorded: RecordedPool, from: number) {
  const found: Commit[] = []
  const heads: number[] = []
  const chains: string[] = []
  const told = (upTo: number, chain: Uint8Array) => {
    heads.push(upTo)
    chains.push(Buffer.from(chain).toString('hex'))
  }
  const run = async () => {
    for await (const some of readGroups({ pool: recorded.pool, schema: 'venue', shard: 1 }, from, told)) {
      expect(some.length).toBeGreaterThan(0)
      found.push(...some)
    }
  }
  const failure = await run().then(
    () => null,
    (error: unknown) => error,
  )
  return { found, heads, chains, failure }
}

test('from any commit on, whatever the groups, all that follow are read, and the end of each group is told', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 0, maxLength: 60 }),
      fc.integer({ min: -1, max: head + 2 }),
      fc.integer({ min: 1, max: 20 }),
      async (sizes, from, inOne) => {
        const groups = groupsOf(sizes)
        const recorded = database(groups, head, inOne)
        const { found, heads, chains, failure } = await read(recorded, from)
        expect(failure).toBeNull()
        expect(found).toEqual(commits.slice(Math.max(0, from - 1)))
        const reached = groups.filter(({ last_seq: last }) => Number(last) >= from)
        expect(heads).toEqual(reached.map(({ last_seq: last }) => Number(last)))
        expect(chains).toEqual(reached.map(({ chain }) => chain.toString('hex')))
        // The head, and no statement that brings nothing.
        expect(recorded.asked.length).toBe(1 + Math.ceil(reached.length / inOne))
      },
    ),
    { numRuns: 20 },
  )
})

test('what was appended behind the head that was found is not read', async () => {
  const { found, failure } = await read(database(groupsOf([10, 10, 10]), 20), 1)
  expect(failure).toBeNull()
  expect(found).toEqual(commits.slice(0, 20))
})

describe('is refused', () => {
  const groups = groupsOf(Array.from({ length: 30 }, () => 2))
  const changed = (index: number, by: Partial<GroupRow>) =>
    groups.map((group, at) => (at === index ? { ...group, ...by } : group))

  test.each([
    ['a group that is missing', groups.toSpliced(20, 1), 1, 41, 'commit 43 follows commit 40'],
    [
      'the last group missing',
      groups.slice(0, -1),
      1,
      59,
      'commit 59 cannot be read: it is missing, the head is 60',
    ],
    ['all of them missing', [], 7, 7, 'commit 7 cannot be read: it is missing, the head is 60'],
    ['another chain', changed(4, { chain: Buffer.alloc(32, 1) }), 1, 9, 'its chain is another'],
    [
      'another chain before the second of those read',
      changed(4, { chain: Buffer.alloc(32, 1) }),
      9,
      11,
      'its chain is another',
    ],
    ['another check', changed(4, { crc: '1' }), 1, 9, 'its group fails its check'],
  ] as const)('%s', async (_what, rows, from, seq, message) => {
    const { found, failure } = await read(database(rows), from)
    expect(failure).toBeInstanceOf(StoreDamaged)
    expect((failure as StoreDamaged).seq).toBe(seq)
    expect((failure as StoreDamaged).message).toContain(message)
    expect(found).toEqual(commits.slice(from - 1, seq - 1))
  })
})

test('the epochs of a shard are counts, as many groups looked at as were asked for', async () => {
  const recorded = new RecordedPool(() => ({ rows: [{ epoch: '3', first: '41' }] }))
  expect(await epochsFrom({ pool: recorded.pool, schema: 'venue' }, 2, 40, 7)).toEqual([
    { epoch: 3, first: 41 },
  ])
  expect(recorded.asked.map(({ values }) => values)).toEqual([[2, 40, 7]])
})
