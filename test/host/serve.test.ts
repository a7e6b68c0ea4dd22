// The command line: what is printed, what is refused, and that a signal ends it well.

import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, test } from 'vitest'
import { bundle } from '../bundle.ts'
import { canRunUnprivileged, UNPRIVILEGED } from '../unprivileged.ts'
import { startedBy } from './startedBy.ts'
import { ALICE, BTC, CONFIGURATION, limitOrder, OPERATOR } from './venue.ts'

const directory = mkdtempSync(path.join(tmpdir(), 'margin-core-serve-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function configured(name: string, configuration: object): string {
  const file = path.join(directory, name)
  writeFileSync(file, JSON.stringify(configuration))
  return file
}

const SERVE = [bundle('src/cli/main.ts', directory), 'serve', '--port', '0']

/** Starts `margin-core serve` and waits until it listens or ends. */
function serve(...args: string[]) {
  return startedBy({}, process.execPath, ...SERVE, ...args)
}

test('the demo venue: the printed lines work when pasted, and SIGTERM ends it with 0', async () => {
  const { output, url, stop } = await serve()
  expect(output.out).toContain('the log is in memory and is lost on exit')
  for (const shown of [`${url}/docs`, 'mtk_', 'account id']) expect(output.out).toContain(shown)
  const lines = output.out.split('\n').filter((line) => line.trim().startsWith('curl '))
  const answers: string[] = []
  for (const line of lines) answers.push((await promisify(execFile)('sh', ['-c', line])).stdout)
  expect(JSON.parse(answers[0] as string)).toMatchObject({ status: 'executed', type: 'market' })
  expect(JSON.parse(answers[1] as string)).toMatchObject([{ status: 'opened' }])
  expect(output.err).toBe('')
  expect(await stop('SIGTERM')).toBe(0)
})

test('the demo venue over a log: its key is kept beside it, for its owner alone', async () => {
  const data = path.join(directory, 'demo')
  const keyIn = ({ out }: { readonly out: string }) => /mtk_[\w-]{43}/.exec(out)?.[0] as string
  const asked = (url: string, key: string) =>
    fetch(`${url}/accounts/with-risk-status`, { headers: { authorization: `Bearer ${key}` } })
  const first = await serve('--data', data)
  const key = keyIn(first.output)
  expect(statSync(path.join(data, 'demo-key')).mode & 0o777).toBe(0o600)
  expect(await first.stop('SIGTERM')).toBe(0)
  const second = await serve('--data', data)
  expect([keyIn(second.output), second.output.err]).toEqual([key, ''])
  expect((await asked(second.url, key)).status).toBe(200)
  expect(await second.stop('SIGTERM')).toBe(0)
  rmSync(path.join(data, 'demo-key'))
  const third = await serve('--data', data)
  expect(keyIn(third.output)).not.toBe(key)
  expect((await asked(third.url, key)).status).toBe(401)
  const latest = keyIn(third.output)
  const operator = /operator's token +(\S+)/.exec(third.output.out)?.[1]
  const hash = createHash('sha256').update(latest).digest('hex')
  const revoked = await fetch(`${third.url}/operator/commands`, {
    method: 'POST',
    headers: { authorization: `Bearer ${operator}`, 'content-type': 'application/json' },
    body: JSON.stringify({ type: 'revokeApiKey', hash }),
  })
  expect(revoked.status).toBe(200)
  expect(await third.stop('SIGTERM')).toBe(0)
  const fourth = await serve('--data', data)
  expect(fourth.output.err.split('\n')[0]).toBe(
    `the key in ${path.join(data, 'demo-key')} was revoked or refreshed: remove that file and start again for another`,
  )
  expect((await asked(fourth.url, latest)).status).toBe(401)
  expect(await fourth.stop('SIGTERM')).toBe(0)
})

test('the log in a directory: orders, keys and time are there again, differences are told', async () => {
  const data = path.join(directory, 'data')
  const first = await serve('--config', configured('venue.json', CONFIGURATION), '--data', data)
  const call = (url: string, method: string, where: string, key: string, body?: object) =>
    fetch(url + where, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    }).then((response) => response.json() as Promise<{ key: string; id: string; at: string }>)
  const order = await call(first.url, 'POST', '/orders', ALICE.key, limitOrder())
  const made = await call(first.url, 'POST', '/user/api-keys', ALICE.session, { name: 'bot' })
  await call(first.url, 'POST', '/operator/commands', OPERATOR, { type: 'advanceTime', ms: 1_500 })
  expect(await first.stop('SIGINT')).toBe(0)

  const [btc, gold] = CONFIGURATION.markets
  const changed = { ...CONFIGURATION, markets: [{ ...btc, feeRate: '0' }, gold] }
  const second = await serve('--config', configured('changed.json', changed), '--data', data)
  expect(second.output.err).toContain(`market ${BTC}: feeRate is 0.1% in the log`)
  expect(await call(second.url, 'GET', `/orders/${ALICE.accountId}/active`, made.key)).toEqual([order])
  const health = await call(second.url, 'GET', '/operator/health', OPERATOR)
  expect(health.at).toBe('2026-01-05T00:10:01.500Z')
  expect(await second.stop('SIGTERM')).toBe(0)
})

