// The host a user starts, `serve --data DIR`, under load over HTTP: killed, stopped, and out of room. What it answered is
// there once when it comes back, and it says what a host says that has nothing but the log.

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { HISTORY_FORM } from '../../src/history/historyRecords.ts'
import { DirectoryMark } from '../../src/store/lmdb/directoryMark.ts'
import { RecordIndex } from '../../src/store/lmdb/recordIndex.ts'
import { CommitLog } from '../../src/store/log/commitLog.ts'
import { LogStore } from '../../src/store/log/logStore.ts'
import { SnapshotFiles } from '../../src/store/log/snapshotFiles.ts'
import { IS_BRIEF } from '../atLength.ts'
import { bundle } from '../bundle.ts'
import { OPERATOR, startVenue, type VenueUnderTest } from '../host/venue.ts'
import { Chance } from '../store/traffic.ts'
import { FaultyDisk } from './faultyDisk.ts'
import { checkLog, checkReturned, replayed } from './hostChecks.ts'
import { call, HostLoad, LOADED_VENUE } from './hostLoad.ts'
import { HostProcess } from './hostProcess.ts'

/** Each is begun anew after a few kills, so that reading the whole log after every kill stays quick. */
const FOLDERS = process.env.MARGIN_CORE_NIGHTLY === '1' ? 100 : IS_BRIEF ? 1 : 2
const KILLS_A_FOLDER = 4
/** One run in the midst of a folder's is ended by SIGTERM: it leaves a snapshot for those after it to begin from. */
const STOPPED_RUN = 2
const CLIENTS = 24

const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-host-'))
afterAll(async () => {
  for (const host of HostProcess.running) await host.end('SIGKILL')
  await rm(folder, { recursive: true })
})
const program = bundle('src/cli/main.ts', folder)
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

test(`killed ${FOLDERS * KILLS_A_FOLDER} times under load: every answer holds, once, and retries get the first answer`, {
  timeout: 90 * 60_000,
}, async () => {
  const kinds = new Set<string>()
  for (let round = 0; round < FOLDERS; round++) {
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
      from = await replayed(folder, data, load)
    }
    await from?.venue.close()
    await rm(data, { recursive: true })
    for (const mark of load.acknowledged) kinds.add(mark.split(' ')[0] as string)
  }
  const all = ['canceled', 'deposit', 'edited', 'key', 'margin', 'order', 'price', 'revoked']
  expect([...kinds].sort()).toEqual(IS_BRIEF ? expect.arrayContaining(['order', 'price']) : all)
})

/** A host whose machine fails: its clients are told, and so is its operator. */
async function loadUntilStopped(url: string, load: HostLoad): Promise<void> {
  await load.drive(url, CLIENTS)
  // Some send two requests at once.
  expect(load.stopped.length).toBeGreaterThanOrEqual(CLIENTS)
  for (const { text } of load.stopped) expect(JSON.parse(text).error).toBe('engine_stopped')
  const health = await call(url, { method: 'GET', path: '/operator/health', bearer: OPERATOR })
  expect([health?.status, JSON.parse(health?.text ?? '').status]).toEqual([503, 'failed'])
}

/** Lists of almost 768 KiB, as a venue has that is not new. */
async function fillLists(data: string): Promise<void> {
  const { venue } = await DirectoryMark.read(data)
  const lists = await RecordIndex.open(path.join(data, 'history'), HISTORY_FORM, { said: venue, venue })
  const OTHER_KIND = 99
  const filling = Array.from({ length: 150 }, (_, n) => ({
    key: Uint8Array.of(OTHER_KIND, n),
    bytes: new Uint8Array(3_000),
  }))
  await lists.write([{ seq: lists.cursor, records: () => filling, latest: [] }], lists.cursor)
  await lists.close()
}

test('no room for the history lists: clients are told, the host stops, and with room again it goes on', async () => {
  const data = path.join(folder, 'full')
  const load = new HostLoad(new Chance(5))
  await (await HostProcess.start(process.execPath, ...serving(data))).end('SIGTERM')
  await fillLists(data)
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
  expect(await confined.end('SIGTERM')).toBe(1)
  // LMDB calls it an input/output error, and prints it with its stack: that is not to be seen.
  const failed = `the history lists could not be written: (Input.output error|the disk under ${data} is full, .*)`
  const told = confined.complaints.trim().split('\n')
  expect(told).toEqual([
    // LMDB itself prints where in its file it could not write, without an end of line.
    expect.stringMatching(`^(Write error: [^:]* size [0-9]+)?the engine has stopped: ${failed}$`),
    expect.stringMatching(`^error: the engine had stopped: ${failed}$`),
  ])

  const from = await replayed(folder, data, load)
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
