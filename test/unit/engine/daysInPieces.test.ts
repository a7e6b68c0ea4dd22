// Days that pass while a snapshot is written are not in it: an account for which a day alone counts (J13) is as it was.

import { expect, test } from 'vitest'
import { LevelTriggers } from '../../../src/domain/triggers/levelTriggers.ts'
import { Folded } from '../../../src/engine/fold.ts'
import { beginSnapshot, restoreSnapshot } from '../../../src/engine/snapshot.ts'
import type { Commit } from '../../../src/index.ts'
import { joined } from '../../../src/store/store.ts'
import { ACCOUNT, DAY, Venue } from '../venue.ts'

const fresh = () => new Folded((world) => new LevelTriggers(world))
const daysOf = ({ read }: Folded) => read.account(ACCOUNT)?.profitableDays

test('days that begin before an account is met are not counted', async () => {
  const venue = new Venue({ account: { profitableDayShare: 0n, minProfitableDays: 100 } })
  venue.wait(2 * DAY)
  const { head } = venue.engine
  venue.wait(3 * DAY)
  const commits: Commit[] = []
  for await (const commit of venue.engine.commits({ from: 1 })) commits.push(commit)

  const folded = fresh()
  for (const commit of commits.slice(0, head)) folded.fold(commit)
  const hash = folded.stateHash()
  const { seq, schema, pieces } = beginSnapshot(folded, 1)
  for (const commit of commits.slice(head)) folded.fold(commit)
  const restored = fresh()
  restoreSnapshot(restored, { seq, schema, bytes: joined([...pieces]) })
  expect([daysOf(restored), daysOf(folded)]).toEqual([2, 5])
  expect(restored.stateHash()).toBe(hash)
})
