// verify, fork and inspect over the log of a shard, beside whoever writes it.
import { spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Engine, openEngine } from '../../src/index.ts'
import { openPostgresStore } from '../../src/store/postgres/index.ts'
import { checkServer } from '../../src/store/postgres/tables.ts'
import { bundle } from '../bundle.ts'
import { ACCOUNTS, Chance, drive, GENESIS } from '../store/traffic.ts'
import { typed } from '../typed.ts'
import { PostgresServer, whyNoServer } from './postgresServer.ts'

if (whyNoServer !== null) console.warn(`reading a log in PostgreSQL is not tested: ${whyNoServer}`)

/** For how long a server waits for a password, ms. */
const AUTHENTICATION_MS = 60_000
const NOTHING_DIFFERS = / 0 missing, 0 that do not follow from the log$/gm

describe.skipIf(whyNoServer !== null)('verify, fork and inspect', () => {
  let server: PostgresServer
  let folder: string
  let main: string
  let engine: Engine

  beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'margin-core-shard-'))
    main = bundle('src/cli/main.ts', folder)
    server = await PostgresServer.start()
    engine = await openEngine({ ...GENESIS, store: await openPostgresStore(server.url, { shard: 3 }) })
    for (let part = 0; part < 5; part++) {
      drive(engine, new Chance(part), 60)
      await engine.whenDurable()
    }
    await engine.saveSnapshot()
  })
  afterAll(async () => {
    await engine?.close()
    await server?.stop()
    await rm(folder, { recursive: true })
  })

  const shard = () => ['--postgres', server.url, '--shard', '3']
  async function run(...args: string[]) {
    const { code, stdout, stderr } = await typed(args)
    return { status: code, stdout, stderr }
  }

  test('verify says the hash of the state and the chain, which a longer log goes on from', async () => {
    const { status, stdout, stderr } = await run('verify', ...shard())
    expect(stderr).toBe('')
    expect(stdout).toContain(`verified ${engine.head} commits`)
    expect(stdout).toContain(engine.stateHash())
    expect(status).toBe(0)
    const chain = /chain (.*)\n/.exec(stdout)?.[1] as string
    // The database computes it as well.
    const [last] = await server.query(
      `SELECT last_seq || ':' || encode(chain, 'hex') AS chain FROM margin_core.commit_group ORDER BY last_seq DESC LIMIT 1`,
    )
    expect(last?.chain).toBe(chain)
    drive(engine, new Chance(9), 20)
    await engine.whenDurable()
    expect((await run('verify', ...shard(), '--expect', chain)).status).toBe(0)
    const other = await run('verify', ...shard(), '--expect', `${chain.split(':')[0]}:${'0'.repeat(64)}`)
    expect(other).toMatchObject({ status: 1, stdout: expect.stringContaining('this is another log') })
  })

  test('fork and inspect answer as over a directory', async () => {
    const fork = await run('fork', ...shard(), '--at', '10', '--set', 'BTC.spread=0.002', '--json')
    expect(JSON.parse(fork.stdout)).toMatchObject({ from: 10, head: engine.head })
    const then = await run('inspect', 'as-of', ...shard(), `${engine.head}`, ACCOUNTS[0], '--json')
    expect(JSON.parse(then.stdout)).toMatchObject({
      seq: engine.head,
      accounts: [{ account: { accountId: ACCOUNTS[0] } }],
    })
    const [order] = ACCOUNTS.flatMap((id) => engine.read.activeOrders(id))
    expect((await run('inspect', 'life', ...shard(), order?.id ?? '')).stdout).toContain('orderPlaced')
  })

  test('the history tables are held against the log, and put right where that is asked for', async () => {
    const history = (...options: string[]) => run('cluster', 'history', '--postgres', server.url, ...options)
    const clean = await history()
    expect(clean.stderr).toBe('')
    expect(clean.stdout.match(NOTHING_DIFFERS)).toHaveLength(3)
    expect(clean.stdout).toMatch(/^shard 3, up to commit \d+: [1-9]\d* orders, /m)
    expect(clean.status).toBe(0)
    // A row that is gone, and one that says another thing.
    await server.query(
      'DELETE FROM margin_core.orders WHERE sequence = (SELECT min(sequence) FROM margin_core.orders)',
    )
    await server.query(
      'UPDATE margin_core.positions SET fee = fee + 1 WHERE sequence = (SELECT max(sequence) FROM margin_core.positions)',
    )
    const broken = await history()
    expect(broken.stdout).toMatch(/ orders, 1 missing, 0 that/)
    expect(broken.stdout).toMatch(/ positions, 1 missing, 1 that/)
    expect(broken.status).toBe(1)
    const rebuilt = await history('--rebuild', '--schema', 'margin_core')
    expect(rebuilt.stdout).toMatch(/ orders, 1 missing, 0 that/)
    expect(rebuilt.status).toBe(0)
    const again = await history()
    expect(again.stdout.match(NOTHING_DIFFERS)).toHaveLength(3)
    expect(again.status).toBe(0)
  })

  test('what cannot be is said in a line, without the password', async () => {
    const said = async (...args: string[]) => {
      const { status, stderr } = await run(...args)
      expect(status).toBe(2)
      expect(stderr.trim().split('\n')).toHaveLength(1)
      expect(stderr).not.toContain('s3cret')
      return stderr
    }
    expect(await said('verify')).toContain('missing: directory')
    expect(await said('verify', 'somewhere', ...shard())).toContain('too much: somewhere')
    expect(await said('verify', '--postgres', server.url)).toContain('--shard')
    expect(await said('verify', 'somewhere', '--shard', '1')).toContain('--postgres')
    expect(await said('inspect', 'life', ...shard(), 'one', 'two')).toContain('too much: two')
    const nowhere = ['--postgres', 'postgres://u:s3cret@127.0.0.1:1/x', '--shard', '0']
    expect(await said('inspect', 'as-of', ...nowhere, 'yesterday')).toContain('neither a commit nor')
    expect(await said('fork', ...nowhere, '--at', '1', '--no-stops', '--no-profit-cap')).toContain('one of')
    expect(await said('fork', ...nowhere, '--at', '1', '--set', 'BTC')).toContain('not of the form')
    expect(await said('verify', '--postgres', server.url, '--shard', '4')).toContain(
      'no shard 4 in the schema margin_core, only 3',
    )
    expect(await said('verify', ...shard(), '--schema', 'other')).toContain('no venue in the schema other')
    expect(await said('cluster', 'history', '--postgres', server.url, '--schema', 'other')).toContain(
      'no venue in the schema other',
    )
    expect(await said('cluster', 'history', '--postgres', server.url, '--schema', 'o;ther')).toContain(
      'o;ther',
    )
    expect(await said('verify', '--postgres', 'postgres://u:s3cret@127.0.0.1:1/x', '--shard', '0')).toContain(
      'ECONNREFUSED',
    )
    expect(await said('verify', '--postgres', 'postgres://u:s3cret@[', '--shard', '0')).toContain(
      'cannot be read',
    )
    for (const what of [['status'], ['move', '3', 'y'], ['drain', 'y'], ['history']])
      expect(await said('cluster', ...what, '--postgres', 'postgres://u:s3cret@127.0.0.1:1/x')).toContain(
        'the database cannot be read: connect ECONNREFUSED',
      )
    const misspelt = ['--postgres', 'postgres//u:s3cret@127.0.0.1:1/x']
    for (const command of [['cluster', 'status'], ['worker'], ['verify', '--shard', '0']])
      expect(await said(...command, ...misspelt)).toContain('no URL such as postgres://')
  })

  test('a role without rights is told which it lacks, and one that may use what is there need not make anything', async () => {
    await server.query('CREATE ROLE poor LOGIN')
    const poor = server.url.replace('postgres@', 'poor@')
    const asked = (...words: string[]) => run(...words, '--postgres', poor)
    const REMEDY = 'give the role that right, or name one in the URL that owns the database\n'
    expect(await asked('verify', '--shard', '3')).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: `error: the database cannot be read: permission denied for schema margin_core; ${REMEDY}`,
    })
    await expect(openPostgresStore(poor, { schema: 'of_its_own' })).rejects.toThrow('permission denied')
    await server.query('GRANT USAGE ON SCHEMA margin_core TO poor')
    await server.query('GRANT SELECT ON ALL TABLES IN SCHEMA margin_core TO poor')
    expect(await asked('verify', '--shard', '3')).toMatchObject({ status: 0, stderr: '' })
    await server.query(`INSERT INTO margin_core.cluster (shards) VALUES (4)`)
    expect(await asked('cluster', 'drain', 'a')).toEqual({
      ...{ status: 2, stdout: '' },
      stderr: 'error: the role poor has not the right to do that: GRANT UPDATE ON margin_core.node TO poor\n',
    })
    await server.query('REVOKE ALL ON margin_core.node FROM poor')
    await server.query('REVOKE USAGE ON SCHEMA margin_core FROM poor')
    for (const [words, node] of [
      [['status'], 'SELECT'],
      [['drain', 'a'], 'SELECT, UPDATE'],
    ] as const)
      expect((await asked('cluster', ...words)).stderr).toBe(
        `error: the role poor has not the right to do that: GRANT USAGE ON SCHEMA margin_core TO poor; GRANT ${node} ON margin_core.node TO poor\n`,
      )
    await server.query('GRANT USAGE ON SCHEMA margin_core TO poor')
    await server.query('DELETE FROM margin_core.cluster')
    await server.query('REVOKE SELECT ON margin_core.commit_group FROM poor')
    expect((await asked('cluster', 'history')).stderr).toContain(
      'that: GRANT SELECT ON margin_core.commit_group TO poor\n',
    )
    await server.query('GRANT ALL ON ALL TABLES IN SCHEMA margin_core TO poor')
    const other = await openEngine({ ...GENESIS, store: await openPostgresStore(poor, { shard: 4 }) })
    await other.close()
    await server.query('DELETE FROM margin_core.snapshot_piece WHERE shard = 4')
    for (const table of ['commit_group', 'history_cursor', 'shard'])
      await server.query(`DELETE FROM margin_core.${table} WHERE shard = 4`)
  })

  test('a server that is too old is refused', () => {
    expect(() => checkServer(129_999)).toThrow(
      'the database is PostgreSQL 12, which is too old: it has to be 13 or later',
    )
    for (const number of [130_000, 180_004]) checkServer(number)
  })

  test('nodes are shown by name, a shard is moved once it is there, and what cannot be is refused', async () => {
    const of = 'margin_core'
    await server.query(`INSERT INTO ${of}.cluster (shards) VALUES (4)`)
    for (const name of ['y', 'z', 'x'])
      await server.query(
        `INSERT INTO ${of}.node (life, name, address, lease_ms, draining)
         VALUES ('of ${name}', '${name}', 'http://127.0.0.1:9', 60000, ${name === 'z'})`,
      )
    await server.query(`UPDATE ${of}.shard SET owner = 'of y' WHERE shard = 3`)
    const cluster = (...args: string[]) => run('cluster', ...args, '--postgres', server.url)
    expect(await cluster('move', '3', 'y')).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(
        /^shard 3 is with y\nx .* serving {2}shards none\ny .* serving {2}shards 3\nz .* draining {2}shards none\n/,
      ),
    })
    for (const [args, why] of [
      [['move', '3', 'z'], 'z drains'],
      [['move', '3', 'nobody'], 'no node nobody'],
      [['move', '9', 'y'], 'no shard 9'],
      [['drain', 'nobody'], 'no node nobody'],
    ] as const)
      expect(await cluster(...args)).toMatchObject({ status: 2, stderr: expect.stringContaining(why) })
    expect(await cluster('drain', 'x')).toMatchObject({
      status: 0,
      stdout: expect.stringContaining('x has given its shards away\nx  http://127.0.0.1:9  draining'),
    })
    expect((await cluster('drain', 'y')).stderr).toContain('it keeps them until one does')
    await server.query(`DELETE FROM ${of}.node`)
    await server.query(`DELETE FROM ${of}.cluster`)
  })

  test('a password comes from the environment or from a file, and no message repeats it', async () => {
    const [rules] = await server.query('SHOW hba_file')
    const file = String(rules?.hba_file)
    await writeFile(file, `host all venue 127.0.0.1/32 scram-sha-256\n${await readFile(file, 'utf8')}`)
    // Servers before version 14 keep passwords in another way by themselves.
    await server.query(
      `SET password_encryption = 'scram-sha-256'; CREATE ROLE venue LOGIN SUPERUSER PASSWORD 'known-to-two'`,
    )
    await server.query('SELECT pg_reload_conf()')
    const passfile = path.join(folder, 'pgpass')
    await writeFile(passfile, '*:*:*:venue:known-to-two\n', { mode: 0o600 })
    const url = server.url.replace(/\/\/[^@]*@/, '//venue@')
    const asked = (at: string, variables: NodeJS.ProcessEnv) =>
      spawnSync(process.execPath, [main, 'verify', '--postgres', at, '--shard', '3'], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, HOME: folder, ...variables },
      })
    for (const variables of [{ PGPASSWORD: 'known-to-two' }, { PGPASSFILE: passfile }])
      expect(asked(url, variables)).toMatchObject({ status: 0, stdout: expect.stringContaining('verified') })
    for (const [at, variables] of [
      [url, { PGPASSWORD: 's3cret' }],
      [url.replace('venue@', 'venue:s3cret@'), {}],
    ] as const) {
      const { status, stdout, stderr } = asked(at, variables)
      expect([status, stderr]).toEqual([2, expect.stringContaining('password authentication failed')])
      expect(stdout + stderr).not.toContain('s3cret')
    }
    // It ends at once, though the server waits for a password.
    const began = Date.now()
    expect(asked(url, {})).toMatchObject({ status: 2, stderr: expect.stringContaining('set PGPASSWORD') })
    expect(Date.now() - began).toBeLessThan(AUTHENTICATION_MS)
  })

  test('a group that was replaced by another breaks the chain, though it is sound by itself', async () => {
    const broken = 'UPDATE margin_core.commit_group SET chain = sha256(chain) WHERE first_seq = 1'
    await server.query(broken)
    const { status, stderr } = await run('verify', ...shard())
    expect(stderr).toContain('its chain is another')
    expect(status).toBe(2)
  })
})
