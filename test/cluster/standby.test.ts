// A physical standby where the primary is meant: given as the database, and promoted by mistake while the primary goes on.
import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { asked } from './asked.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

const NAMES = ['a', 'b']
const RUNS = NIGHTLY && whyNoServer === null
const TIMEOUT_MS = 600_000
if (NIGHTLY && whyNoServer !== null) console.warn(`standbys are not tested: ${whyNoServer}`)

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Two nodes under load over a primary that waits for its standby, both of them in the URL. */
async function begun() {
  const primary = await PostgresServer.start()
  onTestFinished(() => primary.stop())
  const standby = await PostgresServer.standbyOf(primary)
  onTestFinished(() => standby.stop())
  const cluster = await RealCluster.make({ shards: 4, traders: 8, leaseMs: 1_000 })
  onTestFinished(() => cluster.remove())
  const both = `postgres://postgres@${primary.host},${standby.host}/postgres`
  for (const name of NAMES) await cluster.start(name, both)
  const load = new ClusterLoad(cluster, 20)
  onTestFinished(() => load.stop())
  load.begin()
  await load.served()
  return { primary, standby, cluster, load }
}

type Stage = Awaited<ReturnType<typeof begun>>

/** Everything that was acknowledged is in that database, once. */
async function ends({ cluster, load }: Stage, url: string): Promise<void> {
  await load.served()
  await load.end()
  expect(load.surprises).toEqual([])
  for (const name of NAMES) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
  expect(brokenPromises(load.seen, await cluster.logs(url), cluster.openings)).toEqual([])
}

test.runIf(RUNS)(
  'a standby that is given as the database is read by what only reads, and refused in a line by whatever would write',
  async () => {
    const stage = await begun()
    const { primary, standby, cluster } = stage
    const ask = (url: string, ...words: readonly string[]) =>
      asked(cluster.program, ...words, '--postgres', url)
    const refused = (status: number) => ({
      ...{ status, stdout: '' },
      stderr: expect.stringMatching(/^error: the database is a standby: .*\n$/),
    })
    const serve = ['serve', '--config', cluster.configuration, '--port', '0', '--node', 'c']
    expect(await ask(standby.url, ...serve)).toEqual(refused(1))
    for (const words of [
      ['status'],
      ['drain', 'a'],
      ['move', '0', 'a'],
      ['history'],
      ['history', '--rebuild'],
    ])
      expect([words, await ask(standby.url, 'cluster', ...words)]).toEqual([words, refused(2)])
    const verified = await ask(standby.url, 'verify', '--shard', '0')
    expect(verified).toMatchObject({ status: 0, stderr: '' })
    const [, chain] = /^chain (\d+:.*)$/m.exec(verified.stdout) ?? []
    expect(await ask(primary.url, 'verify', '--shard', '0', '--expect', chain ?? '')).toMatchObject({
      status: 0,
    })
    await ends(stage, primary.url)
  },
  TIMEOUT_MS,
)

/** The primary waits for a standby that is none any more: nobody is answered, and nodes say why nothing can be done. */
async function promotedByMistake(): Promise<Stage> {
  const stage = await begun()
  await stage.standby.promote()
  await sleep(6_000)
  stage.cluster.checkRunning()
  expect(stage.load.unavailable).toBeGreaterThan(0)
  return stage
}

test.runIf(RUNS)(
  'a standby that was promoted by mistake, and then let be the primary: nothing acknowledged is lost',
  async () => {
    const stage = await promotedByMistake()
    await stage.primary.kill()
    await ends(stage, stage.standby.url)
  },
  TIMEOUT_MS,
)

test.runIf(RUNS)(
  'a standby that was promoted by mistake, and then taken away: nothing acknowledged is lost',
  async () => {
    const stage = await promotedByMistake()
    await stage.standby.kill()
    await stage.primary.query("ALTER SYSTEM SET synchronous_standby_names = ''")
    await stage.primary.query('SELECT pg_reload_conf()')
    await ends(stage, stage.primary.url)
  },
  TIMEOUT_MS,
)
