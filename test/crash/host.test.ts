// The host a user starts, `serve --data DIR`, under load over HTTP: killed, stopped, and out of room. What it answered is
// there once when it comes back, and it says what a host says that has nothing but the log.

import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../src/index.ts'
import { openLmdbStore } from '../../src/store/lmdb/index.ts'
import { CommitLog } from '../../src/store/log/commitLog.ts'
import { LogStore } from '../../src/store/log/logStore.ts'
import { SnapshotFiles } from '../../src/store/log/snapshotFiles.ts'
import { ALICE, BOB, OPERATOR, startVenue, type VenueUnderTest } from '../host/venue.ts'
import { Chance } from '../store/traffic.ts'
import { FaultyDisk } from './faultyDisk.ts'
import { call, HostLoad, LOADED_VENUE, markOf } from './hostLoad.ts'
import { compileProgram, HostProcess } from './hostProcess.ts'

const KILLS = process.env.MARGIN_CORE_NIGHTLY === '1' ? 500 : 25
/** Then a folder is begun anew, so that reading the whole log after every kill stays quick. */
const KILLS_A_FOLDER = 5
/** One run in the midst of a folder's is ended by SIGTERM: it leaves a snapshot for those after it to begin from. */
const STOPPED_RUN = 2
const CLIENTS = 24

const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-host-'))
afterAll(async () => {
  for (const host of HostProcess.running) await host.end('SIGKILL')
  await rm(folder, { recursive: true })
})
const program = compileProgram(folder)
const configuration = path.join(folder, 'venue.json')
await writeFile(configuration, JSON.stringify(LOADED_VENUE))

const serving = (data: string) => [
  program,
  'serve',
  '--port',
  '0',
  '--config',
  configuration,
  '--data',
  data,
  '--log-level',
  'silent',
]
const serve = (data: string) => HostProcess.start(process.execPath, ...serving(data))

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
async function checkLog(engine: Engine, load: HostLoad): Promise<void> {
  const { free, reserve, margin, house } = engine.read.ledger()
  expect(free + reserve + margin + house, 'conservation').toBe(0n)
  const seen = new Set<string>()
  const keys = new Set<string>()
  for await (const commit of engine.commits({ from: 1 })) {
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
}

/** What the data of a host that is gone say, and a host that is served from nothing but their log. */
async function replayed(data: string, load: HostLoad): Promise<VenueUnderTest> {
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
async function checkReturned({ url }: HostProcess, load: HostLoad, from: VenueUnderTest, newest: number) {
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

test(`killed ${KILLS} times under load: every answer holds, once, and retries get the first answer`, {
  timeout: 90 * 60_000,
}, async () => {
  let kills = 0
  const kinds = new Set<string>()
  for (let round = 0; kills < KILLS; round++) {
    const data = path.join(folder, `data-${round}`)
    const load = new HostLoad(new Chance(round + 1))
    const moment = new Chance(round + 1_000)
    let from: VenueUnderTest | null = null
    let newest = 0
    for (let run = 0; run <= KILLS_A_FOLDER; run++) {
      const host = await serve(data)
      if (from !== null) {
        await checkReturned(host, load, from, newest)
        await from.venue.close()
      }
      newest = load.placements.length
      const known = load.acknowledged.size
      const driven = load.drive(host.url, CLIENTS)
      while (load.acknowledged.size < known + CLIENTS) await new Promise((resolve) => setTimeout(resolve, 5))
      await new Promise((resolve) => setTimeout(resolve, moment.below(200)))
      const how = run === STOPPED_RUN ? 'SIGTERM' : 'SIGKILL'
      expect(await host.end(how), host.complaints).toBe(how === 'SIGKILL' ? how : 0)
      await driven
      if (how === 'SIGKILL') kills += 1
      from = await replayed(data, load)
    }
    await from?.venue.close()
    await rm(data, { recursive: true })
    for (const mark of load.acknowledged) kinds.add(mark.split(' ')[0] as string)
  }
  const all = ['canceled', 'deposit', 'edited', 'key', 'margin', 'order', 'price', 'revoked']
  expect([...kinds].sort()).toEqual(all)
  expect(kills).toBe(KILLS)
})

/** A host whose machine fails: its clients are told, and so is its operator. */
async function loadUntilStopped(url: string, load: HostLoad): Promise<void> {
  await load.drive(url, CLIENTS)
  expect(load.stopped.length).toBe(CLIENTS)
  for (const { text } of load.stopped) expect(JSON.parse(text).error).toBe('engine_stopped')
  const health = await call(url, { method: 'GET', path: '/operator/health', bearer: OPERATOR })
  expect([health?.status, JSON.parse(health?.text ?? '').status]).toEqual([503, 'failed'])
}

test('no room for the history lists: clients are told, the host stops, and with room again it goes on', async () => {
  const data = path.join(folder, 'full')
  const load = new HostLoad(new Chance(5))
  // No file may grow past 768 KiB, which the history lists reach first: a write beyond that fails with EFBIG.
  const confined = await HostProcess.start(
    'sh',
    '-c',
    'ulimit -f 1536; exec "$@"',
    'sh',
    process.execPath,
    ...serving(data),
  )
  await loadUntilStopped(confined.url, load)
  expect(await confined.end('SIGTERM')).toBe(0)

  const from = await replayed(data, load)
  const host = await serve(data)
  await checkReturned(host, load, from, 0)
  await from.venue.close()
  expect(await host.end('SIGTERM')).toBe(0)
})

test.each([0, 300, 20_000])('no room for the log but %i bytes: the same', async (bytesLeft) => {
  const disk = new FaultyDisk()
  const storeOn = async () =>
    new LogStore(await CommitLog.open(disk), new SnapshotFiles(new FaultyDisk()), {
      epoch: 0,
      history: null,
      failure: () => null,
      release: async () => {},
    })
  const load = new HostLoad(new Chance(bytesLeft + 1))
  const host = await startVenue(LOADED_VENUE, { store: await storeOn() })
  disk.bytesLeft = bytesLeft
  await loadUntilStopped(host.venue.url, load)
  expect(String((host.venue.engine.failure as Error).cause)).toContain('ENOSPC')
  await host.venue.close()

  disk.bytesLeft = Number.POSITIVE_INFINITY
  const again = await startVenue(LOADED_VENUE, { store: await storeOn() })
  await checkLog(again.venue.engine, load)
  for (const placement of load.placements) await load.retry(again.venue.url, placement)
  await checkLog(again.venue.engine, load)
  await again.venue.close()
})
