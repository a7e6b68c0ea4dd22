// An earlier release that is started where a newer one has made its tables: refused in a line, and nothing comes of it.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { asked } from './asked.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { earlierProgram } from './earlierProgram.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

const RUNS = NIGHTLY && whyNoServer === null
if (NIGHTLY && whyNoServer !== null) console.warn(`earlier releases are not tested: ${whyNoServer}`)

const NEWER =
  /^error: (?:shard \d+: )?the schema margin_core has version \d+, this release (?:knows|reads) \d+: use the newer release\n$/

test.runIf(RUNS)(
  'an earlier release is refused in a line by tables of a newer one, whatever it is asked to do, and the venue goes on',
  async ({ skip }) => {
    const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-earlier-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
    const earlier = earlierProgram(folder)
    if (earlier === null) return skip('the history of this repository is not here')
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    const cluster = await RealCluster.make({ shards: 4, traders: 8, leaseMs: 3_000 })
    onTestFinished(() => cluster.remove())
    for (const name of ['a', 'b']) await cluster.start(name, server.url)
    const load = new ClusterLoad(cluster, 20)
    onTestFinished(() => load.stop())
    load.begin()
    await load.served()
    const tables = () =>
      server.query(
        `SELECT (SELECT max(version) FROM margin_core.migration) AS version,
           (SELECT string_agg(name || draining, ' ' ORDER BY name) FROM margin_core.node) AS nodes,
           (SELECT string_agg(shard || ' ' || epoch || ' ' || owner, ', ' ORDER BY shard) FROM margin_core.shard) AS owners`,
      )
    const before = await tables()

    const serve = ['serve', '--config', cluster.configuration, '--port', '0', '--node', 'c']
    for (const words of [
      serve,
      ['cluster', 'status'],
      ['cluster', 'drain', 'a'],
      ['cluster', 'move', '0', 'a'],
      ['cluster', 'history'],
      ['cluster', 'history', '--rebuild'],
      ['verify', '--shard', '0'],
    ])
      expect([words, await asked(earlier, ...words, '--postgres', server.url)]).toEqual([
        words,
        { status: words === serve ? 1 : 2, stdout: '', stderr: expect.stringMatching(NEWER) },
      ])

    expect(await tables()).toEqual(before)
    await load.served()
    await load.end()
    expect(load.surprises).toEqual([])
    for (const name of ['a', 'b']) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
    expect(brokenPromises(load.seen, await cluster.logs(server.url), cluster.openings)).toEqual([])
  },
  600_000,
)
