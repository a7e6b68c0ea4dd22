// A database that is dumped while the venue runs and restored elsewhere, on a server of its version and of a later one: docs/cluster.md, Backup.
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { installationWithDump } from '../postgres/installations.ts'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

const SHARDS = 4
const installation = installationWithDump()
const RUNS = NIGHTLY && whyNoServer === null && installation !== null

if (NIGHTLY && installation === null)
  console.warn('dumps are not tested: no server with pg_dump is installed')

/** As the document has it. */
const NEW_HISTORY =
  'UPDATE margin_core.shard SET epoch = epoch + 1000000, owner = NULL; DELETE FROM margin_core.node'

test.runIf(RUNS)(
  'dumped under load and restored elsewhere a venue is whole up to one instant, and goes on there',
  async () => {
    const old = { installation: installation as string }
    const server = await PostgresServer.start(old)
    onTestFinished(() => server.stop())
    const cluster = await RealCluster.make({ shards: SHARDS, traders: 8, leaseMs: 2_000 })
    onTestFinished(() => cluster.remove())
    for (const name of ['a', 'b']) await cluster.start(name, server.url)
    const before = new ClusterLoad(cluster, 5)
    onTestFinished(() => before.stop())
    before.begin()
    await before.served()
    await before.end()

    const beside = new ClusterLoad(cluster, 0)
    onTestFinished(() => beside.stop())
    beside.begin()
    await beside.served()
    const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-dump-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    await chmod(folder, 0o777)
    const dump = path.join(folder, 'venue.dump')
    await server.runs('pg_dump', '-Fc', '-f', dump, '-d', server.url)
    await beside.served()
    await beside.end()
    expect(beside.surprises).toEqual([])
    expect([beside.unavailable, beside.unanswered]).toEqual([0, 0])
    for (const name of ['a', 'b']) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
    const whole = await cluster.logs(server.url)
    expect(brokenPromises([...before.seen, ...beside.seen], whole, cluster.openings)).toEqual([])

    for (const shape of [old, {}]) {
      const other = await PostgresServer.start(shape)
      onTestFinished(() => other.stop())
      await other.query('CREATE ROLE margin_core_reader NOLOGIN')
      await server.runs('pg_restore', '--exit-on-error', '-d', other.url, dump)
      const run = (...words: readonly string[]) =>
        spawnSync(process.execPath, [cluster.program, ...words, '--postgres', other.url], {
          encoding: 'utf8',
        })
      const restored = await cluster.logs(other.url)
      expect(restored.flat().length).toBeLessThan(whole.flat().length)
      for (const [shard, log] of whole.entries()) {
        const commits = (restored[shard] ?? []).flatMap((group) => group.commits)
        expect(commits).toEqual(log.flatMap((group) => group.commits).slice(0, commits.length))
        expect(run('verify', '--shard', `${shard}`)).toMatchObject({ status: 0, stderr: '' })
      }
      expect(run('cluster', 'history')).toMatchObject({ status: 0 })
      await other.query(NEW_HISTORY)
      for (const name of ['a', 'b']) await cluster.start(name, other.url)
      const after = new ClusterLoad(cluster, 5)
      onTestFinished(() => after.stop())
      after.begin()
      await after.served()
      await after.end()
      expect(after.surprises).toEqual([])
      for (const name of ['a', 'b']) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
      const logs = await cluster.logs(other.url)
      // What the dump was beside may be in it or not.
      const asked = beside.seen.map((seen) => ({ ...seen, ended: null }))
      expect(brokenPromises([...before.seen, ...asked, ...after.seen], logs, cluster.openings)).toEqual([])
      expect(logs.flat().some(({ epoch }) => epoch > 1_000_000)).toBe(true)
      expect(run('cluster', 'history')).toMatchObject({ status: 0 })
      const [readers] = await other.query(
        "SELECT has_table_privilege('margin_core_reader', 'margin_core.orders', 'SELECT') AS may",
      )
      expect(readers).toEqual({ may: true })
    }
  },
  900_000,
)
