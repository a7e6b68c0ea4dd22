// A database that refuses for a while: rights that were taken away, a primary that takes no writes, no connection left, a full disk.
import { execFileSync, spawnSync } from 'node:child_process'
import { appendFile, chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { PostgresServer, type ServerShape, whyNoServer } from '../postgres/postgresServer.ts'
import { NIGHTLY } from '../properties/runs.ts'
import { UNPRIVILEGED } from '../unprivileged.ts'
import { ClusterLoad } from './clusterLoad.ts'
import { brokenPromises } from './promises.ts'
import { RealCluster } from './realCluster.ts'

const LEASE_MS = 1_000
/** Between two tries to open a shard. */
const LONGEST_BETWEEN_TRIES_MS = 30_000
const RUNS = NIGHTLY && whyNoServer === null
const TIMEOUT_MS = 600_000

if (NIGHTLY && whyNoServer !== null) console.warn(`databases that refuse are not tested: ${whyNoServer}`)

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

interface Stage {
  readonly server: PostgresServer
  readonly cluster: RealCluster
  readonly load: ClusterLoad
  readonly url: string
}

/** Two nodes under load over a server. `prepared` makes the database that they are given. */
async function begun(
  shape: ServerShape = {},
  prepared: (server: PostgresServer) => Promise<string> = async ({ url }) => url,
): Promise<Stage> {
  const server = await PostgresServer.start(shape)
  onTestFinished(() => server.stop())
  const url = await prepared(server)
  const cluster = await RealCluster.make({ shards: 4, traders: 8, leaseMs: LEASE_MS })
  onTestFinished(() => cluster.remove())
  for (const name of ['a', 'b']) await cluster.start(name, url)
  const load = new ClusterLoad(cluster, 20)
  onTestFinished(() => load.stop())
  load.begin()
  await load.served()
  return { server, cluster, load, url }
}

/** What is refused is said, and nobody is answered otherwise; once it is over, the nodes go on by themselves, and all promises are kept. */
async function throughout(
  { server, cluster, load, url }: Stage,
  shortage: { begins(): Promise<unknown>; ends(): Promise<unknown>; readonly lasts: number },
): Promise<void> {
  const before = load.unavailable
  await shortage.begins()
  await sleep(shortage.lasts)
  cluster.checkRunning()
  expect(load.unavailable).toBeGreaterThan(before)
  await shortage.ends()
  await load.served()
  await load.end()
  expect(load.surprises).toEqual([])
  for (const name of ['a', 'b']) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
  const logs = await cluster.logs(url.replace(/venue@/, 'postgres@'))
  expect(brokenPromises(load.seen, logs, cluster.openings)).toEqual([])
  expect(await server.query('SELECT 1 AS answers')).toEqual([{ answers: 1 }])
}

async function setting(server: PostgresServer, clause: string): Promise<void> {
  await server.query(`ALTER SYSTEM ${clause}`)
  await server.query('SELECT pg_reload_conf()')
}

test.runIf(RUNS)(
  'a database that takes no writes for a while: nodes lose their leases, say so, and go on once it does',
  async () => {
    const stage = await begun()
    const { server } = stage
    await throughout(stage, {
      begins: () => setting(server, 'SET default_transaction_read_only = on'),
      lasts: 5_000,
      ends: () => setting(server, 'RESET default_transaction_read_only'),
    })
    expect(stage.cluster.complaints.join('\n')).toContain('read-only transaction')
  },
  TIMEOUT_MS,
)

test.runIf(RUNS)(
  'rights that are taken away for a while: shards cannot be opened, which status tells with the reason, and can be again once they are back',
  async () => {
    const stage = await begun({}, async (server) => {
      await server.query('CREATE ROLE venue LOGIN')
      await server.query('CREATE DATABASE venue OWNER venue')
      return server.url.replace('postgres@', 'venue@').replace(/postgres$/, 'venue')
    })
    const { server, url, cluster } = stage
    const admin = url.replace('venue@', 'postgres@')
    const asAdmin = (text: string) => server.query(text, admin)
    const status = () => {
      const args = [cluster.program, 'cluster', 'status', '--postgres', url]
      return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout
    }
    await throughout(stage, {
      begins: async () => {
        await asAdmin('ALTER TABLE margin_core.commit_group OWNER TO postgres')
        await asAdmin('REVOKE ALL ON margin_core.commit_group FROM venue')
        await expect
          .poll(status, { timeout: 60_000 })
          .toMatch(/shard \d cannot be opened, since .*permission denied for table commit_group/)
      },
      lasts: 1_000,
      ends: async () => {
        await asAdmin('GRANT ALL ON margin_core.commit_group TO venue')
        const took = await stage.load.served()
        console.log(`all shards were open ${took.toFixed(0)} ms after the right was back`)
        expect(took).toBeLessThan(LONGEST_BETWEEN_TRIES_MS + LEASE_MS + 2_000)
      },
    })
  },
  TIMEOUT_MS,
)

test.runIf(RUNS)(
  'no connection left: a node that starts is refused in a line, those that run go on',
  async () => {
    const { server, cluster, load, url } = await begun({ settings: ['max_connections=44'] })
    const hog = 'SELECT pg_sleep(8)'
    const held = Array.from({ length: 44 }, () => server.query(hog).catch(() => []))
    await sleep(1_500)
    await expect(cluster.start('c', url)).rejects.toThrow(
      /ended with 1 before it listened: error: the database cannot be used: .*too many clients.*; raise max_connections, of which a node takes up to 20\n$/,
    )
    await load.served()
    await Promise.all(held)
    await load.served()
    await load.end()
    expect(load.surprises).toEqual([])
    for (const name of ['a', 'b']) expect(await cluster.end(name, 'SIGTERM')).toBe(0)
    expect(brokenPromises(load.seen, await cluster.logs(url), cluster.openings)).toEqual([])
  },
  TIMEOUT_MS,
)

/** A file system of its own, so large; null where none can be made here. */
async function smallDisk(bytes: number): Promise<string | null> {
  const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-disk-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder])
  if (mounted.status !== 0) return null
  onTestFinished(() => void execFileSync('umount', ['-l', folder]))
  await chmod(folder, 0o700)
  const { uid, gid } = UNPRIVILEGED
  if (uid !== undefined && gid !== undefined) await chown(folder, uid, gid)
  return folder
}

