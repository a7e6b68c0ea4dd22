// What must hold of a host that was ended in any way: what it answered is in its log, once, and it comes back as it was.

import { cp, mkdtemp } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { type Commit, type Engine, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { ALICE, BOB, OPERATOR, startVenue, type VenueUnderTest } from '../host/venue.ts'
import { call, type HostLoad, LOADED_VENUE, markOf } from './hostLoad.ts'
import type { HostProcess } from './hostProcess.ts'
import { checkSights } from './sights.ts'

/** Everything a trader and the operator read, as text. */
async function pagesOf(url: string): Promise<string[]> {
  const pages = [
    ...[ALICE, BOB].flatMap(({ accountId, key, session }) => [
      ['/accounts/with-risk-status', key],
      [`/orders/${accountId}/active`, key],
      [`/orders/${accountId}/BTC/history?limit=100`, key],
      [`/positions/${accountId}/active`, key],
      [`/positions/${accountId}/BTC/history?limit=100`, key],
      [`/positions/${accountId}/portfolio/history?limit=100&offset=50`, key],
      ['/user/api-keys', session],
    ]),
    [`/v2/markets?accountId=${ALICE.accountId}`, ALICE.key],
    ['/operator/health', OPERATOR],
  ] as [string, string][]
  return Promise.all(
    pages.map(async ([where, bearer]) => {
      const answer = await call(url, { method: 'GET', path: where, bearer })
      expect(answer?.status, where).toBe(200)
      return answer?.text ?? ''
    }),
  )
}

/** Every answer has its commit, nothing is there twice, and no money came or went. */
export async function checkLog(engine: Engine, load: HostLoad): Promise<void> {
  const { free, reserve, margin, house } = engine.read.ledger()
  expect(free + reserve + margin + house, 'conservation').toBe(0n)
  const seen = new Set<string>()
  const keys = new Set<string>()
  const commits: Commit[] = []
  for await (const commit of engine.commits({ from: 1 })) {
    commits.push(commit)
    const mark = markOf(commit)
    if (mark === null) continue
    expect(seen.has(mark), `${mark} is there once`).toBe(false)
    seen.add(mark)
    if (commit.command.type !== 'placeOrder') continue
    const key = String(commit.command.idempotencyKey)
    expect(keys.has(key), `${key} placed one order`).toBe(false)
    keys.add(key)
  }
  expect([...load.acknowledged].filter((mark) => !seen.has(mark))).toEqual([])
  checkSights(commits, load)
}

/** What the data of a host that is gone say, and a host that is served from nothing but their log. */
export async function replayed(folder: string, data: string, load: HostLoad): Promise<VenueUnderTest> {
  const copies = await mkdtemp(path.join(folder, 'copies-'))
  const [whole, logOnly] = [path.join(copies, 'whole'), path.join(copies, 'log-only')]
  await cp(data, whole, { recursive: true })
  await cp(path.join(data, 'log'), path.join(logOnly, 'log'), { recursive: true })

  const host = await startVenue(LOADED_VENUE, { store: await openLmdbStore(logOnly) })
  const { engine } = host.venue
  expect(engine.recovery?.snapshotSeq).toBe(0)
  const recovered = await openEngine({ store: await openLmdbStore(whole), snapshotEvery: null })
  expect(recovered.stateHash(), 'as recovered, and from the log alone').toBe(engine.stateHash())
  await recovered.close()

  await checkLog(engine, load)
  return host
}

/** What a host that came back must say. */
export async function checkReturned(
  { url }: HostProcess,
  load: HostLoad,
  from: VenueUnderTest,
  newest: number,
) {
  const pages = await pagesOf(url)
  expect(pages).toEqual(await pagesOf(from.venue.url))
  for (const [bearer, works] of load.apiKeys) {
    const read = { method: 'GET', path: '/accounts/with-risk-status', bearer }
    if (works !== null) expect((await call(url, read))?.status).toBe(works ? 200 : 401)
  }
  const sent = load.placements
  const retried = [...sent.slice(newest).slice(-60), ...sent.slice(0, newest).slice(-20)]
  for (const { call: first, answer } of retried) {
    if (answer === null) continue
    const changed = { ...first, body: { ...first.body, amount: '21000000000' } }
    const again = await call(url, changed)
    expect([again?.status, again?.text], 'the first answer').toEqual([201, answer.text])
    expect(again?.headers.get('x-idempotency-cached')).toBe('true')
  }
  expect(await pagesOf(url), 'a retry changes nothing').toEqual(pages)
  // Those that got no answer are sent again as well: they are placed now, or had been.
  for (const placement of sent.slice(newest)) if (placement.answer === null) await load.retry(url, placement)
}
