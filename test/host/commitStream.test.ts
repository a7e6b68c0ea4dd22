// An operator's stream of what is in the log already gives way to others, whether or not anything of it is told (K15).

import { expect, test } from 'vitest'
import { CommitStream } from '../../src/host/stream/commitStream.ts'
import type { Engine } from '../../src/index.ts'
import { sampleCommit } from '../../src/testing/index.ts'
import { engineOn } from './slowStore.ts'
import { ALICE, CONFIGURATION } from './venue.ts'

const COMMITS = 200_000

test.each([
  ['all of it', undefined],
  ['none of it', 'nothing is called so'],
])('a long log of which %s is told', async (_, type) => {
  let read = 0
  const commit = sampleCommit(2)
  const engine = {
    head: COMMITS,
    durableHead: COMMITS,
    now: 0,
    async *follow() {
      while (read < COMMITS) {
        read += 1
        yield { ...commit, seq: read }
      }
    },
  } as unknown as Engine
  const ended = new Promise((resolve) => {
    const outlet = { onGone: () => {}, unsent: 0, send: () => {}, taken: async () => true, end: resolve }
    const filter = { type, accountId: undefined, marketId: undefined, withoutQuietPrices: false }
    new CommitStream(engine).tell(outlet, 0, filter, 'somebody')
  })
  await new Promise((resolve) => setImmediate(resolve))
  expect(read, 'read before anybody else had a turn').toBeLessThan(COMMITS / 2)
  await ended
  expect(read).toBe(COMMITS)
})

test('whoever does not read is sent one commit and no more, however many come, and has them all once they do', async () => {
  const { engine, release } = await engineOn(CONFIGURATION)
  release()
  const commits = new CommitStream(engine)
  const [held, more] = [engine.head, 6_000]
  const readers = Array.from({ length: 20 }, () => {
    const reader = { seqs: [] as (number | null)[], read: (_isTaken: boolean) => {}, reason: '' }
    const outlet = {
      onGone: () => {},
      unsent: 0,
      send: (_: unknown, complete: number | null) => void (complete !== null && reader.seqs.push(complete)),
      taken: () =>
        new Promise<boolean>((resolve) => {
          reader.read = resolve
        }),
      end: (reason: string) => {
        reader.reason = reason
      },
    }
    const all = { type: undefined, accountId: undefined, marketId: undefined, withoutQuietPrices: false }
    commits.tell(outlet, held, all, 'somebody')
    return reader
  })
  const deposit = { type: 'adjustBalance', accountId: ALICE.accountId, amount: 1n } as const
  for (let given = 0; given < more; given++) {
    engine.dispatch(deposit)
    if (given % 500 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
  await engine.whenDurable()
  for (const { seqs } of readers) expect(seqs).toEqual([held + 1])
  const [reader, slow] = readers as [(typeof readers)[0], (typeof readers)[0]]
  while (reader.seqs.at(-1) !== engine.head) {
    reader.read(true)
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(reader.seqs).toEqual(Array.from({ length: more }, (_, at) => held + 1 + at))
  slow.read(false)
  await expect.poll(() => slow.reason).toBe('slow_consumer')
  expect(slow.seqs).toEqual([held + 1])
  commits.close()
})