test.each<[string[], string, number]>([
  [['--config', configured('stray.json', { ...CONFIGURATION, clocks: {} })], 'clocks', 1],
  [['--port', '65536'], '65536', 2],
])('%j is refused in one line', async (args, named, code) => {
  const { output, ended } = await serve(...args)
  expect(await ended).toBe(code)
  expect(output.err).toContain(named)
  expect(output.out).not.toContain('listening')
  expect(output.err.trim().split('\n')).toHaveLength(1)
})

/** What somebody reads who started it and got no venue: a sentence that says what to do, and nothing else. */
async function refusedInASentence(starting: ReturnType<typeof serve>, sentence: RegExp): Promise<void> {
  const { output, ended } = await starting
  expect(await ended).toBe(1)
  expect(output.err).toMatch(sentence)
  expect(output.err.trim().split('\n')).toHaveLength(1)
  expect(output.out).not.toContain('listening')
}

test('a port that is taken: the sentence names it and what to do, and the directory is free again', async () => {
  const data = path.join(directory, 'taken')
  const first = await serve()
  const { port } = new URL(first.url)
  const sentence = new RegExp(`^error: cannot listen on 127.0.0.1:${port}: the port is taken; choose another`)
  await refusedInASentence(serve('--data', data, '--port', port), sentence)
  const second = await serve('--data', data)
  expect([await first.stop('SIGTERM'), await second.stop('SIGTERM')]).toEqual([0, 0])
})

test.each<[string, string[], RegExp]>([
  [
    'no such address',
    ['--host', '192.0.2.1'],
    /^error: cannot listen on 192.0.2.1: .*choose another with --host$/m,
  ],
  [
    'the file of a feed is missing',
    [
      '--config',
      configured('feed.json', {
        ...CONFIGURATION,
        clock: { mode: 'system' },
        feed: { kind: 'replay', file: '/nowhere/prices.csv', marketId: BTC, speed: 1 },
      }),
    ],
    /^error: feed.file: cannot read \/nowhere\/prices.csv: there is no such file; put it there, or name another$/m,
  ],
])('%s', (_, args, sentence) => refusedInASentence(serve(...args), sentence))

