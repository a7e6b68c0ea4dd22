// A connection that is ready only when whoever waited for it has given up.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { primaryPool } from '../../src/store/postgres/primary.ts'
import { PostgresServer, whyNoServer } from './postgresServer.ts'

if (whyNoServer !== null) console.warn(`late connections are not tested: ${whyNoServer}`)

test.skipIf(whyNoServer !== null)(
  'a connection that comes too late goes back to its pool, and its end does not end the process',
  async () => {
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    let looksMs = 0
    const pool = primaryPool(server.url, {
      max: 1,
      connectionTimeoutMillis: 400,
      verify: (_client: unknown, done: (error?: Error) => void) => void sleep(looksMs).then(() => done()),
    } as object)
    pool.on('error', () => {})
    onTestFinished(() => void pool.end())
    const first = await pool.connect()
    looksMs = 800
    const second = pool.connect()
    const refused = expect(second).rejects.toThrow('timeout exceeded')
    // Its place is free, and whoever waits gets a new one, which is looked at for longer than they wait.
    first.release(new Error('broken'))
    await refused
    looksMs = 0
    await expect.poll(() => pool.idleCount, { timeout: 10_000 }).toBe(1)
    const third = await pool.connect()
    const [{ pid }] = (await third.query('SELECT pg_backend_pid() AS pid')).rows
    // Taken, and nothing asked: an error that nobody hears would be the end of a process.
    await server.query(`SELECT pg_terminate_backend(${pid})`)
    await expect
      .poll(() => third.query('SELECT 1').then(Boolean, () => false), { timeout: 10_000 })
      .toBe(false)
    third.release(new Error('terminated'))
    expect((await pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }])
  },
)
