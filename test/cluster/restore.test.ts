// A database that is set back to an instant before what it has acknowledged, as docs/cluster.md tells it, while one node was not stopped.
import { execFileSync } from 'node:child_process'
import { appendFile, chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer, whyNoServer } from '../postgres/postgresServer.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { UNPRIVILEGED } from '../unprivileged.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

/** As the document has it. */
const NEW_HISTORY =
  'UPDATE margin_core.shard SET epoch = epoch + 1000000, owner = NULL; DELETE FROM margin_core.node'

/** Ours to read and the server's to write. */
async function given(place: string): Promise<void> {
  const { uid, gid } = UNPRIVILEGED
  if (uid !== undefined && gid !== undefined) await chown(place, uid, gid)
}

class Backup {
  readonly #folder: string
  readonly #server: PostgresServer

  private constructor(server: PostgresServer, folder: string) {
    this.#server = server
    this.#folder = folder
  }

  /** The log of the server is archived from now on, and its files are copied. */
  static async of(server: PostgresServer): Promise<Backup> {
    const backup = new Backup(server, await mkdtemp(path.join(tmpdir(), 'margin-core-backup-')))
    onTestFinished(() => rm(backup.#folder, { recursive: true, force: true }))
    await chmod(backup.#folder, 0o755)
    await mkdir(backup.#wal)
    await given(backup.#wal)
    await server.query("ALTER SYSTEM SET archive_mode = 'on'")
    await server.query(`ALTER SYSTEM SET archive_command = 'cp %p ${backup.#wal}/%f'`)
    await server.restart('fast')
    return backup
  }

  get #wal(): string {
    return path.join(this.#folder, 'wal')
  }

  /** What pg_basebackup does. */
  async copy(): Promise<void> {
    const client = new pg.Client({ connectionString: this.#server.url })
    await client.connect()
    await client.query("SELECT pg_backup_start('base', true)")
    execFileSync('cp', ['-a', await this.#data(), path.join(this.#folder, 'base')])
    const { rows } = await client.query('SELECT labelfile FROM pg_backup_stop(true)')
    await client.end()
    const base = path.join(this.#folder, 'base')
    await rm(path.join(base, 'pg_wal'), { recursive: true })
    await rm(path.join(base, 'postmaster.pid'), { force: true })
    await mkdir(path.join(base, 'pg_wal'), { mode: 0o700 })
    await writeFile(path.join(base, 'backup_label'), rows[0].labelfile)
    for (const name of ['pg_wal', 'backup_label']) await given(path.join(base, name))
  }

  /** All that was written is in the archive. */
  async archived(): Promise<void> {
    const [segment] = await this.#server.query('SELECT pg_walfile_name(pg_switch_wal()) AS name')
    const last = 'SELECT last_archived_wal >= $1 AS done FROM pg_stat_archiver'.replace(
      '$1',
      `'${segment?.name}'`,
    )
    await expect.poll(async () => (await this.#server.query(last))[0]?.done, { timeout: 30_000 }).toBe(true)
  }

  async restore(until: string): Promise<void> {
    const data = await this.#data()
    await this.#server.kill()
    execFileSync('find', [data, '-mindepth', '1', '-delete'])
    execFileSync('cp', ['-a', `${path.join(this.#folder, 'base')}/.`, data])
    await appendFile(
      path.join(data, 'postgresql.auto.conf'),
      `restore_command = 'cp ${this.#wal}/%f %p'\nrecovery_target_time = '${until}'\nrecovery_target_action = 'promote'\narchive_mode = 'off'\n`,
    )
    await writeFile(path.join(data, 'recovery.signal'), '')
    await given(path.join(data, 'recovery.signal'))
    await this.#server.run()
    const recovers = async () => (await this.#server.query('SELECT pg_is_in_recovery() AS so'))[0]?.so
    await expect.poll(recovers, { timeout: 60_000 }).toBe(false)
  }

  async #data(): Promise<string> {
    return String((await this.#server.query('SHOW data_directory'))[0]?.data_directory)
  }
}

test.runIf(NIGHTLY && whyNoServer === null)(
  'set back to an instant, the venue goes on from there: what came later is told to nobody, also by a node that was not stopped',
  async () => {
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    const cluster = await RealCluster.make({ shards: 4, traders: 6, leaseMs: 2_000 })
    onTestFinished(() => cluster.remove())
    const backup = await Backup.of(server)
    for (const name of ['a', 'b']) await cluster.start(name, server.url)
    const before = new ClusterLoad(cluster, 20)
    onTestFinished(() => before.stop())
    before.begin()
    await before.served()
    await backup.copy()
    await before.served()
    await before.end()
    const kept = await cluster.logs(server.url)
    const [{ now } = { now: '' }] = await server.query('SELECT now()::text AS now')
    const after = new ClusterLoad(cluster, 20)
    onTestFinished(() => after.stop())
    after.begin()
    await after.served()
    await after.end()
    expect(after.acknowledged).toBeGreaterThan(0)
    expect(await cluster.end('b', 'SIGTERM')).toBe(0)
    await backup.archived()

    await backup.restore(String(now))
    await server.query(NEW_HISTORY)
    await cluster.start('b', server.url)
    const again = new ClusterLoad(cluster, 20)
    onTestFinished(() => again.stop())
    again.begin()
    await again.served()
    await again.end()
    for (const name of ['a', 'b']) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
    const logs = await cluster.logs(server.url)
    for (const [shard, log] of kept.entries()) {
      const commits = log.flatMap((group) => group.commits)
      const is = logs[shard]?.flatMap((group) => group.commits) ?? []
      expect(is.slice(0, commits.length)).toEqual(commits)
    }
    expect(brokenPromises([...before.seen, ...again.seen], logs, cluster.openings)).toEqual([])
    // What was done before and after the restore is under other epochs.
    for (const group of logs.flat()) expect(group.epoch < 1_000 || group.epoch > 1_000_000).toBe(true)
    expect(logs.flat().some(({ epoch }) => epoch > 1_000_000)).toBe(true)
  },
  600_000,
)
