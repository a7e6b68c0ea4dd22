// Several hosts in the URL: whichever is the primary is used, and found again after a failover to the synchronous standby.
import { appendFile } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import { urlsOf } from '../../src/store/postgres/primary.ts'
import { commitsOf, sampleCommits } from '../../src/testing/index.ts'
import { PostgresServer, whyNoServer } from './postgresServer.ts'

if (whyNoServer !== null) console.warn(`failing over is not tested: ${whyNoServer}`)

test('a URL with several hosts is one URL for each', () => {
  expect(urlsOf('postgres://u:p%2Cw@one:5432,two,[::1]:7/db?sslmode=require')).toEqual([
    'postgres://u:p%2Cw@one:5432/db?sslmode=require&uselibpqcompat=true',
    'postgres://u:p%2Cw@two/db?sslmode=require&uselibpqcompat=true',
    'postgres://u:p%2Cw@[::1]:7/db?sslmode=require&uselibpqcompat=true',
  ])
  for (const one of [
    'postgres://u:a,b@one/db?options=-c%20x,y',
    'postgresql://one',
    'postgres:///db?host=/run,x',
  ])
    expect(urlsOf(one)).toEqual([one])
  expect(() => urlsOf('postgres://one/db?sslmode=verify')).toThrow('sslmode is verify')
})

/** By its file: a standby changes no settings by statements. */
async function setFsync(server: PostgresServer, to: 'on' | 'off'): Promise<void> {
  const [setting] = await server.query('SHOW data_directory')
  await appendFile(path.join(String(setting?.data_directory), 'postgresql.auto.conf'), `fsync = ${to}\n`)
  await server.query('SELECT pg_reload_conf()')
  await expect.poll(async () => (await server.query('SHOW fsync'))[0]?.fsync).toBe(to)
}

describe.skipIf(whyNoServer !== null)('a primary and its standby', () => {
  let primary: PostgresServer
  let standby: PostgresServer

  beforeAll(async () => {
    primary = await PostgresServer.start()
    standby = await PostgresServer.standbyOf(primary)
  })
  afterAll(async () => {
    await standby?.stop()
    await primary?.stop()
  })

  test('everything acknowledged is there after a failover, and the store goes on where it was', async () => {
    const url = `postgres://postgres:secret@${standby.host},${primary.host}/postgres`
    const store = await openPostgresStore(url)
    const { epoch } = await store.open()
    for (let head = 0; head < 10; head += 2)
      await store.append(sampleCommits(head + 1, head + 2), head, epoch)
    await primary.kill()
    await expect(store.append(sampleCommits(11, 11), 10, epoch)).rejects.toThrow()
    // Nobody is the primary now, and nobody is told the password.
    const failed: unknown = await store.open().catch((error: unknown) => error)
    expect(String(failed)).toContain(`${standby.host} is a standby; ${primary.host} `)
    expect(String(failed)).not.toContain('secret')
    // Another server has settings of its own, and this one would acknowledge what it has not flushed.
    await setFsync(standby, 'off')
    await standby.promote()
    await expect(store.open()).rejects.toThrow('the database has fsync off')
    await setFsync(standby, 'on')
    const session = await store.open()
    expect(session.head).toBe(10)
    await store.append(sampleCommits(11, 12), 10, session.epoch)
    expect(await commitsOf(store)).toEqual(sampleCommits(1, 12))
    await store.close()
  })
})
