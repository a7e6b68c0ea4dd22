/**
 * Several hosts in one URL, of which one is the primary: `postgres://user@one:5432,two:5432/venue`. They are asked one at a time, in
 * their order, whether they recover, and whichever does not is connected to; again for every new connection, so that after
 * a failover the next one goes to the new primary. `pg` itself knows one host only.
 */
import pg from 'pg'

const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^@/?#]*,[^@/?#]*)((?:[/?#].*)?)$/s

/** The URL of each host, in their order; one where it names one. */
export function urlsOf(url: string): readonly string[] {
  const [, before, hosts, after] = SEVERAL.exec(url) ?? []
  const urls = hosts === undefined ? [url] : hosts.split(',').map((host) => `${before}${host}${after}`)
  return urls.map(asLibpqHasIt)
}

const MODES = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full']

/**
 * `pg` by itself takes `require` and `verify-ca` for `verify-full`, and warns of that on the console; and so, without a word, what it
 * does not know.
 *
 * @throws RangeError for an `sslmode` that is none of these.
 */
function asLibpqHasIt(url: string): string {
  const [, mode] = /[?&]sslmode=([^&#]*)/.exec(url) ?? []
  if (mode === undefined) return url
  if (!MODES.includes(mode))
    throw new RangeError(`sslmode is ${mode}: it has to be one of ${MODES.join(', ')}`)
  return /[?&]uselibpqcompat=/.test(url) ? url : `${url}&uselibpqcompat=true`
}

/** Connections to the database of a URL, each of them to its primary where it names several hosts. */
export function primaryPool(url: string, options: pg.PoolConfig): pg.Pool {
  const urls = urlsOf(url)
  const [connectionString] = urls as [string]
  return new PrimaryPool({ ...options, connectionString, Client: clientOf(urls, options) } as pg.PoolConfig)
}

type Handed = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void

/**
 * `pg` goes on with a connection whose settings are being looked at when whoever waits for it is told that it took too long, and hands
 * it out to them all the same: nobody would give it back, or hear of its end.
 */
class PrimaryPool extends pg.Pool {
  connectAs(handed?: Handed): Promise<pg.PoolClient> | undefined {
    if (handed === undefined)
      return new Promise((resolve, reject) => {
        this.connect((error, client) => (client === undefined ? reject(error) : resolve(client)))
      })
    let isTold = false
    super.connect((error, client, release) => {
      if (isTold) client?.release()
      else handed(error, client, release)
      isTold = true
    })
    return undefined
  }
}
// Its two signatures, too, are said in a way that no override can.
Object.defineProperty(PrimaryPool.prototype, 'connect', { value: PrimaryPool.prototype.connectAs })

type Connected = (error: Error | null, client?: pg.Client) => void

/** Made like any other, and looks for the primary when it is to connect. */
function clientOf(urls: readonly string[], options: pg.ClientConfig): typeof pg.Client {
  class PrimaryClient extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super(config)
      // One that is lost fails its statements; told to nobody besides, it would end the process.
      this.on('error', () => {})
    }

    async #connect(): Promise<void> {
      if (urls.length > 1) {
        const { host, port } = await findPrimary(urls, options)
        Object.assign(this, { host, port })
      }
      await connecting(this, () => super.connect())
    }

    connectAs(connected?: Connected): Promise<void> | undefined {
      const done = this.#connect()
      if (connected === undefined) return done
      done.then(() => connected(null, this), connected)
      return undefined
    }
  }
  // Its two signatures are those of pg, which says them in a way that no override can.
  Object.defineProperty(PrimaryClient.prototype, 'connect', { value: PrimaryClient.prototype.connectAs })
  return PrimaryClient
}

/**
 * `pg` leaves a connection open that it has given up itself, and its process with it, until the server has waited for a minute.
 *
 * @throws RangeError where a password is asked for and there is none; what `pg` throws besides.
 */
async function connecting(client: pg.Client, connect: () => Promise<unknown>): Promise<void> {
  try {
    await connect()
  } catch (error) {
    // What breaks now concerns nobody.
    client.on('error', () => {})
    void client.end().catch(() => {})
    const isWithout = /password must be a (non-empty )?string/.test((error as Error).message)
    throw isWithout ? new RangeError(NO_PASSWORD) : error
  }
}

const NO_PASSWORD =
  'the database asks for a password, and there is none: set PGPASSWORD, or PGPASSFILE to a file of mode 0600 that has it'

interface Host {
  readonly host: string
  readonly port: number
}

/** @throws RangeError where none is the primary, with what each of them said. */
async function findPrimary(urls: readonly string[], options: pg.ClientConfig): Promise<Host> {
  const said: string[] = []
  for (const url of urls) {
    const client = new pg.Client({ ...options, connectionString: url })
    // What breaks after it has answered concerns nobody.
    client.on('error', () => {})
    const { host, port } = client
    try {
      await connecting(client, () => client.connect())
      const { rows } = await client.query('SELECT pg_is_in_recovery() AS standby')
      if (!rows[0].standby) return { host, port }
      said.push(`${host}:${port} is a standby`)
    } catch (error) {
      const { message, code } = error as Error & { readonly code?: string }
      said.push(`${host}:${port} ${message || code}`)
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new RangeError(`no host of the database is its primary: ${said.join('; ')}`)
}
