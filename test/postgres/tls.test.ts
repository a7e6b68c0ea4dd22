// Connections over TLS, as the URL asks for them.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import { PostgresServer, whyNoServer } from './postgresServer.ts'

const why = whyNoServer ?? (spawnSync('openssl', ['version']).status === 0 ? null : 'there is no openssl')
if (why !== null) console.warn(`TLS is not tested: ${why}`)

test.skipIf(why !== null)(
  'a certificate is believed that the URL names the authority of, and no other',
  async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'margin-core-tls-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const server = await PostgresServer.start()
    onTestFinished(() => server.stop())
    const authority = path.join(folder, 'ca.crt')
    await server.offerTls(authority)
    const encrypted = async (query: string, url = server.url) => {
      const store = await openPostgresStore(`${url}?${query}`)
      await store.open()
      const [row] = await server.query('SELECT count(*)::int AS count FROM pg_stat_ssl WHERE ssl')
      await store.close()
      return row?.count
    }
    expect(await encrypted(`sslmode=verify-full&sslrootcert=${authority}`)).toBe(1)
    expect(await encrypted('sslmode=disable')).toBe(0)
    await expect(encrypted('sslmode=verify-full')).rejects.toThrow('self-signed certificate')
    // As libpq has it: whoever only requires TLS asks for no certificate, and `verify-ca` for no name.
    expect(await encrypted('sslmode=require')).toBe(1)
    const byAnotherName = server.url.replace('127.0.0.1', 'localhost')
    expect(byAnotherName).not.toBe(server.url)
    expect(await encrypted(`sslmode=verify-ca&sslrootcert=${authority}`, byAnotherName)).toBe(1)
    await expect(encrypted(`sslmode=verify-full&sslrootcert=${authority}`, byAnotherName)).rejects.toThrow(
      /altnames/,
    )
    await expect(encrypted('sslmode=verify-ca')).rejects.toThrow(/sslrootcert/)
  },
)
