// An operator's stream of what is in the log already gives way to others, whether or not anything of it is told (K15).

import { expect, test } from 'vitest'
import { CommitStream } from '../../src/host/stream/commitStream.ts'
import type { Engine } from '../../src/index.ts'
import { sampleCommit } from '../../src/testing/index.ts'

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
