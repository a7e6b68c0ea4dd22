// `margin-core serve`, alone and as a node, before a host that only keeps what it was asked for: each option reaches it, what is printed, what
// keeps it from listening, and what signals come to.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { CONFIGURATION } from '../../host/venue.ts'
import { typed } from '../../typed.ts'

const { host } = vi.hoisted(() => {
  const served = () => ({
    url: 'http://127.0.0.1:4321',
    operatorUrl: null as string | null,
    ignored: [] as string[],
    engine: { failure: null as Error | null },
    close: async () => {},
  })
  const host = {
    served,
    asked: [] as Record<string, unknown>[],
    answers: async (): Promise<unknown> => served(),
  }
  return { host }
})

const keeping = vi.hoisted(() => async (options: Record<string, unknown>) => {
  host.asked.push(options)
  return host.answers()
})
vi.mock('../../../src/host/index.ts', async (original) => ({
  ...(await original<object>()),
  serveNode: keeping,
  serveVenue: keeping,
}))

const folder = mkdtempSync(path.join(tmpdir(), 'margin-core-serve-'))
afterAll(() => rmSync(folder, { recursive: true }))
writeFileSync(path.join(folder, 'venue.json'), JSON.stringify(CONFIGURATION))

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
const { error } = console
beforeEach(() => {
  host.asked.length = 0
  host.answers = async () => host.served()
})
afterEach(() => {
  for (const signal of SIGNALS) process.removeAllListeners(signal)
  console.error = error
  vi.restoreAllMocks()
  vi.useRealTimers()
})

const NODE = ['--config', 'venue.json', '--postgres', 'postgres://me@here/venue']
const serve = (...words: readonly string[]) => typed(['serve', ...words], folder)

async function askedBy(...words: readonly string[]): Promise<Record<string, unknown>> {
  host.asked.length = 0
  const { code, stderr } = await serve(...words)
  expect([code, host.asked.length], stderr).toEqual([0, 1])
  const {
    configuration: _,
    onNotice: __,
    onRecovery: ___,
    ...asked
  } = host.asked[0] as Record<string, unknown>
  return asked
}

const ALONE = { store: null, acceptGap: false, host: '127.0.0.1', port: 8080, log: { level: 'warn' } }
const OF_A_NODE = {
  ...{ postgres: 'postgres://me@here/venue', leaseMs: 3_000, unsafeDatabase: false, acceptGap: false },
  ...{ host: '127.0.0.1', port: 8080, log: { level: 'warn' } },
}

describe('what is asked of the host', () => {
  test.each([
    ['', {}],
    ['--port 0', { port: 0 }],
    ['--port 65535', { port: 65_535 }],
    ['--host 10.0.0.1', { host: '10.0.0.1' }],
    ['--accept-gap', { acceptGap: true }],
    ['--log-level debug', { log: { level: 'debug' } }],
    ['--config venue.json', {}],
  ])('alone, with %s', async (words, change) => {
    expect(await askedBy(...words.split(' ').filter(Boolean))).toEqual({ ...ALONE, ...change })
  })

  test.each([
    ['', {}],
    ['--node a', { name: 'a' }],
    ['--advertise http://10.0.0.1:80', { advertise: 'http://10.0.0.1:80' }],
    ['--host 0.0.0.0 --advertise http://10.0.0.1:80', { host: '0.0.0.0', advertise: 'http://10.0.0.1:80' }],
    ['--lease 300', { leaseMs: 300 }],
    ['--unsafe-database', { unsafeDatabase: true }],
    ['--accept-gap', { acceptGap: true }],
    ['--port 0 --host 10.0.0.1 --log-level silent', { port: 0, host: '10.0.0.1', log: { level: 'silent' } }],
  ])('as a node, with %s', async (words, change) => {
    expect(await askedBy(...NODE, ...words.split(' ').filter(Boolean))).toEqual({ ...OF_A_NODE, ...change })
  })
})