describe.skipIf(!canRunUnprivileged)('a directory that nobody may write to', () => {
  const sealed = path.join(directory, 'sealed')
  const serveSealed = (...args: string[]) =>
    startedBy(
      UNPRIVILEGED,
      process.execPath,
      ...SERVE,
      '--config',
      configured('venue.json', CONFIGURATION),
      ...args,
    )

  test('with nothing in it: a sentence', async () => {
    mkdirSync(sealed)
    chmodSync(directory, 0o755)
    chmodSync(sealed, 0o555)
    for (const data of [sealed, path.join(sealed, 'deeper', 'data')])
      await refusedInASentence(
        serveSealed('--data', data),
        /^error: there is no log to be read, and none can be begun: .*sealed.* cannot be written to, make it writable and start again/,
      )
  })

  test('with a venue in it: it is served to be read', async () => {
    chmodSync(sealed, 0o755)
    const before = await serve('--config', configured('venue.json', CONFIGURATION), '--data', sealed)
    expect(await before.stop('SIGTERM')).toBe(0)
    for (const name of ['', ...readdirSync(sealed, { recursive: true, encoding: 'utf8' })]) {
      const file = path.join(sealed, name)
      chmodSync(file, statSync(file).isFile() ? 0o444 : 0o555)
    }
    const { output, url, stop } = await serveSealed('--data', sealed)
    expect(output.err.trim().split('\n')).toHaveLength(1)
    expect(output.err).toMatch(
      /^commands are refused, and what is there is served to be read: .*make it writable/,
    )
    const authorization = `Bearer ${ALICE.key}`
    expect((await fetch(`${url}/accounts/with-risk-status`, { headers: { authorization } })).status).toBe(200)
    const body = JSON.stringify(limitOrder())
    const headers = { authorization, 'content-type': 'application/json' }
    const refused = await fetch(`${url}/orders`, { method: 'POST', headers, body })
    expect([refused.status, await refused.json()]).toMatchObject([503, { error: 'engine_stopped' }])
    expect(await stop('SIGTERM'), 'nothing failed').toBe(0)
  })
})

test('a disk that fails under it: clients are told, and SIGTERM ends it with 1 and a sentence', async () => {
  // No file may grow past 352 KiB: the log has room for a few hundred commits.
  const { output, url, stop } = await startedBy(
    {},
    ...['sh', '-c', 'ulimit -f 704; exec "$@"', 'sh', process.execPath, ...SERVE],
    ...['--config', configured('venue.json', CONFIGURATION), '--data', path.join(directory, 'failing')],
  )
  const headers = { authorization: `Bearer ${OPERATOR}`, 'content-type': 'application/json' }
  const deposit = { type: 'adjustBalance', accountId: ALICE.accountId, amount: '1000000000' }
  const body = JSON.stringify(Array.from({ length: 1_000 }, () => deposit))
  const statuses: number[] = []
  while (statuses.at(-1) !== 503 && statuses.length < 100)
    statuses.push((await fetch(`${url}/operator/commands`, { method: 'POST', headers, body })).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([200, 503])
  const health = await fetch(`${url}/operator/health`, { headers })
  const reason = 'the log could not be written: EFBIG: file too large, write'
  expect([health.status, await health.json()]).toMatchObject([503, { status: 'failed', reason }])
  expect(await stop('SIGTERM')).toBe(1)
  expect(output.err).not.toMatch(/^\s+at /m)
  expect(output.err.trim().split('\n').at(-1)).toBe(`error: the engine had stopped: ${reason}`)
})

test('without a configuration there is a key to trade with and a token to operate with, others at each start', async () => {
  const told: string[][] = []
  for (let start = 0; start < 2; start++) {
    const { output, url, stop } = await serve()
    const [, key = ''] = /API key +(\S+)/.exec(output.out) ?? []
    const [, token = ''] = /operator's token +(\S+)/.exec(output.out) ?? []
    const status = async (at: string, secret: string) =>
      (await fetch(url + at, { headers: { authorization: `Bearer ${secret}` } })).status
    expect(await status('/operator/accounts', token)).toBe(200)
    expect(await status('/operator/accounts', key)).toBe(401)
    expect(await status('/accounts/with-risk-status', key)).toBe(200)
    expect(await status('/accounts/with-risk-status', token)).toBe(401)
    told.push([key, token])
    expect(await stop('SIGTERM')).toBe(0)
  }
  expect(new Set(told.flat()).size).toBe(4)
})
