// Commits over HTTP where the older files of the log were moved to an archive (K14): with the archive named nothing is
// different, without it the answer says from where on they are here.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Commit } from '../../src/index.ts'
import { archiveLog, openLmdbStore } from '../../src/store/lmdb/index.ts'
import { CONFIGURATION, OPERATOR, startVenue, type VenueUnderTest } from './venue.ts'

let folder: string
let moved: number
/** Every commit as it was served before anything was moved. */
let all: readonly object[]

const directory = () => path.join(folder, 'data')
const archive = () => path.join(folder, 'archive')

async function served(named: boolean): Promise<VenueUnderTest> {
  const where = named ? { archive: archive() } : {}
  const store = await openLmdbStore(directory(), { segmentBytes: 2_000, ...where })
  return startVenue(CONFIGURATION, { store })
}

const commits = (venue: VenueUnderTest, query: string) =>
  venue.get(`/operator/commits${query}`, { key: OPERATOR })

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'margin-core-archived-'))
  const venue = await served(false)
  for (let n = 0; n < 60; n++) {
    await venue.operate({
      type: 'adjustBalance',
      accountId: CONFIGURATION.accounts[0]?.id,
      amount: `${n + 1}`,
    })
    if (n === 40) await venue.venue.engine.saveSnapshot()
  }
  const { body } = await commits(venue, '?limit=1000')
  all = body.data
  await venue.venue.close()
  const readAll = async (log: AsyncIterable<readonly Commit[]>) => {
    for await (const _ of log);
    return 40
  }
  moved = (await archiveLog(directory(), archive(), { upTo: readAll })).head
  expect(moved).toBeGreaterThan(5)
  expect(all.length).toBeGreaterThan(60)
})

afterAll(() => rm(folder, { recursive: true }))

test('without the archive what was moved is refused, with the first commit that is here; the rest is served', async () => {
  const venue = await served(false)
  for (const query of ['', '?from=1', `?from=${moved}`, `?from=${moved}&limit=1`]) {
    const { status, body } = await commits(venue, query)
    expect([status, body.error]).toEqual([400, 'validation_failed'])
    expect(JSON.stringify(body)).toContain(
      `commits 1 to ${moved} were archived, the first one here is ${moved + 1}`,
    )
  }
  const { status, body } = await commits(venue, `?from=${moved + 1}&limit=1000`)
  expect([status, body.data]).toEqual([200, all.slice(moved)])
  await venue.venue.close()
})

test('with the archive they are served as before, from within it and across its end', async () => {
  const venue = await served(true)
  for (const from of [1, 2, moved, moved + 1]) {
    const { status, body } = await commits(venue, `?from=${from}&limit=1000`)
    expect([status, body.data]).toEqual([200, all.slice(from - 1)])
  }
  const { body } = await commits(venue, `?from=${moved - 1}&limit=4`)
  expect(body.data).toEqual(all.slice(moved - 2, moved + 2))
  await venue.venue.close()
})
