// What operators run beside nodes at their work: it keeps nobody waiting, sees whole commits alone, and leaves nothing behind.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

const SHARDS = 4
const LEASE_MS = 3_000
const ROUNDS = NIGHTLY ? 30 : 3

if (whyNoServer !== null) console.warn(`commands beside nodes are not tested: ${whyNoServer}`)

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Whoever is connected, by what they called themselves or did last, and what they hold. */
const CONNECTED = `SELECT count(*)::integer AS count FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()`
const TEMPORARY = `SELECT count(*)::integer AS count FROM pg_class WHERE relpersistence = 't'`

test.skipIf(whyNoServer !== null)(
  'verify, inspect, fork and the history beside nodes under load, while shards change hands: each sees a beginning of the log, whole, and nobody waits for it',
  async () => {
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    const cluster = await RealCluster.make({ shards: SHARDS, traders: 8, leaseMs: LEASE_MS })
    onTestFinished(() => cluster.remove())
    for (const name of ['a', 'b']) await cluster.start(name, server.url)
    const load = new ClusterLoad(cluster, 5)
    onTestFinished(() => load.stop())
    load.begin()
    await load.served()
    const spawned = (...words: readonly string[]): ChildProcess =>
      spawn(process.execPath, [cluster.program, ...words, '--postgres', server.url])
    const run = async (...words: readonly string[]) => {
      const child = spawned(...words)
      const told = { stdout: '', stderr: '' }
      child.stdout?.on('data', (chunk) => {
        told.stdout += chunk
      })
      child.stderr?.on('data', (chunk) => {
        told.stderr += chunk
      })
      const [status] = await once(child, 'close')
      return { words: words.join(' '), status, ...told }
    }
    const chains: [shard: number, seq: number, hash: string][] = []
    const began = performance.now()
    for (let round = 0; round < ROUNDS; round++) {
      const shard = round % SHARDS
      const of = ['--shard', `${shard}`]
      const [moved, verified, ...others] = await Promise.all([
        run('cluster', 'move', `${shard}`, round % 3 === 0 ? 'a' : 'b'),
        run('verify', ...of),
        run('inspect', 'as-of', ...of, '2099-01-01T00:00:00Z', '--json'),
        run('fork', ...of, '--at', '5', '--no-profit-cap', '--json'),
        run('cluster', 'history', ...(round % 2 === 0 ? [] : ['--rebuild'])),
      ])
      for (const ended of [verified, ...others]) expect(ended).toMatchObject({ status: 0, stderr: '' })
      // A node that is not let run for its lease has left, until it is let run again.
      if (/there is no node|has just left/.test(moved.stderr))
        expect(cluster.complaints).toContainEqual(expect.stringMatching(/expelled/))
      else expect(moved).toMatchObject({ status: 0, stderr: '' })
      const [, seq, hash] = /^chain (\d+):([0-9a-f]+)$/m.exec(verified?.stdout ?? '') ?? []
      chains.push([shard, Number(seq), hash as string])
      // One that is killed at its work, as whoever reads long logs is.
      const killed = [spawned('verify', ...of), spawned('cluster', 'history', '--rebuild')]
      await sleep(700)
      for (const child of killed) child.kill('SIGKILL')
    }
    await load.served()
    await load.end()
    expect(load.surprises).toEqual([])
    if (!cluster.complaints.some((one) => /expelled|did not answer/.test(one)))
      expect(load.failedSince(began)).toBe(0)
    for (const name of ['a', 'b']) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
    await expect.poll(() => server.query(CONNECTED), { timeout: 20_000 }).toEqual([{ count: 0 }])
    expect(await server.query(TEMPORARY)).toEqual([{ count: 0 }])
    for (const [shard, seq, hash] of chains)
      expect(
        await server.query(
          `SELECT encode(chain, 'hex') AS chain FROM margin_core.commit_group WHERE shard = ${shard} AND last_seq = ${seq}`,
        ),
      ).toEqual([{ chain: hash }])
    expect(await run('cluster', 'history')).toMatchObject({ status: 0 })
    expect(brokenPromises(load.seen, await cluster.logs(server.url), cluster.openings)).toEqual([])
  },
  NIGHTLY ? 1_800_000 : 300_000,
)
