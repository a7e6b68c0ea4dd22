// A database whose own clock is wrong: set forward and back while nodes are at their work, or to and fro.
import { chmod, mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { timeShiftingLibrary } from '../postgres/installations.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

const LEASE_MS = 3_000
const library = timeShiftingLibrary()
const RUNS = NIGHTLY && whyNoServer === null && library !== null

if (NIGHTLY && library === null) console.warn('clocks of databases are not tested: faketime is not installed')

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** A server whose processes look up, at each question, by how much the time that they tell is another than it is. */
async function shifted() {
  const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-clock-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const [file, next] = [path.join(folder, 'shift'), path.join(folder, 'next')]
  /** Nobody reads half of it. */
  const shift = async (seconds: number) => {
    await writeFile(next, `${seconds < 0 ? '' : '+'}${seconds}\n`)
    await rename(next, file)
  }
  await shift(0)
  const server = await PostgresServer.start({
    environment: {
      LD_PRELOAD: library as string,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    },
  })
  onTestFinished(() => server.stop())
  return { server, shift }
}

test.runIf(RUNS)(
  'whatever the clock of the database says, no node loses a shard, and none has two owners',
  async () => {
    const { server, shift } = await shifted()
    const cluster = await RealCluster.make({ shards: 4, traders: 8, leaseMs: LEASE_MS })
    onTestFinished(() => cluster.remove())
    for (const name of ['a', 'b']) await cluster.start(name, server.url)
    const load = new ClusterLoad(cluster, 20)
    onTestFinished(() => load.stop())
    load.begin()
    await load.served()
    // Shards have been shared out by then.
    await sleep(2 * LEASE_MS)
    const epochs = () => server.query('SELECT shard, epoch, owner FROM margin_core.shard ORDER BY shard')
    const before = await epochs()
    const failed = performance.now()
    const told = async () => Date.parse(String((await server.query('SELECT now()::text'))[0]?.now))
    for (const seconds of [3_600, -3_600, 86_400 * 400, -86_400 * 400, 0]) {
      await shift(seconds)
      expect(Math.abs((await told()) - Date.now() - seconds * 1_000)).toBeLessThan(5_000)
      await sleep(2 * LEASE_MS)
      await load.served()
    }
    for (let step = 0; step < 20; step++) {
      await shift(step % 2 === 0 ? 30 : -30)
      await sleep(300)
    }
    await shift(0)
    await load.served()
    expect(cluster.complaints.filter((one) => /expelled/.test(one))).toEqual([])
    expect(await epochs()).toEqual(before)
    expect(load.failedSince(failed)).toBe(0)

    // Who is gone is found out by the others' own clocks, in the same time.
    await shift(-86_400)
    const lost = ((await cluster.shards('b')) ?? []).flatMap(({ shard, owner }) =>
      owner === 'a' ? [shard] : [],
    )
    expect(lost).not.toEqual([])
    await cluster.end('a', 'SIGKILL')
    await load.served(lost)
    await load.end()
    expect(load.surprises).toEqual([])
    expect(await cluster.end('b', 'SIGTERM')).toBe(0)
    expect(brokenPromises(load.seen, await cluster.logs(server.url), cluster.openings)).toEqual([])
  },
  600_000,
)