test.each([
  ['--archive here', '--archive is of a log that is kept: --data DIR'],
  ['--node a', '--node is of a node of a cluster: --postgres URL'],
  ['--end-within 9000', '--end-within is of a node of a cluster: --postgres URL'],
  ['--lease 3000', '--lease is of a node of a cluster: --postgres URL'],
  ['--unsafe-database', '--unsafe-database is of a node of a cluster: --postgres URL'],
  ['--postgres postgres://here/venue', '--postgres needs a configuration: --config FILE'],
  [`${NODE.join(' ')} --data kept`, '--data and --postgres exclude each other'],
  [`${NODE.join(' ')} --archive kept`, 'archive and --postgres exclude each other'],
  [`${NODE.join(' ')} --host ::`, 'no other node reaches this one at ::: --advertise URL says where it does'],
])('%s is refused, and nothing is asked of the host', async (words, sentence) => {
  const { code, stdout, stderr } = await serve(...words.split(' '))
  expect([code === 0, stdout, host.asked]).toEqual([false, '', []])
  expect(stderr).toContain(sentence)
})

describe('what is told', () => {
  test('what the configuration has otherwise, where the log is, where the operators are, and where it listens, last', async () => {
    const ignored = ['markets[0].spread is 0.1% in the log']
    host.answers = async () => ({ ...host.served(), ignored, operatorUrl: 'http://127.0.0.1:99' })
    expect(await serve('--config', 'venue.json')).toEqual({
      code: 0,
      stderr: `configuration: ${ignored[0]}\n`,
      stdout: [
        'the log is in memory and is lost on exit (--data DIR keeps it)',
        'API documentation: http://127.0.0.1:4321/docs',
        'operator surface on http://127.0.0.1:99',
        'listening on http://127.0.0.1:4321\n',
      ].join('\n'),
    })
  })

  test.each([
    [['it', 'says', new Error('so')], 'it says so\n'],
    [[new Error('so')], 'so\n'],
    [[Object.assign(new Error('MDB_PANIC'), { code: -30_795 })], ''],
    [['while it writes', Object.assign(new Error('MDB_PANIC'), { code: -30_795 })], ''],
    [[Object.assign(new Error('no such file'), { code: 'ENOENT' })], 'no such file\n'],
  ])('what a package prints by itself, in a line; an error of LMDB’s not at all: %s', async (told, line) => {
    const written: string[] = []
    await serve('--config', 'venue.json')
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
    console.error(...told)
    expect(written.join('')).toBe(line)
  })

  test('of a node, where it listens and where the operators are', async () => {
    expect((await serve(...NODE)).stdout).toBe('listening on http://127.0.0.1:4321\n')
    host.answers = async () => ({ ...host.served(), operatorUrl: 'http://127.0.0.1:99' })
    expect((await serve(...NODE)).stdout).toBe(
      'operator surface on http://127.0.0.1:99\nlistening on http://127.0.0.1:4321\n',
    )
  })

  test.each([
    [
      { code: 'EADDRINUSE', syscall: 'listen', address: '1.2.3.4', port: 80 },
      'cannot listen on 1.2.3.4:80: the port is taken; choose another port with --port, or in the configuration with operatorListen',
    ],
    [
      { code: 'EACCES', syscall: 'listen', address: '1.2.3.4', port: 80 },
      'cannot listen on 1.2.3.4:80: the port needs more rights than this process has; choose another port with --port, or in the configuration with operatorListen',
    ],
    [
      { code: 'EADDRNOTAVAIL', syscall: 'listen', address: '1.2.3.4' },
      'cannot listen on 1.2.3.4: this machine has no such address; choose another with --host',
    ],
    [
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'nowhere' },
      'cannot listen on nowhere: there is no such host; choose another with --host',
    ],
    [{ code: 'EIO', syscall: 'listen' }, 'it fails'],
  ])('what keeps it from listening: %j', async (fault, sentence) => {
    for (const words of [['--config', 'venue.json'], NODE]) {
      host.answers = async () => Promise.reject(Object.assign(new Error('it fails'), fault))
      const { code, stderr } = await serve(...words, '--host', 'nowhere')
      expect([code, stderr]).toEqual([1, `error: ${sentence}\n`])
    }
  })

  test.each([
    [
      { code: 'ENOTFOUND', syscall: 'getaddrinfo', hostname: 'db' },
      'the database cannot be used: it fails; name another host in the URL',
    ],
    [
      { code: 'ECONNREFUSED', syscall: 'connect' },
      'the database cannot be used: it fails; start it, or name another host in the URL',
    ],
    [
      { code: '42501' },
      'the database cannot be used: it fails; give the role that right, or name one in the URL that owns the database',
    ],
    [{ code: 'XX000' }, 'the database cannot be used: it fails'],
    [
      { message: 'The server does not support SSL connections' },
      'the database cannot be used: The server does not support SSL connections',
    ],
    [{ message: 'it is broken' }, 'it is broken'],
    [{ name: 'RangeError', message: 'the database is a standby' }, 'the database is a standby'],
  ])('what keeps its database from being used: %j', async (fault, sentence) => {
    host.answers = async () => Promise.reject(Object.assign(new Error('it fails'), fault))
    expect(await serve(...NODE)).toMatchObject({ code: 1, stderr: `error: ${sentence}\n` })
  })
})