test.runIf(RUNS)(
  'a disk that is full for a while: nothing acknowledged is lost, and nodes go on once there is room',
  async ({ skip }) => {
    const disk = await smallDisk(48 << 20)
    if (disk === null) return skip('no file system can be mounted here')
    const stage = await begun({}, async (server) => {
      await server.query(`CREATE TABLESPACE small LOCATION '${disk}'`)
      await server.query('CREATE DATABASE venue TABLESPACE small')
      return server.url.replace(/postgres$/, 'venue')
    })
    const { server, url } = stage
    await throughout(stage, {
      begins: async () => {
        await server.query('CREATE TABLE filler (bytes bytea)', url)
        await server.query('ALTER TABLE filler ALTER bytes SET STORAGE EXTERNAL', url)
        for (let bytes = 4 << 20; bytes > 512; )
          await server
            .query(`INSERT INTO filler VALUES (convert_to(repeat('x', ${bytes}), 'UTF8'))`, url)
            .catch(() => {
              bytes >>= 1
            })
      },
      lasts: 10_000,
      ends: () => server.query('DROP TABLE filler', url),
    })
    expect(stage.cluster.complaints.join('\n')).toContain('No space left on device')
  },
  TIMEOUT_MS,
)

/** A file that takes all the room there is, also what becomes free, until it is told to go. */
function takingAll(file: string): () => Promise<void> {
  let isOver = false
  const taking = (async () => {
    while (!isOver) {
      // What fits is written before it fails.
      await appendFile(file, Buffer.alloc(64 << 10)).catch(() => sleep(10))
    }
  })()
  return async () => {
    isOver = true
    await taking
    await rm(file)
  }
}

test.runIf(RUNS)(
  'a full disk with the log of the server, which ends as if it were killed: nothing acknowledged is lost, and nodes go on once there is room',
  async ({ skip }) => {
    const log = await smallDisk(16 << 20)
    if (log === null) return skip('no file system can be mounted here')
    const stage = await begun({ log, settings: ['min_wal_size=2MB', 'max_wal_size=2MB'] })
    const { server } = stage
    let letGo = async () => {}
    await throughout(stage, {
      begins: async () => {
        await server.query('CREATE TABLE filler (text text)')
        letGo = takingAll(path.join(log, 'filler'))
        const writes = () =>
          server.query("INSERT INTO filler SELECT repeat('x', 2000) FROM generate_series(1, 100)").then(
            () => true,
            () => false,
          )
        while (await writes());
      },
      lasts: 10_000,
      ends: async () => {
        console.log(`the server ${server.isRunning ? 'was starting again' : 'had ended'}`)
        await letGo()
        if (!server.isRunning) await server.run()
      },
    })
  },
  TIMEOUT_MS,
)
