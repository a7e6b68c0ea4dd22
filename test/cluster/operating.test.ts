// What an operator does to nodes and sees of them, by hand.
import { spawnSync } from 'node:child_process'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { DatabaseLink } from './databaseLink.ts'
import { RealCluster } from './realCluster.ts'

if (whyNoServer !== null) console.warn(`operating nodes is not tested: ${whyNoServer}`)

async function made(leaseMs: number) {
  const server = await PostgresServer.start()
  onTestFinished(() => server.stop())
  const cluster = await RealCluster.make({ shards: 4, traders: 4, leaseMs })
  onTestFinished(() => cluster.remove())
  return { server, cluster }
}

test.skipIf(whyNoServer !== null)(
  'a database that loses what it acknowledged is refused, unless that is said to be all right',
  async () => {
    const { server, cluster } = await made(3_000)
    await server.query('ALTER SYSTEM SET fsync = off')
    await server.query('SELECT pg_reload_conf()')
    await expect
      .poll(async () => (await server.query('SHOW fsync'))[0]?.fsync, { timeout: 10_000 })
      .toBe('off')
    await expect(cluster.start('a', server.url)).rejects.toThrow(/ended with 1 .*fsync off/s)
    await cluster.start('a', server.url, '--unsafe-database')
    expect(await cluster.end('a', 'SIGTERM')).toBe(0)
  },
)

test.skipIf(whyNoServer !== null)(
  'whoever only asks makes nothing, and changes nothing of another release',
  async () => {
    const { server, cluster } = await made(3_000)
    const status = () => {
      const args = [cluster.program, 'cluster', 'status', '--postgres', server.url]
      const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' })
      return { status, stderr }
    }
    const schemas = () =>
      server.query("SELECT nspname FROM pg_namespace WHERE nspname LIKE 'margin%' ORDER BY nspname")
    expect(status()).toEqual({ status: 2, stderr: expect.stringContaining('there is no venue') })
    expect(await schemas()).toEqual([])
    await cluster.start('a', server.url)
    expect(await cluster.end('a', 'SIGTERM')).toBe(0)
    expect(status().status).toBe(0)
    await server.query(
      'DELETE FROM margin_core.migration WHERE version = (SELECT max(version) FROM margin_core.migration)',
    )
    expect(status()).toEqual({ status: 2, stderr: expect.stringContaining('this release reads') })
  },
)

test.skipIf(whyNoServer !== null)(
  'a shard whose log is damaged is named by status and health, since when and why, and no more once it is whole',
  async () => {
    const { server, cluster } = await made(3_000)
    await cluster.start('a', server.url)
    const begun = async () => (await cluster.shards('a'))?.find(({ shard }) => shard === 1)?.owner
    await expect.poll(begun, { timeout: 60_000 }).toBe('a')
    expect(await cluster.end('a', 'SIGTERM')).toBe(0)
    const log = 'margin_core.commit_group WHERE shard = 1'
    await server.query(`CREATE TABLE taken AS SELECT * FROM ${log}`)
    await server.query('DELETE FROM margin_core.snapshot_piece')
    await server.query(`DELETE FROM ${log}`)
    await cluster.start('a', server.url)
    const status = (...options: readonly string[]) => {
      const args = [cluster.program, 'cluster', 'status', '--postgres', server.url, ...options]
      return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout
    }
    const troubleOf = () => JSON.parse(status('--json')).shards[1].trouble
    await expect.poll(troubleOf, { timeout: 60_000 }).not.toBeNull()
    const { reason, since } = troubleOf()
    expect(reason).toMatch(/^StoreDamaged: commit 1 cannot be read: it is missing/)
    expect(status()).toContain(`\nshard 1 cannot be opened, since ${since}: ${reason}\n`)
    const told = async () =>
      (await cluster.shards('a'))?.map(({ shard, ...told }) => [shard, 'trouble' in told && told.trouble])
    expect(await told()).toContainEqual([1, { reason, since }])
    expect(await told()).toContainEqual([0, false])

    await server.query('INSERT INTO margin_core.commit_group SELECT * FROM taken')
    await expect.poll(troubleOf, { timeout: 90_000 }).toBeNull()
    expect(status()).not.toContain('cannot be opened')
  },
)

test.skipIf(whyNoServer !== null)(
  'SIGTERM ends a node with 0 in the time it is given, whatever its lease, and also where its database says nothing',
  async () => {
    const { server, cluster } = await made(60_000)
    const link = await DatabaseLink.to(server.host)
    onTestFinished(() => link.close())
    await cluster.start('a', link.url, '--end-within', '2000')
    await cluster.start('b', server.url)
    await cluster.start('c', server.url)
    const ended = async (name: string) => {
      const begun = performance.now()
      const code = await cluster.end(name, 'SIGTERM')
      return { code, took: performance.now() - begun }
    }
    const orderly = await ended('c')
    expect(orderly.code).toBe(0)
    // By itself, and not because its time was over.
    expect(cluster.complaints.join()).not.toContain('it ends before')
    link.stall()
    const cutOff = await ended('a')
    expect(cutOff.code).toBe(0)
    expect(cutOff.took).toBeGreaterThan(1_900)
    expect(cutOff.took).toBeLessThan(8_000)
  },
)