describe('a signal', () => {
  const written: string[] = []
  const exits: unknown[] = []
  /** What happens between a signal and the end. */
  async function begun(words: readonly string[], more: object): Promise<void> {
    written.length = exits.length = 0
    host.answers = async () => ({ ...host.served(), ...more })
    await serve(...words)
    vi.spyOn(process, 'exit').mockImplementation((code) => void exits.push(code) as never)
    vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0)
  }
  const turn = () => new Promise((resolve) => setImmediate(resolve))

  test.each(SIGNALS)('%s closes what is served, and ends with 0', async (signal) => {
    for (const words of [['--config', 'venue.json'], NODE]) {
      const close = vi.fn(async () => {})
      await begun(words, { close })
      process.emit(signal)
      await turn()
      expect([close.mock.calls.length, exits[0], written]).toEqual([1, 0, []])
      for (const each of SIGNALS) process.removeAllListeners(each)
      vi.restoreAllMocks()
    }
  })

  test('that comes again does not wait, and ends with 1', async () => {
    for (const words of [['--config', 'venue.json'], NODE]) {
      await begun(words, { close: () => new Promise(() => {}) })
      process.emit('SIGTERM')
      await turn()
      expect(exits).toEqual([])
      process.emit('SIGINT')
      await turn()
      expect(exits[0]).toBe(1)
      for (const each of SIGNALS) process.removeAllListeners(each)
      vi.restoreAllMocks()
    }
  })

  test('says what went wrong while it was closed; alone it then ends with 1, and so does an engine that had stopped', async () => {
    const close = () => Promise.reject(new Error('the disk is full'))
    await begun(['--config', 'venue.json'], { close, engine: { failure: new Error('it broke') } })
    process.emit('SIGTERM')
    await turn()
    expect([exits[0], written]).toEqual([
      1,
      ['error: the engine had stopped: it broke\n', 'error: the disk is full\n'],
    ])
    for (const each of SIGNALS) process.removeAllListeners(each)
    vi.restoreAllMocks()
    await begun(NODE, { close })
    process.emit('SIGTERM')
    await turn()
    expect([exits[0], written]).toEqual([0, ['error: the disk is full\n']])
  })

  test.each([
    [18_000, []],
    [9_000, ['--end-within', '9000']],
  ])('to a node whose shards nobody takes ends it within %i ms, and says so', async (ms, words) => {
    await begun([...NODE, ...words], { close: () => new Promise(() => {}) })
    vi.useFakeTimers({ toFake: ['setTimeout'] })
    process.emit('SIGTERM')
    await vi.advanceTimersByTimeAsync(ms - 1)
    expect([exits, written]).toEqual([[], []])
    await vi.advanceTimersByTimeAsync(1)
    expect([exits, written]).toEqual([
      [0],
      ['it ends before all was handed over: others do not take it, or the database does not answer\n'],
    ])
  })
})
